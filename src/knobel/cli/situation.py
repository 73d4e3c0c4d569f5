"""A sheet and dice as they are typed, read into a position that can be."""

from knobel.cli.chosen import Chosen
from knobel.cli.line import Given, whole
from knobel.dice import Hand, hand
from knobel.errors import (
    AnnouncedFilled,
    AnnouncedNotNeeded,
    DiceCount,
    DiceFace,
    SheetPoints,
    SheetSyntax,
    SheetTwice,
    UnknownBox,
    YatzysTooFew,
    YatzysTooMany,
)
from knobel.lang import Words
from knobel.phrase import BoxName
from knobel.rules import column as sheet
from knobel.rules.column import Column
from knobel.rules.fields import shown
from knobel.rules.ruleset import SheetRules


def read_hand(rules: SheetRules, dice: tuple[int, ...]) -> Hand:
    """Check the dice against the game."""
    if len(dice) != rules.dice:
        raise DiceCount(n=len(dice), wanted=rules.dice)
    for die in dice:
        if not 1 <= die <= rules.faces:
            raise DiceFace(value=die, faces=rules.faces)
    return hand(dice)


def read_column(table: Chosen, given: Given) -> Column:
    """Read `--sheet` and `--yatzys` into a column that can be."""
    rules = table.rules
    entries = read_entries(table, given.word("sheet") or "")
    shows = least_yatzys(rules, entries)
    yatzys = given.number("yatzys", "--yatzys")
    if yatzys is not None and yatzys < shows:
        raise YatzysTooFew(n=yatzys, least=shows)
    if yatzys is not None and yatzys > len(entries):
        raise YatzysTooMany(n=yatzys, most=len(entries))
    return sheet.filled(rules, entries, yatzys=shows if yatzys is None else yatzys)


def read_entries(table: Chosen, text: str) -> dict[str, int]:
    """Read `box=points,box=points`."""
    entries: dict[str, int] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, number = part.partition("=")
        if not equals:
            raise SheetSyntax(value=shown(part))
        box, points = read_box(table, name.strip()), whole(number.strip(), name.strip())
        allowed = sheet.possible_points(table.rules, box)
        if box in entries:
            raise SheetTwice(box=table.words.box(box))
        if points not in allowed:
            raise SheetPoints(box=table.words.box(box), points=points, allowed=allowed)
        entries[box] = points
    return entries


def least_yatzys(rules: SheetRules, entries: dict[str, int]) -> int:
    """Count the turns of all dice alike that the sheet itself shows."""
    if rules.yatzy is None:
        return 0
    held = bool(entries.get(rules.yatzy.box))
    second = bool(rules.chance and rules.yatzy.second and entries.get(rules.chance.box) == rules.yatzy.second)
    return max(held + second, 2 * second)


def read_box(table: Chosen, name: str) -> str:
    """Find a box by its id or by its name in the words that are spoken."""
    return box_named(table.words, table.rules, name)


def box_named(words: Words, rules: SheetRules, name: str) -> str:
    """Find a box by its id or by its name in the words that are spoken."""
    ids = [box.id for box in rules.boxes]
    by_name = {words.box(box).casefold(): box for box in ids}
    wanted = name.casefold().replace("-", "_").replace(" ", "_")
    found = wanted if wanted in ids else by_name.get(name.casefold())
    if found is None:
        raise UnknownBox(name=shown(name), known=tuple(dict.fromkeys((*ids, *by_name))))
    return found


def read_announced(table: Chosen, column: Column, name: str | None) -> str | None:
    """Read which box was announced."""
    if name is None:
        return None
    box = read_box(table, name)
    if table.rules.order != "announced":
        raise AnnouncedNotNeeded(box=table.words.word(BoxName(box)))
    if column.entries[table.rules.index[box]] is not None:
        raise AnnouncedFilled(box=table.words.word(BoxName(box)))
    return box
