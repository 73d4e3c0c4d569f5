"""Best play followed through one turn with numpy alone: what it brings in which box, now and in the end.

Ties are broken as everywhere: write rather than throw, a zero rather than points, the box higher up, keep rather than
let go, the lowest dice first.
"""

from functools import cached_property

import numpy as np

from knobel.solver.arrays import TIE_TOLERANCE, WORST_VALUE, Floats, Ints
from knobel.solver.expected_scores import ExpectedScores, list_open_boxes
from knobel.solver.position import TurnValues, average_rolls, build_lock_layers, find_offers
from knobel.solver.tables import Multisets, build_lock_pairs


class TurnForecast:
    """What a turn leads to, as a row of numbers for each hand and each keep.

    A row holds for every box the chance of points there this turn, then for every box the points of this turn, then
    for every box its points at the end, and last the chance of the bonus; without prospects the end is left at this
    turn and the bonus at zero.
    """

    def __init__(self, turn: TurnValues, expected_scores: ExpectedScores | None) -> None:
        self.turn = turn
        self.expected_scores = expected_scores
        self.tables = turn.book.tables
        self.box_count = len(self.tables.rules.boxes)
        self.row_cache: dict[int, Floats] = {}

    @cached_property
    def offers(self) -> tuple[Ints, Ints, Ints]:
        """For each hand and box the points, the flags after it, and the upper total after it."""
        place = self.turn.key
        offers = find_offers(self.tables, place, self.turn.announced)
        lanes = np.minimum(place.upper_total + offers.points * self.tables.is_upper, self.tables.upper_cap)
        return offers.points, np.asarray(offers.flags_after), lanes

    def build_entry_rows(self, points: Ints, box: int, flags: Ints, lanes: Ints) -> Floats:
        """Give the numbers of writing in a box, for several hands at once."""
        rows = np.zeros((points.size, 3 * self.box_count + 1))
        rows[:, box], rows[:, self.box_count + box], rows[:, 2 * self.box_count + box] = points > 0, points, points
        if self.expected_scores:
            mask = self.turn.key.mask | 1 << box
            open_after = 2 * self.box_count + np.array([*list_open_boxes(mask, self.box_count), self.box_count])
            for flag in np.unique(flags):
                here = np.flatnonzero(flags == flag)
                rows[np.ix_(here, open_after)] = self.expected_scores.column_scores(mask, int(flag))[:, lanes[here]].T
        return rows

    @cached_property
    def best_entries(self) -> tuple[Floats, Floats]:
        """For each hand the value of its best box, and the numbers of writing it there."""
        points, flags, lanes = self.offers
        choices = self.turn.entry_values
        best = choices.max(axis=1)
        liked = np.where(
            choices >= best[:, None] - TIE_TOLERANCE, (points > 0) * self.box_count + np.arange(self.box_count), 9**9
        )
        chosen = liked.argmin(axis=1)
        rows = np.zeros((best.size, 3 * self.box_count + 1))
        for box in np.unique(chosen):
            here = np.flatnonzero(chosen == box)
            rows[here] = self.build_entry_rows(points[here, box], int(box), flags[here, box], lanes[here, box])
        return best, rows

    def keep_rows(self, rolls_left: int) -> Floats:
        """Give the numbers of keeping each multiset and throwing the rest, with so many throws left to do."""
        if rolls_left not in self.row_cache:
            self.row_cache[rolls_left] = self.compute_keep_rows(rolls_left)
        return self.row_cache[rolls_left]

    def compute_keep_rows(self, rolls_left: int) -> Floats:
        """Follow best play from the last throw back, the numbers along with the values."""
        sets, (best, rows) = self.tables.multisets, self.best_entries
        work, found = np.full(len(sets.sets), WORST_VALUE), np.zeros((len(sets.sets), rows.shape[1]))
        work[sets.first_hand :], found[sets.first_hand :] = best, rows
        average_rolls(sets, work)
        average_rolls(sets, found)
        for _ in range(rolls_left - 1):
            if self.tables.rules.locked_dice:
                work[: sets.first_hand], found[: sets.first_hand] = average_best_locked_rows(sets, work, found)
            else:
                best_kept = find_best_keeps(sets, work)
                work[sets.first_hand :], found[sets.first_hand :] = work[best_kept], found[best_kept]
                average_rolls(sets, work)
                average_rolls(sets, found)
        return found


def find_best_keeps(sets: Multisets, work: Floats) -> Ints:
    """Say for each hand which of its multisets is best kept, itself included."""
    best, kept = work.copy(), np.arange(work.size)
    for begin, end in sets.size_ranges[1:]:
        here, below = np.arange(begin, end), sets.smaller_padded[begin:end]
        other, which = pick_first_best(best, below)
        better = other > best[begin:end] + TIE_TOLERANCE
        best[here[better]], kept[here[better]] = other[better], kept[which[better]]
    return kept[sets.first_hand :]


def average_best_locked_rows(sets: Multisets, work: Floats, found: Floats) -> tuple[Floats, Floats]:
    """Value each kept multiset when the rest is thrown and the best of what fell is kept besides, numbers along."""
    pairs = build_lock_pairs(sets.dice, sets.faces)
    more, kept = work[pairs.union], pairs.union.copy()
    for here, below in build_lock_layers(sets.dice, sets.faces):
        other, which = pick_first_best(more, below)
        better = other > more[here] + TIE_TOLERANCE
        more[here[better]], kept[here[better]] = other[better], kept[which[better]]
    begins = pairs.pair_starts[:-1]
    return (
        np.add.reduceat(more * pairs.roll_chances, begins),
        np.add.reduceat(found[kept] * pairs.roll_chances[:, None], begins, axis=0),
    )


def pick_first_best(work: Floats, below: Ints) -> tuple[Floats, Ints]:
    """Give for each row of choices the value of the best one, and the first that is as good."""
    values = work[below]
    first = (values >= values.max(axis=1, keepdims=True) - TIE_TOLERANCE).argmax(axis=1)
    rows = np.arange(len(below))
    return values[rows, first], below[rows, first]
