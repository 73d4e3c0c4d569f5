"""Editions and rules as callers name them: by id, by path, as an edition or as rules."""

from collections.abc import Iterable
from operator import index
from pathlib import Path
from typing import SupportsIndex, TypeAlias, cast

from knobel.errors import NotationError, WrongArgument
from knobel.notation import FACES
from knobel.rules import Edition, edition_ids, load_edition, read_house_rules
from knobel.rules.families import Rules
from knobel.rules.fields import abbreviate, check_type
from knobel.rules.round_rules import RoundRules
from knobel.rules.sheet_rules import SheetRules

RulesLike: TypeAlias = Rules | Edition | str | Path
"""Rules, an edition played by its default text, or the id or path of one."""
DiceLike: TypeAlias = str | Iterable[int]
"""Dice in any order: `"44321"`, `"4 4 3 2 1"` or `(4, 4, 3, 2, 1)`."""


def editions() -> tuple[Edition, ...]:
    """List the printed editions."""
    return tuple(load_edition(name) for name in edition_ids())


def edition(name: str | Path) -> Edition:
    """Open a printed edition by its id, or a house-rule file by its path."""
    check_type("name", name, str, Path)
    return load_edition(str(name))


def house_rules(text: str, name: str = "house-rules") -> Edition:
    """Read house rules from the text of a TOML file."""
    check_type("text", text, str)
    check_type("name", name, str)
    return read_house_rules(text.encode(errors="replace"), name)


def resolve_rules(source: RulesLike) -> Rules:
    """Give the rules somebody means."""
    if isinstance(source, str | Path):
        source = edition(source)
    if isinstance(source, Edition):
        rules: Rules = source.rules()
        return rules
    check_type("rules", source, SheetRules, RoundRules, Edition, str, Path)
    return source


def parse_dice(dice: DiceLike) -> tuple[int, ...]:
    """Read dice; faces from ten on are written as letters."""
    check_type("dice", dice, str, Iterable)
    if not isinstance(dice, str):
        return tuple(map(parse_face, dice))
    written = [face for face in dice.lower() if face not in " ,"]
    if any(face not in FACES for face in written):
        raise NotationError(text=abbreviate(dice))
    return tuple(FACES.index(face) for face in written)


def parse_face(face: object) -> int:
    """Take a whole number of any kind for a face, such as those of arrays."""
    try:
        return index(cast(SupportsIndex, None if isinstance(face, bool) else face))
    except TypeError:
        raise WrongArgument(name="dice", wanted="int", value=abbreviate(repr(face))) from None


__all__ = ["DiceLike", "Edition", "RulesLike", "edition", "editions", "house_rules", "parse_dice", "resolve_rules"]
