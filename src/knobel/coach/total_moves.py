"""Ranks moves where not points count but what the final total is worth: a total to reach, or a chance to win."""

from dataclasses import dataclass, field

import numpy as np

from knobel.coach.sheet import MoveValue, SheetCoach, add_points_so_far, tie_break_key
from knobel.dice import sort_dice
from knobel.game import Announce, Move, Roll, Score
from knobel.games.sheet import SheetGame, SheetState
from knobel.solver.arrays import NO_BOX, Floats
from knobel.solver.position import compute_keep_values, encode_column
from knobel.solver.solve import ProgressCallback
from knobel.solver.tables import Tables
from knobel.solver.total_values import AIM, TotalValues, TotalWorth, compute_total_values, find_most_points


@dataclass(frozen=True)
class TotalMoves:
    """The moves of one turn; `points` is where the rows of the values are read: the points scored before."""

    values: TotalValues
    points: int
    cached: dict[tuple[int, int], Floats] = field(default_factory=dict, compare=False)

    def rank_moves(self, game: SheetGame, state: SheetState) -> list[MoveValue]:
        """Rank the moves of the player whose turn it is by their chance, best first."""
        chances = [(move, self.value_move(game, state, move)) for move in game.legal_moves(state)]
        best = max(chance for _, chance in chances)
        ranked = [MoveValue(move, chance, best - chance) for move, chance in chances]
        return sorted(ranked, key=lambda one: (one.loss, tie_break_key(one.move)))

    def value_move(self, game: SheetGame, state: SheetState, move: Move) -> float:
        sets, rules = self.values.tables.multisets, game.rules
        announced = NO_BOX if state.announced is None else rules.index[state.announced]
        match move:
            case Announce(box):
                return float(self.value_keeps(rules.rolls, rules.index[box])[0])
            case Roll(keep):
                kept = sort_dice(state.dice[place] for place in keep)
                return float(self.value_keeps(rules.rolls - state.rolls_used, announced)[sets.index[kept]])
            case Score(box):
                row = sets.index[state.hand] - sets.first_hand
                return float(self.value_entries(announced)[row, rules.index[box]])
        raise TypeError(move)

    def value_entries(self, announced: int) -> Floats:
        if (0, announced) not in self.cached:
            self.cached[0, announced] = self.values.value_entries(self.points, announced)
        return self.cached[0, announced]

    def value_keeps(self, rolls_left: int, announced: int) -> Floats:
        if (rolls_left, announced) not in self.cached:
            hands = self.value_entries(announced).max(axis=1)
            self.cached[rolls_left, announced] = compute_keep_values(self.values.tables, hands, rolls_left)
        return self.cached[rolls_left, announced]


def find_aim_moves(
    coach: SheetCoach, state: SheetState, total: int, progress: ProgressCallback | None = None
) -> TotalMoves:
    """Prepare to rank the moves of a turn by the chance to reach a total in the end."""
    tables, column = coach.book.tables, state.column
    coach.require_column(column)
    points = add_points_so_far(tables.rules, column) - total
    return TotalMoves(compute_total_values(tables, encode_column(tables, column), AIM, progress, points=points), points)


def find_most_total(tables: Tables, game: SheetGame, state: SheetState) -> int:
    """Say which final total the player whose turn it is cannot exceed, whatever is rolled."""
    rules, player = game.rules_for(state.player), state.player
    columns = [state.column]
    if state.dice and state.rolls_used == rules.rolls:
        columns = [game.apply(state, move).columns[player] for move in game.legal_moves(state)]
    return max(add_points_so_far(rules, one) + find_most_points(tables, encode_column(tables, one)) for one in columns)


def build_win_worth(others: Floats, lowest: int) -> TotalWorth:
    """Say what totals from `lowest` on are worth against others whose chances are given by rows, ties shared."""
    equal = np.zeros((others.shape[0] + 1, others.shape[1]))
    equal[0] = 1.0
    for row in others:
        fewer = np.cumsum(row) - row
        tied = equal[:-1] * row
        equal *= fewer
        equal[1:] += tied
    worth = (equal / np.arange(1, equal.shape[0] + 1)[:, None]).sum(axis=0)
    return TotalWorth(lowest, worth)
