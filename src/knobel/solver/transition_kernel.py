"""Compiled: follows best play forwards, first through one turn, then from the empty sheet to the full one."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call,misc,untyped-decorator"

# Of choices as good as equal always the first one counts: to write rather than to throw, a zero rather than points,
# the box higher up; how that is noted stands in `through`.

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from knobel.solver.simd import LANES, add, broadcast, greater_mask, load, maximum, select_lanes, store
from knobel.solver.turn_kernel import (
    ALL_LANES,
    TIE_TOLERANCE,
    ZERO,
    Floats,
    Ints,
    ensure_capacity,
    follow_free_turn,
    follow_locked_turn,
    plan_free_turn,
    plan_locked_turn,
    zero_range,
)
from knobel.solver.value_kernel import (
    ANNOUNCED,
    ANY_ZERO,
    BOXES,
    CHANCE,
    NO_ZERO,
    ORDER,
    TOP_DOWN,
    WORST_VALUE,
    YATZY_SCORED,
    U,
    find_book_row,
    list_hand_choices,
)

LaneMasks = NDArray[np.uint16]


class SheetArrays(NamedTuple):
    """The sheet: what hands are worth and which boxes they are offered."""

    alike_faces: Ints
    situation_rows: Ints
    scoring_boxes: Ints
    worth: Ints
    extra: Ints
    is_upper: Ints
    offer_rules: Ints
    upper_cap: int
    stride: int
    flag_states: int
    points_limit: int
    prime: int


class ColumnScratch(NamedTuple):
    """Scratch paper for the turns of a column: the choices of each hand, what was noted about them, and the entries."""

    zero_kind: Ints
    choice_starts: Ints
    address: Ints
    points: Floats
    choice_entries: Ints
    zero_entries: Ints
    choice_marks: LaneMasks
    zero_marks: LaneMasks
    keep_marks: LaneMasks
    set_values: Floats
    spare_values: Floats
    pair_values: Floats
    set_chances: Floats
    announced_boxes: Ints
    entry_ids: Ints
    entry_chances: Floats
    entry_stride: int


@njit(nogil=True, cache=True)
def allocate_scratch(dice, lock, paper):
    """Lay out the scratch paper."""
    boxes, hands, strips = paper.offer_rules[BOXES], paper.alike_faces.size, (dice.smaller_starts.size - 1) * LANES
    width = (paper.upper_cap + LANES) // LANES * LANES
    steps = lock.smaller.size if lock.enabled else dice.smaller.size
    keys = boxes * paper.points_limit * paper.flag_states * 2
    return ColumnScratch(
        np.zeros(hands, np.int64),
        np.zeros(hands + 1, np.int64),
        np.zeros(hands * boxes, np.int64),
        np.zeros(hands * boxes),
        np.zeros(hands * boxes, np.int64),
        np.zeros(boxes, np.int64),
        np.zeros(hands * boxes, np.uint16),
        np.zeros(2 * boxes, np.uint16),
        np.zeros(dice.rolls * steps, np.uint16),
        np.zeros(strips),
        np.zeros(strips if lock.enabled else LANES),
        np.zeros(strips if lock.enabled else LANES),
        np.zeros(strips),
        np.zeros(LANES, np.int64),
        np.zeros(keys, np.int64),
        np.zeros(keys * width),
        width,
    )


@njit(nogil=True, cache=True)
def list_column_choices(mask, flag, named, paper, desk):
    """List the choices of every hand of a column, under an announced box if one is named."""
    list_hand_choices(
        mask,
        flag,
        named,
        paper.stride,
        paper.alike_faces,
        paper.situation_rows,
        paper.scoring_boxes,
        paper.worth,
        paper.extra,
        paper.is_upper,
        paper.offer_rules,
        desk.zero_kind,
        desk.choice_starts,
        desk.address,
        desk.points,
    )


@njit(nogil=True, cache=True)
def number_entry(box, value, then, prime, paper, desk, count):
    """Give an entry its number, counted from one; an entry not seen before on this column gets the next one."""
    key = ((box * paper.points_limit + value) * paper.flag_states + then) * 2 + prime
    if desk.entry_ids[key] == 0:
        zero_range(desk.entry_chances, count * desk.entry_stride, (count + 1) * desk.entry_stride)
        count += 1
        desk.entry_ids[key] = count
    return desk.entry_ids[key] - 1, count


@njit(nogil=True, cache=True)
def number_entries(mask, flag, paper, desk, count):
    """Number the entries all choices of a column lead to: box, points, flags after it, and whether a prime is paid."""
    for hand in range(desk.zero_kind.size):
        prime = np.int64(paper.prime > 0 and paper.alike_faces[hand] > 0 and flag & YATZY_SCORED != 0)
        for choice in range(desk.choice_starts[hand], desk.choice_starts[hand + 1]):
            place = desk.address[choice] // paper.stride
            written = mask + 1 if paper.offer_rules[ORDER] == TOP_DOWN else (place // paper.flag_states) ^ mask
            box = 0
            while written > 1:
                written >>= 1
                box += 1
            value = int(desk.points[choice]) - prime * paper.prime
            desk.choice_entries[choice], count = number_entry(
                box, value, place % paper.flag_states, prime, paper, desk, count
            )
    for box in range(desk.zero_entries.size):
        if not (mask >> box) & 1:
            desk.zero_entries[box], count = number_entry(box, ZERO, flag, ZERO, paper, desk, count)
    return count


@njit(nogil=True, cache=True)
def mark_best_entries(lane, mask, flag, paper, values, first, desk):
    """Value every hand as the best of its choices, and note which it is."""
    boxes = desk.zero_entries.size
    any_zero, other_zero = broadcast(WORST_VALUE), broadcast(WORST_VALUE)
    for box in range(boxes):
        desk.zero_marks[box], desk.zero_marks[boxes + box] = 0, 0
        if not (mask >> box) & 1:
            row = find_book_row(mask | (1 << box), paper.offer_rules) * paper.flag_states + flag
            after = load(values, U(row * paper.stride + lane))
            desk.zero_marks[box] = greater_mask(after, add(any_zero, broadcast(TIE_TOLERANCE)))
            any_zero = maximum(after, any_zero)
            if box != paper.offer_rules[CHANCE]:
                desk.zero_marks[boxes + box] = greater_mask(after, add(other_zero, broadcast(TIE_TOLERANCE)))
                other_zero = maximum(after, other_zero)
    for hand in range(desk.zero_kind.size):
        best = broadcast(WORST_VALUE)
        if desk.zero_kind[U(hand)] != NO_ZERO:
            best = any_zero if desk.zero_kind[U(hand)] == ANY_ZERO else other_zero
        for choice in range(desk.choice_starts[U(hand)], desk.choice_starts[U(hand + 1)]):
            there = add(load(values, U(desk.address[U(choice)] + lane)), broadcast(desk.points[U(choice)]))
            desk.choice_marks[U(choice)] = greater_mask(there, add(best, broadcast(TIE_TOLERANCE)))
            best = maximum(there, best)
        store(desk.set_values, U((first + hand) * LANES), best)


@njit(nogil=True, cache=True)
def spread_to_entries(lane, first, desk):
    """Send the chance of every hand to the entry it is best written as."""
    any_zero, other_zero = broadcast(0.0), broadcast(0.0)
    for hand in range(desk.zero_kind.size):
        here, left = load(desk.set_chances, U((first + hand) * LANES)), ALL_LANES
        for choice in range(desk.choice_starts[U(hand + 1)] - 1, desk.choice_starts[U(hand)] - 1, -1):
            take = desk.choice_marks[U(choice)] & left
            if take:
                there = U(desk.choice_entries[U(choice)] * desk.entry_stride + lane)
                store(desk.entry_chances, there, add(load(desk.entry_chances, there), select_lanes(here, take)))
                left &= ~take
        if left and desk.zero_kind[U(hand)] == ANY_ZERO:
            any_zero = add(any_zero, select_lanes(here, left))
        elif left:
            other_zero = add(other_zero, select_lanes(here, left))
    boxes = desk.zero_entries.size
    left, other_left = ALL_LANES, ALL_LANES
    for box in range(boxes - 1, -1, -1):
        take, other_take = desk.zero_marks[box] & left, desk.zero_marks[boxes + box] & other_left
        if take or other_take:
            there = U(desk.zero_entries[box] * desk.entry_stride + lane)
            zeros = add(select_lanes(any_zero, take), select_lanes(other_zero, other_take))
            store(desk.entry_chances, there, add(load(desk.entry_chances, there), zeros))
            left &= ~take
            other_left &= ~other_take


@njit(nogil=True, cache=True)
def plan_turn(lane, mask, flag, values, dice, lock, paper, desk):
    """Value a turn, and note every best choice in it."""
    mark_best_entries(lane, mask, flag, paper, values, dice.first_hand, desk)
    if lock.enabled:
        return plan_locked_turn(dice, lock, desk.set_values, desk.spare_values, desk.pair_values, desk.keep_marks)
    return plan_free_turn(dice, desk.set_values, desk.keep_marks)


@njit(nogil=True, cache=True)
def find_best_announcements(lane, mask, flag, values, dice, lock, paper, desk):
    """Find for each lane the box best announced."""
    best, one = np.full(LANES, WORST_VALUE), np.zeros(LANES)
    for box in range(desk.zero_entries.size):
        if not (mask >> box) & 1:
            list_column_choices(mask, flag, box, paper, desk)
            store(one, U(0), plan_turn(lane, mask, flag, values, dice, lock, paper, desk))
            for each in range(LANES):
                if one[each] > best[each] + TIE_TOLERANCE:
                    best[each], desk.announced_boxes[each] = one[each], box


@njit(nogil=True, cache=True)
def follow_turn(lane, bits, mask, flag, named, count, values, dice, lock, paper, desk):
    """Follow best play through a turn to the chances of all entries, under an announced box if one is named."""
    list_column_choices(mask, flag, named, paper, desk)
    count = number_entries(mask, flag, paper, desk, count)
    plan_turn(lane, mask, flag, values, dice, lock, paper, desk)
    if lock.enabled:
        follow_locked_turn(dice, lock, bits, desk.spare_values, desk.pair_values, desk.keep_marks, desk.set_chances)
    else:
        follow_free_turn(dice, bits, desk.keep_marks, desk.set_chances)
    spread_to_entries(lane, dice.first_hand, desk)
    return count


@njit(nogil=True, cache=True)
def find_reached_lanes(reach, here, lane, at, lanes):
    """Say which lanes of a strip, from this one on, are reached at all."""
    bits = ZERO
    for each in range(lane, min(lanes, at + LANES)):
        if reach[here + each] > 0.0:
            bits |= 1 << (each - at)
    return bits


@njit(nogil=True, cache=True)
def follow_column(column, mask, reach, values, dice, lock, paper, desk):
    """Find the chances of all entries of a column, from each upper total reached; say how many entries there are."""
    lanes, flag = paper.upper_cap + 1, column % paper.flag_states
    lane, count = ZERO, ZERO
    while lane < lanes:
        at = min(lane, desk.entry_stride - LANES)
        bits = find_reached_lanes(reach, column * lanes, lane, at, lanes)
        if not bits & (1 << (lane - at)):
            lane += 1
            continue
        if paper.offer_rules[ORDER] == ANNOUNCED:
            find_best_announcements(at, mask, flag, values, dice, lock, paper, desk)
        else:
            desk.announced_boxes[:] = -1
        while bits:
            first = 0
            while not (bits >> first) & 1:
                first += 1
            named, wanted = desk.announced_boxes[first], ZERO
            for each in range(LANES):
                if (bits >> each) & 1 and desk.announced_boxes[each] == named:
                    wanted |= 1 << each
            count = follow_turn(at, wanted, mask, flag, named, count, values, dice, lock, paper, desk)
            bits &= ~wanted
        lane = at + LANES
    return count


@njit(nogil=True, cache=True)
def follow_columns(begin_at, end_at, masks, reach, values, dice, lock, paper):
    """Follow best play through one turn of each column: which entries it leads to, from each upper total.

    Returned are the chance of each entry; three numbers for each: from which lane, to which flags and lane, for how
    many points; where each column's entries in each box begin; and sums over the boxes, weighted by how likely the
    column is reached: chance of points, mean points, and last the mean prime.
    """
    lanes, boxes = paper.upper_cap + 1, paper.offer_rules[BOXES]
    desk = allocate_scratch(dice, lock, paper)
    chance, ways = np.empty(1024), np.empty(3072, np.int32)
    begins, sums = np.zeros((end_at - begin_at) * boxes + 1, np.int64), np.zeros(2 * boxes + 1)
    total = ZERO
    for column in range(begin_at, end_at):
        count = follow_column(column, masks[column // paper.flag_states], reach, values, dice, lock, paper, desk)
        chance, ways = (
            ensure_capacity(chance, total + count * lanes),
            ensure_capacity(ways, 3 * (total + count * lanes)),
        )
        for box in range(boxes):
            begins[(column - begin_at) * boxes + box] = total
            if count:
                total = collect_entries(box, column * lanes, reach, paper, desk, chance, ways, total, sums)
    begins[begins.size - 1] = total
    return chance[:total].copy(), ways[: 3 * total].copy(), begins, sums


@njit(nogil=True, cache=True)
def collect_entries(box, here, reach, paper, desk, chance, ways, total, sums):
    """List the entries of a column in one box, and forget their numbers."""
    boxes, lanes = desk.zero_entries.size, paper.upper_cap + 1
    size = paper.points_limit * paper.flag_states * 2
    for key in range(size):
        entry = desk.entry_ids[box * size + key] - 1
        if entry < 0:
            continue
        desk.entry_ids[box * size + key] = 0
        paid, then, value = key % 2 * paper.prime, key // 2 % paper.flag_states, key // 2 // paper.flag_states
        weight = 0.0
        for lane in range(lanes):
            likely = desk.entry_chances[entry * desk.entry_stride + lane]
            if likely > 0.0:
                weight += likely * reach[here + lane]
                chance[total], ways[3 * total] = likely, lane
                ways[3 * total + 1] = then * lanes + min(paper.upper_cap, lane + (value if paper.is_upper[box] else 0))
                ways[3 * total + 2] = value + paid
                total += 1
        sums[box] += weight if value > 0 else 0.0
        sums[boxes + box] += weight * value
        sums[2 * boxes] += weight * paid
    return total
