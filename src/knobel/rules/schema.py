"""The closed schema: turns a plain table, as TOML gives it, into rules, or names the first key that is wrong."""

import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

from knobel.errors import BoxId, BoxImpossible, BoxTwice, KeyBox, KeyClash, KeyLength, KeyMissing, KeyUnknown
from knobel.rules.fields import Choice, Kind, Name, Place, Table, Truth, Whole, few, shown, wrong_kind
from knobel.rules.ruleset import Bonus, Chance, Players, SheetRules, Yatzy
from knobel.rules.scoring import COUNTS, MOST_DICE, MOST_FACES, PATTERNS, Box, Pattern, Setting, lowest

MOST_BOXES = 20
MOST_POINTS = 1000
MOST_TOTAL = 10_000
MOST_PLAYERS = 99

ORDERS = ("free", "top_down", "announced")
CHANCE_RULES = ("free", "last_resort", "last_box")
JOKERS = ("none", "free", "forced")
FORCED_ZEROS = ("literal", "lenient")
STARTS = ("any", "agreed", "highest")
SERIES = ("none", "agreed", "independent")

T = TypeVar("T")
TABLE = Table()
TITLE = Name(40)
BOX_NAME = Name(24)
BOX_ID = re.compile(r"[a-z][a-z0-9_]{0,31}")
TAKEN = ("stand",)
"""Words that mean something else where a game is noted."""

RULE_KEYS = (
    "dice",
    "faces",
    "throws",
    "boxes",
    "sheet",
    "bonus",
    "chance",
    "yatzy",
    "order",
    "must_fit",
    "locked_dice",
    "players",
    "start",
    "series",
)
BOX_KEYS = ("pattern", "counts", "points", "upper", "names")


def read_rules(table: Mapping[str, object], place: Place) -> SheetRules:
    """Read complete rules."""
    closed(table, RULE_KEYS, place)
    dice = required(table, "dice", Whole(1, MOST_DICE), place)
    faces = required(table, "faces", Whole(2, MOST_FACES), place)
    boxes = read_boxes(table, dice, faces, place)
    rules = SheetRules(
        dice=dice,
        faces=faces,
        throws=required(table, "throws", Whole(1, 6), place),
        boxes=boxes,
        bonus=read_bonus(table.get("bonus", False), place.at("bonus")),
        chance=read_chance(table.get("chance", False), boxes, place.at("chance")),
        yatzy=read_yatzy(table.get("yatzy", False), boxes, place.at("yatzy")),
        order=optional(table, "order", Choice(ORDERS), "free", place),
        must_fit=optional(table, "must_fit", Truth(), False, place),
        locked_dice=optional(table, "locked_dice", Truth(), False, place),
        players=read_players(TABLE.read(table.get("players", {}), place.at("players")), place.at("players")),
        start=optional(table, "start", Choice(STARTS), "any", place),
        series=optional(table, "series", Choice(SERIES), "none", place),
    )
    if rules.yatzy and rules.yatzy.second and not rules.chance:
        raise KeyClash(file=place.file, key="yatzy.second", other="chance")
    return rules


def read_boxes(table: Mapping[str, object], dice: int, faces: int, place: Place) -> tuple[Box, ...]:
    """Read the rows of the sheet, in the order of `sheet` or else as written; `false` leaves a box out."""
    boxes = TABLE.read(table.get("boxes", {}), place.at("boxes"))
    present = [box for box, settings in boxes.items() if settings is not False]
    rows = read_order(table["sheet"], present, place.at("sheet")) if "sheet" in table else present
    if not 1 <= len(rows) <= MOST_BOXES:
        raise KeyLength(file=place.file, key=place.at("boxes").key, least=1, most=MOST_BOXES, value=len(rows))
    read = tuple(read_box(row, boxes[row], dice, faces, place.at("boxes").at(shown(row))) for row in rows)
    by_face: dict[int, Box] = {}
    for box in read:
        if box.face is not None and by_face.setdefault(box.face, box) is not box:
            raise BoxTwice(file=place.file, key=f"boxes.{box.id}", other=f"boxes.{by_face[box.face].id}")
    return read


def read_order(value: object, present: Iterable[str], place: Place) -> list[str]:
    """Read the list of boxes that make the sheet."""
    known = tuple(present)
    if not isinstance(value, list):
        raise wrong_kind("list", value, place)
    if not 1 <= len(value) <= MOST_BOXES:
        raise KeyLength(file=place.file, key=place.key, least=1, most=MOST_BOXES, value=len(value))
    for row in value:
        if row not in known:
            raise KeyBox(file=place.file, key=place.key, value=shown(row), known=few(known))
    if len(set(value)) < len(value):
        raise KeyLength(file=place.file, key=place.key, least=1, most=len(known), value=len(value))
    return value


