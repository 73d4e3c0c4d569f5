"""Compiled: what positions are worth where the final total is worth what anybody likes, worked backwards."""

# The points scored so far cannot be left aside as they are in a book, so each position has a row of values, one for
# each number of points. Neighbouring numbers of points are the lanes of a strip: scoring n points means reading n
# places on in the row of the position that follows, whatever box it is. Many choices of many hands are the same entry
# (box, points, what follows), so the strip of each entry is read once, and hands compare these copies, which stay in
# the nearest cache. What a total is worth rises from 0 to 1: rows are cut where they are as good as that, and a row
# can only differ from 0 and 1 where some entry's does. They are cut as well at the points nobody can have there; past
# these they hold anything. Everything works in the precision of the rows it is given.

import numpy as np

from knobel.solver.arrays import (
    ANNOUNCED,
    ANY_ZERO,
    ENTRY_SIZE,
    LANES,
    NO_BOX,
    NO_PLACE,
    NO_ZERO,
    Floats,
    Ints,
    LaneIndex,
    LaneRows,
    LaneScratch,
    LockArrays,
    SheetArrays,
    SingleFloats,
    TurnDice,
)
from knobel.solver.compiled import ZERO, U, compiled, signed
from knobel.solver.simd import load, maximum, store
from knobel.solver.transition_kernel import count_box_keys, encode_entry
from knobel.solver.value_kernel import (
    allocate_choices,
    allocate_strips,
    find_book_row,
    lay_out_turn,
    list_choices,
    value_free_turn,
    value_locked_turn,
)

FAR = 1 << 40
"""Beyond all points."""


@compiled
def allocate_lane_scratch(sheet: SheetArrays, dice: TurnDice, pairs: int, like: Floats | SingleFloats) -> LaneScratch:
    """Make room for valuing rows, in the precision of those given, with a strip for so many pairs of locked dice."""
    boxes, hands, kind = sheet.offer.box_count, sheet.alike_faces.size, like.dtype
    keys, sets = boxes * count_box_keys(sheet), dice.smaller_starts.size - 1
    return LaneScratch(
        choices=allocate_choices(hands, boxes),
        of_choice=np.zeros(hands * boxes, np.int64),
        ids=np.zeros(keys, np.int64),
        entries=np.zeros(ENTRY_SIZE * keys, np.int64),
        sources=np.zeros(keys, np.int64),
        highs=np.zeros(keys, np.int64),
        strips=allocate_strips(keys, kind),
        turn=lay_out_turn(allocate_strips(3 * sets + pairs, kind), sets * LANES),
    )


@compiled
def list_entries(mask: int, flag_state: int, announced: int, sheet: SheetArrays, scratch: LaneScratch) -> int:
    """Number the entries of a column's choices, and say how many there are; the zeros of all open boxes come first."""
    choices, ids = scratch.choices, scratch.ids
    list_choices(mask, flag_state, announced, sheet, choices)
    count = ZERO
    for box in range(sheet.offer.box_count):
        if not (mask >> box) & 1:
            key = encode_entry(box, ZERO, flag_state, ZERO, sheet)
            column = find_book_row(mask | (1 << box), sheet.offer) * sheet.flag_states + flag_state
            count = add_entry(key, column, ZERO, ZERO, count, scratch)
    for hand in range(choices.zero_kind.size):
        is_further_yatzy = sheet.alike_faces[hand] > 0 and flag_state & sheet.offer.scored_flag != 0
        has_prime = signed(sheet.prime > 0 and is_further_yatzy)
        for choice in range(choices.starts[hand], choices.starts[hand + 1]):
            box, column = choices.boxes[choice], choices.address[choice] // sheet.stride
            scored = int(choices.points[choice])
            points = scored - has_prime * sheet.prime
            key = encode_entry(box, points, column % sheet.flag_states, has_prime, sheet)
            if ids[key] == 0:
                count = add_entry(key, column, points * sheet.is_upper[box], scored, count, scratch)
            scratch.of_choice[choice] = ids[key] - 1
    for entry in range(count):
        ids[scratch.entries[entry * ENTRY_SIZE + 3]] = 0
    return count


@compiled
def add_entry(key: int, column: int, upper: int, points: int, count: int, scratch: LaneScratch) -> int:
    """Give an entry the next number; say how many there are now."""
    place, entries = count * ENTRY_SIZE, scratch.entries
    entries[place], entries[place + 1], entries[place + 2], entries[place + 3] = column, upper, points, key
    scratch.ids[key] = count + 1
    return count + 1


