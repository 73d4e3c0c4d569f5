"""What the lab has to know of each family of games."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from knobel.bots import load_bot
from knobel.coach.rounds import rank_moves as rank_round_moves
from knobel.coach.sheet import open_coach
from knobel.errors import WrongArgument
from knobel.game import Move, Outcome
from knobel.lab.encoding import Encoding, LossFinder
from knobel.lab.round_encoding import RoundEncoding
from knobel.lab.sheet_encoding import SheetEncoding
from knobel.rules.families import ROUNDS, SHEET
from knobel.rules.fields import abbreviate, check_type
from knobel.solver.batch import GameBatch
from knobel.solver.round_batch import RoundBatch, build_round_tables
from knobel.solver.tables import build_tables

COMPILED_BOT = "greedy"
"""The opponent that plays in compiled code."""


@dataclass(frozen=True, slots=True)
class LabFamily:
    """One family: how its games become numbers, who plays along by default, and what losses are measured by.

    `count_points` gives what a seat has scored so far where a lone player collects points; elsewhere a place is all.
    `open_batch` opens many games at once, given the opponents of each.
    """

    encode: Callable[[Any, int], Encoding]
    opponents: tuple[str, ...]
    count_points: Callable[[Any, Any, int], int] | None
    open_losses: Callable[[Any], LossFinder]
    open_batch: Callable[[Any, int, Sequence[str]], GameBatch | RoundBatch]


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


def open_sheet_batch(rules: Any, games: int, opponents: Sequence[str]) -> GameBatch:
    """Open a batch of games that are played alone."""
    expect_opponents(opponents, (), "()")
    return GameBatch(build_tables(rules), games)


def open_round_batch(rules: Any, games: int, opponents: Sequence[str]) -> RoundBatch:
    """Open a batch of games against the bot that is compiled."""
    expect_opponents(opponents, (COMPILED_BOT,), f"('{COMPILED_BOT}', …)")
    tables = build_round_tables(
        dice=rules.dice,
        faces=rules.faces,
        rolls=rules.rolls,
        chips=rules.chips,
        seats=len(opponents) + 1,
        all_ones_win=rules.chicago_special,
    )
    return RoundBatch(tables, games)


def expect_opponents(opponents: Sequence[str], compiled: Sequence[str], wanted: str) -> None:
    """Refuse opponents that do not play in compiled code."""
    for name in opponents:
        if name not in compiled:
            raise WrongArgument(name="opponents", wanted=wanted, value=abbreviate(repr(opponents)))


def name_opponents(names: Sequence[str] | None, family: str) -> Sequence[str]:
    """Give the names of the bots that play along; those of the family if nobody is named."""
    found = FAMILIES[family].opponents if names is None else names
    check_type("opponents", found, tuple, list)
    for name in found:
        check_type("opponent", name, str)
        load_bot(name, family)
    return found


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
    SHEET: LabFamily(SheetEncoding, (), count_column_points, open_sheet_losses, open_sheet_batch),
    ROUNDS: LabFamily(RoundEncoding, ("greedy",), None, open_round_losses, open_round_batch),
}
