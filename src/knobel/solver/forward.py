"""Compiled: follows best play forwards, first through one turn, then from the empty sheet to the full one."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call,misc,untyped-decorator"

# Which of several choices is best is noted as bits, one a lane: set where a choice beats all those before it.
# So the last one set is the best, and of choices as good as equal always the first one counts: to write rather than to
# throw, a zero rather than points, the box higher up; to keep rather than to let go, and the lowest dice go first.
# Rounding must not decide that, hence NEAR. A plain 0 as argument would compile a function twice, hence NONE.

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
    mean,
    prepare,
    throw_all,
)
from knobel.solver.simd import WIDTH, above, add, larger, load, only, scale, store, strip
from knobel.solver.tables import Floats, Ints

Bits = NDArray[np.uint16]
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
def clear(numbers, begin, end):
    """Wipe a stretch of an array."""
    for place in range(begin, end):
        numbers[U(place)] = 0.0


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
def room(numbers, needed):
    """Give an array room for so many numbers."""
    if needed <= numbers.size:
        return numbers
    wider = np.empty(max(needed, numbers.size * 2), numbers.dtype)
    for place in range(numbers.size):
        wider[place] = numbers[place]
    return wider


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


@njit(nogil=True, cache=True)
def bring(masks, place, where, level, entries, paper, widest, sheet, lowest, highest):
    """Bring the points of all columns that lead to this one, each shifted by its entry."""
    start, low, size, mass = level
    chance, ways, begins = entries
    lanes, boxes, states = paper.cap + 1, paper.offer[BOXES], paper.states
    for box in range(boxes):
        bit = 1 << box
        if not masks[place] & bit or (paper.offer[ORDER] == TOP_DOWN and masks[place] >= 2 * bit):
            continue
        source = where[box_row(masks[place] ^ bit, paper.offer)]
        for column in range(source * states, (source + 1) * states):
            for entry in range(begins[column * boxes + box], begins[column * boxes + box + 1]):
                position, row = column * lanes + ways[3 * entry], ways[3 * entry + 1]
                at = low[position] + ways[3 * entry + 2]
                lowest[row] = min(lowest[row], at)
                highest[row] = max(highest[row], at + size[position])
                target, begin, factor = row * widest + at, start[position], chance[entry]
                for each in range(size[position]):
                    sheet[U(target + each)] += factor * mass[U(begin + each)]


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


@njit(nogil=True, cache=True)
def gather(begin_at, end_at, masks, where, level, entries, paper, widest, least):
    """Collect for each column one box fuller how likely each number of points is.

    Returned are, for each position, where its numbers begin, for how many points the first stands, how many they
    are and their sum; and the numbers.
    """
    rows = paper.states * (paper.cap + 1)
    sheet = np.zeros(rows * widest)
    lowest, highest = np.full(rows, widest), np.zeros(rows, np.int64)
    count = (end_at - begin_at) * rows
    start, low, size = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count, np.int64)
    reach, mass, total = np.zeros(count), np.empty(1024), NONE
    for place in range(begin_at, end_at):
        bring(masks, place, where, level, entries, paper, widest, sheet, lowest, highest)
        for row in range(rows):
            base, position = row * widest, (place - begin_at) * rows + row
            left, right = trim(sheet, base + lowest[row], base + highest[row], least)
            start[position], low[position], size[position] = total, left - base, max(right - left, 0)
            mass = room(mass, total + size[position])
            for each in range(left, right):
                mass[total] = sheet[each]
                reach[position] += sheet[each]
                total += 1
            clear(sheet, base + lowest[row], base + highest[row])
            lowest[row], highest[row] = widest, 0
    return start, low, size, reach, mass[:total].copy()
