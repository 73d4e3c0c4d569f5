"""Compiled: follows best play forwards, first through one turn, then from the empty sheet to the full one."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call,misc,untyped-decorator"

# Of choices as good as equal always the first one counts: to write rather than to throw, a zero rather than points,
# the box higher up; how that is noted stands in `through`.

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from knobel.solver.kernel import (
    ANNOUNCED,
    ANY_ZERO,
    BOXES,
    CHANCE,
    HELD,
    NEVER,
    NO_ZERO,
    ORDER,
    TOP_DOWN,
    U,
    box_row,
    prepare,
)
from knobel.solver.simd import WIDTH, above, add, larger, load, only, store, strip
from knobel.solver.through import (
    ALL,
    NEAR,
    NONE,
    Floats,
    Ints,
    clear,
    free_back,
    free_forth,
    locked_back,
    locked_forth,
    room,
)

Bits = NDArray[np.uint16]


class Paper(NamedTuple):
    """The sheet: what hands are worth and which boxes they are offered."""

    alike: Ints
    row: Ints
    scores: Ints
    worth: Ints
    extra: Ints
    upper: Ints
    offer: Ints
    cap: int
    stride: int
    states: int
    most: int
    prime: int


class Desk(NamedTuple):
    """Scratch paper for the turns of a column: the choices of each hand, what was noted about them, and the entries."""

    zero: Ints
    start: Ints
    address: Ints
    points: Floats
    outcome: Ints
    zero_outcome: Ints
    choice_marks: Bits
    zero_marks: Bits
    keep_marks: Bits
    work: Floats
    spare: Floats
    more: Floats
    mass: Floats
    named: Ints
    ids: Ints
    share: Floats
    width: int


@njit(nogil=True, cache=True)
def clean_desk(dice, lock, paper):
    """Lay out the scratch paper."""
    boxes, hands, strips = paper.offer[BOXES], paper.alike.size, (dice.starts.size - 1) * WIDTH
    width = (paper.cap + WIDTH) // WIDTH * WIDTH
    steps = lock.smaller.size if lock.on else dice.smaller.size
    keys = boxes * paper.most * paper.states * 2
    return Desk(
        np.zeros(hands, np.int64),
        np.zeros(hands + 1, np.int64),
        np.zeros(hands * boxes, np.int64),
        np.zeros(hands * boxes),
        np.zeros(hands * boxes, np.int64),
        np.zeros(boxes, np.int64),
        np.zeros(hands * boxes, np.uint16),
        np.zeros(2 * boxes, np.uint16),
        np.zeros(dice.throws * steps, np.uint16),
        np.zeros(strips),
        np.zeros(strips if lock.on else WIDTH),
        np.zeros(strips if lock.on else WIDTH),
        np.zeros(strips),
        np.zeros(WIDTH, np.int64),
        np.zeros(keys, np.int64),
        np.zeros(keys * width),
        width,
    )


@njit(nogil=True, cache=True)
def choices(mask, flag, named, paper, desk):
    """List the choices of every hand of a column, under an announced box if one is named."""
    prepare(
        mask,
        flag,
        named,
        paper.stride,
        paper.alike,
        paper.row,
        paper.scores,
        paper.worth,
        paper.extra,
        paper.upper,
        paper.offer,
        desk.zero,
        desk.start,
        desk.address,
        desk.points,
    )


@njit(nogil=True, cache=True)
def number(box, value, then, prime, paper, desk, count):
    """Give an entry its number, counted from one; an entry not seen before on this column gets the next one."""
    key = ((box * paper.most + value) * paper.states + then) * 2 + prime
    if desk.ids[key] == 0:
        clear(desk.share, count * desk.width, (count + 1) * desk.width)
        count += 1
        desk.ids[key] = count
    return desk.ids[key] - 1, count


@njit(nogil=True, cache=True)
def name_entries(mask, flag, paper, desk, count):
    """Number the entries all choices of a column lead to: box, points, flags after it, and whether a prime is paid."""
    for hand in range(desk.zero.size):
        prime = np.int64(paper.prime > 0 and paper.alike[hand] > 0 and flag & HELD != 0)
        for choice in range(desk.start[hand], desk.start[hand + 1]):
            place = desk.address[choice] // paper.stride
            written = mask + 1 if paper.offer[ORDER] == TOP_DOWN else (place // paper.states) ^ mask
            box = 0
            while written > 1:
                written >>= 1
                box += 1
            value = int(desk.points[choice]) - prime * paper.prime
            desk.outcome[choice], count = number(box, value, place % paper.states, prime, paper, desk, count)
    for box in range(desk.zero_outcome.size):
        if not (mask >> box) & 1:
            desk.zero_outcome[box], count = number(box, NONE, flag, NONE, paper, desk, count)
    return count


@njit(nogil=True, cache=True)
def fill_noting(lane, mask, flag, paper, values, first, desk):
    """Value every hand as the best of its choices, and note which it is."""
    boxes = desk.zero_outcome.size
    any_zero, other_zero = strip(NEVER), strip(NEVER)
    for box in range(boxes):
        desk.zero_marks[box], desk.zero_marks[boxes + box] = 0, 0
        if not (mask >> box) & 1:
            row = box_row(mask | (1 << box), paper.offer) * paper.states + flag
            after = load(values, U(row * paper.stride + lane))
            desk.zero_marks[box] = above(after, add(any_zero, strip(NEAR)))
            any_zero = larger(after, any_zero)
            if box != paper.offer[CHANCE]:
                desk.zero_marks[boxes + box] = above(after, add(other_zero, strip(NEAR)))
                other_zero = larger(after, other_zero)
    for hand in range(desk.zero.size):
        best = strip(NEVER)
        if desk.zero[U(hand)] != NO_ZERO:
            best = any_zero if desk.zero[U(hand)] == ANY_ZERO else other_zero
        for choice in range(desk.start[U(hand)], desk.start[U(hand + 1)]):
            there = add(load(values, U(desk.address[U(choice)] + lane)), strip(desk.points[U(choice)]))
            desk.choice_marks[U(choice)] = above(there, add(best, strip(NEAR)))
            best = larger(there, best)
        store(desk.work, U((first + hand) * WIDTH), best)


@njit(nogil=True, cache=True)
def write(lane, first, desk):
    """Send the chance of every hand to the entry it is best written as."""
    any_zero, other_zero = strip(0.0), strip(0.0)
    for hand in range(desk.zero.size):
        here, left = load(desk.mass, U((first + hand) * WIDTH)), ALL
        for choice in range(desk.start[U(hand + 1)] - 1, desk.start[U(hand)] - 1, -1):
            take = desk.choice_marks[U(choice)] & left
            if take:
                there = U(desk.outcome[U(choice)] * desk.width + lane)
                store(desk.share, there, add(load(desk.share, there), only(here, take)))
                left &= ~take
        if left and desk.zero[U(hand)] == ANY_ZERO:
            any_zero = add(any_zero, only(here, left))
        elif left:
            other_zero = add(other_zero, only(here, left))
    boxes = desk.zero_outcome.size
    left, other_left = ALL, ALL
    for box in range(boxes - 1, -1, -1):
        take, other_take = desk.zero_marks[box] & left, desk.zero_marks[boxes + box] & other_left
        if take or other_take:
            there = U(desk.zero_outcome[box] * desk.width + lane)
            zeros = add(only(any_zero, take), only(other_zero, other_take))
            store(desk.share, there, add(load(desk.share, there), zeros))
            left &= ~take
            other_left &= ~other_take


@njit(nogil=True, cache=True)
def look_back(lane, mask, flag, values, dice, lock, paper, desk):
    """Value a turn, and note every best choice in it."""
    fill_noting(lane, mask, flag, paper, values, dice.first, desk)
    if lock.on:
        return locked_back(dice, lock, desk.work, desk.spare, desk.more, desk.keep_marks)
    return free_back(dice, desk.work, desk.keep_marks)


@njit(nogil=True, cache=True)
def announce(lane, mask, flag, values, dice, lock, paper, desk):
    """Find for each lane the box best announced."""
    best, one = np.full(WIDTH, NEVER), np.zeros(WIDTH)
    for box in range(desk.zero_outcome.size):
        if not (mask >> box) & 1:
            choices(mask, flag, box, paper, desk)
            store(one, U(0), look_back(lane, mask, flag, values, dice, lock, paper, desk))
            for each in range(WIDTH):
                if one[each] > best[each] + NEAR:
                    best[each], desk.named[each] = one[each], box


@njit(nogil=True, cache=True)
def follow(lane, bits, mask, flag, named, count, values, dice, lock, paper, desk):
    """Follow best play through a turn to the chances of all entries, under an announced box if one is named."""
    choices(mask, flag, named, paper, desk)
    count = name_entries(mask, flag, paper, desk, count)
    look_back(lane, mask, flag, values, dice, lock, paper, desk)
    if lock.on:
        locked_forth(dice, lock, bits, desk.spare, desk.more, desk.keep_marks, desk.mass)
    else:
        free_forth(dice, bits, desk.keep_marks, desk.mass)
    write(lane, dice.first, desk)
    return count


@njit(nogil=True, cache=True)
def reached(reach, here, lane, at, lanes):
    """Say which lanes of a strip, from this one on, are reached at all."""
    bits = NONE
    for each in range(lane, min(lanes, at + WIDTH)):
        if reach[here + each] > 0.0:
            bits |= 1 << (each - at)
    return bits


@njit(nogil=True, cache=True)
def play_column(column, mask, reach, values, dice, lock, paper, desk):
    """Find the chances of all entries of a column, from each upper total reached; say how many entries there are."""
    lanes, flag = paper.cap + 1, column % paper.states
    lane, count = NONE, NONE
    while lane < lanes:
        at = min(lane, desk.width - WIDTH)
        bits = reached(reach, column * lanes, lane, at, lanes)
        if not bits & (1 << (lane - at)):
            lane += 1
            continue
        if paper.offer[ORDER] == ANNOUNCED:
            announce(at, mask, flag, values, dice, lock, paper, desk)
        else:
            desk.named[:] = -1
        while bits:
            first = 0
            while not (bits >> first) & 1:
                first += 1
            named, wanted = desk.named[first], NONE
            for each in range(WIDTH):
                if (bits >> each) & 1 and desk.named[each] == named:
                    wanted |= 1 << each
            count = follow(at, wanted, mask, flag, named, count, values, dice, lock, paper, desk)
            bits &= ~wanted
        lane = at + WIDTH
    return count


@njit(nogil=True, cache=True)
def play(begin_at, end_at, masks, reach, values, dice, lock, paper):
    """Follow best play through one turn of each column: which entries it leads to, from each upper total.

    Returned are the chance of each entry; three numbers for each: from which lane, to which flags and lane, for how
    many points; where each column's entries in each box begin; and sums over the boxes, weighted by how likely the
    column is reached: chance of points, mean points, and last the mean prime.
    """
    lanes, boxes = paper.cap + 1, paper.offer[BOXES]
    desk = clean_desk(dice, lock, paper)
    chance, ways = np.empty(1024), np.empty(3072, np.int32)
    begins, sums = np.zeros((end_at - begin_at) * boxes + 1, np.int64), np.zeros(2 * boxes + 1)
    total = NONE
    for column in range(begin_at, end_at):
        count = play_column(column, masks[column // paper.states], reach, values, dice, lock, paper, desk)
        chance, ways = room(chance, total + count * lanes), room(ways, 3 * (total + count * lanes))
        for box in range(boxes):
            begins[(column - begin_at) * boxes + box] = total
            if count:
                total = list_entries(box, column * lanes, reach, paper, desk, chance, ways, total, sums)
    begins[begins.size - 1] = total
    return chance[:total].copy(), ways[: 3 * total].copy(), begins, sums


@njit(nogil=True, cache=True)
def list_entries(box, here, reach, paper, desk, chance, ways, total, sums):
    """List the entries of a column in one box, and forget their numbers."""
    boxes, lanes = desk.zero_outcome.size, paper.cap + 1
    size = paper.most * paper.states * 2
    for key in range(size):
        entry = desk.ids[box * size + key] - 1
        if entry < 0:
            continue
        desk.ids[box * size + key] = 0
        paid, then, value = key % 2 * paper.prime, key // 2 % paper.states, key // 2 // paper.states
        weight = 0.0
        for lane in range(lanes):
            likely = desk.share[entry * desk.width + lane]
            if likely > 0.0:
                weight += likely * reach[here + lane]
                chance[total], ways[3 * total] = likely, lane
                ways[3 * total + 1] = then * lanes + min(paper.cap, lane + (value if paper.upper[box] else 0))
                ways[3 * total + 2] = value + paid
                total += 1
        sums[box] += weight if value > 0 else 0.0
        sums[boxes + box] += weight * value
        sums[2 * boxes] += weight * paid
    return total
