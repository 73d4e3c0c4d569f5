"""Boxes as players name them: whole, by how their words begin, or by their initials, as long as only one is meant."""

from collections.abc import Collection, Iterator

from knobel.cli.typed_words import fold
from knobel.errors import AmbiguousBox, UnknownBox
from knobel.lang import SOURCE_LANGUAGE, Translator
from knobel.rules.fields import abbreviate
from knobel.rules.sheet_rules import SheetRules

SMALL_WORD = 2
"""Words of at most so many letters may be left out of initials: three of a kind is tk or toak."""


def find_typed_box(words: Translator, rules: SheetRules, typed: str, preferred: Collection[str] = ()) -> str:
    """Find the box that is meant; of several, the only one that is preferred, because it is still open."""
    found = match_boxes(words, rules, typed)
    if len(found) > 1 and len(open_ones := [box for box in found if box in preferred]) == 1:
        found = open_ones
    if len(found) == 1:
        return found[0]
    if found:
        raise AmbiguousBox(name=abbreviate(typed), known=tuple(map(words.name_box, found)))
    raise UnknownBox(name=abbreviate(typed), known=tuple(words.name_box(box.id).lower() for box in rules.boxes))


def match_boxes(words: Translator, rules: SheetRules, typed: str) -> list[str]:
    """List the boxes that may be meant: by a whole name, else by its beginnings, else by its initials."""
    wanted = fold(typed)
    if not wanted:
        return []
    vocabularies = list(list_vocabularies(words, [box.id for box in rules.boxes]))
    for names in vocabularies:
        if whole := [box for box, name in names.items() if name == wanted]:
            return whole[:1]
    for matches in (begins_like, has_initials):
        for names in vocabularies:
            if some := [box for box, name in names.items() if matches(name, wanted)]:
                return some
    return []


def list_vocabularies(words: Translator, boxes: list[str]) -> Iterator[dict[str, str]]:
    """List the names of the boxes: as printed, as the language says without an edition, in English, and by id."""
    for speaker in (words, Translator(words.lang), Translator(SOURCE_LANGUAGE, words.edition)):
        yield {box: fold(speaker.name_box(box)) for box in boxes}
    yield {box: fold(box) for box in boxes}


def begins_like(name: str, wanted: str) -> bool:
    """Tell whether every typed word begins a word of a name, in their order: “sm str” is a small straight."""
    rest = iter(name.split())
    return all(any(word.startswith(part) for word in rest) for part in wanted.split())


def has_initials(name: str, wanted: str) -> bool:
    """Tell whether the letters typed are those that the words of a name begin with."""
    parts = name.split()
    main = [part for part in parts if len(part) > SMALL_WORD]
    return len(parts) > 1 and wanted in ("".join(part[0] for part in parts), "".join(part[0] for part in main))
