"""What each family of games counts of one seat of a game that is over, beside its total and place."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from knobel.record.track import GameTrack
from knobel.rules.families import Rules
from knobel.rules.round_rules import RoundRules
from knobel.rules.sheet_rules import SheetRules
from knobel.stats.rounds import count_rounds
from knobel.stats.sheet import count_sheet, list_standings


@dataclass(frozen=True, slots=True)
class StatsFamily:
    """How a family is counted; `count` gives whole numbers by name, `list_standings` the totals after each round."""

    count: Callable[[GameTrack, int], Mapping[str, int]]
    list_standings: Callable[[list[GameTrack]], list[tuple[int, ...]]] = lambda _: []
    has_totals: bool = False
    """Whether totals are points, of which more are better."""


FAMILIES: dict[str, StatsFamily] = {
    SheetRules.family: StatsFamily(count_sheet, list_standings, has_totals=True),
    RoundRules.family: StatsFamily(count_rounds),
}


def find_stats_family(rules: Rules) -> StatsFamily:
    return FAMILIES[rules.family]


def has_totals(family: str) -> bool:
    """Tell whether totals of a family are points; those of a family that is no more are not."""
    return family in FAMILIES and FAMILIES[family].has_totals


def count_seat(track: GameTrack, seat: int) -> dict[str, int]:
    """Count one seat of a game."""
    counted: Mapping[str, Any] = find_stats_family(track.game.rules).count(track, seat)
    return dict(counted)
