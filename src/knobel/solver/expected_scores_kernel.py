"""Compiled: carries back from fuller columns the expected score of each open box and of the bonus under best play."""

from knobel.solver.arrays import ColumnModel, EntryScratch, ExpectedArrays, Floats, Ints, SheetArrays
from knobel.solver.compiled import U, compiled, inlined
from knobel.solver.transition_kernel import allocate_column_scratch, count_box_keys, decode_entry, follow_column
from knobel.solver.value_kernel import find_book_row


@inlined
def find_block_start(mask: int, flag_state: int, sheet: SheetArrays, expected: ExpectedArrays) -> int:
    return expected.column_starts[find_book_row(mask, sheet.offer) * sheet.flag_states + flag_state]


@compiled
def accumulate_entries(
    mask: int, flag_state: int, box: int, sheet: SheetArrays, found: EntryScratch, expected: ExpectedArrays
) -> None:
    """Add what every entry of a column in one box leads to, and forget the numbers of the entries.

    The box of the entry itself expects its points; the blocks of the two columns have the same rows but for this one.
    """
    boxes, upper_states, cap, scores = sheet.offer.box_count, sheet.upper_cap + 1, sheet.upper_cap, expected.scores
    keys, start = count_box_keys(sheet), find_block_start(mask, flag_state, sheet, expected)
    for box_key in range(keys):
        entry = found.ids[box * keys + box_key] - 1
        if entry < 0:
            continue
        found.ids[box * keys + box_key] = 0
        points, state_after, _ = decode_entry(box_key, sheet)
        shift = points if sheet.is_upper[box] else 0
        chances, first = found.chances, entry * found.stride
        target, source = start, find_block_start(mask | (1 << box), state_after, sheet, expected)
        for other in range(boxes + 1):  # the last row is the bonus
            if other < boxes and (mask >> other) & 1:
                continue
            for lane in range(upper_states):
                chance = chances[U(first + lane)]
                if chance > 0.0:
                    gain = float(points) if other == box else scores[U(source + min(cap, lane + shift))]
                    scores[U(target + lane)] += chance * gain
            target += upper_states
            source += 0 if other == box else upper_states


@compiled
def accumulate_columns(masks: Ints, reach_chances: Floats, model: ColumnModel, expected: ExpectedArrays) -> None:
    """Work out some columns from those one box fuller: the mean of each open box, then the chance of the bonus."""
    sheet, scratch = model.sheet, allocate_column_scratch(model)
    states, upper_states = sheet.flag_states, sheet.upper_cap + 1
    for column in range(masks.size * states):
        mask, flag_state = masks[column // states], column % states
        reach = reach_chances[column * upper_states : (column + 1) * upper_states]
        if follow_column(mask, flag_state, reach, model, scratch):
            for box in range(sheet.offer.box_count):
                if not (mask >> box) & 1:
                    accumulate_entries(mask, flag_state, box, sheet, scratch.entries, expected)
