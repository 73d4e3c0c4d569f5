"""One position valued from a book with numpy alone: every keep, every box, in well under a millisecond."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from knobel.rules.column import Column, tally
from knobel.solver.tables import HELD, SEEN, Floats, Ints, Multisets, Tables, locks, padded

NEVER = -1e18


@dataclass(frozen=True)
class Book:
    """The solved value of every column: a row for each set of written boxes and flags, a lane for each upper total."""

    tables: Tables
    values: Floats

    @property
    def par(self) -> float:
        """The expected total of perfect play from an empty sheet."""
        return float(self.values[0, 0])


@dataclass(frozen=True, slots=True)
class Place:
    """A column as the book knows it: written boxes as bits, flags, upper total as far as it matters."""

    mask: int
    flag: int
    upper: int


def place_of(tables: Tables, column: Column) -> Place:
    """Find a column in the book."""
    rules = tables.rules
    mask = sum(1 << place for place, points in enumerate(column.entries) if points is not None)
    held = bool(tables.flags & HELD and rules.yatzy and column.entries[rules.index[rules.yatzy.box]])
    seen = bool(tables.flags & SEEN and column.yatzys)
    flag = held + (seen << bool(tables.flags & HELD))
    return Place(mask, flag, min(tally(rules, column).upper, tables.cap))


def row_of(tables: Tables, mask: Ints) -> Ints:
    """Say in which rows of the book sets of written boxes stand."""
    return np.bitwise_count(mask).astype(np.int64) if tables.rules.order == "top_down" else mask


def value_of(book: Book, column: Column) -> float:
    """Say what a column may still expect, before its next turn."""
    place = place_of(book.tables, column)
    row = row_of(book.tables, np.array(place.mask))
    return float(book.values[row * book.tables.flag_states + place.flag, place.upper])


@dataclass(frozen=True, slots=True)
class Offers:
    """What every hand is offered on a column: points and extra in each box, what is closed to it, the flags after."""

    points: Ints
    extra: Ints
    closed: NDArray[np.bool_]
    flags: Ints


class Turn:
    """A turn to be played from a column: what each hand and each keep is worth with so many throws left."""

    def __init__(self, book: Book, column: Column, announced: str | None = None) -> None:
        self.book = book
        self.column = column
        self.place = place_of(book.tables, column)
        self.announced = -1 if announced is None else book.tables.rules.index[announced]
        self.known: dict[int, Floats] = {}

    @cached_property
    def choices(self) -> Floats:
        """The value of writing each hand in each box; what may not be written is never chosen."""
        tables, place = self.book.tables, self.place
        offers = offers_of(tables, place, self.announced)
        bits = np.int64(1) << np.arange(len(tables.rules.boxes))
        rows = row_of(tables, place.mask | bits)[None, :] * tables.flag_states + offers.flags
        lanes = np.minimum(place.upper + offers.points * tables.upper, tables.cap)
        later = self.book.values[np.where(offers.closed, 0, rows), lanes]
        return np.where(offers.closed, NEVER, offers.points + offers.extra[:, None] + later)

    def keeps(self, left: int) -> Floats:
        """Give the value of keeping each multiset and throwing the rest, with so many throws left to do."""
        if left not in self.known:
            self.known[left] = keeps_of(self.book.tables, self.choices.max(axis=1), left)
        return self.known[left]

    def begin(self) -> float:
        """Give the value of the turn before its first throw."""
        return float(self.keeps(self.book.tables.rules.throws)[0])


def keeps_of(tables: Tables, stopped: Floats, left: int) -> Floats:
    """Give the value of keeping each multiset, from the values of the hands when no throw is left."""
    sets = tables.sets
    work = np.full(len(sets.sets), NEVER)
    work[sets.first :] = stopped
    throw_rest(sets, work)
    for _ in range(left - 1):
        if tables.rules.locked_dice:
            work[: sets.first] = added_best(sets, work)
        else:
            keep_best(sets, work)
            throw_rest(sets, work)
    return work


def offers_of(tables: Tables, place: Place, announced: int) -> Offers:
    """Say what every hand is offered on a column."""
    boxes = np.arange(len(tables.rules.boxes))
    rows, flags = situations(tables, place)
    points, scores = tables.worth[rows], tables.scores[rows]
    open_boxes = ((1 << boxes.size) - 1) & ~place.mask
    if announced < 0:
        allowed = offered(tables, scores, open_boxes)
    else:
        missed = (scores >> announced) & 1 == 0
        allowed = np.where(missed, open_boxes, 1 << announced)
        points = np.where(missed[:, None] & (boxes != tables.offer[3]), 0, points)
    after = np.broadcast_to(flags[:, None], points.shape)
    if tables.flags & HELD:
        after = after | ((boxes == tables.offer[4]) & (points > 0))
    return Offers(points, tables.extra[rows], (allowed[:, None] >> boxes) & 1 == 0, after)


def situations(tables: Tables, place: Place) -> tuple[Ints, Ints]:
    """Find for each hand its row in the tables, and the flags after it."""
    hands = len(tables.sets.hands)
    rows, flags = np.arange(hands), np.full(hands, place.flag)
    held_bit = 1 if tables.flags & HELD else 0
    seen_bit = 1 + held_bit if tables.flags & SEEN else 0
    yatzy, chance = int(tables.offer[4]), int(tables.offer[3])
    for hand in np.flatnonzero(tables.alike):
        face = int(tables.alike[hand])
        match = int(tables.offer[9 + face])
        code = place.mask >> yatzy & 1
        code |= 2 if match >= 0 and place.mask >> match & 1 else 0
        code |= 4 if chance >= 0 and place.mask >> chance & 1 else 0
        code |= 8 if place.flag & held_bit else 0
        code |= 16 if place.flag & seen_bit else 0
        rows[hand] = tables.row[face * 32 + code]
        flags[hand] |= seen_bit
    return rows, flags


def offered(tables: Tables, scores: Ints, open_boxes: int) -> Ints:
    """Give the boxes each hand may be written in, as bits."""
    order, must_fit, chance_rule, chance_box, yatzy, forced, upper = (int(part) for part in tables.offer[:7])
    if order == 1:
        return np.full(scores.shape, open_boxes & -open_boxes)
    chance = (1 << chance_box) & open_boxes if chance_box >= 0 else 0
    others = open_boxes & ~chance
    waits = bool(chance and others and chance_rule == 2)
    allowed = np.full(scores.shape, open_boxes)
    if forced and not open_boxes >> yatzy & 1:
        lower = open_boxes & ~upper
        for hand in np.flatnonzero(tables.alike):
            match = int(tables.offer[9 + tables.alike[hand]])
            if match >= 0 and open_boxes >> match & 1 and not (waits and match == chance_box):
                allowed[hand] = 1 << match
            elif lower & ~(chance if waits else 0):
                allowed[hand] = lower
    fits = (scores & others & allowed) != 0
    usable = (allowed & (0 if waits else chance)) != 0
    if waits:
        allowed &= ~chance
    elif must_fit or chance_rule == 1:
        allowed = np.where(fits, allowed & ~chance, allowed)
    if must_fit:
        bound = fits | usable
        allowed = np.where(bound, allowed & (scores | chance), allowed)
    return allowed


def throw_rest(sets: Multisets, work: Floats) -> None:
    """Value every kept multiset as the mean of its growths by one die, largest first."""
    grow = sets.grow.reshape(-1, sets.faces)
    for begin, end in reversed(sets.by_size[:-1]):
        work[begin:end] = work[grow[begin:end]].mean(axis=1)


def keep_best(sets: Multisets, work: Floats) -> None:
    """Value every multiset as the best one to keep of it, smallest first."""
    for begin, end in sets.by_size[1:]:
        work[begin:end] = np.maximum(work[begin:end], work[sets.below[begin:end]].max(axis=1))


def added_best(sets: Multisets, work: Floats) -> Floats:
    """Value each kept multiset when the rest is thrown and the best of what fell is kept besides."""
    pairs, layers = locks(sets.dice, sets.faces), lock_layers(sets.dice, sets.faces)
    more = work[pairs.union]
    for here, below in layers:
        more[here] = np.maximum(more[here], more[below].max(axis=1))
    return np.add.reduceat(more * pairs.chance, pairs.begin[:-1])


@lru_cache(maxsize=4)
def lock_layers(dice: int, faces: int) -> list[tuple[Ints, Ints]]:
    """List the pairs by how many dice they add, each with the pairs one die smaller."""
    pairs = locks(dice, faces)
    base = np.repeat(pairs.begin[:-1], np.diff(pairs.begin))
    below = padded(pairs.starts, pairs.smaller, faces) + base[:, None]
    return [(here, below[here]) for size in range(1, dice + 1) for here in [np.flatnonzero(pairs.added == size)]]