@compiled
def find_sources(total: int, count: int, sheet: SheetArrays, places: Ints, scratch: LaneScratch) -> None:
    """Find for each entry the row of the position that follows from this upper total."""
    entries = scratch.entries
    for entry in range(count):
        after = min(total + entries[entry * ENTRY_SIZE + 1], sheet.upper_cap)
        scratch.sources[entry] = places[entries[entry * ENTRY_SIZE] * (sheet.upper_cap + 1) + after]


@compiled
def find_row_ends(count: int, zeros: int, chance_place: int, later: LaneRows, scratch: LaneScratch) -> tuple[int, int]:
    """Say between which points a turn is worth neither 0 nor 1.

    It is worth 0 as long as all entries are, and 1 as soon as every hand has an entry that is.
    """
    low, highs, of_choice = FAR, scratch.highs, scratch.of_choice
    for entry in range(count):
        row, points = scratch.sources[U(entry)], scratch.entries[U(entry * ENTRY_SIZE + 2)]
        low = min(low, later.lows[U(row)] - points)
        highs[U(entry)] = later.highs[U(row)] - points
    any_zero, other_zero = FAR, FAR
    for entry in range(zeros):
        any_zero = min(any_zero, highs[U(entry)])
        if entry != chance_place:
            other_zero = min(other_zero, highs[U(entry)])
    high, zero_kind, starts = -FAR, scratch.choices.zero_kind, scratch.choices.starts
    for hand in range(zero_kind.size):
        best = FAR
        if zero_kind[U(hand)] == ANY_ZERO:
            best = any_zero
        elif zero_kind[U(hand)] != NO_ZERO:
            best = other_zero
        for choice in range(starts[U(hand)], starts[U(hand + 1)]):
            best = min(best, highs[U(of_choice[U(choice)])])
        high = max(high, best)
    return low, max(low, high)


@compiled
def load_entries(lane: int, count: int, later: LaneRows, scratch: LaneScratch) -> None:
    """Copy the strip of every entry for these points; past the ends of a row it is the zeros or ones around it."""
    starts, lows, highs, numbers = later
    entries, sources, strips = scratch.entries, scratch.sources, scratch.strips
    for entry in range(count):
        row = sources[U(entry)]
        first = lows[U(row)] - LANES
        place = min(max(lane + entries[U(entry * ENTRY_SIZE + 2)], first), highs[U(row)])
        store(strips, U(entry * LANES), load(numbers, U(starts[U(row)] + place - first)))


@compiled
def value_hands_by_entries(zeros: int, chance_place: int, first_hand: int, scratch: LaneScratch) -> None:
    """Value every hand as the best of its entries; the first ones are the zeros, compared once for all hands."""
    strips, of_choice, set_values = scratch.strips, scratch.of_choice, scratch.turn.set_values
    any_zero = load(strips, U(0))
    other_zero = load(strips, U(LANES if chance_place == 0 and zeros > 1 else 0))
    for entry in range(1, zeros):
        strip = load(strips, U(entry * LANES))
        any_zero = maximum(any_zero, strip)
        if entry != chance_place:
            other_zero = maximum(other_zero, strip)
    zero_kind, starts = scratch.choices.zero_kind, scratch.choices.starts
    for hand in range(zero_kind.size):
        begin, end = starts[U(hand)], starts[U(hand + 1)]
        if zero_kind[U(hand)] == NO_ZERO:  # such a hand has a choice of its own
            best = load(strips, U(of_choice[U(begin)] * LANES))
            begin += 1
        elif zero_kind[U(hand)] == ANY_ZERO:
            best = any_zero
        else:
            best = other_zero
        for choice in range(begin, end):
            best = maximum(best, load(strips, U(of_choice[U(choice)] * LANES)))
        store(set_values, U((first_hand + hand) * LANES), best)


@compiled
def find_chance_place(mask: int, sheet: SheetArrays) -> int:
    """Say which of the open boxes Chance is, counted from the first one."""
    place = ZERO
    for box in range(sheet.offer.box_count):
        if sheet.offer.chance_bit == 1 << box:
            return NO_PLACE if mask & (1 << box) else place
        if not (mask >> box) & 1:
            place += 1
    return NO_PLACE


@compiled
def count_open_boxes(mask: int, sheet: SheetArrays) -> int:
    count = ZERO
    for box in range(sheet.offer.box_count):
        count += 1 - ((mask >> box) & 1)
    return count


