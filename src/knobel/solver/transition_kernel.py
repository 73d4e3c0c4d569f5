"""Compiled: follows best play through one turn of each column, to the entries it ends with and their chances."""

# Of choices as good as equal the first one counts: to score rather than to roll, a zero rather than points, the box
# higher up; how that is marked stands in `turn_kernel`.
#
# An entry is a box, its points, the flag state after it, and whether a prime is paid. Many choices of many hands are
# the same entry, so their chances are added up under the number the entry got when it was first met on the column.

import numpy as np

from knobel.solver.arrays import (
    ANNOUNCED,
    ANY_ZERO,
    LANES,
    NO_BOX,
    NO_ZERO,
    TIE_TOLERANCE,
    WORST_VALUE,
    BestMarks,
    BoxSums,
    ColumnModel,
    ColumnScratch,
    Entries,
    EntryScratch,
    Floats,
    Ints,
    SheetArrays,
    StripAt,
    TurnDice,
)
from knobel.solver.compiled import ZERO, U, compiled, inlined, part, signed
from knobel.solver.simd import Strip, add, broadcast, greater_mask, load, maximum, select_lanes, store
from knobel.solver.turn_kernel import (
    ALL_LANES,
    follow_free_turn,
    follow_locked_turn,
    plan_free_turn,
    plan_locked_turn,
    zero_range,
)
from knobel.solver.value_kernel import (
    allocate_choices,
    allocate_strips,
    find_address,
    lay_out_turn,
    list_choices,
)

NOTHING_LISTED = -2
"""No choices are listed yet, neither for a box that was announced nor for none."""

ENTRIES_PER_POSITION = 8
"""For how many entries of a position there is room at first; twice as many each time that is not enough."""


@inlined
def count_box_keys(sheet: SheetArrays) -> int:
    """Count the keys of one box: points, flag states, and prime or none."""
    return sheet.points_limit * sheet.flag_states * 2


@inlined
def encode_entry(box: int, points: int, flag_state: int, has_prime: int, sheet: SheetArrays) -> int:
    return ((box * sheet.points_limit + points) * sheet.flag_states + flag_state) * 2 + has_prime


@inlined
def decode_entry(box_key: int, sheet: SheetArrays) -> tuple[int, int, int]:
    """Give points, flag state and prime of a key, counted from the first key of its box."""
    has_prime, rest = box_key % 2, box_key // 2
    return rest // sheet.flag_states, rest % sheet.flag_states, has_prime * sheet.prime


