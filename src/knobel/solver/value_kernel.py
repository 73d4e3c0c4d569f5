"""The compiled heart: values of positions, worked backwards; it knows bits and numbers, no rules and no names."""

# Indices are unsigned and arrays flat: signed ones cost a wrap-around test each and keep loops from vectorising.

import numpy as np
from numba import njit

from knobel.solver.simd import LANES, add, broadcast, load, maximum, scale, store

U = np.uintp
WORST_VALUE = -1e18

ORDER, MUST_FIT, CHANCE_RULE, CHANCE, YATZY, FORCED, UPPER, FLAGS, BOXES, MATCH = range(10)
FREE, TOP_DOWN, ANNOUNCED = range(3)
LAST_RESORT, LAST_BOX = 1, 2
YATZY_SCORED, YATZY_ROLLED = 1, 2
NO_ZERO, ANY_ZERO, ZERO_EXCEPT_CHANCE = range(3)


@njit(nogil=True, cache=True, inline="always")
def find_allowed_boxes(row_scores, face, open_boxes, offer):
    """Give the boxes a hand may be written in, as bits."""
    if offer[ORDER] == TOP_DOWN:
        return open_boxes & -open_boxes
    chance = (1 << offer[CHANCE]) & open_boxes if offer[CHANCE] >= 0 else 0
    others = open_boxes & ~chance
    waits = chance != 0 and offer[CHANCE_RULE] == LAST_BOX and others != 0
    allowed = open_boxes
    if face > 0 and offer[FORCED] and not (open_boxes >> offer[YATZY]) & 1:
        match = offer[MATCH + face]
        lower = open_boxes & ~offer[UPPER]
        if match >= 0 and (open_boxes >> match) & 1 and not (waits and match == offer[CHANCE]):
            allowed = 1 << match
        elif (lower & ~chance if waits else lower) != 0:
            allowed = lower
    fits = (row_scores & others & allowed) != 0
    usable = chance & allowed != 0 and not waits
    if waits or (fits and (offer[MUST_FIT] or offer[CHANCE_RULE] == LAST_RESORT)):
        allowed &= ~chance
    if offer[MUST_FIT] and (fits or usable):
        allowed &= row_scores | chance
    return allowed


@njit(nogil=True, cache=True, inline="always")
def count_flag_states(offer):
    """Say how many combinations of flags are told apart."""
    return 4 if offer[FLAGS] == 3 else 2 if offer[FLAGS] else 1


@njit(nogil=True, cache=True)
def list_hand_choices(
    mask, flag, announced, stride, alike, row, scores, worth, extra, upper, offer, zero, start, address, points
):
    """List for each hand where its choices lead and what they bring; plain zeros are left to a shared maximum."""
    boxes = offer[BOXES]
    open_boxes = ((1 << boxes) - 1) & ~mask
    held_bit = 1 if offer[FLAGS] & YATZY_SCORED else 0
    seen_bit = (1 + held_bit) if offer[FLAGS] & YATZY_ROLLED else 0
    states = count_flag_states(offer)
    chance = (1 << offer[CHANCE]) if offer[CHANCE] >= 0 else 0
    count = 0
    for hand in range(alike.size):
        face = alike[hand]
        here, after = hand, flag
        if face > 0:
            match = offer[MATCH + face]
            code = (mask >> offer[YATZY]) & 1
            code |= 2 if match >= 0 and (mask >> match) & 1 else 0
            code |= 4 if chance & mask else 0
            code |= 8 if flag & held_bit else 0
            code |= 16 if flag & seen_bit else 0
            here = row[face * 32 + code]
            after = flag | seen_bit
        zero[hand] = NO_ZERO
        if announced < 0:
            wanted = find_allowed_boxes(scores[here], face, open_boxes, offer)
            if face == 0 and wanted == open_boxes:
                zero[hand], wanted = ANY_ZERO, wanted & scores[here]
            elif face == 0 and wanted == open_boxes & ~chance:
                zero[hand], wanted = ZERO_EXCEPT_CHANCE, wanted & scores[here]
            missed = 0
        elif (scores[here] >> announced) & 1:
            wanted, missed = 1 << announced, 0
        else:
            wanted, missed = open_boxes, 1
            if face == 0:
                zero[hand], wanted = ANY_ZERO, open_boxes & chance
        start[hand] = count
        for box in range(boxes):
            if (wanted >> box) & 1:
                value = 0 if missed and not (chance >> box) & 1 else worth[here * boxes + box]
                then = after | held_bit if box == offer[YATZY] and value > 0 else after
                place = find_book_row(mask | (1 << box), offer) * states + then
                address[count] = place * stride + (value if upper[box] else 0)
                points[count] = value + extra[here]
                count += 1
    start[alike.size] = count


@njit(nogil=True, cache=True, inline="always")
def find_book_row(mask, offer):
    """Say in which row of the book a set of written boxes stands; a column from top to bottom has one row a box."""
    if offer[ORDER] != TOP_DOWN:
        return mask
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@njit(nogil=True, cache=True)
def value_hands(lane, mask, flag, states, stride, values, offer, first, zero, start, address, points, work):
    """Value every hand as the best of its choices."""
    boxes = offer[BOXES]
    any_zero, other_zero = broadcast(WORST_VALUE), broadcast(WORST_VALUE)
    for box in range(boxes):
        if not (mask >> box) & 1:
            after = load(values, U((find_book_row(mask | (1 << box), offer) * states + flag) * stride + lane))
            any_zero = maximum(any_zero, after)
            if box != offer[CHANCE]:
                other_zero = maximum(other_zero, after)
    for hand in range(zero.size):
        best = broadcast(WORST_VALUE)
        if zero[U(hand)] == ANY_ZERO:
            best = any_zero
        elif zero[U(hand)] == ZERO_EXCEPT_CHANCE:
            best = other_zero
        for choice in range(start[U(hand)], start[U(hand + 1)]):
            there = load(values, U(address[U(choice)] + lane))
            best = maximum(best, add(there, broadcast(points[U(choice)])))
        store(work, U((first + hand) * LANES), best)


