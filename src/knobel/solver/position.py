"""One position valued from a book with numpy alone: every keep, every box, in well under a millisecond."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from knobel.rules.column import Column, tally
from knobel.solver.arrays import (
    LAST_BOX,
    LAST_RESORT,
    NO_BOX,
    SITUATIONS,
    TOP_DOWN,
    WORST_VALUE,
    YATZY_ROLLED,
    YATZY_SCORED,
    Floats,
    Ints,
    encode_situation,
)
from knobel.solver.multisets import Multisets, build_lock_pairs, pad_rows
from knobel.solver.tables import Tables


@dataclass(frozen=True)
class BookValues:
    """The solved value of every column: a row for each set of used boxes and flag state, in it one value a total."""

    tables: Tables
    values: Floats

    @property
    def par(self) -> float:
        """The expected total of perfect play from an empty sheet."""
        return float(self.values[0, 0])


@dataclass(frozen=True, slots=True)
class ColumnKey:
    """A column as the book knows it: used boxes as bits, flag state, upper total as far as it matters."""

    mask: int
    flag_state: int
    upper_total: int


def encode_column(tables: Tables, column: Column) -> ColumnKey:
    """Find a column in the book."""
    rules, offer = tables.rules, tables.offer
    mask = sum(1 << place for place, points in enumerate(column.entries) if points is not None)
    scored = tables.flags & YATZY_SCORED and rules.yatzy and column.entries[rules.index[rules.yatzy.box]]
    rolled = tables.flags & YATZY_ROLLED and column.yatzys
    flag_state = (offer.scored_flag if scored else 0) | (offer.rolled_flag if rolled else 0)
    return ColumnKey(mask, flag_state, min(tally(rules, column).upper, tables.upper_cap))


def find_book_rows(tables: Tables, masks: Ints) -> Ints:
    """Say in which rows of the book, flags left aside, sets of used boxes stand."""
    return np.bitwise_count(masks).astype(np.int64) if tables.offer.order == TOP_DOWN else masks


def look_up_value(book: BookValues, column: Column) -> float:
    """Return the expected score of a column from here on, before its next turn."""
    key = encode_column(book.tables, column)
    row = find_book_rows(book.tables, np.array(key.mask))
    return float(book.values[row * book.tables.flag_states + key.flag_state, key.upper_total])


@dataclass(frozen=True, slots=True)
class Offers:
    """What every hand is offered on a column: points and extra in each box, what is closed to it, the flags after."""

    points: Ints
    extra: Ints
    closed: NDArray[np.bool_]
    flags_after: Ints


class TurnValues:
    """A turn to be played from a column: what each hand and each keep is worth with this many rolls left."""

    def __init__(self, book: BookValues, column: Column, announced: str | None = None) -> None:
        self.book = book
        self.column = column
        self.key = encode_column(book.tables, column)
        self.announced = NO_BOX if announced is None else book.tables.rules.index[announced]
        self.keep_cache: dict[int, Floats] = {}

    @cached_property
    def entry_values(self) -> Floats:
        """The value of scoring each hand in each box; what is closed is never chosen."""
        tables, key = self.book.tables, self.key
        offers = find_offers(tables, key, self.announced)
        bits = np.int64(1) << np.arange(tables.offer.box_count)
        rows = find_book_rows(tables, key.mask | bits)[None, :] * tables.flag_states + offers.flags_after
        upper_totals = np.minimum(key.upper_total + offers.points * tables.is_upper, tables.upper_cap)
        later = self.book.values[np.where(offers.closed, 0, rows), upper_totals]
        return np.where(offers.closed, WORST_VALUE, offers.points + offers.extra[:, None] + later)

    def keep_values(self, rolls_left: int) -> Floats:
        """Give the value of keeping each multiset and rolling the rest, with this many rolls left to do."""
        if rolls_left not in self.keep_cache:
            self.keep_cache[rolls_left] = compute_keep_values(
                self.book.tables, self.entry_values.max(axis=1), rolls_left
            )
        return self.keep_cache[rolls_left]

    def start_value(self) -> float:
        """Give the value of the turn before its first roll."""
        return float(self.keep_values(self.book.tables.rules.rolls)[0])


def compute_keep_values(tables: Tables, hand_values: Floats, rolls_left: int) -> Floats:
    """Give the value of keeping each multiset, from the values of the hands when no roll is left."""
    sets = tables.multisets
    set_values = np.full(len(sets.sets), WORST_VALUE)
    set_values[sets.first_hand :] = hand_values
    average_rolls(sets, set_values)
    for _ in range(rolls_left - 1):
        if tables.rules.locked_dice:
            set_values[: sets.first_hand] = average_best_locked(sets, set_values)
        else:
            keep_best(sets, set_values)
            average_rolls(sets, set_values)
    return set_values


def find_offers(tables: Tables, key: ColumnKey, announced: int) -> Offers:
    """Say what every hand is offered on a column."""
    offer = tables.offer
    bits = 1 << np.arange(offer.box_count)
    rows, flags = find_situations(tables, key)
    points, scoring = tables.worth[rows], tables.scoring_boxes[rows]
    open_boxes = ((1 << offer.box_count) - 1) & ~key.mask
    if announced == NO_BOX:
        allowed = find_allowed_boxes(tables, scoring, open_boxes)
    else:
        is_missed = (scoring >> announced) & 1 == 0
        allowed = np.where(is_missed, open_boxes, 1 << announced)
        points = np.where(is_missed[:, None] & (bits != offer.chance_bit), 0, points)
    scored = np.where((bits == offer.yatzy_bit) & (points > 0), offer.scored_flag, 0)
    return Offers(points, tables.extra[rows], allowed[:, None] & bits == 0, flags[:, None] | scored)


def find_situations(tables: Tables, key: ColumnKey) -> tuple[Ints, Ints]:
    """Find for each hand its row in the tables, and the flag state after it."""
    hands, offer = len(tables.multisets.hands), tables.offer
    rows, flags = np.arange(hands), np.full(hands, key.flag_state)
    for hand in np.flatnonzero(tables.alike_faces):
        face = int(tables.alike_faces[hand])
        situation = encode_situation(key.mask, key.flag_state, int(offer.match_bits[face]), offer)
        rows[hand] = tables.situation_rows[face * SITUATIONS + situation]
        flags[hand] |= offer.rolled_flag
    return rows, flags


def find_allowed_boxes(tables: Tables, scoring: Ints, open_boxes: int) -> Ints:
    """Say in which open boxes each hand may be scored, as bits: what the kernel does, for all hands at once."""
    offer = tables.offer
    if offer.order == TOP_DOWN:
        return np.full(scoring.shape, open_boxes & -open_boxes)
    chance = offer.chance_bit & open_boxes
    others = open_boxes & ~chance
    waits = bool(chance and others and offer.chance_rule == LAST_BOX)
    allowed = np.full(scoring.shape, open_boxes)
    if offer.is_joker_forced and not open_boxes & offer.yatzy_bit:
        lower = open_boxes & ~offer.upper_bits
        for hand in np.flatnonzero(tables.alike_faces):
            match = open_boxes & int(offer.match_bits[tables.alike_faces[hand]])
            if match and not (waits and match == chance):
                allowed[hand] = match
            elif lower & ~(chance if waits else 0):
                allowed[hand] = lower
    fits = (scoring & others & allowed) != 0
    usable = (allowed & (0 if waits else chance)) != 0
    if waits:
        allowed &= ~chance
    elif offer.must_fit or offer.chance_rule == LAST_RESORT:
        allowed = np.where(fits, allowed & ~chance, allowed)
    if offer.must_fit:
        allowed = np.where(fits | usable, allowed & (scoring | chance), allowed)
    return allowed


def average_rolls(sets: Multisets, set_values: Floats) -> None:
    """Value every kept multiset as the mean over the face of one more die, largest first."""
    larger = sets.larger.reshape(-1, sets.faces)
    for begin, end in reversed(sets.size_ranges[:-1]):
        set_values[begin:end] = set_values[larger[begin:end]].mean(axis=1)


def keep_best(sets: Multisets, set_values: Floats) -> None:
    """Value every multiset as the best one to keep of it, smallest first."""
    for begin, end in sets.size_ranges[1:]:
        best_smaller = set_values[sets.smaller_padded[begin:end]].max(axis=1)
        set_values[begin:end] = np.maximum(set_values[begin:end], best_smaller)


def average_best_locked(sets: Multisets, set_values: Floats) -> Floats:
    """Value each kept multiset when the rest is rolled and the best of it is kept besides."""
    pairs = build_lock_pairs(sets.dice, sets.faces)
    pair_values = set_values[pairs.union]
    for layer, smaller in build_lock_layers(sets.dice, sets.faces):
        pair_values[layer] = np.maximum(pair_values[layer], pair_values[smaller].max(axis=1))
    return np.add.reduceat(pair_values * pairs.roll_chances, pairs.pair_starts[:-1])


@lru_cache(maxsize=4)
def build_lock_layers(dice: int, faces: int) -> list[tuple[Ints, Ints]]:
    """List the pairs by how many dice they add, each with the pairs one die smaller."""
    pairs = build_lock_pairs(dice, faces)
    first_pairs = np.repeat(pairs.pair_starts[:-1], np.diff(pairs.pair_starts))
    smaller = pad_rows(pairs.smaller_starts, pairs.smaller, faces) + first_pairs[:, None]
    layers = [np.flatnonzero(pairs.added_count == size) for size in range(1, dice + 1)]
    return [(layer, smaller[layer]) for layer in layers]
