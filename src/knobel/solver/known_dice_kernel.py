"""Compiled: the best total of a whole game whose dice are all known, worked backwards from the full sheet."""

import numpy as np

from knobel.solver import arrays
from knobel.solver.arrays import ANNOUNCED, LANES, NO_BOX, WORST_VALUE, Floats, Ints, SheetArrays, StripAt
from knobel.solver.compiled import U, compiled, inlined
from knobel.solver.simd import broadcast, load, maximum, store
from knobel.solver.value_kernel import find_address, find_highest_total, list_choices, value_hands

allocate_choices = inlined(arrays.allocate_choices)


@compiled
def value_known_columns(
    columns: Ints, hands: Ints, values: Floats, max_upper_totals: Ints, sheet: SheetArrays, hand_values: Floats
) -> None:
    """Value columns, each `mask * flag_states + flag_state`, from those with one box more.

    `hands` are those that the dice of the turn can become; the best of them counts. `hand_values` is room for a strip
    of each hand there is.
    """
    choices = allocate_choices(sheet.alike_faces.size, sheet.offer.box_count)
    best = np.empty(sheet.stride)
    is_announcing = sheet.offer.order == ANNOUNCED
    for column in columns:
        mask, flag_state = column // sheet.flag_states, column % sheet.flag_states
        highest = find_highest_total(mask, max_upper_totals, sheet)
        for lane in range(0, highest + 1, LANES):
            store(best, U(lane), broadcast(WORST_VALUE))
        for box in range(sheet.offer.box_count if is_announcing else 1):
            if is_announcing and (mask >> box) & 1:
                continue
            list_choices(mask, flag_state, box if is_announcing else NO_BOX, sheet, choices)
            for lane in range(0, highest + 1, LANES):
                value_hands(StripAt(mask, flag_state, lane), values, sheet, choices, 0, hand_values)
                found = load(best, U(lane))
                for hand in hands:
                    found = maximum(found, load(hand_values, U(hand * LANES)))
                store(best, U(lane), found)
        address = find_address(mask, flag_state, sheet)
        for lane in range(highest + 1):
            values[address + lane] = best[lane]
        # As in a book: a strip may begin near the cap and score upper points on top.
        for lane in range(sheet.upper_cap + 1, sheet.stride):
            values[address + lane] = values[address + sheet.upper_cap]
