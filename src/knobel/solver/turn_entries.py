"""Where best play leads from the middle of a turn: every column that may follow, with its chance; numpy alone."""

from typing import NamedTuple

import numpy as np

from knobel.dice import Hand
from knobel.solver.arrays import TIE_TOLERANCE, WORST_VALUE, Floats, Ints
from knobel.solver.column_position import ColumnPosition, TurnPosition
from knobel.solver.multisets import contains, drop_each_face, list_subsets
from knobel.solver.position import BookValues, Offers, TurnValues, encode_column, find_offers
from knobel.solver.turn_forecast import choose_boxes, follow_rows_back


class WeightedColumns(NamedTuple):
    """Columns as the book knows them, each with its chance and the points scored on the way to it."""

    masks: Ints
    flag_states: Ints
    upper_totals: Ints
    points: Ints
    chances: Floats


def find_next_columns(book: BookValues, position: ColumnPosition) -> WeightedColumns:
    """Find the columns that best play leads to at the end of a turn; the column itself if the turn has not begun."""
    column, turn = position.column, position.turn
    if not turn.has_begun or column.is_full:
        key = encode_column(book.tables, column)
        mask, flag_state, upper_total = (np.array([one]) for one in (key.mask, key.flag_state, key.upper_total))
        return WeightedColumns(mask, flag_state, upper_total, np.zeros(1, np.int64), np.ones(1))
    return TurnEntries(TurnValues(book, column, turn.announced)).follow(turn)


class TurnEntries:
    """The entries that best play of one turn ends with: an entry is a box, its points and extra, the flags after."""

    def __init__(self, turn: TurnValues) -> None:
        self.turn = turn
        self.tables = turn.book.tables
        self.offers: Offers = find_offers(self.tables, turn.key, turn.announced)
        self.best, chosen = choose_boxes(turn, self.offers.points)
        hands = np.arange(self.best.size)
        described = np.stack(
            (chosen, self.offers.points[hands, chosen], self.offers.extra, self.offers.flags_after[hands, chosen])
        )
        self.entries, self.of_hand = np.unique(described, axis=1, return_inverse=True)

    def follow(self, turn: TurnPosition) -> WeightedColumns:
        """Give the columns that follow a position of the turn, with their chances."""
        chances = self.find_entry_chances(turn)
        wanted = np.flatnonzero(chances)
        box, points, extra, flag_states = self.entries[:, wanted]
        upper = np.minimum(self.turn.key.upper_total + points * self.tables.is_upper[box], self.tables.upper_cap)
        return WeightedColumns(self.turn.key.mask | 1 << box, flag_states, upper, points + extra, chances[wanted])

    def find_entry_chances(self, turn: TurnPosition) -> Floats:
        sets = self.tables.multisets
        rows = np.eye(self.entries.shape[1])[self.of_hand]
        place = sets.index[turn.hand] - sets.first_hand if turn.hand else 0
        if turn.rolls_left == 0 and turn.hand:
            return np.asarray(rows[place])
        values, set_rows = follow_rows_back(self.tables, self.best, rows, turn.rolls_left)
        if turn.kept is not None or not turn.hand:
            return np.asarray(set_rows[sets.index[turn.kept or ()]])
        keeps = [kept for kept in list_subsets(turn.hand) if len(kept) < len(turn.hand) and contains(kept, turn.locked)]
        best = max((float(values[sets.index[kept]]) for kept in keeps), default=WORST_VALUE)
        if self.best[place] >= best - TIE_TOLERANCE:
            return np.asarray(rows[place])
        equal = [kept for kept in keeps if values[sets.index[kept]] >= best - TIE_TOLERANCE]
        return np.asarray(set_rows[sets.index[drop_to_first(turn.hand, equal)]])


def drop_to_first(hand: Hand, keeps: list[Hand]) -> Hand:
    """Find among keeps that are equally good the one met first when dice are dropped one by one, the lowest first."""
    while hand not in keeps:
        hand = next(part for part in drop_each_face(hand) if any(contains(part, kept) for kept in keeps))
    return hand
