"""How a tournament stands: points for wins, then Buchholz, then the difference of the scores."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

WIN, TIE, LOSS = 2, 1, 0


class Pair(NamedTuple):
    """Two who are compared in a round; alone, somebody has a bye, which counts as a win."""

    first: int
    second: int | None = None


Totals: TypeAlias = tuple[int | None, ...]
"""What each player scored in a round; whoever did not play it has none, and loses."""


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round that is over."""

    pairs: tuple[Pair, ...]
    totals: Totals


@dataclass(frozen=True, slots=True)
class PlayerStanding:
    """Where a player stands; `buchholz` adds up the points of the opponents, `difference` the scores against them."""

    player: int
    place: int
    points: int
    buchholz: int
    difference: int
    total: int


def score_pair(pair: Pair, totals: Totals) -> tuple[int, int]:
    """Give the points of both players of a pair; whoever did not play loses, and nobody wins against nobody."""
    if pair.second is None:
        return WIN, LOSS
    first, second = totals[pair.first], totals[pair.second]
    if first is None or second is None:
        return (LOSS if first is None else WIN), (LOSS if second is None else WIN)
    if first == second:
        return TIE, TIE
    return (WIN, LOSS) if first > second else (LOSS, WIN)


def count_points(players: int, rounds: Sequence[PlayedRound]) -> list[int]:
    """Count the points of all players."""
    points = [0] * players
    for played in rounds:
        for pair in played.pairs:
            for player, scored in zip(pair, score_pair(pair, played.totals), strict=True):
                if player is not None:
                    points[player] += scored
    return points


def rank_players(players: int, rounds: Sequence[PlayedRound]) -> tuple[PlayerStanding, ...]:
    """Rank the players, best first; equal ones share a place, in the order of their numbers."""
    points = count_points(players, rounds)
    buchholz, difference, total = [0] * players, [0] * players, [0] * players
    for played in rounds:
        for pair in played.pairs:
            for player, other in ((pair.first, pair.second), (pair.second, pair.first)):
                if player is None:
                    continue
                own = played.totals[player] or 0
                total[player] += own
                if other is not None:
                    buchholz[player] += points[other]
                    difference[player] += own - (played.totals[other] or 0)
    keys = [(points[player], buchholz[player], difference[player]) for player in range(players)]
    order = sorted(range(players), key=lambda player: [-value for value in keys[player]])
    return tuple(
        PlayerStanding(player, 1 + sum(key > keys[player] for key in keys), *keys[player], total[player])
        for player in order
    )
