"""The only place that knows every family of games."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from knobel.game import Game
from knobel.games.rounds import Rounds
from knobel.games.sheet import Sheet
from knobel.rules.fields import Place
from knobel.rules.rounds import read_round_rules
from knobel.rules.ruleset import SheetRules
from knobel.rules.schema import read_rules


def game_of(
    form: Mapping[str, object], beginners: frozenset[int] = frozenset(), practice: bool = False, name: str = ""
) -> Game[Any]:
    """Open the game that is played by these rules, given as a plain table."""
    if form.get("game") == "rounds":
        return Rounds(read_round_rules(form, Place(name)))
    return Sheet(sheet_rules(Form(repr(form), form, name)), beginners, practice)


@dataclass(frozen=True, slots=True)
class Form:
    """A table of rules, known by how it is written; `name` is whose it is, should something in it be wrong."""

    text: str
    table: Mapping[str, object] = field(compare=False)
    name: str = field(compare=False)


@lru_cache(maxsize=64)
def sheet_rules(form: Form) -> SheetRules:
    """Read the rules of a score sheet, once for all games that are played by them."""
    return same(read_rules(form.table, Place(form.name)))


@lru_cache(maxsize=256)
def same(rules: SheetRules) -> SheetRules:
    """Give one value for equal rules: what is remembered about them is then found at a glance."""
    return rules
