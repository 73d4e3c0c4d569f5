"""The edition of a record, rebuilt from its header even when the file of the edition is gone."""

from knobel.record.events import Header
from knobel.rules import Edition, edition_ids, load_edition
from knobel.rules.languages import LANGUAGES


def rebuild_edition(header: Header) -> Edition:
    edition = header.edition
    return Edition(
        id=edition.id,
        title=edition.title,
        publisher=edition.publisher,
        printed=LANGUAGES,
        default_text=header.text,
        table={**header.rules, **({"boxes": restore_box_names(header)} if "boxes" in header.rules else {})},
        base=edition.base,
        lower_total=prints_lower_total(edition.base or edition.id),
    )


def prints_lower_total(edition: str) -> bool:
    """Tell whether a printed edition has a line for the lower total: a record holds rules, not what is printed."""
    return edition in edition_ids() and load_edition(edition).lower_total


def restore_box_names(header: Header) -> dict[str, object]:
    """Put the names of the boxes back into the rules they were taken out of."""
    boxes = header.rules.get("boxes")
    names = header.edition.names
    return {
        box: {**settings, **({"names": names[box]} if box in names else {})}
        for box, settings in (boxes.items() if isinstance(boxes, dict) else ())
    }