def read_box(box: str, value: object, dice: int, faces: int, place: Place) -> Box:
    """Read one box."""
    if not BOX_ID.fullmatch(box) or box in TAKEN:
        raise BoxId(file=place.file, key=place.key)
    table = TABLE.read(value, place)
    kind = required(table, "pattern", Choice(tuple(PATTERNS)), place)
    settings = PATTERNS[kind].settings
    closed(table, (*BOX_KEYS, *settings), place)
    pattern = Pattern(kind, tuple((name, read_setting(table, kind, name, place)) for name in sorted(settings)))
    if not possible(pattern, dice, faces):
        raise BoxImpossible(file=place.file, key=place.key)
    for lang, name in TABLE.read(table.get("names", {}), place.at("names")).items():
        BOX_NAME.read(name, place.at("names").at(shown(lang)))
    return Box(
        id=box,
        pattern=pattern,
        counts=optional(table, "counts", Choice(COUNTS), "nothing", place),
        points=optional(table, "points", Whole(0, MOST_POINTS), 0, place),
        upper=optional(table, "upper", Truth(), False, place),
    )


def read_setting(table: Mapping[str, object], kind: str, name: str, place: Place) -> Setting:
    """Read one setting of a pattern, or take its default."""
    entry = PATTERNS[kind]
    if name in entry.defaults:
        return optional(table, name, entry.settings[name], entry.defaults[name], place)
    return required(table, name, entry.settings[name], place)


def possible(pattern: Pattern, dice: int, faces: int) -> bool:
    """Tell whether some hand of these dice has the pattern."""
    made = lowest(pattern, dice)
    return len(made) <= dice and max(made) <= faces


def read_bonus(value: object, place: Place) -> Bonus | None:
    """Read the upper bonus; `false` means there is none."""
    if value is False:
        return None
    table = TABLE.read(value, place)
    closed(table, ("threshold", "points", "strict"), place)
    return Bonus(
        threshold=required(table, "threshold", Whole(1, MOST_TOTAL), place),
        points=required(table, "points", Whole(0, MOST_POINTS), place),
        strict=optional(table, "strict", Truth(), False, place),
    )


def read_chance(value: object, boxes: tuple[Box, ...], place: Place) -> Chance | None:
    """Read which box is Chance and when it may be used."""
    if value is False:
        return None
    table = TABLE.read(value, place)
    closed(table, ("box", "rule"), place)
    return Chance(
        box=on_sheet(required(table, "box", Name(32), place), boxes, place.at("box")),
        rule=optional(table, "rule", Choice(CHANCE_RULES), "free", place),
    )


def read_yatzy(value: object, boxes: tuple[Box, ...], place: Place) -> Yatzy | None:
    """Read which box is for all dice alike and what a further one brings."""
    if value is False:
        return None
    table = TABLE.read(value, place)
    closed(table, ("box", "joker", "prime", "second", "forced_zero"), place)
    return Yatzy(
        box=on_sheet(required(table, "box", Name(32), place), boxes, place.at("box")),
        joker=optional(table, "joker", Choice(JOKERS), "none", place),
        prime=optional(table, "prime", Whole(0, MOST_POINTS), 0, place),
        second=optional(table, "second", Whole(0, MOST_POINTS), 0, place),
        forced_zero=optional(table, "forced_zero", Choice(FORCED_ZEROS), "lenient", place),
    )


def read_players(table: Mapping[str, object], place: Place) -> Players:
    """Read how many may play."""
    closed(table, ("least", "most"), place)
    least = optional(table, "least", Whole(1, MOST_PLAYERS), 1, place)
    most = required(table, "most", Whole(least, MOST_PLAYERS), place) if "most" in table else None
    return Players(least, most)


def on_sheet(box: str, boxes: tuple[Box, ...], place: Place) -> str:
    """Insist that a named box is on the sheet."""
    known = tuple(row.id for row in boxes)
    if box not in known:
        raise KeyBox(file=place.file, key=place.key, value=shown(box), known=few(known))
    return box


def closed(table: Mapping[str, object], known: Iterable[str], place: Place) -> None:
    """Refuse every key the schema does not know."""
    allowed = tuple(known)
    for key in table:
        if key not in allowed:
            raise KeyUnknown(file=place.file, key=place.at(shown(key)).key, known=allowed)


def required(table: Mapping[str, object], key: str, kind: Kind[T], place: Place) -> T:
    """Read a key that must be there."""
    if key not in table:
        raise KeyMissing(file=place.file, key=place.at(key).key)
    return kind.read(table[key], place.at(key))


def optional(table: Mapping[str, object], key: str, kind: Kind[T], default: T, place: Place) -> T:
    """Read a key that may be missing."""
    return kind.read(table[key], place.at(key)) if key in table else default
