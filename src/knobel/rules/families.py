"""The families of games: how the rules of each are read, changed by switches and put into words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from knobel.errors import NotSheetGame
from knobel.phrase import Phrase, Value
from knobel.rules.articles import (
    Article,
    build_sheet_articles,
    describe_players,
    find_sheet_special_boxes,
    list_features,
)
from knobel.rules.fields import Choice, KeyPath
from knobel.rules.round_articles import build_round_articles, describe_round_players, list_round_features
from knobel.rules.round_rules import ROUND_KEYS, RoundRules, read_round_rules
from knobel.rules.schema import RULE_KEYS, read_sheet_rules
from knobel.rules.sheet_rules import PlayerLimits, SheetRules
from knobel.rules.switches import ROUND_SWITCHES, SHEET_SWITCHES, Switch


class Rules(Protocol):
    """What the rules of every family have."""

    def __hash__(self) -> int: ...

    @property
    def family(self) -> str:
        """The name of the family in every table of families."""

    @property
    def dice(self) -> int:
        """How many dice there are."""

    @property
    def faces(self) -> int:
        """How many faces a die has."""

    @property
    def rolls(self) -> int:
        """How many rolls a turn has."""

    @property
    def players(self) -> PlayerLimits:
        """How many may play."""

    @property
    def series(self) -> str:
        """What several games in a row mean: `agreed` totals are added up."""

    @property
    def starts_with_rolloff(self) -> bool:
        """Whether the highest roll starts, unless something else is agreed."""

    @property
    def as_dict(self) -> dict[str, object]:
        """The rules as a plain table: read again, it gives these rules."""

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the rules as canonical JSON."""


R = TypeVar("R", bound=Rules)


@dataclass(frozen=True)
class RulesFamily(Generic[R]):
    """What a family of games says about its rules; `keys` are those a table of them may have."""

    keys: tuple[str, ...]
    read: Callable[[Mapping[str, object], KeyPath], R]
    switches: Mapping[str, Switch[R]]
    build_articles: Callable[[R], tuple[Article, ...]]
    list_features: Callable[[R], dict[str, dict[str, Value]]]
    """What not every game of the family has, by the last part of its `rules.special` key."""
    describe_players: Callable[[R], Phrase]
    list_boxes: Callable[[R], tuple[str, ...]]
    find_special_boxes: Callable[[R], Mapping[str, str]] = lambda _: {}
    """The boxes that sentences name by what they are for: `chance`, and `five` for all dice alike."""
    extendable: bool = False
    """House rules may extend an edition."""
    free_tables: bool = False
    """Every seat may play a game of its own, at its own pace."""
    prints_most_players: bool = True
    """An upper limit of players is the publisher's; else it is Knobel's own."""
    playable_below_least: bool = False
    """Fewer than the rules want may still play, for practice."""
    has_points: bool = False
    """Totals are points, of which more are better and which may be added up."""


SHEET = "sheet"
ROUNDS = "rounds"
DEFAULT_FAMILY = SHEET
"""The family of a table that names none."""

FAMILIES: dict[str, RulesFamily[Any]] = {
    SHEET: RulesFamily[SheetRules](
        keys=RULE_KEYS,
        read=read_sheet_rules,
        switches=SHEET_SWITCHES,
        build_articles=build_sheet_articles,
        list_features=list_features,
        describe_players=lambda rules: describe_players(rules).phrase,
        list_boxes=lambda rules: tuple(rules.index),
        find_special_boxes=find_sheet_special_boxes,
        extendable=True,
        free_tables=True,
        playable_below_least=True,
        has_points=True,
    ),
    ROUNDS: RulesFamily[RoundRules](
        keys=ROUND_KEYS,
        read=read_round_rules,
        switches=ROUND_SWITCHES,
        build_articles=build_round_articles,
        list_features=list_round_features,
        describe_players=describe_round_players,
        list_boxes=lambda _: (),
        prints_most_players=False,
    ),
}


def find_family(rules: Rules) -> RulesFamily[Any]:
    return FAMILIES[rules.family]


def read_family(table: Mapping[str, object], path: KeyPath) -> str:
    """Read which family a table of rules or an edition belongs to."""
    return Choice(tuple(FAMILIES)).read(table.get("game", DEFAULT_FAMILY), path.child("game"))


def read_rules(table: Mapping[str, object], path: KeyPath) -> Rules:
    """Read complete rules of whatever family they are."""
    rules: Rules = FAMILIES[read_family(table, path)].read(
        {key: value for key, value in table.items() if key != "game"}, path
    )
    return rules


def find_special_boxes(rules: Rules) -> Mapping[str, str]:
    """Find the chance box and the box for all dice alike, where there are such boxes."""
    boxes: Mapping[str, str] = find_family(rules).find_special_boxes(rules)
    return boxes


def is_comparable(left: Rules, right: Rules) -> bool:
    """Tell whether two games have topics in common."""
    return left.family == right.family


def list_boxes(rules: Rules) -> tuple[str, ...]:
    """List the boxes of the score sheet, where there is one."""
    boxes: tuple[str, ...] = find_family(rules).list_boxes(rules)
    return boxes


def expect_sheet_rules(rules: Rules, title: str) -> SheetRules:
    """Refuse what only works for score sheets."""
    if not isinstance(rules, SheetRules):
        raise NotSheetGame(title=title)
    return rules


def expect_round_rules(rules: Rules) -> RoundRules:
    """Narrow rules that are known to be of rounds."""
    if not isinstance(rules, RoundRules):
        raise TypeError(rules.family)
    return rules
