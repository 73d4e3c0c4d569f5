"""How likely each player loses a round of a solved game or has its best result, everybody followed by best play."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from knobel.coach.rounds import solve_whole_game
from knobel.games.rounds import RoundsGame
from knobel.solver.arrays import Floats
from knobel.solver.chip_game import ChipCounts, ChipRound, RoundEnding, list_endings
from knobel.solver.round_dice import DiceTurn


@dataclass(frozen=True)
class EndingChances:
    """The chance of each player to lose the round, and to have its best result.

    Both hold by how often the opener rolled and how many followers have had their turn an array by aim, the opener's
    total and theirs, as in `ChipRound.places_after`; the last dimension is the player from the opener on.
    """

    losing: dict[int, list[Floats]]
    best: dict[int, list[Floats]]


@lru_cache(maxsize=64)
def find_ending_chances(game: RoundsGame, players: int, chips: ChipCounts) -> EndingChances:
    """Find the chances of a round that begins with these chips, from the opener on."""
    solved = solve_whole_game(game, players).solved_round(chips)
    return EndingChances(follow_round(solved, players, find_losers), follow_round(solved, players, find_winners))


def follow_round(
    solved: ChipRound, players: int, mark: Callable[[RoundEnding, int], Floats]
) -> dict[int, list[Floats]]:
    """Follow best play back from the last follower, with what each ending means to each player."""
    dice = solved.round_dice
    endings, table = list_endings(dice, players)
    has_total = (dice.totals[:, None] == np.arange(dice.total_count)).astype(np.float64)
    after = {}
    for rolled, places_after in solved.places_after.items():
        known = [np.array([mark(ended, players) for ended in endings])[table]]
        for seat in range(players - 1, 0, -1):
            places = places_after[seat]
            values = places[..., seat].reshape(-1, dice.total_count)[:, dice.totals]
            stops = DiceTurn(dice, [values] * rolled).find_stop_chances().sum(axis=0)
            chances = (stops @ has_total).reshape(places.shape[:-1])
            known.insert(0, np.einsum("...t,...tp->...p", chances, known[0]))
        after[rolled] = known
    return after


def find_losers(ended: RoundEnding, players: int) -> Floats:
    """Mark who loses a round, shared among the orders that roll-offs can give."""
    marks: Floats = np.array([np.arange(players) == order[-1] for order in ended.orders], np.float64)
    return np.asarray(marks.mean(axis=0))


def find_winners(ended: RoundEnding, players: int) -> Floats:
    """Mark who has the best result of a round, if more than one is left in it."""
    marks: Floats = np.array(
        [(np.arange(players) == order[0]) & (len(order) > 1) for order in ended.orders], np.float64
    )
    return np.asarray(marks.mean(axis=0))
