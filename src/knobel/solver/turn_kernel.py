"""Compiled: follows best play forwards through the throws of one turn."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call,misc,untyped-decorator"

# Which of several choices is best is noted as bits, one a lane: set where a choice beats all those before it.
# So the last one set is the best, and of choices as good as equal always the first one counts: to keep rather than to
# let go, and the lowest dice go first. Rounding must not decide that, hence NEAR. A plain 0 as argument would compile
# a function twice, hence NONE.

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from knobel.solver.simd import LANES, add, broadcast, greater_mask, load, maximum, scale, select_lanes, store
from knobel.solver.value_kernel import U, average_first_roll, average_rolls

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
ALL_LANES = np.uint16(0xFFFF)
TIE_TOLERANCE = 1e-11
ZERO = np.int64(0)


class TurnDice(NamedTuple):
    """The dice of a turn and their multisets, places counted in strips."""

    rolls: int
    first_hand: int
    faces: int
    larger: Ints
    smaller_starts: Ints
    smaller: Ints
    hand_chances: Floats


class LockArrays(NamedTuple):
    """The pairs of kept and added dice, where kept dice stay."""

    enabled: bool
    pair_starts: Ints
    union: Ints
    smaller_starts: Ints
    smaller: Ints
    roll_chances: Floats


@njit(nogil=True, cache=True)
def zero_range(numbers, begin, end):
    """Wipe a stretch of an array."""
    for place in range(begin, end):
        numbers[U(place)] = 0.0


@njit(nogil=True, cache=True)
def ensure_capacity(numbers, needed):
    """Give an array room for so many numbers."""
    if needed <= numbers.size:
        return numbers
    wider = np.empty(max(needed, numbers.size * 2), numbers.dtype)
    for place in range(numbers.size):
        wider[place] = numbers[place]
    return wider


@njit(nogil=True, cache=True)
def mark_best_keeps(starts, smaller, work, marks, at):
    """Value every multiset as the best one to keep of it, and note which die goes."""
    for kept in range(1, starts.size - 1):
        best = load(work, U(kept * LANES))
        for step in range(starts[U(kept)], starts[U(kept + 1)]):
            other = load(work, U(smaller[U(step)]))
            marks[U(at + step)] = greater_mask(other, add(best, broadcast(TIE_TOLERANCE)))
            best = maximum(other, best)
        store(work, U(kept * LANES), best)


@njit(nogil=True, cache=True)
def spread_to_keeps(starts, smaller, marks, at, mass):
    """Send the chance of every multiset down to what is kept of it."""
    for kept in range(starts.size - 2, 0, -1):
        left = ALL_LANES
        here = load(mass, U(kept * LANES))
        for step in range(starts[U(kept + 1)] - 1, starts[U(kept)] - 1, -1):
            take = marks[U(at + step)] & left
            if take:
                there = U(smaller[U(step)])
                store(mass, there, add(load(mass, there), select_lanes(here, take)))
                left &= ~take
        if left != ALL_LANES:
            store(mass, U(kept * LANES), select_lanes(here, left))


@njit(nogil=True, cache=True)
def spread_rolls(first, faces, starts, smaller, mass):
    """Spread the chance of every kept multiset over the hands it may become, one die after the other."""
    share = 1.0 / faces
    for grown in range(1, starts.size - 1):
        total = broadcast(0.0)
        for step in range(starts[U(grown)], starts[U(grown + 1)]):
            total = add(total, load(mass, U(smaller[U(step)])))
        store(mass, U(grown * LANES), add(load(mass, U(grown * LANES)), scale(total, share)))
    zero_range(mass, ZERO, first * LANES)


@njit(nogil=True, cache=True)
def plan_free_turn(dice, work, marks):
    """Value a turn with free dice from its last hands back to the first throw, and note what is kept."""
    for again in range(dice.rolls - 2, -1, -1):
        average_rolls(dice.first_hand, dice.faces, dice.larger, work)
        mark_best_keeps(dice.smaller_starts, dice.smaller, work, marks, again * dice.smaller.size)
    return average_first_roll(dice.first_hand, dice.hand_chances, work)


@njit(nogil=True, cache=True)
def start_first_roll(dice, bits, mass):
    """Begin with the chances of all hands, in some lanes."""
    for hand in range(dice.hand_chances.size):
        store(mass, U((dice.first_hand + hand) * LANES), select_lanes(broadcast(dice.hand_chances[U(hand)]), bits))


@njit(nogil=True, cache=True)
def follow_free_turn(dice, bits, marks, mass):
    """Follow best play through a turn with free dice to the chances of the last hands."""
    zero_range(mass, ZERO, dice.first_hand * LANES)
    start_first_roll(dice, bits, mass)
    for again in range(dice.rolls - 1):
        spread_to_keeps(dice.smaller_starts, dice.smaller, marks, again * dice.smaller.size, mass)
        spread_rolls(dice.first_hand, dice.faces, dice.smaller_starts, dice.smaller, mass)


@njit(nogil=True, cache=True)
def plan_locked_keep(kept, lock, work, more, marks, at):
    """Value a kept multiset as the kernel does, and note which fallen die is thrown again."""
    total = broadcast(0.0)
    base = lock.pair_starts[U(kept)]
    for pair in range(base, lock.pair_starts[U(kept + 1)]):
        best = load(work, U(lock.union[U(pair)] * LANES))
        for step in range(lock.smaller_starts[U(pair)], lock.smaller_starts[U(pair + 1)]):
            other = load(more, U(lock.smaller[U(step)] * LANES))
            marks[U(at + step)] = greater_mask(other, add(best, broadcast(TIE_TOLERANCE)))
            best = maximum(other, best)
        store(more, U((pair - base) * LANES), best)
        if lock.roll_chances[U(pair)] > 0.0:
            total = add(total, scale(best, lock.roll_chances[U(pair)]))
    return total


@njit(nogil=True, cache=True)
def follow_locked_keep(kept, lock, here, more, marks, at, mass):
    """Throw besides a kept multiset and send its chance to what is kept then."""
    base = lock.pair_starts[U(kept)]
    for pair in range(base, lock.pair_starts[U(kept + 1)]):
        store(more, U((pair - base) * LANES), scale(here, lock.roll_chances[U(pair)]))
    for pair in range(lock.pair_starts[U(kept + 1)] - 1, base - 1, -1):
        left = ALL_LANES
        fallen = load(more, U((pair - base) * LANES))
        for step in range(lock.smaller_starts[U(pair + 1)] - 1, lock.smaller_starts[U(pair)] - 1, -1):
            take = marks[U(at + step)] & left
            if take:
                there = U(lock.smaller[U(step)] * LANES)
                store(more, there, add(load(more, there), select_lanes(fallen, take)))
                left &= ~take
        if left:
            there = U(lock.union[U(pair)] * LANES)
            store(mass, there, add(load(mass, there), select_lanes(fallen, left)))


@njit(nogil=True, cache=True)
def plan_locked_turn(dice, lock, work, spare, more, marks):
    """Value a turn in which kept dice stay, from its last hands back to the first throw, and note what is kept."""
    if dice.rolls == 1:
        return average_first_roll(dice.first_hand, dice.hand_chances, work)
    average_rolls(dice.first_hand, dice.faces, dice.larger, work)
    for again in range(dice.rolls - 2, 0, -1):
        for kept in range(dice.first_hand):
            store(spare, U(kept * LANES), plan_locked_keep(kept, lock, work, more, marks, again * lock.smaller.size))
        for kept in range(dice.first_hand):
            store(work, U(kept * LANES), load(spare, U(kept * LANES)))
    return plan_locked_keep(ZERO, lock, work, more, marks, ZERO)


@njit(nogil=True, cache=True)
def follow_locked_turn(dice, lock, bits, spare, more, marks, mass):
    """Follow best play through a turn in which kept dice stay."""
    zero_range(mass, ZERO, mass.size)
    if dice.rolls == 1:
        start_first_roll(dice, bits, mass)
        return
    follow_locked_keep(ZERO, lock, select_lanes(broadcast(1.0), bits), more, marks, ZERO, mass)
    for again in range(1, dice.rolls - 1):
        for kept in range(dice.first_hand):
            store(spare, U(kept * LANES), load(mass, U(kept * LANES)))
        zero_range(mass, ZERO, dice.first_hand * LANES)
        for kept in range(dice.first_hand):
            here = load(spare, U(kept * LANES))
            if greater_mask(here, broadcast(0.0)):
                follow_locked_keep(kept, lock, here, more, marks, again * lock.smaller.size, mass)
    spread_rolls(dice.first_hand, dice.faces, dice.smaller_starts, dice.smaller, mass)
