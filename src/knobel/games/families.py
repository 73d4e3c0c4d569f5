"""The only place that knows every family of games."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from knobel.game import Game
from knobel.games.rounds import RoundsGame
from knobel.games.sheet import SheetGame
from knobel.rules.families import expect_round_rules, read_rules
from knobel.rules.fields import KeyPath
from knobel.rules.schema import read_sheet_rules
from knobel.rules.sheet_rules import SheetRules


def build_game(
    table: Mapping[str, object], beginners: frozenset[int] = frozenset(), practice: bool = False, name: str = ""
) -> Game[Any]:
    """Open the game that is played by these rules, given as a plain table."""
    if table.get("game") == "rounds":
        return RoundsGame(expect_round_rules(read_rules(table, KeyPath(name))))
    return SheetGame(read_cached_rules(RulesTable(repr(table), table, name)), beginners, practice)


@dataclass(frozen=True, slots=True)
class RulesTable:
    """A table of rules, known by how it is written; `name` is whose it is, should something in it be wrong."""

    text: str
    table: Mapping[str, object] = field(compare=False)
    name: str = field(compare=False)


@lru_cache(maxsize=64)
def read_cached_rules(form: RulesTable) -> SheetRules:
    """Read the rules of a score sheet, once for all games that are played by them."""
    return intern_rules(read_sheet_rules(form.table, KeyPath(form.name)))


@lru_cache(maxsize=256)
def intern_rules(rules: SheetRules) -> SheetRules:
    """Give one value for equal rules: what is remembered about them is then found at a glance."""
    return rules
