"""Best play followed through one turn with numpy alone: what it brings in which box, now and in the end.

Ties are broken as everywhere: write rather than throw, a zero rather than points, the box higher up, keep rather than
let go, the lowest dice first.
"""

from functools import cached_property

import numpy as np

from knobel.solver.position import NEVER, Turn, lock_layers, offers_of, throw_rest
from knobel.solver.prospects import Prospects, open_boxes
from knobel.solver.tables import Floats, Ints, Multisets, locks

NEAR = 1e-11


class Ahead:
    """What a turn leads to, as a row of numbers for each hand and each keep.

    A row holds for every box the chance of points there this turn, then for every box the points of this turn, then
    for every box its points at the end, and last the chance of the bonus; without prospects the end is left at this
    turn and the bonus at zero.
    """

    def __init__(self, turn: Turn, prospects: Prospects | None) -> None:
        self.turn = turn
        self.prospects = prospects
        self.tables = turn.book.tables
        self.boxes = len(self.tables.rules.boxes)
        self.known: dict[int, Floats] = {}

    @cached_property
    def offers(self) -> tuple[Ints, Ints, Ints]:
        """For each hand and box the points, the flags after it, and the upper total after it."""
        place = self.turn.place
        offers = offers_of(self.tables, place, self.turn.announced)
        lanes = np.minimum(place.upper + offers.points * self.tables.upper, self.tables.cap)
        return offers.points, np.asarray(offers.flags), lanes

    def rows(self, points: Ints, box: int, flags: Ints, lanes: Ints) -> Floats:
        """Give the numbers of writing in a box, for several hands at once."""
        rows = np.zeros((points.size, 3 * self.boxes + 1))
        rows[:, box], rows[:, self.boxes + box], rows[:, 2 * self.boxes + box] = points > 0, points, points
        if self.prospects:
            mask = self.turn.place.mask | 1 << box
            open_after = 2 * self.boxes + np.array([*open_boxes(mask, self.boxes), self.boxes])
            for flag in np.unique(flags):
                here = np.flatnonzero(flags == flag)
                rows[np.ix_(here, open_after)] = self.prospects.block(mask, int(flag))[:, lanes[here]].T
        return rows

    @cached_property
    def stopped(self) -> tuple[Floats, Floats]:
        """For each hand the value of its best box, and the numbers of writing it there."""
        points, flags, lanes = self.offers
        choices = self.turn.choices
        best = choices.max(axis=1)
        liked = np.where(choices >= best[:, None] - NEAR, (points > 0) * self.boxes + np.arange(self.boxes), 9**9)
        chosen = liked.argmin(axis=1)
        rows = np.zeros((best.size, 3 * self.boxes + 1))
        for box in np.unique(chosen):
            here = np.flatnonzero(chosen == box)
            rows[here] = self.rows(points[here, box], int(box), flags[here, box], lanes[here, box])
        return best, rows

    def keeps(self, left: int) -> Floats:
        """Give the numbers of keeping each multiset and throwing the rest, with so many throws left to do."""
        if left not in self.known:
            self.known[left] = self.followed(left)
        return self.known[left]

    def followed(self, left: int) -> Floats:
        """Follow best play from the last throw back, the numbers along with the values."""
        sets, (best, rows) = self.tables.sets, self.stopped
        work, found = np.full(len(sets.sets), NEVER), np.zeros((len(sets.sets), rows.shape[1]))
        work[sets.first :], found[sets.first :] = best, rows
        throw_rest(sets, work)
        throw_rest(sets, found)
        for _ in range(left - 1):
            if self.tables.rules.locked_dice:
                work[: sets.first], found[: sets.first] = add_best(sets, work, found)
            else:
                best_kept = keep_which(sets, work)
                work[sets.first :], found[sets.first :] = work[best_kept], found[best_kept]
                throw_rest(sets, work)
                throw_rest(sets, found)
        return found


def keep_which(sets: Multisets, work: Floats) -> Ints:
    """Say for each hand which of its multisets is best kept, itself included."""
    best, kept = work.copy(), np.arange(work.size)
    for begin, end in sets.by_size[1:]:
        here, below = np.arange(begin, end), sets.below[begin:end]
        other, which = first_best(best, below)
        better = other > best[begin:end] + NEAR
        best[here[better]], kept[here[better]] = other[better], kept[which[better]]
    return kept[sets.first :]


def add_best(sets: Multisets, work: Floats, found: Floats) -> tuple[Floats, Floats]:
    """Value each kept multiset when the rest is thrown and the best of what fell is kept besides, numbers along."""
    pairs = locks(sets.dice, sets.faces)
    more, kept = work[pairs.union], pairs.union.copy()
    for here, below in lock_layers(sets.dice, sets.faces):
        other, which = first_best(more, below)
        better = other > more[here] + NEAR
        more[here[better]], kept[here[better]] = other[better], kept[which[better]]
    begins = pairs.begin[:-1]
    return (
        np.add.reduceat(more * pairs.chance, begins),
        np.add.reduceat(found[kept] * pairs.chance[:, None], begins, axis=0),
    )


def first_best(work: Floats, below: Ints) -> tuple[Floats, Ints]:
    """Give for each row of choices the value of the best one, and the first that is as good."""
    values = work[below]
    first = (values >= values.max(axis=1, keepdims=True) - NEAR).argmax(axis=1)
    rows = np.arange(len(below))
    return values[rows, first], below[rows, first]
