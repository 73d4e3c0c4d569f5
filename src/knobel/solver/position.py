"""One position valued from a book with numpy alone: every keep, every box, in well under a millisecond."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from knobel.rules.column import Column, tally
from knobel.solver.tables import YATZY_ROLLED, YATZY_SCORED, Floats, Ints, Multisets, Tables, build_lock_pairs, pad_rows

WORST_VALUE = -1e18


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
class ColumnKey:
    """A column as the book knows it: written boxes as bits, flags, upper total as far as it matters."""

    mask: int
    flag_state: int
    upper_total: int


def encode_column(tables: Tables, column: Column) -> ColumnKey:
    """Find a column in the book."""
    rules = tables.rules
    mask = sum(1 << place for place, points in enumerate(column.entries) if points is not None)
    held = bool(tables.flags & YATZY_SCORED and rules.yatzy and column.entries[rules.index[rules.yatzy.box]])
    seen = bool(tables.flags & YATZY_ROLLED and column.yatzys)
    flag = held + (seen << bool(tables.flags & YATZY_SCORED))
    return ColumnKey(mask, flag, min(tally(rules, column).upper, tables.upper_cap))


def find_book_rows(tables: Tables, mask: Ints) -> Ints:
    """Say in which rows of the book sets of written boxes stand."""
    return np.bitwise_count(mask).astype(np.int64) if tables.rules.order == "top_down" else mask


def look_up_value(book: Book, column: Column) -> float:
    """Say what a column may still expect, before its next turn."""
    place = encode_column(book.tables, column)
    row = find_book_rows(book.tables, np.array(place.mask))
    return float(book.values[row * book.tables.flag_states + place.flag_state, place.upper_total])


@dataclass(frozen=True, slots=True)
class Offers:
    """What every hand is offered on a column: points and extra in each box, what is closed to it, the flags after."""

    points: Ints
    extra: Ints
    closed: NDArray[np.bool_]
    flags_after: Ints


class TurnValues:
    """A turn to be played from a column: what each hand and each keep is worth with so many throws left."""

    def __init__(self, book: Book, column: Column, announced: str | None = None) -> None:
        self.book = book
        self.column = column
        self.key = encode_column(book.tables, column)
        self.announced = -1 if announced is None else book.tables.rules.index[announced]
        self.keep_cache: dict[int, Floats] = {}

    @cached_property
    def entry_values(self) -> Floats:
        """The value of writing each hand in each box; what may not be written is never chosen."""
        tables, place = self.book.tables, self.key
        offers = find_offers(tables, place, self.announced)
        bits = np.int64(1) << np.arange(len(tables.rules.boxes))
        rows = find_book_rows(tables, place.mask | bits)[None, :] * tables.flag_states + offers.flags_after
        lanes = np.minimum(place.upper_total + offers.points * tables.is_upper, tables.upper_cap)
        later = self.book.values[np.where(offers.closed, 0, rows), lanes]
        return np.where(offers.closed, WORST_VALUE, offers.points + offers.extra[:, None] + later)

    def keep_values(self, rolls_left: int) -> Floats:
        """Give the value of keeping each multiset and throwing the rest, with so many throws left to do."""
        if rolls_left not in self.keep_cache:
            self.keep_cache[rolls_left] = compute_keep_values(
                self.book.tables, self.entry_values.max(axis=1), rolls_left
            )
        return self.keep_cache[rolls_left]

    def start_value(self) -> float:
        """Give the value of the turn before its first throw."""
        return float(self.keep_values(self.book.tables.rules.rolls)[0])


def compute_keep_values(tables: Tables, hand_values: Floats, rolls_left: int) -> Floats:
    """Give the value of keeping each multiset, from the values of the hands when no throw is left."""
    sets = tables.multisets
    work = np.full(len(sets.sets), WORST_VALUE)
    work[sets.first_hand :] = hand_values
    average_rolls(sets, work)
    for _ in range(rolls_left - 1):
        if tables.rules.locked_dice:
            work[: sets.first_hand] = average_best_locked(sets, work)
        else:
            keep_best(sets, work)
            average_rolls(sets, work)
    return work


def find_offers(tables: Tables, key: ColumnKey, announced: int) -> Offers:
    """Say what every hand is offered on a column."""
    boxes = np.arange(len(tables.rules.boxes))
    rows, flags = find_situations(tables, key)
    points, scores = tables.worth[rows], tables.scoring_boxes[rows]
    open_boxes = ((1 << boxes.size) - 1) & ~key.mask
    if announced < 0:
        allowed = find_allowed_boxes(tables, scores, open_boxes)
    else:
        missed = (scores >> announced) & 1 == 0
        allowed = np.where(missed, open_boxes, 1 << announced)
        points = np.where(missed[:, None] & (boxes != tables.offer_rules[3]), 0, points)
    after = np.broadcast_to(flags[:, None], points.shape)
    if tables.flags & YATZY_SCORED:
        after = after | ((boxes == tables.offer_rules[4]) & (points > 0))
    return Offers(points, tables.extra[rows], (allowed[:, None] >> boxes) & 1 == 0, after)


def find_situations(tables: Tables, key: ColumnKey) -> tuple[Ints, Ints]:
    """Find for each hand its row in the tables, and the flags after it."""
    hands = len(tables.multisets.hands)
    rows, flags = np.arange(hands), np.full(hands, key.flag_state)
    held_bit = 1 if tables.flags & YATZY_SCORED else 0
    seen_bit = 1 + held_bit if tables.flags & YATZY_ROLLED else 0
    yatzy, chance = int(tables.offer_rules[4]), int(tables.offer_rules[3])
    for hand in np.flatnonzero(tables.alike_faces):
        face = int(tables.alike_faces[hand])
        match = int(tables.offer_rules[9 + face])
        code = key.mask >> yatzy & 1
        code |= 2 if match >= 0 and key.mask >> match & 1 else 0
        code |= 4 if chance >= 0 and key.mask >> chance & 1 else 0
        code |= 8 if key.flag_state & held_bit else 0
        code |= 16 if key.flag_state & seen_bit else 0
        rows[hand] = tables.situation_rows[face * 32 + code]
        flags[hand] |= seen_bit
    return rows, flags


def find_allowed_boxes(tables: Tables, scores: Ints, open_boxes: int) -> Ints:
    """Give the boxes each hand may be written in, as bits."""
    order, must_fit, chance_rule, chance_box, yatzy, forced, upper = (int(part) for part in tables.offer_rules[:7])
    if order == 1:
        return np.full(scores.shape, open_boxes & -open_boxes)
    chance = (1 << chance_box) & open_boxes if chance_box >= 0 else 0
    others = open_boxes & ~chance
    waits = bool(chance and others and chance_rule == 2)
    allowed = np.full(scores.shape, open_boxes)
    if forced and not open_boxes >> yatzy & 1:
        lower = open_boxes & ~upper
        for hand in np.flatnonzero(tables.alike_faces):
            match = int(tables.offer_rules[9 + tables.alike_faces[hand]])
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


def average_rolls(sets: Multisets, work: Floats) -> None:
    """Value every kept multiset as the mean of its growths by one die, largest first."""
    grow = sets.larger.reshape(-1, sets.faces)
    for begin, end in reversed(sets.size_ranges[:-1]):
        work[begin:end] = work[grow[begin:end]].mean(axis=1)


def keep_best(sets: Multisets, work: Floats) -> None:
    """Value every multiset as the best one to keep of it, smallest first."""
    for begin, end in sets.size_ranges[1:]:
        work[begin:end] = np.maximum(work[begin:end], work[sets.smaller_padded[begin:end]].max(axis=1))


def average_best_locked(sets: Multisets, work: Floats) -> Floats:
    """Value each kept multiset when the rest is thrown and the best of what fell is kept besides."""
    pairs, layers = build_lock_pairs(sets.dice, sets.faces), build_lock_layers(sets.dice, sets.faces)
    more = work[pairs.union]
    for here, below in layers:
        more[here] = np.maximum(more[here], more[below].max(axis=1))
    return np.add.reduceat(more * pairs.roll_chances, pairs.pair_starts[:-1])


@lru_cache(maxsize=4)
def build_lock_layers(dice: int, faces: int) -> list[tuple[Ints, Ints]]:
    """List the pairs by how many dice they add, each with the pairs one die smaller."""
    pairs = build_lock_pairs(dice, faces)
    base = np.repeat(pairs.pair_starts[:-1], np.diff(pairs.pair_starts))
    below = pad_rows(pairs.smaller_starts, pairs.smaller, faces) + base[:, None]
    return [(here, below[here]) for size in range(1, dice + 1) for here in [np.flatnonzero(pairs.added_count == size)]]
