"""Read a typed sheet and typed dice into a valid position."""

from knobel.cli.parser import Given, parse_int
from knobel.cli.selection import Selection
from knobel.cli.typed_words import strip_quotes
from knobel.errors import (
    AnnouncedBoxFilled,
    AnnouncementNotPlayed,
    BoxFilledTwice,
    ImpossiblePoints,
    SheetEntrySyntax,
    UnknownBox,
    YatzysTooFew,
    YatzysTooMany,
)
from knobel.lang import SOURCE_LANGUAGE, Translator
from knobel.phrase import BoxName
from knobel.rules import column as sheet
from knobel.rules.column import Column
from knobel.rules.fields import abbreviate
from knobel.rules.filled_sheet import count_yatzys
from knobel.rules.sheet_rules import SheetRules


def read_column(selection: Selection, given: Given) -> Column:
    """Read `--sheet` and `--yatzys` into a valid column."""
    rules = selection.sheet_rules
    entries = read_entries(selection, given.read_value("sheet") or "")
    shows = count_yatzys(rules, entries)
    yatzys = given.read_number("yatzys", 0, len(rules.boxes))
    if yatzys is not None and yatzys < shows:
        raise YatzysTooFew(n=yatzys, least=shows)
    if yatzys is not None and yatzys > len(entries):
        raise YatzysTooMany(n=yatzys, most=len(entries))
    return sheet.build_column(rules, entries, yatzys=shows if yatzys is None else yatzys)


def read_entries(selection: Selection, text: str) -> dict[str, int]:
    """Read `box=points,box=points`."""
    entries: dict[str, int] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, number = part.partition("=")
        if not equals:
            raise SheetEntrySyntax(value=abbreviate(part))
        box, points = read_box(selection, name.strip()), parse_int(number.strip(), name.strip())
        allowed = sheet.possible_points(selection.sheet_rules, box)
        if box in entries:
            raise BoxFilledTwice(box=selection.words.name_box(box))
        if points not in allowed:
            raise ImpossiblePoints(box=selection.words.name_box(box), points=points, allowed=allowed)
        entries[box] = points
    return entries


def read_box(selection: Selection, name: str) -> str:
    """Find a box by its id or by its name in the current language."""
    return find_box(selection.words, selection.sheet_rules, name)


def find_box(words: Translator, rules: SheetRules, name: str) -> str:
    """Find a box by its id or its name: as printed, as the language says without an edition, or in English."""
    ids = [box.id for box in rules.boxes]
    printed, common = list_box_names(words, ids), list_box_names(Translator(words.lang), ids)
    english = list_box_names(Translator(SOURCE_LANGUAGE, words.edition), ids)
    typed = strip_quotes(name).casefold().replace("'", "’")  # keyboards have the straight apostrophe
    wanted = typed.replace("-", "_").replace(" ", "_")
    found = wanted if wanted in ids else (english | common | printed).get(typed)
    if found is None:
        raise UnknownBox(name=abbreviate(name), known=tuple(dict.fromkeys((*ids, *printed))))
    return found


def list_box_names(words: Translator, ids: list[str]) -> dict[str, str]:
    """List boxes by their names in small letters."""
    return {words.name_box(box).casefold(): box for box in ids}


def read_announced(selection: Selection, column: Column, name: str | None) -> str | None:
    """Read which box was announced."""
    if name is None:
        return None
    box = read_box(selection, name)
    if selection.sheet_rules.order != "announced":
        raise AnnouncementNotPlayed(box=selection.words.format_value(BoxName(box)))
    if column.entries[selection.sheet_rules.index[box]] is not None:
        raise AnnouncedBoxFilled(box=selection.words.format_value(BoxName(box)))
    return box
