"""The families of games: how a game is built from its rules."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from knobel.game import Game
from knobel.games.rounds import RoundsGame
from knobel.games.sheet import SheetGame
from knobel.rules.families import Rules, read_rules
from knobel.rules.fields import KeyPath
from knobel.rules.round_rules import RoundRules
from knobel.rules.sheet_rules import SheetRules


@dataclass(frozen=True)
class GameFamily:
    """What a family of games can be asked; `combine` lays the games of a free table beside each other."""

    build: Callable[[Any, frozenset[int], bool], Game[Any]]
    combine: Callable[[tuple[Any, ...]], Any] = lambda states: states[0]


def combine_columns(states: tuple[Any, ...]) -> Any:
    """Give one state with everybody's column."""
    left = frozenset(seat for seat, state in enumerate(states) if state.left)
    return states[0]._replace(columns=tuple(state.columns[0] for state in states), left=left)


FAMILIES: dict[str, GameFamily] = {
    SheetRules.family: GameFamily(SheetGame, combine_columns),
    RoundRules.family: GameFamily(lambda rules, _beginners, _practice: RoundsGame(rules)),
}


def build_game(
    table: Mapping[str, object], beginners: frozenset[int] = frozenset(), practice: bool = False, name: str = ""
) -> Game[Any]:
    """Build the game that is played by these rules, given as a plain table; `name` is whose they are."""
    rules = read_cached_rules(RulesTable(repr(table), table, name))
    return FAMILIES[rules.family].build(rules, beginners, practice)


def combine_states(game: Game[Any], states: tuple[Any, ...]) -> Any:
    """Give one state of all the games of a free table, as a board shows it."""
    return FAMILIES[game.rules.family].combine(states)


@dataclass(frozen=True, slots=True)
class RulesTable:
    """A table of rules, found by how it is written; `name` appears in errors."""

    text: str
    table: Mapping[str, object] = field(compare=False)
    name: str = field(compare=False)


@lru_cache(maxsize=64)
def read_cached_rules(form: RulesTable) -> Rules:
    """Read rules once for all games that are played by them."""
    return intern_rules(read_rules(form.table, KeyPath(form.name)))


@lru_cache(maxsize=256)
def intern_rules(rules: Rules) -> Rules:
    """Give one value for equal rules, so that whatever is cached for them is found by identity."""
    return rules
