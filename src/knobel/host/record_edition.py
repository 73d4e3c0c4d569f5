"""Which box a record is of, to speak about it even when its file is gone."""

from knobel.record.events import Header
from knobel.rules import Edition
from knobel.rules.edition import LANGUAGES


def rebuild_edition(header: Header) -> Edition:
    """Give the box of a record, to speak about it."""
    box = header.edition
    return Edition(
        id=box.id,
        title=box.title,
        publisher=box.publisher,
        printed=LANGUAGES,
        default_text=header.text,
        table={**header.rules, **({"boxes": restore_box_names(header)} if "boxes" in header.rules else {})},
        base=box.base,
    )


def restore_box_names(header: Header) -> dict[str, object]:
    """Put the names of a house rule beside its boxes again."""
    boxes = header.rules.get("boxes")
    names = header.edition.names
    return {
        box: {**settings, **({"names": names[box]} if box in names else {})}
        for box, settings in (boxes.items() if isinstance(boxes, dict) else ())
    }


def find_family(header: Header) -> str:
    """Say which family of games a record is of."""
    return str(header.rules.get("game", "sheet"))
