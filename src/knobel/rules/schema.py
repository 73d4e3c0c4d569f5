"""The closed schema: turns a plain table, as TOML gives it, into rules, or names the first key that is wrong."""

import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

from knobel.errors import (
    BoxImpossible,
    DuplicateUpperBox,
    InvalidBoxId,
    KeyConflict,
    KeyMissing,
    KeyUnknown,
    KeyUnknownBox,
    KeyWrongLength,
)
from knobel.rules.fields import (
    Bool,
    Choice,
    FieldType,
    Int,
    KeyPath,
    Name,
    TableField,
    abbreviate,
    abbreviate_all,
    wrong_type_error,
)
from knobel.rules.old_keys import rename_old_keys
from knobel.rules.scoring import COUNTS, MAX_DICE, MAX_FACES, PATTERNS, Box, Pattern, Setting, lowest_hand
from knobel.rules.sheet_rules import Bonus, Chance, PlayerLimits, SheetRules, Yatzy

MAX_BOXES = 20
MAX_POINTS = 1000
MAX_TOTAL = 10_000
MAX_PLAYERS = 99

ORDERS = ("free", "top_down", "announced")
CHANCE_RULES = ("free", "last_resort", "last_box")
JOKERS = ("none", "free", "forced")
FORCED_ZEROS = ("literal", "all_upper", "lenient")
STARTS = ("any", "agreed", "highest")
SERIES_KINDS = ("none", "agreed", "independent")

T = TypeVar("T")
TABLE_FIELD = TableField()
TITLE = Name(40)
BOX_NAME = Name(24)
BOX_ID = re.compile(r"[a-z][a-z0-9_]{0,31}")
RESERVED_BOX_IDS = ("stand",)
"""Words that mean something else where a game is noted."""

