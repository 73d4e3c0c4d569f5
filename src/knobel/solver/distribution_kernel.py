"""Compiled: gathers how likely each position of the next level is, and with how many points so far."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call,misc,untyped-decorator"

import numpy as np
from numba import njit

from knobel.solver.turn_kernel import ZERO, ensure_capacity, zero_range
from knobel.solver.value_kernel import BOXES, ORDER, TOP_DOWN, U, find_book_row


@njit(nogil=True, cache=True)
def accumulate_sources(masks, place, where, level, entries, paper, widest, sheet, lowest, highest):
    """Bring the points of all columns that lead to this one, each shifted by its entry."""
    start, low, size, mass = level
    chance, ways, begins = entries
    lanes, boxes, states = paper.upper_cap + 1, paper.offer_rules[BOXES], paper.flag_states
    for box in range(boxes):
        bit = 1 << box
        if not masks[place] & bit or (paper.offer_rules[ORDER] == TOP_DOWN and masks[place] >= 2 * bit):
            continue
        source = where[find_book_row(masks[place] ^ bit, paper.offer_rules)]
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
def trim_ends(numbers, begin, end, least):
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
def gather_level(begin_at, end_at, masks, where, level, entries, paper, widest, least):
    """Collect for each column one box fuller how likely each number of points is.

    Returned are, for each position, where its numbers begin, for how many points the first stands, how many they
    are and their sum; and the numbers.
    """
    rows = paper.flag_states * (paper.upper_cap + 1)
    sheet = np.zeros(rows * widest)
    lowest, highest = np.full(rows, widest), np.zeros(rows, np.int64)
    count = (end_at - begin_at) * rows
    start, low, size = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count, np.int64)
    reach, mass, total = np.zeros(count), np.empty(1024), ZERO
    for place in range(begin_at, end_at):
        accumulate_sources(masks, place, where, level, entries, paper, widest, sheet, lowest, highest)
        for row in range(rows):
            base, position = row * widest, (place - begin_at) * rows + row
            left, right = trim_ends(sheet, base + lowest[row], base + highest[row], least)
            start[position], low[position], size[position] = total, left - base, max(right - left, 0)
            mass = ensure_capacity(mass, total + size[position])
            for each in range(left, right):
                mass[total] = sheet[each]
                reach[position] += sheet[each]
                total += 1
            zero_range(sheet, base + lowest[row], base + highest[row])
            lowest[row], highest[row] = widest, 0
    return start, low, size, reach, mass[:total].copy()
