"""A ruleset as plain arrays: the only file of the solver that has seen a ruleset."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, pairwise
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from knobel.dice import Hand
from knobel.rules.column import Column, extra_yatzy_points, find_box_values
from knobel.rules.sheet_rules import SheetRules

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

YATZY_SCORED, YATZY_ROLLED = 1, 2
"""Flags a column may carry: its yatzy box holds points; an earlier turn ended with all dice alike."""


@dataclass(frozen=True)
class Multisets:
    """Every multiset of up to `dice` dice, smallest first, and how they grow and shrink by one die."""

    dice: int
    faces: int
    sets: tuple[Hand, ...]
    first_hand: int
    larger: Ints
    smaller_starts: Ints
    smaller: Ints
    hand_chances: Floats

    @cached_property
    def index(self) -> dict[Hand, int]:
        """Where each multiset stands."""
        return {multiset: place for place, multiset in enumerate(self.sets)}

    @cached_property
    def size_ranges(self) -> tuple[tuple[int, int], ...]:
        """Where the multisets of each size begin and end."""
        sizes = [len(chosen) for chosen in self.sets]
        begins = [sizes.index(size) for size in range(self.dice + 1)]
        return tuple(zip(begins, [*begins[1:], len(sizes)], strict=True))

    @cached_property
    def smaller_padded(self) -> Ints:
        """For each multiset those one die smaller, repeated to fill the row; the empty one has only itself."""
        return pad_rows(self.smaller_starts, self.smaller, self.faces)

    @cached_property
    def hands(self) -> tuple[Hand, ...]:
        """The full hands."""
        return self.sets[self.first_hand :]


@dataclass(frozen=True)
class LockPairs:
    """For each kept multiset, every way to keep more: pairs (kept, added), and how the added dice shrink by one."""

    pair_starts: Ints
    union: Ints
    smaller_starts: Ints
    smaller: Ints
    roll_chances: Floats
    added_count: Ints


@dataclass(frozen=True)
class Tables:
    """What the kernel needs to know: who is offered which box for how many points, as bits and numbers.

    A hand of dice all alike is worth different things on different sheets, so each of its situations (which of
    yatzy box, matching upper box and Chance are used, and the flags) has a row of its own behind the plain hands.
    """

    rules: SheetRules
    multisets: Multisets
    flags: int
    worth: Ints
    extra: Ints
    scoring_boxes: Ints
    situation_rows: Ints
    is_upper: Ints
    upper_cap: int
    bonus: float
    offer_rules: Ints
    alike_faces: Ints

    @cached_property
    def lock_pairs(self) -> LockPairs:
        """The pairs that locked dice need."""
        return build_lock_pairs(self.multisets.dice, self.multisets.faces)

    @property
    def upper_states(self) -> int:
        """How many upper totals are told apart."""
        return self.upper_cap + 1

    @property
    def flag_states(self) -> int:
        """How many combinations of flags are told apart."""
        return count_flag_states(self.rules)


@lru_cache(maxsize=16)
def build_multisets(dice: int, faces: int) -> Multisets:
    """List the multisets of so many dice."""
    sets = [chosen for size in range(dice + 1) for chosen in combinations_with_replacement(range(1, faces + 1), size)]
    index = {chosen: place for place, chosen in enumerate(sets)}
    first = next(place for place, chosen in enumerate(sets) if len(chosen) == dice)
    grow = [[index[tuple(sorted((*chosen, face)))] for face in range(1, faces + 1)] for chosen in sets[:first]]
    starts, smaller = [0], []
    for chosen in sets:
        for face in sorted(set(chosen)):
            place = chosen.index(face)
            smaller.append(index[chosen[:place] + chosen[place + 1 :]])
        starts.append(len(smaller))
    chance = [factorial(dice) / prod(map(factorial, map(hand.count, set(hand)))) / faces**dice for hand in sets[first:]]
    return Multisets(
        dice,
        faces,
        tuple(sets),
        first,
        np.array(grow, np.int64).reshape(-1),
        np.array(starts, np.int64),
        np.array(smaller, np.int64),
        np.array(chance, np.float64),
    )


@lru_cache(maxsize=4)
def build_lock_pairs(dice: int, faces: int) -> LockPairs:
    """List for each kept multiset what may be added to it."""
    sets = build_multisets(dice, faces)
    begin, union, starts, smaller, chance, sizes = [0], [], [0], [], [], []
    for kept in sets.sets[: sets.first_hand]:
        room = dice - len(kept)
        added = [more for more in sets.sets if len(more) <= room]
        local = {more: place for place, more in enumerate(added)}
        for more in added:
            union.append(sets.index[tuple(sorted(kept + more))])
            for face in sorted(set(more)):
                place = more.index(face)
                smaller.append(local[more[:place] + more[place + 1 :]])
            starts.append(len(smaller))
            sizes.append(len(more))
            ways = factorial(room) // prod(map(factorial, map(more.count, set(more)))) if len(more) == room else 0
            chance.append(ways / faces**room)
        begin.append(len(union))
    whole = [np.array(part, np.int64) for part in (begin, union, starts, smaller, sizes)]
    return LockPairs(whole[0], whole[1], whole[2], whole[3], np.array(chance, np.float64), whole[4])


def pad_rows(starts: Ints, smaller: Ints, width: int) -> Ints:
    """Lay lists of different lengths into rows of one width, repeating what is there."""
    rows = [smaller[begin:end] if end > begin else [0] for begin, end in pairwise(starts)]
    return np.array([np.resize(row, width) for row in rows], np.int64)


def find_flags(rules: SheetRules) -> int:
    """Say which flags a column of these rules carries."""
    yatzy = rules.yatzy
    return (YATZY_SCORED if yatzy and yatzy.prime else 0) | (
        YATZY_ROLLED if yatzy and yatzy.second and rules.chance else 0
    )


def count_flag_states(rules: SheetRules) -> int:
    """Say how many combinations of flags a column of these rules can carry."""
    return 1 << find_flags(rules).bit_count()


@lru_cache(maxsize=8)
def build_tables(rules: SheetRules) -> Tables:
    """Write a ruleset as arrays."""
    sets = build_multisets(rules.dice, rules.faces)
    flags = find_flags(rules)
    empty = Column((None,) * len(rules.boxes))
    worth = [find_box_values(rules, empty, hand) for hand in sets.hands]
    extra = [0] * len(worth)
    situations = list_alike_situations(rules, flags) if rules.yatzy else []
    row = np.full((rules.faces + 1) * 32, -1, np.int64)
    for face, code, column in situations:
        row[face * 32 + code] = len(worth)
        hand = (face,) * rules.dice
        worth.append(find_box_values(rules, column, hand))
        extra.append(extra_yatzy_points(rules, column, hand))
    scores = [sum(1 << place for place, points in enumerate(values) if points) for values in worth]
    cap = rules.bonus.goal if rules.bonus else 0
    return Tables(
        rules=rules,
        multisets=sets,
        flags=flags,
        worth=np.array(worth, np.int64),
        extra=np.array(extra, np.int64),
        scoring_boxes=np.array(scores, np.int64),
        situation_rows=row,
        is_upper=np.array([box.upper and cap > 0 for box in rules.boxes], np.int64),
        upper_cap=cap,
        bonus=float(rules.bonus.points if rules.bonus else 0),
        offer_rules=encode_offer_rules(rules),
        alike_faces=np.array([hand[0] if rules.yatzy and hand[0] == hand[-1] else 0 for hand in sets.hands], np.int64),
    )


def list_alike_situations(rules: SheetRules, flags: int) -> list[tuple[int, int, Column]]:
    """List for each face the columns on which dice all alike may be worth different things, by their code."""
    yatzy, chance = rules.yatzy, rules.chance
    found = []
    for face in range(1, rules.faces + 1):
        for code in range(32):
            held, seen = bool(code & 8), bool(code & 16)
            if (held and not (flags & YATZY_SCORED and code & 1)) or (seen and not flags & YATZY_ROLLED):
                continue
            entries: list[int | None] = [None] * len(rules.boxes)
            if yatzy and code & 1:
                entries[rules.index[yatzy.box]] = int(held)
            match = rules.upper_box_by_face.get(face)
            if match is not None and code & 2:
                entries[match] = 0
            if chance and code & 4:
                entries[rules.index[chance.box]] = 0
            found.append((face, code, Column(tuple(entries), yatzys=int(seen))))
    return found


CHANCE_RULES = ("free", "last_resort", "last_box")
ORDERS = ("free", "top_down", "announced")


def encode_offer_rules(rules: SheetRules) -> Ints:
    """Write the rules of offering as numbers, in the order in which the kernel names them."""
    yatzy, chance = rules.yatzy, rules.chance
    upper = sum(1 << place for place, box in enumerate(rules.boxes) if box.upper)
    match = [rules.upper_box_by_face.get(face, -1) for face in range(rules.faces + 1)]
    return np.array(
        [
            ORDERS.index(rules.order),
            int(rules.must_fit),
            CHANCE_RULES.index(chance.rule) if chance else 0,
            rules.index[chance.box] if chance else -1,
            rules.index[yatzy.box] if yatzy else -1,
            int(yatzy is not None and yatzy.joker == "forced"),
            upper,
            find_flags(rules),
            len(rules.boxes),
            *match,
        ],
        np.int64,
    )