@njit(nogil=True, cache=True)
def average_rolls(first, faces, grow, work):
    """Value every kept multiset as the mean of its growths by one die."""
    share = 1.0 / faces
    for kept in range(first - 1, -1, -1):
        place = kept * faces
        total = add(load(work, U(grow[U(place)])), load(work, U(grow[U(place + 1)])))
        for face in range(2, faces):
            total = add(total, load(work, U(grow[U(place + face)])))
        store(work, U(kept * LANES), scale(total, share))


@njit(nogil=True, cache=True)
def keep_best(sets, starts, smaller, work):
    """Value every multiset as the best one to keep of it."""
    for kept in range(1, sets):
        best = load(work, U(kept * LANES))
        for step in range(starts[U(kept)], starts[U(kept + 1)]):
            best = maximum(best, load(work, U(smaller[U(step)])))
        store(work, U(kept * LANES), best)


@njit(nogil=True, cache=True)
def value_turn(throws, first, faces, grow, starts, smaller, chance, work):
    """Value a whole turn with free dice: throw, keep the best, throw again."""
    for _ in range(throws - 1):
        average_rolls(first, faces, grow, work)
        keep_best(starts.size - 1, starts, smaller, work)
    return average_first_roll(first, chance, work)


@njit(nogil=True, cache=True)
def average_first_roll(first, chance, work):
    """Value the first throw: the mean of all hands."""
    total = broadcast(0.0)
    for hand in range(chance.size):
        total = add(total, scale(load(work, U((first + hand) * LANES)), chance[U(hand)]))
    return total


@njit(nogil=True, cache=True)
def value_locked_turn(throws, first, faces, grow, chance, lock, work, spare, more):
    """Value a whole turn in which kept dice stay: what is kept next must contain what was kept before."""
    begin, union, starts, smaller, weights = lock
    if throws == 1:
        return average_first_roll(first, chance, work)
    average_rolls(first, faces, grow, work)
    for _ in range(2, throws):
        for kept in range(first):
            store(spare, U(kept * LANES), value_locked_keep(kept, begin, union, starts, smaller, weights, work, more))
        for kept in range(first):
            store(work, U(kept * LANES), load(spare, U(kept * LANES)))
    return value_locked_keep(first - first, begin, union, starts, smaller, weights, work, more)


@njit(nogil=True, cache=True)
def value_locked_keep(kept, begin, union, starts, smaller, weights, work, more):
    """Value a kept multiset: throw the rest, then keep the best of what fell besides."""
    total = broadcast(0.0)
    base = begin[U(kept)]
    for pair in range(base, begin[U(kept + 1)]):
        best = load(work, U(union[U(pair)] * LANES))
        for step in range(starts[U(pair)], starts[U(pair + 1)]):
            best = maximum(best, load(more, U(smaller[U(step)] * LANES)))
        store(more, U((pair - base) * LANES), best)
        if weights[U(pair)] > 0.0:
            total = add(total, scale(best, weights[U(pair)]))
    return total


@njit(nogil=True, cache=True)
def solve_columns(
    columns, values, stride, cap, reach, throws, faces, sets, lock, alike, row, scores, worth, extra, upper, offer
):
    """Value a list of columns, each a set of written boxes and its flags, from those one box fuller.

    Free dice have no `lock`; the branch that is not needed is never compiled.
    """
    first, grow, starts, smaller, chance = sets
    hands, size = alike.size, starts.size - 1
    states, boxes = count_flag_states(offer), offer[BOXES]
    zero, begin = np.empty(hands, np.int64), np.empty(hands + 1, np.int64)
    address, points = np.empty(hands * boxes, np.int64), np.empty(hands * boxes)
    work, spare, more = np.empty(size * LANES), np.empty(size * LANES), np.empty(size * LANES)
    best = np.empty(stride)
    announcing = offer[ORDER] == ANNOUNCED
    for one in range(columns.size):
        mask, flag = columns[one] // states, columns[one] % states
        here = (find_book_row(mask, offer) * states + flag) * stride
        high = cap
        if offer[ORDER] != TOP_DOWN and reach[mask & offer[UPPER]] < cap:
            high = reach[mask & offer[UPPER]]
        for lane in range(0, high + 1, LANES):
            store(best, U(lane), broadcast(WORST_VALUE))
        for box in range(boxes if announcing else 1):
            if announcing and (mask >> box) & 1:
                continue
            named = box if announcing else -1
            list_hand_choices(
                mask, flag, named, stride, alike, row, scores, worth, extra, upper, offer, zero, begin, address, points
            )
            for lane in range(0, high + 1, LANES):
                value_hands(lane, mask, flag, states, stride, values, offer, first, zero, begin, address, points, work)
                if lock is None:
                    value = value_turn(throws, first, faces, grow, starts, smaller, chance, work)
                else:
                    value = value_locked_turn(throws, first, faces, grow, chance, lock, work, spare, more)
                store(best, U(lane), maximum(load(best, U(lane)), value))
        for lane in range(high + 1):
            values[here + lane] = best[lane]
        for lane in range(cap + 1, stride):
            values[here + lane] = values[here + cap]
