"""Every multiset of some dice, and how dice lead from one to another; nothing here knows what they are worth."""

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import combinations_with_replacement, pairwise
from math import factorial, prod
from typing import NamedTuple

import numpy as np

from knobel.dice import Hand
from knobel.solver.arrays import Floats, Ints


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
        return self.sets[self.first_hand :]


@dataclass(frozen=True)
class LockPairs:
    """For each kept multiset, every way to keep more: pairs (kept, added), and how the added dice shrink by one.

    `parts` has two numbers for each pair: the pair without its last added die, and the pair in which that one is kept.
    Behind all pairs each full hand is counted as one that adds nothing.
    """

    pair_starts: Ints
    union: Ints
    smaller_starts: Ints
    smaller: Ints
    parts: Ints
    roll_chances: Floats
    added_count: Ints


class Transitions(NamedTuple):
    """The whole table of what can follow what: plain, and large."""

    chances: Floats
    """The chance of each hand, a column, after each multiset was kept, a row."""
    keeps_of_hand: list[list[int]]
    sets: tuple[Hand, ...]


@lru_cache(maxsize=16)
def build_multisets(dice: int, faces: int) -> Multisets:
    sets = [chosen for size in range(dice + 1) for chosen in combinations_with_replacement(range(1, faces + 1), size)]
    index = {chosen: place for place, chosen in enumerate(sets)}
    first_hand = next(place for place, chosen in enumerate(sets) if len(chosen) == dice)
    larger = [[index[tuple(sorted((*chosen, face)))] for face in range(1, faces + 1)] for chosen in sets[:first_hand]]
    starts, smaller = [0], []
    for chosen in sets:
        smaller += [index[less] for less in drop_each_face(chosen)]
        starts.append(len(smaller))
    chances = [count_orders(hand) / faces**dice for hand in sets[first_hand:]]
    return Multisets(
        dice=dice,
        faces=faces,
        sets=tuple(sets),
        first_hand=first_hand,
        larger=np.array(larger, np.int64).reshape(-1),
        smaller_starts=np.array(starts, np.int64),
        smaller=np.array(smaller, np.int64),
        hand_chances=np.array(chances, np.float64),
    )


def drop_each_face(dice: Hand) -> list[Hand]:
    """List the multisets with one die less, the one without the lowest die first."""
    places = [dice.index(face) for face in sorted(set(dice))]
    return [dice[:place] + dice[place + 1 :] for place in places]


def count_orders(dice: Hand) -> int:
    """Count the orders in which these dice can be rolled."""
    return factorial(len(dice)) // prod(map(factorial, map(dice.count, set(dice))))


@lru_cache(maxsize=4)
def build_lock_pairs(dice: int, faces: int) -> LockPairs:
    """List for each kept multiset what may be added to it, fewer dice first."""
    sets = build_multisets(dice, faces)
    pair_starts, union, smaller_starts, smaller, chances, sizes = [0], [], [0], [], [], []
    parts = list[tuple[int, int, int]]()
    for number, kept in enumerate(sets.sets[: sets.first_hand]):
        room = dice - len(kept)
        additions = [more for more in sets.sets if len(more) <= room]
        index = {more: place for place, more in enumerate(additions)}
        for more in additions:
            union.append(sets.index[tuple(sorted(kept + more))])
            parts.append((number, sets.index[tuple(sorted(kept + more[-1:]))], index[more[:-1]]))
            smaller += [index[less] for less in drop_each_face(more)]
            smaller_starts.append(len(smaller))
            sizes.append(len(more))
            chances.append(count_orders(more) / faces**room if len(more) == room else 0.0)
        pair_starts.append(len(union))
    # Pairs are numbered one behind the other, then the full hands.
    starts = np.array([*pair_starts[:-1], *range(len(union), len(union) + len(sets.hands))], np.int64)
    without, within, less = np.array(parts, np.int64).T
    return LockPairs(
        pair_starts=np.array(pair_starts, np.int64),
        union=np.array(union, np.int64),
        smaller_starts=np.array(smaller_starts, np.int64),
        smaller=np.array(smaller, np.int64),
        parts=np.column_stack((starts[without] + less, starts[within] + less)).reshape(-1),
        roll_chances=np.array(chances, np.float64),
        added_count=np.array(sizes, np.int64),
    )


def group_steps(starts: Ints, smaller: Ints) -> tuple[Ints, Ints]:
    """Put multisets together that have equally many dice and equally many smaller ones; those of fewer dice come first.

    Give the groups, each as how many they are and how many smaller ones each has, and behind each other for every
    multiset of every group its own number and those of the smaller ones. The empty multiset is left out.
    """
    sizes, groups = [0], dict[tuple[int, int], list[int]]()
    for place in range(1, starts.size - 1):
        below = smaller[starts[place] : starts[place + 1]].tolist()
        sizes.append(sizes[below[0]] + 1)
        groups.setdefault((sizes[place], len(below)), []).extend((place, *below))
    ordered = sorted(groups.items())
    counts = [(len(steps) // (1 + width), width) for (_, width), steps in ordered]
    return np.array(counts, np.int64).reshape(-1), np.array([one for _, steps in ordered for one in steps], np.int64)


def pad_rows(starts: Ints, smaller: Ints, width: int) -> Ints:
    """Lay lists of different lengths into rows of one width, repeating what is there."""
    rows = [smaller[begin:end] if end > begin else [0] for begin, end in pairwise(starts)]
    return np.array([np.resize(row, width) for row in rows], np.int64)


@lru_cache(maxsize=4)
def build_transitions(dice: int, faces: int) -> Transitions:
    multisets = build_multisets(dice, faces)
    chances = np.zeros((len(multisets.sets), len(multisets.hands)))
    for row, kept in enumerate(multisets.sets):
        for column, hand in enumerate(multisets.hands):
            if contains(hand, kept):
                rest = [hand.count(face) - kept.count(face) for face in range(1, faces + 1)]
                orders = factorial(sum(rest)) / prod(map(factorial, rest))
                chances[row, column] = orders / faces ** sum(rest)
    keeps = [[multisets.index[kept] for kept in list_subsets(hand)] for hand in multisets.hands]
    return Transitions(chances, keeps, multisets.sets)


@cache
def list_subsets(hand: Hand) -> list[Hand]:
    """List every multiset within a hand."""
    found: set[Hand] = {()}
    for die in hand:
        found |= {tuple(sorted((*kept, die))) for kept in found}
    return sorted(kept for kept in found if contains(hand, kept))


def contains(hand: Hand, kept: Hand) -> bool:
    return all(hand.count(face) >= kept.count(face) for face in set(kept))
