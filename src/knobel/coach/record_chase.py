"""The chance to beat a record from here: exact where the distribution of final totals is."""

from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from knobel.coach.sheet import add_points_so_far, open_coach
from knobel.coach.total_moves import TotalMoves, find_most_total
from knobel.coach.win_chance import EXACT_OPEN_BOXES, find_final_total, list_positions
from knobel.errors import GameTooLarge
from knobel.games.sheet import SheetGame, SheetState
from knobel.rules.column import Column
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.position import encode_column
from knobel.solver.total_values import AIM, TotalValues, compute_total_values


@dataclass(frozen=True, slots=True)
class ChanceToBeat:
    """How likely best play from here scores more than a record, and whether that is exact or approximated.

    `greatest` is the chance of somebody who plays for just that, if few enough boxes are open and it is their choice.
    `is_possible` is false where even the luckiest dice are not enough.
    """

    chance: float
    is_exact: bool
    greatest: float | None = None
    is_possible: bool = True


def compute_chance_to_beat(game: SheetGame, state: SheetState, seat: int, record: int) -> ChanceToBeat:
    """Work out the chance that a seat ends with more points than a record; call it in a thread."""
    if state.seat == seat and find_most_total(open_coach(game.rules_for(seat)).book.tables, game, state) <= record:
        return ChanceToBeat(0.0, is_exact=True, greatest=0.0, is_possible=False)
    total, is_exact = find_final_total(list_positions(game, state)[seat])
    chance = float(total.chances[max(0, record + 1 - total.lowest) :].sum())
    greatest = None
    if state.seat == seat and len(state.column.open_boxes) <= EXACT_OPEN_BOXES:
        with suppress(GameTooLarge):
            greatest = max(chance, find_greatest_chance(game, state, record))
    return ChanceToBeat(chance, is_exact, greatest)


def find_greatest_chance(game: SheetGame, state: SheetState, record: int) -> float:
    """Find the greatest chance of the player whose turn it is to end with more points than a record."""
    rules, column = game.rules_for(state.player), state.column
    points = add_points_so_far(rules, column) - (record + 1)
    return TotalMoves(value_aim(rules, column, points), points).rank_moves(game, state)[0].value


@lru_cache(maxsize=32)
def value_aim(rules: SheetRules, column: Column, points: int) -> TotalValues:
    """Value a column for an aim from which points are counted; cached for all rolls of a turn."""
    tables = open_coach(rules).book.tables
    return compute_total_values(tables, encode_column(tables, column), AIM, points=points)
