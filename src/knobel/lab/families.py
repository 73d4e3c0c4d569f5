"""What the lab has to know of each family of games."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from knobel.coach.rounds import rank_moves as rank_round_moves
from knobel.coach.sheet import open_coach
from knobel.game import Move, Outcome
from knobel.lab.encoding import Encoding, LossFinder
from knobel.lab.round_encoding import RoundEncoding
from knobel.lab.sheet_encoding import SheetEncoding
from knobel.rules.families import ROUNDS, SHEET


@dataclass(frozen=True, slots=True)
class LabFamily:
    """One family: how its games become numbers, who plays along by default, and what losses are measured by.

    `count_points` gives what a seat has scored so far where a lone player collects points; elsewhere a place is all.
    """

    encode: Callable[[Any, int], Encoding]
    opponents: tuple[str, ...]
    count_points: Callable[[Any, Any, int], int] | None
    open_losses: Callable[[Any], LossFinder]
    has_batches: bool = False


def count_column_points(game: Any, state: Any, seat: int) -> int:
    """Count the points of a column; the bonus counts at the end."""
    sums = game.tally(state, seat)
    return int(sums.total if state.columns[seat].is_full else sums.total - sums.bonus)


def open_sheet_losses(rules: Any) -> LossFinder:
    coach = open_coach(rules)

    def find_losses(game: Any, state: Any) -> Mapping[Move, float]:
        return {one.move: one.loss for one in coach.rank_moves(game, state)}

    return find_losses


def open_round_losses(rules: Any) -> LossFinder:  # noqa: ARG001
    def find_losses(game: Any, state: Any) -> Mapping[Move, float]:
        return {one.move: one.loss for one in rank_round_moves(game, state)}

    return find_losses


def rate_places(outcome: Outcome, seats: int) -> list[float]:
    """Rate the places of a finished game from 1 for the first to -1 for the last; who ties shares the rates."""
    rates, taken = [0.0] * seats, 0
    for group in outcome.places:
        middle = taken + (len(group) - 1) / 2
        for seat in group:
            rates[seat] = 1.0 - 2.0 * middle / max(seats - 1, 1)
        taken += len(group)
    return rates


FAMILIES: dict[str, LabFamily] = {
    SHEET: LabFamily(SheetEncoding, (), count_column_points, open_sheet_losses, has_batches=True),
    ROUNDS: LabFamily(RoundEncoding, ("greedy",), None, open_round_losses),
}