@part
def allocate_column_scratch(model: ColumnModel) -> ColumnScratch:
    sheet, dice, lock = model.sheet, model.dice, model.lock
    boxes, hands, sets = sheet.offer.box_count, sheet.alike_faces.size, dice.smaller_starts.size - 1
    stride = (sheet.upper_cap + LANES) // LANES * LANES
    steps = lock.smaller.size if lock.enabled else dice.smaller.size
    keys = boxes * count_box_keys(sheet)
    marks = BestMarks(
        choices=np.zeros(hands * boxes, np.uint16),
        any_zero=np.zeros(boxes, np.uint16),
        zero_except_chance=np.zeros(boxes, np.uint16),
        keeps=np.zeros(dice.rolls * steps, np.uint16),
    )
    entries = EntryScratch(
        ids=np.zeros(keys, np.int64),
        chances=allocate_strips(keys * (stride // LANES), np.float64),
        stride=stride,
        of_choice=np.zeros(hands * boxes, np.int64),
        of_zero=np.zeros(boxes, np.int64),
    )
    return ColumnScratch(
        choices=allocate_choices(hands, boxes),
        turn=lay_out_turn(allocate_strips(3 * sets, np.float64), sets * LANES),
        set_chances=allocate_strips(sets, np.float64),
        marks=marks,
        entries=entries,
        announced_boxes=np.zeros(LANES, np.int64),
    )


@part
def number_entry(key: int, entries: EntryScratch, count: int) -> tuple[int, int]:
    """Give the number of an entry and how many there are now; one not met before on this column gets the next one."""
    if entries.ids[key] == 0:
        zero_range(entries.chances, count * entries.stride, (count + 1) * entries.stride)
        count += 1
        entries.ids[key] = count
    return entries.ids[key] - 1, count


@part
def number_entries(at: StripAt, sheet: SheetArrays, scratch: ColumnScratch, count: int) -> int:
    """Number the entries all choices of a column lead to, and say how many there are."""
    choices, entries = scratch.choices, scratch.entries
    for hand in range(choices.zero_kind.size):
        is_further_yatzy = sheet.alike_faces[hand] > 0 and at.flag_state & sheet.offer.scored_flag != 0
        has_prime = signed(sheet.prime > 0 and is_further_yatzy)
        for choice in range(choices.starts[hand], choices.starts[hand + 1]):
            flag_state = ZERO
            if sheet.flag_states > 1:  # divisions take long, and most games have no flags
                flag_state = choices.address[choice] // sheet.stride % sheet.flag_states
            points = int(choices.points[choice]) - has_prime * sheet.prime
            key = encode_entry(choices.boxes[choice], points, flag_state, has_prime, sheet)
            entries.of_choice[choice], count = number_entry(key, entries, count)
    for box in range(sheet.offer.box_count):
        if not (at.mask >> box) & 1:
            key = encode_entry(box, ZERO, at.flag_state, ZERO, sheet)
            entries.of_zero[box], count = number_entry(key, entries, count)
    return count


@part
def mark_best_entries(at: StripAt, model: ColumnModel, scratch: ColumnScratch) -> None:
    """Value every hand as the best of its choices, and mark which it is."""
    values, sheet, set_values = model.values, model.sheet, scratch.turn.set_values
    marks, choices = scratch.marks, scratch.choices
    any_zero, other_zero = broadcast(WORST_VALUE), broadcast(WORST_VALUE)
    for box in range(sheet.offer.box_count):
        bit = 1 << box
        marks.any_zero[box], marks.zero_except_chance[box] = 0, 0
        if not at.mask & bit:
            after = load(values, U(find_address(at.mask | bit, at.flag_state, sheet) + at.lane))
            marks.any_zero[box] = greater_mask(after, add(any_zero, broadcast(TIE_TOLERANCE)))
            any_zero = maximum(after, any_zero)
            if not sheet.offer.chance_bit & bit:
                marks.zero_except_chance[box] = greater_mask(after, add(other_zero, broadcast(TIE_TOLERANCE)))
                other_zero = maximum(after, other_zero)
    zero_kind, starts, address, points = choices.zero_kind, choices.starts, choices.address, choices.points
    choice_marks, first_hand = marks.choices, model.dice.first_hand
    for hand in range(zero_kind.size):
        best = broadcast(WORST_VALUE)
        if zero_kind[U(hand)] != NO_ZERO:
            best = any_zero if zero_kind[U(hand)] == ANY_ZERO else other_zero
        for choice in range(starts[U(hand)], starts[U(hand + 1)]):
            after = add(load(values, U(address[U(choice)] + at.lane)), broadcast(points[U(choice)]))
            choice_marks[U(choice)] = greater_mask(after, add(best, broadcast(TIE_TOLERANCE)))
            best = maximum(after, best)
        store(set_values, U((first_hand + hand) * LANES), best)


@part
def spread_to_entries(lane: int, dice: TurnDice, scratch: ColumnScratch) -> None:
    """Send the chance of every hand to the entry it is best scored as; the zeros of all hands are collected first."""
    zero_kind, starts, marks = scratch.choices.zero_kind, scratch.choices.starts, scratch.marks
    set_chances, choice_marks = scratch.set_chances, marks.choices
    entry_chances, stride, of_choice = scratch.entries.chances, scratch.entries.stride, scratch.entries.of_choice
    any_zero, other_zero = broadcast(0.0), broadcast(0.0)
    for hand in range(zero_kind.size):
        here, left = load(set_chances, U((dice.first_hand + hand) * LANES)), ALL_LANES
        for choice in range(starts[U(hand + 1)] - 1, starts[U(hand)] - 1, -1):
            taken = choice_marks[U(choice)] & left
            if taken:
                target = U(of_choice[U(choice)] * stride + lane)
                store(entry_chances, target, add(load(entry_chances, target), select_lanes(here, taken)))
                left &= ~taken
        if left and zero_kind[U(hand)] == ANY_ZERO:
            any_zero = add(any_zero, select_lanes(here, left))
        elif left:
            other_zero = add(other_zero, select_lanes(here, left))
    left, other_left = ALL_LANES, ALL_LANES
    for box in range(scratch.entries.of_zero.size - 1, -1, -1):
        taken, other_taken = marks.any_zero[box] & left, marks.zero_except_chance[box] & other_left
        if taken or other_taken:
            target = U(scratch.entries.of_zero[box] * stride + lane)
            zeros = add(select_lanes(any_zero, taken), select_lanes(other_zero, other_taken))
            store(entry_chances, target, add(load(entry_chances, target), zeros))
            left &= ~taken
            other_left &= ~other_taken


@part
def plan_turn(at: StripAt, model: ColumnModel, scratch: ColumnScratch) -> Strip:
    """Value a turn, and mark every best choice in it."""
    mark_best_entries(at, model, scratch)
    if model.lock.enabled:
        return plan_locked_turn(model.dice, model.lock, scratch.turn, scratch.marks.keeps)
    return plan_free_turn(model.dice, scratch.turn.set_values, scratch.marks.keeps)


@part
def find_best_announcements(at: StripAt, model: ColumnModel, scratch: ColumnScratch) -> None:
    """Find for each lane the box best announced."""
    best, turn_values = np.full(LANES, WORST_VALUE), np.zeros(LANES)
    for box in range(model.sheet.offer.box_count):
        if not (at.mask >> box) & 1:
            list_choices(at.mask, at.flag_state, box, model.sheet, scratch.choices)
            store(turn_values, U(0), plan_turn(at, model, scratch))
            for lane in range(LANES):
                if turn_values[lane] > best[lane] + TIE_TOLERANCE:
                    best[lane], scratch.announced_boxes[lane] = turn_values[lane], box


@part
def follow_turn(at: StripAt, lanes: int, model: ColumnModel, scratch: ColumnScratch) -> None:
    """Follow best play of some lanes through a turn, whose choices are listed, to the chances of its entries."""
    plan_turn(at, model, scratch)
    if model.lock.enabled:
        follow_locked_turn(model.dice, model.lock, lanes, scratch.turn, scratch.marks.keeps, scratch.set_chances)
    else:
        follow_free_turn(model.dice, lanes, scratch.marks.keeps, scratch.set_chances)
    spread_to_entries(at.lane, model.dice, scratch)


@part
def find_reached_lanes(reach: Floats, first: int, strip_start: int) -> int:
    """Set the bits of those lanes of a strip that are reached at all, from the first upper total on."""
    lanes = ZERO
    for total in range(first, min(reach.size, strip_start + LANES)):
        if reach[total] > 0.0:
            lanes |= 1 << (total - strip_start)
    return lanes


@part
def take_same_announcement(lanes: int, announced_boxes: Ints) -> tuple[int, int]:
    """Take the box announced in the lowest of the lanes, and all lanes that announce the same."""
    lowest = 0
    while not (lanes >> lowest) & 1:
        lowest += 1
    announced, same = announced_boxes[lowest], ZERO
    for lane in range(LANES):
        if (lanes >> lane) & 1 and announced_boxes[lane] == announced:
            same |= 1 << lane
    return announced, same


@part
def follow_column(mask: int, flag_state: int, reach: Floats, model: ColumnModel, scratch: ColumnScratch) -> int:
    """Find the chances of all entries of a column from each upper total reached, and say how many entries there are.

    A strip begins at the first total that is reached and not done yet, but never so late that its lanes would run
    past the end of an entry's chances.
    """
    upper_states = model.sheet.upper_cap + 1
    total, count, listed = ZERO, ZERO, NOTHING_LISTED
    while total < upper_states:
        at = StripAt(mask, flag_state, min(total, scratch.entries.stride - LANES))
        lanes = find_reached_lanes(reach, total, at.lane)
        if not lanes & (1 << (total - at.lane)):
            total += 1
            continue
        if model.sheet.offer.order == ANNOUNCED:
            find_best_announcements(at, model, scratch)
            listed = NOTHING_LISTED
        else:
            scratch.announced_boxes[:] = NO_BOX
        while lanes:
            announced, same = take_same_announcement(lanes, scratch.announced_boxes)
            if announced != listed:
                list_choices(mask, flag_state, announced, model.sheet, scratch.choices)
                count, listed = number_entries(at, model.sheet, scratch, count), announced
            follow_turn(at, same, model, scratch)
            lanes &= ~same
        total = at.lane + LANES
    return count


@part
def allocate_entries(capacity: int, starts: Ints) -> Entries:
    """Make room for entries; memory that is never written to costs nothing."""
    return Entries(
        chances=np.empty(capacity, np.float64),
        sources=np.empty(capacity, np.int32),
        targets=np.empty(capacity, np.int32),
        points=np.empty(capacity, np.int32),
        starts=starts,
    )


@part
def grow_entries(entries: Entries, kept: int, capacity: int) -> Entries:
    """Move the entries kept so far to larger arrays."""
    grown = allocate_entries(capacity, entries.starts)
    grown.chances[:kept] = entries.chances[:kept]
    grown.sources[:kept] = entries.sources[:kept]
    grown.targets[:kept] = entries.targets[:kept]
    grown.points[:kept] = entries.points[:kept]
    return grown


@compiled
def follow_columns(masks: Ints, reach_chances: Floats, model: ColumnModel) -> tuple[Entries, BoxSums]:
    """Follow best play through one turn of each column, in all its flag states: to which entries it leads.

    `reach_chances` says for each column and upper total how likely it is reached; where that is never, nobody looks.
    """
    sheet = model.sheet
    boxes, states, upper_states = sheet.offer.box_count, sheet.flag_states, sheet.upper_cap + 1
    scratch = allocate_column_scratch(model)
    starts = np.zeros(masks.size * states * boxes + 1, np.int64)
    entries = allocate_entries(masks.size * states * upper_states * ENTRIES_PER_POSITION, starts)
    sums = BoxSums(scored=np.zeros(boxes), points=np.zeros(boxes), prime=np.zeros(1))
    for column in range(masks.size * states):
        reach = reach_chances[column * upper_states : (column + 1) * upper_states]
        count = follow_column(masks[column // states], column % states, reach, model, scratch)
        filled = entries.starts[column * boxes]
        needed = filled + count * upper_states
        if needed > entries.chances.size:
            entries = grow_entries(entries, filled, max(needed, 2 * entries.chances.size))
        first, last = find_reached_totals(reach)
        for box in range(boxes):
            place = column * boxes + box
            entries.starts[place + 1] = entries.starts[place]
            if count:
                collect_entries(place, first, last, reach, sheet, scratch.entries, entries, sums)
    chances, sources, targets, points, _ = entries
    total = starts[starts.size - 1]
    return Entries(chances[:total], sources[:total], targets[:total], points[:total], starts), sums


@part
def find_reached_totals(reach: Floats) -> tuple[int, int]:
    """Find the first upper total that is reached, and the last one; nothing lies between them if none is."""
    first, last = ZERO, reach.size - 1
    while first <= last and reach[first] <= 0.0:
        first += 1
    while last >= first and reach[last] <= 0.0:
        last -= 1
    return first, last


@part
def collect_entries(
    place: int,
    first: int,
    last: int,
    reach: Floats,
    sheet: SheetArrays,
    found: EntryScratch,
    entries: Entries,
    sums: BoxSums,
) -> None:
    """Write the entries of a column in one box behind those before, and forget their numbers.

    `place` is the number of the column times the number of boxes, plus the box, as in `entries.starts`. No upper total
    before the first one or after the last one is reached.
    """
    box, keys, upper_states = place % sheet.offer.box_count, count_box_keys(sheet), sheet.upper_cap + 1
    chances, sources, targets, points_of = entries.chances, entries.sources, entries.targets, entries.points
    total = entries.starts[place]
    for box_key in range(keys):
        entry = found.ids[box * keys + box_key] - 1
        if entry < 0:
            continue
        found.ids[box * keys + box_key] = 0
        points, flag_state, prime = decode_entry(box_key, sheet)
        shift = points if sheet.is_upper[box] else 0
        weight = 0.0
        for lane in range(first, last + 1):
            chance = found.chances[entry * found.stride + lane]
            if chance > 0.0:
                weight += chance * reach[lane]
                chances[total], sources[total] = chance, lane
                targets[total] = flag_state * upper_states + min(sheet.upper_cap, lane + shift)
                points_of[total] = points + prime
                total += 1
        sums.scored[box] += weight if points > 0 else 0.0
        sums.points[box] += weight * points
        sums.prime[0] += weight * prime
    entries.starts[place + 1] = total