RULE_KEYS = (
    "dice",
    "faces",
    "rolls",
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


def read_sheet_rules(table: Mapping[str, object], path: KeyPath) -> SheetRules:
    """Read complete rules, in the names of today or in those of the canonical form."""
    table = rename_old_keys(table)
    reject_unknown_keys(table, RULE_KEYS, path)
    dice = read_required(table, "dice", Int(1, MAX_DICE), path)
    faces = read_required(table, "faces", Int(2, MAX_FACES), path)
    boxes = read_boxes(table, dice, faces, path)
    rules = SheetRules(
        dice=dice,
        faces=faces,
        rolls=read_required(table, "rolls", Int(1, 6), path),
        boxes=boxes,
        bonus=read_bonus(table.get("bonus", False), path.child("bonus")),
        chance=read_chance(table.get("chance", False), boxes, path.child("chance")),
        yatzy=read_yatzy(table.get("yatzy", False), boxes, path.child("yatzy")),
        order=read_optional(table, "order", Choice(ORDERS), "free", path),
        must_fit=read_optional(table, "must_fit", Bool(), False, path),
        locked_dice=read_optional(table, "locked_dice", Bool(), False, path),
        players=read_players(TABLE_FIELD.read(table.get("players", {}), path.child("players")), path.child("players")),
        start=read_optional(table, "start", Choice(STARTS), "any", path),
        series=read_optional(table, "series", Choice(SERIES_KINDS), "none", path),
    )
    if rules.yatzy and rules.yatzy.second and not rules.chance:
        raise KeyConflict(file=path.file, key="yatzy.second", other="chance")
    return rules


def read_boxes(table: Mapping[str, object], dice: int, faces: int, path: KeyPath) -> tuple[Box, ...]:
    """Read the boxes of the sheet, in the order of `sheet` or else as written; `false` leaves a box out."""
    boxes = TABLE_FIELD.read(table.get("boxes", {}), path.child("boxes"))
    present = [box for box, settings in boxes.items() if settings is not False]
    rows = read_box_order(table["sheet"], present, path.child("sheet")) if "sheet" in table else present
    if not 1 <= len(rows) <= MAX_BOXES:
        raise KeyWrongLength(file=path.file, key=path.child("boxes").key, least=1, most=MAX_BOXES, value=len(rows))
    read = tuple(read_box(row, boxes[row], dice, faces, path.child("boxes").child(abbreviate(row))) for row in rows)
    by_face: dict[int, Box] = {}
    for box in read:
        if box.face is not None and by_face.setdefault(box.face, box) is not box:
            raise DuplicateUpperBox(file=path.file, key=f"boxes.{box.id}", other=f"boxes.{by_face[box.face].id}")
    return read


def read_box_order(value: object, present: Iterable[str], path: KeyPath) -> list[str]:
    """Read the list of boxes that make the sheet."""
    known = tuple(present)
    if not isinstance(value, list):
        raise wrong_type_error("list", value, path)
    if not 1 <= len(value) <= MAX_BOXES:
        raise KeyWrongLength(file=path.file, key=path.key, least=1, most=MAX_BOXES, value=len(value))
    for row in value:
        if row not in known:
            raise KeyUnknownBox(file=path.file, key=path.key, value=abbreviate(row), known=abbreviate_all(known))
    if len(set(value)) < len(value):
        raise KeyWrongLength(file=path.file, key=path.key, least=1, most=len(known), value=len(value))
    return value


def read_box(box: str, value: object, dice: int, faces: int, path: KeyPath) -> Box:
    if not BOX_ID.fullmatch(box) or box in RESERVED_BOX_IDS:
        raise InvalidBoxId(file=path.file, key=path.key)
    table = TABLE_FIELD.read(value, path)
    kind = read_required(table, "pattern", Choice(tuple(PATTERNS)), path)
    settings = PATTERNS[kind].settings
    reject_unknown_keys(table, (*BOX_KEYS, *settings), path)
    pattern = Pattern(kind, tuple((name, read_setting(table, kind, name, path)) for name in sorted(settings)))
    if not is_possible(pattern, dice, faces):
        raise BoxImpossible(file=path.file, key=path.key)
    for lang, name in TABLE_FIELD.read(table.get("names", {}), path.child("names")).items():
        BOX_NAME.read(name, path.child("names").child(abbreviate(lang)))
    return Box(
        id=box,
        pattern=pattern,
        counts=read_optional(table, "counts", Choice(COUNTS), "nothing", path),
        points=read_optional(table, "points", Int(0, MAX_POINTS), 0, path),
        upper=read_optional(table, "upper", Bool(), False, path),
    )


def read_setting(table: Mapping[str, object], pattern_name: str, name: str, path: KeyPath) -> Setting:
    """Read one setting of a pattern, or take its default."""
    entry = PATTERNS[pattern_name]
    if name in entry.defaults:
        return read_optional(table, name, entry.settings[name], entry.defaults[name], path)
    return read_required(table, name, entry.settings[name], path)


def is_possible(pattern: Pattern, dice: int, faces: int) -> bool:
    """Tell whether some hand of these dice has the pattern."""
    made = lowest_hand(pattern, dice)
    return len(made) <= dice and max(made) <= faces


def read_bonus(value: object, path: KeyPath) -> Bonus | None:
    """Read the upper bonus; `false` means there is none."""
    if value is False:
        return None
    table = TABLE_FIELD.read(value, path)
    reject_unknown_keys(table, ("threshold", "points", "strict"), path)
    return Bonus(
        threshold=read_required(table, "threshold", Int(1, MAX_TOTAL), path),
        points=read_required(table, "points", Int(0, MAX_POINTS), path),
        strict=read_optional(table, "strict", Bool(), False, path),
    )


def read_chance(value: object, boxes: tuple[Box, ...], path: KeyPath) -> Chance | None:
    """Read which box is Chance and when it may be used."""
    if value is False:
        return None
    table = TABLE_FIELD.read(value, path)
    reject_unknown_keys(table, ("box", "rule"), path)
    return Chance(
        box=require_box(read_required(table, "box", Name(32), path), boxes, path.child("box")),
        rule=read_optional(table, "rule", Choice(CHANCE_RULES), "free", path),
    )


def read_yatzy(value: object, boxes: tuple[Box, ...], path: KeyPath) -> Yatzy | None:
    """Read which box is for all dice alike and what a further one scores."""
    if value is False:
        return None
    table = TABLE_FIELD.read(value, path)
    reject_unknown_keys(table, ("box", "joker", "prime", "second", "forced_zero"), path)
    return Yatzy(
        box=require_box(read_required(table, "box", Name(32), path), boxes, path.child("box")),
        joker=read_optional(table, "joker", Choice(JOKERS), "none", path),
        prime=read_optional(table, "prime", Int(0, MAX_POINTS), 0, path),
        second=read_optional(table, "second", Int(0, MAX_POINTS), 0, path),
        forced_zero=read_optional(table, "forced_zero", Choice(FORCED_ZEROS), "lenient", path),
    )


def read_players(table: Mapping[str, object], path: KeyPath) -> PlayerLimits:
    reject_unknown_keys(table, ("least", "most"), path)
    least = read_optional(table, "least", Int(1, MAX_PLAYERS), 1, path)
    most = read_required(table, "most", Int(least, MAX_PLAYERS), path) if "most" in table else None
    return PlayerLimits(least, most)


def require_box(box: str, boxes: tuple[Box, ...], path: KeyPath) -> str:
    """Insist that a named box is on the sheet."""
    known = tuple(row.id for row in boxes)
    if box not in known:
        raise KeyUnknownBox(file=path.file, key=path.key, value=abbreviate(box), known=abbreviate_all(known))
    return box


def reject_unknown_keys(table: Mapping[str, object], known: Iterable[str], path: KeyPath) -> None:
    """Refuse every key the schema does not know."""
    allowed = tuple(known)
    for key in table:
        if key not in allowed:
            raise KeyUnknown(file=path.file, key=path.child(abbreviate(key)).key, known=allowed)


def read_required(table: Mapping[str, object], key: str, field: FieldType[T], path: KeyPath) -> T:
    """Read a key that must be there."""
    if key not in table:
        raise KeyMissing(file=path.file, key=path.child(key).key)
    return field.read(table[key], path.child(key))


def read_optional(table: Mapping[str, object], key: str, field: FieldType[T], default: T, path: KeyPath) -> T:
    """Read a key that may be missing."""
    return field.read(table[key], path.child(key)) if key in table else default
