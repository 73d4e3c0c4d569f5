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

from knobel.solver.kernel import U, mean, throw_all
from knobel.solver.simd import WIDTH, above, add, larger, load, only, scale, store, strip

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
ALL = np.uint16(0xFFFF)
NEAR = 1e-11
NONE = np.int64(0)


class Dice(NamedTuple):
    """The dice of a turn and their multisets, places counted in strips."""

    throws: int
    first: int
    faces: int
    grow: Ints
    starts: Ints
    smaller: Ints
    chance: Floats


class Locked(NamedTuple):
    """The pairs of kept and added dice, where kept dice stay."""

    on: bool
    begin: Ints
    union: Ints
    starts: Ints
    smaller: Ints
    weights: Floats


@njit(nogil=True, cache=True)
def clear(numbers, begin, end):
    """Wipe a stretch of an array."""
    for place in range(begin, end):
        numbers[U(place)] = 0.0


@njit(nogil=True, cache=True)
def room(numbers, needed):
    """Give an array room for so many numbers."""
    if needed <= numbers.size:
        return numbers
    wider = np.empty(max(needed, numbers.size * 2), numbers.dtype)
    for place in range(numbers.size):
        wider[place] = numbers[place]
    return wider


@njit(nogil=True, cache=True)
def keep_noting(starts, smaller, work, marks, at):
    """Value every multiset as the best one to keep of it, and note which die goes."""
    for kept in range(1, starts.size - 1):
        best = load(work, U(kept * WIDTH))
        for step in range(starts[U(kept)], starts[U(kept + 1)]):
            other = load(work, U(smaller[U(step)]))
            marks[U(at + step)] = above(other, add(best, strip(NEAR)))
            best = larger(other, best)
        store(work, U(kept * WIDTH), best)


@njit(nogil=True, cache=True)
def let_go(starts, smaller, marks, at, mass):
    """Send the chance of every multiset down to what is kept of it."""
    for kept in range(starts.size - 2, 0, -1):
        left = ALL
        here = load(mass, U(kept * WIDTH))
        for step in range(starts[U(kept + 1)] - 1, starts[U(kept)] - 1, -1):
            take = marks[U(at + step)] & left
            if take:
                there = U(smaller[U(step)])
                store(mass, there, add(load(mass, there), only(here, take)))
                left &= ~take
        if left != ALL:
            store(mass, U(kept * WIDTH), only(here, left))


@njit(nogil=True, cache=True)
def throw_rest(first, faces, starts, smaller, mass):
    """Spread the chance of every kept multiset over the hands it may become, one die after the other."""
    share = 1.0 / faces
    for grown in range(1, starts.size - 1):
        total = strip(0.0)
        for step in range(starts[U(grown)], starts[U(grown + 1)]):
            total = add(total, load(mass, U(smaller[U(step)])))
        store(mass, U(grown * WIDTH), add(load(mass, U(grown * WIDTH)), scale(total, share)))
    clear(mass, NONE, first * WIDTH)


@njit(nogil=True, cache=True)
def free_back(dice, work, marks):
    """Value a turn with free dice from its last hands back to the first throw, and note what is kept."""
    for again in range(dice.throws - 2, -1, -1):
        throw_all(dice.first, dice.faces, dice.grow, work)
        keep_noting(dice.starts, dice.smaller, work, marks, again * dice.smaller.size)
    return mean(dice.first, dice.chance, work)


@njit(nogil=True, cache=True)
def first_throw(dice, bits, mass):
    """Begin with the chances of all hands, in some lanes."""
    for hand in range(dice.chance.size):
        store(mass, U((dice.first + hand) * WIDTH), only(strip(dice.chance[U(hand)]), bits))


@njit(nogil=True, cache=True)
def free_forth(dice, bits, marks, mass):
    """Follow best play through a turn with free dice to the chances of the last hands."""
    clear(mass, NONE, dice.first * WIDTH)
    first_throw(dice, bits, mass)
    for again in range(dice.throws - 1):
        let_go(dice.starts, dice.smaller, marks, again * dice.smaller.size, mass)
        throw_rest(dice.first, dice.faces, dice.starts, dice.smaller, mass)


@njit(nogil=True, cache=True)
def add_noting(kept, lock, work, more, marks, at):
    """Value a kept multiset as the kernel does, and note which fallen die is thrown again."""
    total = strip(0.0)
    base = lock.begin[U(kept)]
    for pair in range(base, lock.begin[U(kept + 1)]):
        best = load(work, U(lock.union[U(pair)] * WIDTH))
        for step in range(lock.starts[U(pair)], lock.starts[U(pair + 1)]):
            other = load(more, U(lock.smaller[U(step)] * WIDTH))
            marks[U(at + step)] = above(other, add(best, strip(NEAR)))
            best = larger(other, best)
        store(more, U((pair - base) * WIDTH), best)
        if lock.weights[U(pair)] > 0.0:
            total = add(total, scale(best, lock.weights[U(pair)]))
    return total


@njit(nogil=True, cache=True)
def add_some(kept, lock, here, more, marks, at, mass):
    """Throw besides a kept multiset and send its chance to what is kept then."""
    base = lock.begin[U(kept)]
    for pair in range(base, lock.begin[U(kept + 1)]):
        store(more, U((pair - base) * WIDTH), scale(here, lock.weights[U(pair)]))
    for pair in range(lock.begin[U(kept + 1)] - 1, base - 1, -1):
        left = ALL
        fallen = load(more, U((pair - base) * WIDTH))
        for step in range(lock.starts[U(pair + 1)] - 1, lock.starts[U(pair)] - 1, -1):
            take = marks[U(at + step)] & left
            if take:
                there = U(lock.smaller[U(step)] * WIDTH)
                store(more, there, add(load(more, there), only(fallen, take)))
                left &= ~take
        if left:
            there = U(lock.union[U(pair)] * WIDTH)
            store(mass, there, add(load(mass, there), only(fallen, left)))


@njit(nogil=True, cache=True)
def locked_back(dice, lock, work, spare, more, marks):
    """Value a turn in which kept dice stay, from its last hands back to the first throw, and note what is kept."""
    if dice.throws == 1:
        return mean(dice.first, dice.chance, work)
    throw_all(dice.first, dice.faces, dice.grow, work)
    for again in range(dice.throws - 2, 0, -1):
        for kept in range(dice.first):
            store(spare, U(kept * WIDTH), add_noting(kept, lock, work, more, marks, again * lock.smaller.size))
        for kept in range(dice.first):
            store(work, U(kept * WIDTH), load(spare, U(kept * WIDTH)))
    return add_noting(NONE, lock, work, more, marks, NONE)


@njit(nogil=True, cache=True)
def locked_forth(dice, lock, bits, spare, more, marks, mass):
    """Follow best play through a turn in which kept dice stay."""
    clear(mass, NONE, mass.size)
    if dice.throws == 1:
        first_throw(dice, bits, mass)
        return
    add_some(NONE, lock, only(strip(1.0), bits), more, marks, NONE, mass)
    for again in range(1, dice.throws - 1):
        for kept in range(dice.first):
            store(spare, U(kept * WIDTH), load(mass, U(kept * WIDTH)))
        clear(mass, NONE, dice.first * WIDTH)
        for kept in range(dice.first):
            here = load(spare, U(kept * WIDTH))
            if above(here, strip(0.0)):
                add_some(kept, lock, here, more, marks, again * lock.smaller.size, mass)
    throw_rest(dice.first, dice.faces, dice.starts, dice.smaller, mass)