@compiled
def append_row(
    row: int, low: int, values: Floats | SingleFloats, cut: float, found: LaneRows, total: int
) -> tuple[LaneRows, int]:
    """Cut a row where it is as good as 0 or 1, and write it behind the others with zeros and ones around it."""
    begin, end = ZERO, values.size
    while begin < end and values[begin] <= cut:
        begin += 1
    while begin < end and values[end - 1] >= 1.0 - cut:
        end -= 1
    needed = total + end - begin + 2 * LANES
    numbers = found.numbers
    if needed > numbers.size:
        numbers = np.empty(max(needed, 2 * numbers.size), found.numbers.dtype)
        numbers[:total] = found.numbers[:total]
    found.starts[row], found.lows[row], found.highs[row] = total, low + begin, low + end
    numbers[total : total + LANES] = 0.0
    numbers[total + LANES : needed - LANES] = values[begin:end]
    numbers[needed - LANES : needed] = 1.0
    return LaneRows(found.starts, found.lows, found.highs, numbers), needed


@compiled
def find_column_ends(
    mask: int, flag_state: int, totals: Ints, places: Ints, later: LaneRows, sheet: SheetArrays, scratch: LaneScratch
) -> tuple[Ints, Ints]:
    """Say for each upper total of a column between which points its values are neither 0 nor 1."""
    lows, highs = np.full(totals.size, FAR), np.full(totals.size, FAR)
    is_announcing = sheet.offer.order == ANNOUNCED
    zeros, chance_place = count_open_boxes(mask, sheet), find_chance_place(mask, sheet)
    for box in range(sheet.offer.box_count if is_announcing else 1):
        if is_announcing and (mask >> box) & 1:
            continue
        count = list_entries(mask, flag_state, box if is_announcing else NO_BOX, sheet, scratch)
        for at in range(totals.size):
            find_sources(totals[at], count, sheet, places, scratch)
            low, high = find_row_ends(count, zeros, chance_place, later, scratch)
            lows[at], highs[at] = min(lows[at], low), min(highs[at], high)
    return lows, np.maximum(highs, lows)


@compiled
def value_lane_columns(
    index: LaneIndex,
    places: Ints,
    later: LaneRows,
    cut: float,
    sheet: SheetArrays,
    dice: TurnDice,
    lock: LockArrays | None,
) -> LaneRows:
    """Value the positions of some columns from those one box fuller, which `places` finds in `later`.

    Free dice have no `lock`, which must be an argument of its own, as in `solve_columns`.
    """
    pairs, kind = ZERO if lock is None else lock.union.size, later.numbers.dtype
    scratch, is_announcing = allocate_lane_scratch(sheet, dice, pairs, later.numbers), sheet.offer.order == ANNOUNCED
    rows, written = index.totals.size, ZERO
    found = LaneRows(np.zeros(rows, np.int64), np.zeros(rows, np.int64), np.zeros(rows, np.int64), np.empty(1024, kind))
    for column in range(index.columns.size):
        mask, flag_state = index.columns[column] // sheet.flag_states, index.columns[column] % sheet.flag_states
        first = index.total_starts[column]
        totals = index.totals[first : index.total_starts[column + 1]]
        zeros, chance_place = count_open_boxes(mask, sheet), find_chance_place(mask, sheet)
        lows, highs = find_column_ends(mask, flag_state, totals, places, later, sheet, scratch)
        for at in range(totals.size):
            fewest, beyond = index.fewest[first + at], index.most[first + at] + 1
            lows[at] = min(max(lows[at], fewest), beyond)
            highs[at] = min(max(highs[at], lows[at]), beyond)
        width = (highs - lows).max() + LANES
        best = np.zeros(totals.size * width, kind)
        for box in range(sheet.offer.box_count if is_announcing else 1):
            if is_announcing and (mask >> box) & 1:
                continue
            count = list_entries(mask, flag_state, box if is_announcing else NO_BOX, sheet, scratch)
            for at in range(totals.size):
                find_sources(totals[at], count, sheet, places, scratch)
                for lane in range(lows[at], highs[at], LANES):
                    load_entries(lane, count, later, scratch)
                    value_hands_by_entries(zeros, chance_place, dice.first_hand, scratch)
                    if lock is None:
                        value = value_free_turn(dice, scratch.turn.set_values)
                    else:
                        value = value_locked_turn(dice, lock, scratch.turn)
                    place = U(at * width + lane - lows[at])
                    store(best, place, maximum(load(best, place), value))
        for at in range(totals.size):
            row = best[at * width : at * width + highs[at] - lows[at]]
            found, written = append_row(first + at, lows[at], row, cut, found, written)
    return LaneRows(found.starts, found.lows, found.highs, found.numbers[:written].copy())
