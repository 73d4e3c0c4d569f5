"""Compiled: hands back from fuller columns what best play may still expect of each open box and of the bonus."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call,misc,untyped-decorator"

from numba import njit

from knobel.solver.forward import clean_desk, play_column
from knobel.solver.kernel import BOXES, U, box_row


@njit(nogil=True, cache=True)
def hand_back(column, mask, box, paper, desk, begins, found):
    """Add what every entry of a column in one box leads to, and forget the numbers of the entries."""
    lanes, size = paper.cap + 1, paper.most * paper.states * 2
    here = begins[box_row(mask, paper.offer) * paper.states + column % paper.states]
    for key in range(size):
        entry = desk.ids[box * size + key] - 1
        if entry < 0:
            continue
        desk.ids[box * size + key] = 0
        then, value = key // 2 % paper.states, key // 2 // paper.states
        shift = value if paper.upper[box] else 0
        target = here
        source = begins[box_row(mask | (1 << box), paper.offer) * paper.states + then]
        for other in range(paper.offer[BOXES] + 1):
            if other < paper.offer[BOXES] and (mask >> other) & 1:
                continue
            for lane in range(lanes):
                likely = desk.share[U(entry * desk.width + lane)]
                if likely > 0.0:
                    gain = float(value) if other == box else found[U(source + min(paper.cap, lane + shift))]
                    found[U(target + lane)] += likely * gain
            target += lanes
            source += 0 if other == box else lanes


@njit(nogil=True, cache=True)
def expect(begin_at, end_at, masks, reach, values, dice, lock, paper, begins, found):
    """Work out some columns from those one box fuller: the mean of each open box, then the chance of the bonus."""
    desk = clean_desk(dice, lock, paper)
    for column in range(begin_at, end_at):
        mask = masks[column // paper.states]
        if play_column(column, mask, reach, values, dice, lock, paper, desk):
            for box in range(paper.offer[BOXES]):
                if not (mask >> box) & 1:
                    hand_back(column, mask, box, paper, desk, begins, found)
