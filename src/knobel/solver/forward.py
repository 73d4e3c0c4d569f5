"""Compiled: follows best play forwards, first through one turn, then from the empty sheet to the full one."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call,misc,untyped-decorator"

# Which of several choices is best is noted as bits, one a lane: set where a choice beats all those before it.
# So the last one set is the best, and of equal choices always the first one counts.

from typing import NamedTuple

import numpy as np
from numba import njit

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
    fill,
    locked_turn,
    prepare,
    throw_all,
    turn,
)
from knobel.solver.simd import WIDTH, above, add, larger, load, only, scale, store, strip
from knobel.solver.tables import Floats, Ints

ALL = np.uint16(0xFFFF)


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


@njit(nogil=True, cache=True)
def keep_noting(starts, smaller, work, marks, at):
    """Value every multiset as the best one to keep of it, and note which die goes."""
    for kept in range(1, starts.size - 1):
        best = load(work, U(kept * WIDTH))
        for step in range(starts[U(kept)], starts[U(kept + 1)]):
            other = load(work, U(smaller[U(step)]))
            marks[U(at + step)] = above(other, best)
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
    for kept in range(first):
        store(mass, U(kept * WIDTH), strip(0.0))


@njit(nogil=True, cache=True)
def free_turn(dice, bits, work, marks, mass):
    """Follow best play through a turn with free dice, from the values of the last hands to their chances."""
    steps = dice.smaller.size
    for again in range(dice.throws - 2, -1, -1):
        throw_all(dice.first, dice.faces, dice.grow, work)
        keep_noting(dice.starts, dice.smaller, work, marks, again * steps)
    for kept in range(dice.first):
        store(mass, U(kept * WIDTH), strip(0.0))
    for hand in range(dice.chance.size):
        store(mass, U((dice.first + hand) * WIDTH), only(strip(dice.chance[U(hand)]), bits))
    for again in range(dice.throws - 1):
        let_go(dice.starts, dice.smaller, marks, again * steps, mass)
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
            marks[U(at + step)] = above(other, best)
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
def locked_play(dice, lock, bits, work, spare, more, marks, mass):
    """Follow best play through a turn in which kept dice stay."""
    first, steps = dice.first, lock.smaller.size
    mass[:] = 0.0
    if dice.throws == 1:
        for hand in range(dice.chance.size):
            store(mass, U((first + hand) * WIDTH), only(strip(dice.chance[U(hand)]), bits))
        return
    throw_all(first, dice.faces, dice.grow, work)
    for again in range(dice.throws - 2, 0, -1):
        for kept in range(first):
            store(spare, U(kept * WIDTH), add_noting(kept, lock, work, more, marks, again * steps))
        work[: first * WIDTH] = spare[: first * WIDTH]
    add_noting(0, lock, work, more, marks, 0)
    add_some(0, lock, only(strip(1.0), bits), more, marks, 0, mass)
    for again in range(1, dice.throws - 1):
        spare[: first * WIDTH] = mass[: first * WIDTH]
        mass[: first * WIDTH] = 0.0
        for kept in range(first):
            here = load(spare, U(kept * WIDTH))
            if above(here, strip(0.0)):
                add_some(kept, lock, here, more, marks, again * steps, mass)
    throw_rest(first, dice.faces, dice.starts, dice.smaller, mass)


@njit(nogil=True, cache=True)
def fill_noting(lane, mask, flag, paper, values, first, zero, start, address, points, work, marks, zeros):
    """Value every hand as the best of its choices, and note which it is."""
    boxes = paper.offer[BOXES]
    any_zero, other_zero = strip(NEVER), strip(NEVER)
    for box in range(boxes):
        zeros[box], zeros[boxes + box] = 0, 0
        if not (mask >> box) & 1:
            row = box_row(mask | (1 << box), paper.offer) * paper.states + flag
            after = load(values, U(row * paper.stride + lane))
            zeros[box] = above(after, any_zero)
            any_zero = larger(after, any_zero)
            if box != paper.offer[CHANCE]:
                zeros[boxes + box] = above(after, other_zero)
                other_zero = larger(after, other_zero)
    for hand in range(zero.size):
        best = strip(NEVER)
        if zero[U(hand)] != NO_ZERO:
            best = any_zero if zero[U(hand)] == ANY_ZERO else other_zero
        for choice in range(start[U(hand)], start[U(hand + 1)]):
            there = add(load(values, U(address[U(choice)] + lane)), strip(points[U(choice)]))
            marks[U(choice)] = above(there, best)
            best = larger(there, best)
        store(work, U((first + hand) * WIDTH), best)


@njit(nogil=True, cache=True)
def write(lane, first, zero, start, marks, zeros, outcome, zero_outcome, mass, width, share):
    """Send the chance of every hand to the entry it is best written as."""
    any_zero, other_zero = strip(0.0), strip(0.0)
    for hand in range(zero.size):
        here, left = load(mass, U((first + hand) * WIDTH)), ALL
        for choice in range(start[U(hand + 1)] - 1, start[U(hand)] - 1, -1):
            take = marks[U(choice)] & left
            if take:
                there = U(outcome[U(choice)] * width + lane)
                store(share, there, add(load(share, there), only(here, take)))
                left &= ~take
        if left and zero[U(hand)] == ANY_ZERO:
            any_zero = add(any_zero, only(here, left))
        elif left:
            other_zero = add(other_zero, only(here, left))
    boxes = zero_outcome.size
    left, other_left = ALL, ALL
    for box in range(boxes - 1, -1, -1):
        take, other_take = zeros[box] & left, zeros[boxes + box] & other_left
        if take or other_take:
            there = U(zero_outcome[box] * width + lane)
            zero_share = add(only(any_zero, take), only(other_zero, other_take))
            store(share, there, add(load(share, there), zero_share))
            left &= ~take
            other_left &= ~other_take


@njit(nogil=True, cache=True)
def number(box, value, then, prime, paper, width, ids, count, share):
    """Give an entry its number; an entry not seen before on this column gets the next one."""
    key = ((box * paper.most + value) * paper.states + then) * 2 + prime
    if ids[key] < 0:
        ids[key] = count
        share[count * width : (count + 1) * width] = 0.0
        count += 1
    return ids[key], count


@njit(nogil=True, cache=True)
def name_entries(mask, flag, paper, start, address, points, outcome, zero_outcome, width, ids, count, share):
    """Number the entries all choices of a column lead to: box, points, flags after it, and whether a prime is paid."""
    stride, states, offer = paper.stride, paper.states, paper.offer
    for hand in range(start.size - 1):
        prime = 1 if paper.prime > 0 and paper.alike[hand] > 0 and flag & HELD else 0
        for choice in range(start[hand], start[hand + 1]):
            place = address[choice] // stride
            box, step = 0, mask + 1 if offer[ORDER] == TOP_DOWN else (place // states) ^ mask
            while step > 1:
                step >>= 1
                box += 1
            value = int(points[choice]) - prime * paper.prime
            outcome[choice], count = number(box, value, place % states, prime, paper, width, ids, count, share)
    for box in range(zero_outcome.size):
        if not (mask >> box) & 1:
            zero_outcome[box], count = number(box, 0, flag, 0, paper, width, ids, count, share)
    return count


@njit(nogil=True, cache=True)
def announce(lane, mask, flag, paper, dice, lock, values, lists, work, spare, more, named):
    """Find for each lane the box best announced."""
    zero, start, address, points = lists
    best, one = np.full(WIDTH, NEVER), np.zeros(WIDTH)
    for box in range(paper.offer[BOXES]):
        if (mask >> box) & 1:
            continue
        choices(mask, flag, box, paper, lists)
        fill(
            lane,
            mask,
            flag,
            paper.states,
            paper.stride,
            values,
            paper.offer,
            dice.first,
            zero,
            start,
            address,
            points,
            work,
        )
        if lock.on:
            value = locked_turn(
                dice.throws,
                dice.first,
                dice.faces,
                dice.grow,
                dice.chance,
                lock.begin,
                lock.union,
                lock.starts,
                lock.smaller,
                lock.weights,
                work,
                spare,
                more,
            )
        else:
            value = turn(dice.throws, dice.first, dice.faces, dice.grow, dice.starts, dice.smaller, dice.chance, work)
        store(one, U(0), value)
        for each in range(WIDTH):
            if one[each] > best[each]:
                best[each], named[each] = one[each], box


@njit(nogil=True, cache=True)
def choices(mask, flag, named, paper, lists):
    """List the choices of every hand of a column, under an announced box if one is named."""
    zero, start, address, points = lists
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
        zero,
        start,
        address,
        points,
    )


@njit(nogil=True, cache=True)
def room(array, needed):
    """Give an array room for so many numbers."""
    if needed <= array.size:
        return array
    larger_one = np.empty(max(needed, array.size * 2), array.dtype)
    larger_one[: array.size] = array
    return larger_one


@njit(nogil=True, cache=True)
def alive_bits(reach, here, lane, at, lanes):
    """Say which lanes of a strip, from this one on, are reached at all."""
    bits = 0
    for each in range(lane, min(lanes, at + WIDTH)):
        if reach[here + each] > 0.0:
            bits |= 1 << (each - at)
    return bits


@njit(nogil=True, cache=True)
def play(begin_at, end_at, masks, reach, values, dice, lock, paper):
    """Follow best play through one turn of each column: which entries it leads to, from each upper total.

    Returned are, for each entry, its chance, where it comes from (lane) and goes to (flags and lane), and the points
    it brings; then where each column's entries in each box begin; then sums over the boxes, weighted by how likely
    the column is reached: chance of points, mean points, and last the mean prime.
    """
    lanes, boxes = paper.cap + 1, paper.offer[BOXES]
    last = (lanes + WIDTH - 1) // WIDTH * WIDTH - WIDTH
    width = last + WIDTH
    hands, sets = paper.alike.size, dice.starts.size - 1
    zero, start = np.zeros(hands, np.int64), np.zeros(hands + 1, np.int64)
    address, points = np.zeros(hands * boxes, np.int64), np.zeros(hands * boxes)
    lists = (zero, start, address, points)
    outcome, zero_outcome = np.zeros(hands * boxes, np.int64), np.zeros(boxes, np.int64)
    marks, zeros = np.zeros(hands * boxes, np.uint16), np.zeros(2 * boxes, np.uint16)
    steps = lock.smaller.size if lock.on else dice.smaller.size
    turn_marks = np.zeros(max(dice.throws - 1, 1) * steps, np.uint16)
    work, mass = np.zeros(sets * WIDTH), np.zeros(sets * WIDTH)
    spare = np.zeros(sets * WIDTH if lock.on else WIDTH)
    more = np.zeros(sets * WIDTH if lock.on else WIDTH)
    keys = boxes * paper.most * paper.states * 2
    ids = np.full(keys, -1, np.int64)
    share = np.zeros(min(keys, hands * boxes * 2 + boxes) * width)
    named = np.zeros(WIDTH, np.int64)
    announcing = paper.offer[ORDER] == ANNOUNCED
    chance, origin = np.empty(1024), np.empty(1024, np.int32)
    goal, gain = np.empty(1024, np.int32), np.empty(1024, np.int32)
    begins = np.zeros((end_at - begin_at) * boxes + 1, np.int64)
    sums = np.zeros(2 * boxes + 1)
    total = 0
    for column in range(begin_at, end_at):
        mask, flag, here = masks[column // paper.states], column % paper.states, column * lanes
        count, lane, ready = 0, 0, False
        while lane < lanes:
            if reach[here + lane] <= 0.0:
                lane += 1
                continue
            at = min(lane, last)
            bits = alive_bits(reach, here, lane, at, lanes)
            if announcing:
                announce(at, mask, flag, paper, dice, lock, values, lists, work, spare, more, named)
            for box in range(boxes if announcing else 1):
                wanted = bits
                if announcing:
                    for each in range(WIDTH):
                        if named[each] != box:
                            wanted &= ~(1 << each)
                    if wanted == 0:
                        continue
                if announcing or not ready:
                    choices(mask, flag, box if announcing else -1, paper, lists)
                    count = name_entries(
                        mask, flag, paper, start, address, points, outcome, zero_outcome, width, ids, count, share
                    )
                    ready = True
                fill_noting(at, mask, flag, paper, values, dice.first, zero, start, address, points, work, marks, zeros)
                if lock.on:
                    locked_play(dice, lock, wanted, work, spare, more, turn_marks, mass)
                else:
                    free_turn(dice, wanted, work, turn_marks, mass)
                write(at, dice.first, zero, start, marks, zeros, outcome, zero_outcome, mass, width, share)
            lane = at + WIDTH
        if count:
            most = total + count * lanes
            chance, origin = room(chance, most), room(origin, most)
            goal, gain = room(goal, most), room(gain, most)
        for box in range(boxes):
            begins[(column - begin_at) * boxes + box] = total
            if count:
                total = list_entries(
                    box, here, reach, paper, width, ids, share, chance, origin, goal, gain, total, sums
                )
    begins[begins.size - 1] = total
    return chance[:total].copy(), origin[:total].copy(), goal[:total].copy(), gain[:total].copy(), begins, sums


@njit(nogil=True, cache=True)
def list_entries(box, here, reach, paper, width, ids, share, chance, origin, goal, gain, total, sums):
    """List the entries of a column in one box, and forget their numbers."""
    boxes, lanes = paper.offer[BOXES], paper.cap + 1
    base, size = box * paper.most * paper.states * 2, paper.most * paper.states * 2
    for key in range(base, base + size):
        if ids[key] < 0:
            continue
        place, ids[key] = ids[key] * width, -1
        prime, then, value = key % 2, key // 2 % paper.states, (key - base) // 2 // paper.states
        weight = 0.0
        for lane in range(lanes):
            if share[place + lane] > 0.0:
                weight += share[place + lane] * reach[here + lane]
                chance[total], origin[total] = share[place + lane], lane
                goal[total] = then * lanes + min(paper.cap, lane + (value if paper.upper[box] else 0))
                gain[total] = value + prime * paper.prime
                total += 1
        if value > 0:
            sums[box] += weight
            sums[boxes + box] += weight * value
        sums[2 * boxes] += weight * prime * paper.prime
    return total


@njit(nogil=True, cache=True)
def add_shifted(target, at, source, begin, size, factor):
    """Add a scaled stretch of one array to another."""
    for each in range(size):
        target[U(at + each)] += factor * source[U(begin + each)]


@njit(nogil=True, cache=True)
def gather(begin_at, end_at, masks, where, level, entries, paper, widest, least):
    """Collect for each column one box fuller how likely each number of points is, from all columns leading there.

    Returned are, for each position, where its numbers begin, for how many points the first stands, how many they
    are and their sum; and the numbers.
    """
    start, low, size, mass = level
    chance, origin, goal, gain, begins = entries
    lanes, boxes, states = paper.cap + 1, paper.offer[BOXES], paper.states
    rows = states * lanes
    sheet = np.zeros(rows * widest)
    lowest, highest = np.full(rows, widest, np.int64), np.full(rows, -1, np.int64)
    count = (end_at - begin_at) * rows
    new_start, new_low = np.zeros(count, np.int64), np.zeros(count, np.int64)
    new_size, reach = np.zeros(count, np.int64), np.zeros(count)
    out = np.empty(1024)
    total = 0
    for place in range(begin_at, end_at):
        for box in range(boxes):
            bit = 1 << box
            if not masks[place] & bit or (paper.offer[ORDER] == TOP_DOWN and masks[place] >= 2 * bit):
                continue
            source = where[box_row(masks[place] ^ bit, paper.offer)]
            for column in range(source * states, (source + 1) * states):
                for entry in range(begins[column * boxes + box], begins[column * boxes + box + 1]):
                    position, row = column * lanes + origin[entry], goal[entry]
                    at = low[position] + gain[entry]
                    lowest[row] = min(lowest[row], at)
                    highest[row] = max(highest[row], at + size[position] - 1)
                    add_shifted(sheet, row * widest + at, mass, start[position], size[position], chance[entry])
        for row in range(rows):
            if highest[row] < 0:
                continue
            begin, end = row * widest + lowest[row], row * widest + highest[row] + 1
            left, right = trim(sheet, begin, end, least)
            position = (place - begin_at) * rows + row
            new_start[position], new_low[position], new_size[position] = total, left - row * widest, right - left
            out = room(out, total + right - left)
            out[total : total + right - left] = sheet[left:right]
            total += right - left
            reach[position] = sheet[left:right].sum()
            sheet[begin:end] = 0.0
            lowest[row], highest[row] = widest, -1
    return new_start, new_low, new_size, reach, out[:total].copy()


@njit(nogil=True, cache=True)
def trim(numbers, begin, end, least):
    """Leave out ends that together do not weigh anything."""
    lost = 0.0
    while begin < end and lost + numbers[begin] <= least:
        lost += numbers[begin]
        begin += 1
    lost = 0.0
    while begin < end and lost + numbers[end - 1] <= least:
        lost += numbers[end - 1]
        end -= 1
    return begin, end
