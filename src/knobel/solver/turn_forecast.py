"""Best play followed through one turn with numpy alone: what it scores in which box, now and in the end.

Ties are broken as everywhere: score rather than roll, a zero rather than points, the box higher up, keep rather than
let go, the lowest dice first.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from knobel.solver.arrays import TIE_TOLERANCE, WORST_VALUE, Floats, Ints
from knobel.solver.expected_scores import ExpectedScores, list_open_boxes
from knobel.solver.multisets import Multisets, build_lock_pairs
from knobel.solver.position import TurnValues, average_rolls, build_lock_layers, find_offers
from knobel.solver.tables import Tables


class Forecast(NamedTuple):
    """What a turn leads to: for every box the chance of points this turn, the points of this turn, and in the end.

    Without expected scores the end is left at this turn, and the bonus at zero.
    """

    scored_chances: Floats
    turn_points: Floats
    final_points: Floats
    bonus_chance: float


class BoxOffers(NamedTuple):
    """For each hand and box the points, the flag state and the upper total after it."""

    points: Ints
    flag_states: Ints
    upper_totals: Ints


class TurnForecast:
    """What a turn leads to, as a row of numbers for each hand and each keep: those of a `Forecast`, in its order."""

    def __init__(self, turn: TurnValues, expected_scores: ExpectedScores | None) -> None:
        self.turn = turn
        self.expected_scores = expected_scores
        self.tables = turn.book.tables
        boxes = self.tables.offer.box_count
        self.scored_columns, self.turn_columns = slice(0, boxes), slice(boxes, 2 * boxes)
        self.final_columns, self.bonus_column = slice(2 * boxes, 3 * boxes), 3 * boxes
        self.row_cache: dict[int, Floats] = {}

    def forecast_keep(self, kept: int, rolls_left: int) -> Forecast:
        """Say what keeping a multiset leads to, with this many rolls left to do; multisets are named by their place."""
        if rolls_left not in self.row_cache:
            self.row_cache[rolls_left] = self.compute_keep_rows(rolls_left)
        row = self.row_cache[rolls_left][kept]
        return Forecast(
            scored_chances=row[self.scored_columns],
            turn_points=row[self.turn_columns],
            final_points=row[self.final_columns],
            bonus_chance=float(row[self.bonus_column]),
        )

    @cached_property
    def offers(self) -> BoxOffers:
        key = self.turn.key
        offers = find_offers(self.tables, key, self.turn.announced)
        upper_totals = np.minimum(key.upper_total + offers.points * self.tables.is_upper, self.tables.upper_cap)
        return BoxOffers(offers.points, offers.flags_after, upper_totals)

    def build_entry_rows(self, hands: Ints, box: int) -> Floats:
        """Give the rows of scoring these hands in a box."""
        points, flag_states, upper_totals = (part[hands, box] for part in self.offers)
        rows = np.zeros((hands.size, self.bonus_column + 1))
        for columns, numbers in (
            (self.scored_columns, points > 0),
            (self.turn_columns, points),
            (self.final_columns, points),
        ):
            rows[:, columns][:, box] = numbers
        if self.expected_scores:
            mask, boxes = self.turn.key.mask | 1 << box, self.tables.offer.box_count
            still_to_come = [self.final_columns.start + other for other in list_open_boxes(mask, boxes)]
            for flag_state in np.unique(flag_states):
                here = np.flatnonzero(flag_states == flag_state)
                scores = self.expected_scores.column_scores(mask, int(flag_state))[:, upper_totals[here]]
                rows[here[:, None], [*still_to_come, self.bonus_column]] = scores.T
        return rows

    @cached_property
    def best_entries(self) -> tuple[Floats, Floats]:
        """For each hand the value of its best box, and the row of scoring it there."""
        best, chosen = choose_boxes(self.turn, self.offers.points)
        rows = np.zeros((best.size, self.bonus_column + 1))
        for box in np.unique(chosen):
            hands = np.flatnonzero(chosen == box)
            rows[hands] = self.build_entry_rows(hands, int(box))
        return best, rows

    def compute_keep_rows(self, rolls_left: int) -> Floats:
        """Follow best play from the last roll back, the rows along with the values."""
        return follow_rows_back(self.tables, *self.best_entries, rolls_left)[1]


def choose_boxes(turn: TurnValues, points: Ints) -> tuple[Floats, Ints]:
    """Give for each hand the value of its best box, and which one that is."""
    choices, boxes = turn.entry_values, turn.book.tables.offer.box_count
    best = choices.max(axis=1)
    preference = (points > 0) * boxes + np.arange(boxes)  # zeros first, then the box higher up
    never = 2 * boxes
    return best, np.where(choices >= best[:, None] - TIE_TOLERANCE, preference, never).argmin(axis=1)


def follow_rows_back(tables: Tables, best: Floats, rows: Floats, rolls_left: int) -> tuple[Floats, Floats]:
    """Carry a row of numbers for each hand back to each keep, as best play leads there; give values and rows.

    `best` are the values of the hands when no roll is left; multisets are named by their place.
    """
    sets = tables.multisets
    set_values, set_rows = np.full(len(sets.sets), WORST_VALUE), np.zeros((len(sets.sets), rows.shape[1]))
    set_values[sets.first_hand :], set_rows[sets.first_hand :] = best, rows
    average_rolls(sets, set_values)
    average_rolls(sets, set_rows)
    for _ in range(rolls_left - 1):
        if tables.rules.locked_dice:
            averages = average_best_locked_rows(sets, set_values, set_rows)
            set_values[: sets.first_hand], set_rows[: sets.first_hand] = averages
        else:
            kept = find_best_keeps(sets, set_values)
            set_values[sets.first_hand :], set_rows[sets.first_hand :] = set_values[kept], set_rows[kept]
            average_rolls(sets, set_values)
            average_rolls(sets, set_rows)
    return set_values, set_rows


def find_best_keeps(sets: Multisets, set_values: Floats) -> Ints:
    """Say for each hand which of its multisets is best kept, itself included."""
    best, kept = set_values.copy(), np.arange(set_values.size)
    for begin, end in sets.size_ranges[1:]:
        keep_first_best(best, kept, np.arange(begin, end), sets.smaller_padded[begin:end])
    return kept[sets.first_hand :]


def average_best_locked_rows(sets: Multisets, set_values: Floats, set_rows: Floats) -> tuple[Floats, Floats]:
    """Value each kept multiset when the rest is rolled and the best of it is kept besides, the rows along."""
    pairs = build_lock_pairs(sets.dice, sets.faces)
    pair_values, kept = set_values[pairs.union], pairs.union.copy()
    for layer, smaller in build_lock_layers(sets.dice, sets.faces):
        keep_first_best(pair_values, kept, layer, smaller)
    starts = pairs.pair_starts[:-1]
    return (
        np.add.reduceat(pair_values * pairs.roll_chances, starts),
        np.add.reduceat(set_rows[kept] * pairs.roll_chances[:, None], starts, axis=0),
    )


def keep_first_best(values: Floats, kept: Ints, here: Ints, smaller: Ints) -> None:
    """Let each of some sets keep what the first of the best among its smaller ones keeps, where that is better."""
    choices = values[smaller]
    first = (choices >= choices.max(axis=1, keepdims=True) - TIE_TOLERANCE).argmax(axis=1)
    rows = np.arange(len(smaller))
    other, other_kept = choices[rows, first], kept[smaller[rows, first]]
    is_better = other > values[here] + TIE_TOLERANCE
    values[here[is_better]], kept[here[is_better]] = other[is_better], other_kept[is_better]
