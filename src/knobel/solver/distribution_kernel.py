"""Compiled: gathers how likely each position of the next level is, and with how many points so far."""

import numpy as np

from knobel.solver.arrays import (
    NEGLIGIBLE_CHANCE,
    NO_PLACE,
    TOP_DOWN,
    Entries,
    Floats,
    Ints,
    LevelDistribution,
    PointsSheet,
    SheetArrays,
)
from knobel.solver.compiled import ZERO, U, compiled, part
from knobel.solver.turn_kernel import zero_range
from knobel.solver.value_kernel import find_book_row


@part
def accumulate_sources(
    mask: int, places: Ints, level: LevelDistribution, entries: Entries, sheet: SheetArrays, found: PointsSheet
) -> None:
    """Add up the points of all columns that lead to these boxes, each shifted by the points of its entry.

    Rows are gathered by where they come from instead of sent to where they go: so each one is written by one thread.
    Upper totals from which the bonus is out of reach are one row, as `found.merged` says.
    """
    upper_states, boxes, states = sheet.upper_cap + 1, sheet.offer.box_count, sheet.flag_states
    starts, sources, targets, entry_chances = entries.starts, entries.sources, entries.targets, entries.chances
    points, lowest_points, sizes = entries.points, level.lowest_points, level.sizes
    level_starts, level_chances = level.starts, level.chances
    width, row_chances, row_lowest, row_highest, merged = found
    for box in range(boxes):
        bit = 1 << box
        # Filled top down, only the last of the used boxes can have been the entry.
        if not mask & bit or (sheet.offer.order == TOP_DOWN and mask >= 2 * bit):
            continue
        source = places[find_book_row(mask ^ bit, sheet.offer)]
        if source == NO_PLACE:
            continue
        for column in range(source * states, (source + 1) * states):
            for entry in range(starts[column * boxes + box], starts[column * boxes + box + 1]):
                position, row = column * upper_states + sources[entry], merged[targets[entry]]
                lowest = lowest_points[position] + points[entry]
                row_lowest[row] = min(row_lowest[row], lowest)
                row_highest[row] = max(row_highest[row], lowest + sizes[position])
                target, begin, factor = row * width + lowest, level_starts[position], entry_chances[entry]
                for each in range(sizes[position]):
                    row_chances[U(target + each)] += factor * level_chances[U(begin + each)]


@part
def trim_ends(numbers: Floats, begin: int, end: int) -> tuple[int, int]:
    """Leave out ends that together are negligible."""
    lost = 0.0
    while begin < end and lost + numbers[begin] <= NEGLIGIBLE_CHANCE:
        lost += numbers[begin]
        begin += 1
    lost = 0.0
    while begin < end and lost + numbers[end - 1] <= NEGLIGIBLE_CHANCE:
        lost += numbers[end - 1]
        end -= 1
    return begin, end


@part
def ensure_capacity(numbers: Floats, needed: int) -> Floats:
    """Grow an array to at least `needed` numbers, and at least to twice its size if it has to move."""
    if needed <= numbers.size:
        return numbers
    larger = np.empty(max(needed, numbers.size * 2), np.float64)
    larger[: numbers.size] = numbers
    return larger


@compiled
def gather_level(
    masks: Ints,
    lowest_totals: Ints,
    places: Ints,
    level: LevelDistribution,
    entries: Entries,
    sheet: SheetArrays,
    width: int,
) -> LevelDistribution:
    """Find for each position of some columns one box fuller how likely each number of points is.

    `lowest_totals` says for each set of used boxes below which upper total positions no longer differ, `places` where
    in `level` the columns of a row of the book stand, or that none does; `width` is more than the points of any game.
    """
    rows = sheet.flag_states * (sheet.upper_cap + 1)
    found = PointsSheet(
        width, np.zeros(rows * width), np.full(rows, width), np.zeros(rows, np.int64), np.zeros(rows, np.int64)
    )
    count = masks.size * rows
    starts, lowest, sizes = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count, np.int64)
    # About as much room as the level before needed, and half as much again: memory that is not used costs nothing.
    room = 1024 + masks.size * level.chances.size * 3 // (2 * max(level.masks.size, 1))
    reach, chances, total = np.zeros(count), np.empty(room), ZERO
    for place in range(masks.size):
        for row in range(rows):
            upper_total = row % (sheet.upper_cap + 1)
            found.merged[row] = row - upper_total + max(upper_total, lowest_totals[place])
        accumulate_sources(masks[place], places, level, entries, sheet, found)
        for row in range(rows):
            base, position = row * width, place * rows + row
            # A row nobody wrote to has the range from width to 0: nothing is copied, and nothing wiped.
            row_begin, row_end = base + found.lowest[row], base + found.highest[row]
            begin, end = trim_ends(found.chances, row_begin, row_end)
            starts[position], lowest[position], sizes[position] = total, begin - base, max(end - begin, 0)
            chances = ensure_capacity(chances, total + sizes[position])
            for each in range(begin, end):
                chances[total] = found.chances[each]
                reach[position] += found.chances[each]
                total += 1
            zero_range(found.chances, row_begin, row_end)
            found.lowest[row], found.highest[row] = width, 0
    return LevelDistribution(masks, starts, lowest, sizes, reach, chances[:total])
