"""Playing to win: each move with its worth in points and in the chance to win against what the others will get.

The others are taken to play for points from where they stand; so what a final total is worth is known, and the chance
to win is made as large as it can be for the rest of the game. It is worked out anew every turn. Earlier, with many
boxes open, points are the measure.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from knobel.coach.ledger import ROUNDING_TOLERANCE
from knobel.coach.sheet import MoveValue, SheetCoach, add_points_so_far, open_coach
from knobel.coach.total_moves import TotalMoves, build_win_worth
from knobel.coach.win_chance import EXACT_OPEN_BOXES, SeatPosition, find_final_total, list_positions
from knobel.game import Move
from knobel.games.sheet import SheetGame, SheetState
from knobel.rules.column import Column
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.position import encode_column
from knobel.solver.total_values import TotalValues, TotalWorth, compute_total_values

NOTICEABLE_DIGITS = 6
"""Chances that are equal to so many digits count as equal: single precision has no more."""


@dataclass(frozen=True, slots=True)
class WinMove:
    """A move with its expected final total and its chance to win, ties shared, and what it costs of each.

    The costs are against the best move of either kind.
    """

    move: Move
    points: float
    points_loss: float
    win_chance: float
    win_loss: float


def can_play_to_win(state: SheetState) -> bool:
    """Tell whether there is somebody to win against, and few enough boxes are open."""
    others = [seat for seat in range(len(state.columns)) if seat != state.player and seat not in state.left]
    return bool(others) and len(state.column.open_boxes) <= EXACT_OPEN_BOXES


def rank_to_win(game: SheetGame, state: SheetState) -> list[WinMove]:
    """Rank the moves of the player whose turn it is by the chance to win, then by points, best first."""
    coach = open_coach(game.rules_for(state.player))
    by_points = {one.move: one for one in coach.rank_moves(game, state)}
    by_chance: list[MoveValue] = find_win_moves(game, state, coach).rank_moves(game, state)
    moves = [
        WinMove(one.move, by_points[one.move].value, by_points[one.move].loss, one.value, one.loss) for one in by_chance
    ]
    return sorted(moves, key=lambda one: (round(one.win_loss, NOTICEABLE_DIGITS), one.points_loss))


def find_win_changes(game: SheetGame, state: SheetState) -> dict[Move, float]:
    """Give how much more likely each move wins than the best one for points; nothing where that is not known."""
    if not can_play_to_win(state):
        return {}
    moves = rank_to_win(game, state)
    # Of moves that are equally good for points, the one that wins most often.
    best = next(one for one in moves if one.points_loss < ROUNDING_TOLERANCE)
    return {one.move: round(one.win_chance - best.win_chance, NOTICEABLE_DIGITS) for one in moves}


def find_win_moves(game: SheetGame, state: SheetState, coach: SheetCoach) -> TotalMoves:
    """Prepare to rank the moves of a turn by the chance to win."""
    positions = list_positions(game, state)
    others = tuple(seat for place, seat in enumerate(positions) if place != state.player and place not in state.left)
    return TotalMoves(value_against(coach.book.tables.rules, state.column, others), 0)


@lru_cache(maxsize=32)
def value_against(rules: SheetRules, column: Column, others: tuple[SeatPosition, ...]) -> TotalValues:
    """Value a column against others; cached, because all moves within one turn need the same."""
    coach = open_coach(rules)
    coach.require_column(column)
    worth = find_win_worth(others).shift(add_points_so_far(rules, column))
    return compute_total_values(coach.book.tables, encode_column(coach.book.tables, column), worth, points=0)


def find_win_worth(others: Sequence[SeatPosition]) -> TotalWorth:
    """Say what each final total is worth against others who play for points."""
    # At most one more box is open there than here, so the exact distributions come at once, too.
    totals = [find_final_total(seat, EXACT_OPEN_BOXES + 1)[0] for seat in others]
    lowest, highest = min(one.lowest for one in totals), max(one.highest for one in totals)
    return build_win_worth(np.array([one.spread(lowest, highest) for one in totals]), lowest)
