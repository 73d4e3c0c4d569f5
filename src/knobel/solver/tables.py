"""A ruleset as plain arrays: the only file of the solver that has seen a ruleset."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, pairwise
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from knobel.dice import Hand
from knobel.rules.column import Column, prime, values_of
from knobel.rules.ruleset import SheetRules

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

HELD, SEEN = 1, 2
"""Flags a column may carry: its yatzy box holds points; an earlier turn ended with all dice alike."""


@dataclass(frozen=True)
class Multisets:
    """Every multiset of up to `dice` dice, smallest first, and how they grow and shrink by one die."""

    dice: int
    faces: int
    sets: tuple[Hand, ...]
    first: int
    grow: Ints
    starts: Ints
    smaller: Ints
    chance: Floats

    @cached_property
    def index(self) -> dict[Hand, int]:
        """Where each multiset stands."""
        return {multiset: place for place, multiset in enumerate(self.sets)}

    @cached_property
    def by_size(self) -> tuple[tuple[int, int], ...]:
        """Where the multisets of each size begin and end."""
        sizes = [len(chosen) for chosen in self.sets]
        begins = [sizes.index(size) for size in range(self.dice + 1)]
        return tuple(zip(begins, [*begins[1:], len(sizes)], strict=True))

    @cached_property
    def below(self) -> Ints:
        """For each multiset those one die smaller, repeated to fill the row; the empty one has only itself."""
        return padded(self.starts, self.smaller, self.faces)

    @cached_property
    def hands(self) -> tuple[Hand, ...]:
        """The full hands."""
        return self.sets[self.first :]


@dataclass(frozen=True)
class Locks:
    """For each kept multiset, every way to keep more: pairs (kept, added), and how the added dice shrink by one."""

    begin: Ints
    union: Ints
    starts: Ints
    smaller: Ints
    chance: Floats
    added: Ints


@dataclass(frozen=True)
class Tables:
    """What the kernel needs to know: who is offered which box for how many points, as bits and numbers.

    A hand of dice all alike is worth different things on different sheets, so each of its situations (which of
    yatzy box, matching upper box and Chance are used, and the flags) has a row of its own behind the plain hands.
    """

    rules: SheetRules
    sets: Multisets
    flags: int
    worth: Ints
    extra: Ints
    scores: Ints
    row: Ints
    upper: Ints
    cap: int
    bonus: float
    offer: Ints
    alike: Ints

    @cached_property
    def locks(self) -> Locks:
        """The pairs that locked dice need."""
        return locks(self.sets.dice, self.sets.faces)

    @property
    def lanes(self) -> int:
        """How many upper totals are told apart."""
        return self.cap + 1

    @property
    def flag_states(self) -> int:
        """How many combinations of flags are told apart."""
        return flag_states(self.rules)


@lru_cache(maxsize=16)
def multisets(dice: int, faces: int) -> Multisets:
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
def locks(dice: int, faces: int) -> Locks:
    """List for each kept multiset what may be added to it."""
    sets = multisets(dice, faces)
    begin, union, starts, smaller, chance, sizes = [0], [], [0], [], [], []
    for kept in sets.sets[: sets.first]:
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
    return Locks(whole[0], whole[1], whole[2], whole[3], np.array(chance, np.float64), whole[4])


def padded(starts: Ints, smaller: Ints, width: int) -> Ints:
    """Lay lists of different lengths into rows of one width, repeating what is there."""
    rows = [smaller[begin:end] if end > begin else [0] for begin, end in pairwise(starts)]
    return np.array([np.resize(row, width) for row in rows], np.int64)


def flags_of(rules: SheetRules) -> int:
    """Say which flags a column of these rules carries."""
    yatzy = rules.yatzy
    return (HELD if yatzy and yatzy.prime else 0) | (SEEN if yatzy and yatzy.second and rules.chance else 0)


def flag_states(rules: SheetRules) -> int:
    """Say how many combinations of flags a column of these rules can carry."""
    return 1 << flags_of(rules).bit_count()


@lru_cache(maxsize=8)
def tables(rules: SheetRules) -> Tables:
    """Write a ruleset as arrays."""
    sets = multisets(rules.dice, rules.faces)
    flags = flags_of(rules)
    empty = Column((None,) * len(rules.boxes))
    worth = [values_of(rules, empty, hand) for hand in sets.hands]
    extra = [0] * len(worth)
    situations = alike_situations(rules, flags) if rules.yatzy else []
    row = np.full((rules.faces + 1) * 32, -1, np.int64)
    for face, code, column in situations:
        row[face * 32 + code] = len(worth)
        hand = (face,) * rules.dice
        worth.append(values_of(rules, column, hand))
        extra.append(prime(rules, column, hand))
    scores = [sum(1 << place for place, points in enumerate(values) if points) for values in worth]
    cap = rules.bonus.goal if rules.bonus else 0
    return Tables(
        rules=rules,
        sets=sets,
        flags=flags,
        worth=np.array(worth, np.int64),
        extra=np.array(extra, np.int64),
        scores=np.array(scores, np.int64),
        row=row,
        upper=np.array([box.upper and cap > 0 for box in rules.boxes], np.int64),
        cap=cap,
        bonus=float(rules.bonus.points if rules.bonus else 0),
        offer=offers(rules),
        alike=np.array([hand[0] if rules.yatzy and hand[0] == hand[-1] else 0 for hand in sets.hands], np.int64),
    )


def alike_situations(rules: SheetRules, flags: int) -> list[tuple[int, int, Column]]:
    """List for each face the columns on which dice all alike may be worth different things, by their code."""
    yatzy, chance = rules.yatzy, rules.chance
    found = []
    for face in range(1, rules.faces + 1):
        for code in range(32):
            held, seen = bool(code & 8), bool(code & 16)
            if (held and not (flags & HELD and code & 1)) or (seen and not flags & SEEN):
                continue
            entries: list[int | None] = [None] * len(rules.boxes)
            if yatzy and code & 1:
                entries[rules.index[yatzy.box]] = int(held)
            match = rules.matching.get(face)
            if match is not None and code & 2:
                entries[match] = 0
            if chance and code & 4:
                entries[rules.index[chance.box]] = 0
            found.append((face, code, Column(tuple(entries), yatzys=int(seen))))
    return found


CHANCE_RULES = ("free", "last_resort", "last_box")
ORDERS = ("free", "top_down", "announced")


def offers(rules: SheetRules) -> Ints:
    """Write the rules of offering as numbers, in the order in which the kernel names them."""
    yatzy, chance = rules.yatzy, rules.chance
    upper = sum(1 << place for place, box in enumerate(rules.boxes) if box.upper)
    match = [rules.matching.get(face, -1) for face in range(rules.faces + 1)]
    return np.array(
        [
            ORDERS.index(rules.order),
            int(rules.must_fit),
            CHANCE_RULES.index(chance.rule) if chance else 0,
            rules.index[chance.box] if chance else -1,
            rules.index[yatzy.box] if yatzy else -1,
            int(yatzy is not None and yatzy.joker == "forced"),
            upper,
            flags_of(rules),
            len(rules.boxes),
            *match,
        ],
        np.int64,
    )
