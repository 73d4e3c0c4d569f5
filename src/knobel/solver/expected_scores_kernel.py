"""Compiled: hands back from fuller columns what best play may still expect of each open box and of the bonus."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call,misc,untyped-decorator"

from numba import njit

from knobel.solver.transition_kernel import allocate_scratch, follow_column
from knobel.solver.value_kernel import BOXES, U, find_book_row


@njit(nogil=True, cache=True)
def accumulate_entries(column, mask, box, paper, desk, begins, found):
    """Add what every entry of a column in one box leads to, and forget the numbers of the entries."""
    lanes, size = paper.upper_cap + 1, paper.points_limit * paper.flag_states * 2
    here = begins[find_book_row(mask, paper.offer_rules) * paper.flag_states + column % paper.flag_states]
    for key in range(size):
        entry = desk.entry_ids[box * size + key] - 1
        if entry < 0:
            continue
        desk.entry_ids[box * size + key] = 0
        then, value = key // 2 % paper.flag_states, key // 2 // paper.flag_states
        shift = value if paper.is_upper[box] else 0
        target = here
        source = begins[find_book_row(mask | (1 << box), paper.offer_rules) * paper.flag_states + then]
        for other in range(paper.offer_rules[BOXES] + 1):
            if other < paper.offer_rules[BOXES] and (mask >> other) & 1:
                continue
            for lane in range(lanes):
                likely = desk.entry_chances[U(entry * desk.entry_stride + lane)]
                if likely > 0.0:
                    gain = float(value) if other == box else found[U(source + min(paper.upper_cap, lane + shift))]
                    found[U(target + lane)] += likely * gain
            target += lanes
            source += 0 if other == box else lanes


@njit(nogil=True, cache=True)
def accumulate_columns(begin_at, end_at, masks, reach, values, dice, lock, paper, begins, found):
    """Work out some columns from those one box fuller: the mean of each open box, then the chance of the bonus."""
    desk = allocate_scratch(dice, lock, paper)
    for column in range(begin_at, end_at):
        mask = masks[column // paper.flag_states]
        if follow_column(column, mask, reach, values, dice, lock, paper, desk):
            for box in range(paper.offer_rules[BOXES]):
                if not (mask >> box) & 1:
                    accumulate_entries(column, mask, box, paper, desk, begins, found)
