"""The exact distributions of the points to come from all positions at once, worked backwards level by level.

The program follows a single position forwards. Where very many are asked for, going backwards once is far quicker; it
shares only the chances of a turn's entries with the program.
"""

from collections.abc import Callable, Iterator

import numpy as np
from numba import njit

from knobel.solver.arrays import ColumnModel, Entries, Floats, Ints, LevelDistribution
from knobel.solver.final_totals import PointsDistribution
from knobel.solver.position import BookValues, ColumnKey
from knobel.solver.solve import group_masks_by_level, pad_to_stride
from knobel.solver.tables import Tables
from knobel.solver.total_values import find_counted_bits, find_reachable_totals
from knobel.solver.transition_kernel import follow_columns
from knobel.solver.turn_entries import WeightedColumns

MASKS_AT_ONCE = 64
NEGLIGIBLE = 1e-13


def gather_backwards(
    masks: Ints, entries: Entries, places: Ints, later: LevelDistribution, shape: tuple[int, int, int, int]
) -> tuple[Ints, Ints, Ints, Floats]:
    """Give starts, lowest points, sizes and chances of all positions of some columns."""
    boxes, states, upper_states, width = shape
    rows = states * upper_states
    count, total = masks.size * rows, 0
    starts, lowest, sizes = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count, np.int64)
    chances, found = np.empty(1 << 16), np.zeros((upper_states, width))
    lows, highs = np.full(upper_states, width), np.zeros(upper_states, np.int64)
    for column in range(masks.size * states):
        for box in range(boxes):
            for entry in range(entries.starts[column * boxes + box], entries.starts[column * boxes + box + 1]):
                after = places[masks[column // states] | 1 << box] * rows + entries.targets[entry]
                upper, first = entries.sources[entry], later.lowest_points[after] + entries.points[entry]
                begin, size, chance = later.starts[after], later.sizes[after], entries.chances[entry]
                lows[upper], highs[upper] = min(lows[upper], first), max(highs[upper], first + size)
                found[upper, first : first + size] += chance * later.chances[begin : begin + size]
        for upper in range(upper_states):
            row, position = found[upper], column * upper_states + upper
            begin, end = lows[upper], max(highs[upper], lows[upper])
            while begin < end and row[begin] <= NEGLIGIBLE:
                begin += 1
            while begin < end and row[end - 1] <= NEGLIGIBLE:
                end -= 1
            starts[position], lowest[position], sizes[position] = total, begin, end - begin
            if total + end - begin > chances.size:
                larger = np.empty(2 * chances.size + end)
                larger[:total] = chances[:total]
                chances = larger
            chances[total : total + end - begin] = row[begin:end]
            total += end - begin
            row[lows[upper] : max(highs[upper], lows[upper])] = 0.0
            lows[upper], highs[upper] = width, 0
    return starts, lowest, sizes, chances[:total].copy()


compiled_gather: Callable[..., tuple[Ints, Ints, Ints, Floats]] = njit(nogil=True)(gather_backwards)


def list_levels(book: BookValues, most_open: int) -> Iterator[LevelDistribution]:
    """Give the points to come from all positions with no open box, then with one, and so on."""
    tables = book.tables
    boxes, levels = tables.offer.box_count, group_masks_by_level(tables)
    model = ColumnModel(pad_to_stride(tables, book.values), tables.turn_dice, tables.lock_arrays, tables.sheet_arrays)
    width = int((tables.worth + tables.extra[:, None]).max(axis=0).sum() + tables.bonus) + 1
    shape = (boxes, tables.flag_states, tables.upper_states, width)
    totals = find_reachable_totals(tables, ColumnKey(0, 0, 0))
    later = lay_out_ends(tables)
    yield later
    for masks in list(reversed(levels))[1 : most_open + 1]:
        by_mask = np.zeros(1 << boxes, np.int64)
        by_mask[later.masks] = np.arange(later.masks.size)
        parts = []
        for begin in range(0, masks.size, MASKS_AT_ONCE):
            some = masks[begin : begin + MASKS_AT_ONCE]
            reach = np.zeros((some.size, tables.flag_states, tables.upper_states))
            for place, mask in enumerate(some.tolist()):
                states = np.array([state for state in range(tables.flag_states) if is_possible(tables, mask, state)])
                reach[place][np.ix_(states, totals[mask & find_counted_bits(tables)])] = 1.0
            entries = follow_columns(some, reach.reshape(-1), model)[0]
            parts.append(compiled_gather(some, entries, by_mask, later, shape))
        later = join_parts(masks, parts)
        yield later


def is_possible(tables: Tables, mask: int, flag_state: int) -> bool:
    """Tell whether a column can have these flags: nobody scored in the Yatzy box while it is open."""
    return not flag_state & tables.offer.scored_flag or bool(mask & tables.offer.yatzy_bit)


def lay_out_ends(tables: Tables) -> LevelDistribution:
    """Full sheets have nothing to come but the bonus."""
    rows = tables.flag_states * tables.upper_states
    is_top = np.arange(rows) % tables.upper_states == tables.upper_cap
    lowest = (is_top * int(tables.bonus)).astype(np.int64)
    full = np.array([(1 << tables.offer.box_count) - 1])
    return LevelDistribution(full, np.arange(rows), lowest, np.ones(rows, np.int64), np.ones(rows), np.ones(rows))


def join_parts(masks: Ints, parts: list[tuple[Ints, Ints, Ints, Floats]]) -> LevelDistribution:
    before = np.cumsum([0, *(part[3].size for part in parts)])
    starts = np.concatenate([part[0] + shift for part, shift in zip(parts, before, strict=False)])
    lowest, sizes, chances = (np.concatenate([part[place] for part in parts]) for place in (1, 2, 3))
    return LevelDistribution(masks, starts, lowest, sizes, np.ones(sizes.size), chances)


def mix_columns(tables: Tables, level: LevelDistribution, columns: WeightedColumns) -> PointsDistribution:
    """Mix the distributions of the columns that may follow, each with its chance and the points on the way to it."""
    rows = np.searchsorted(level.masks, columns.masks) * tables.flag_states + columns.flag_states
    positions = rows * tables.upper_states + columns.upper_totals
    lows = level.lowest_points[positions] + columns.points
    low, high = int(lows.min()), int((lows + level.sizes[positions]).max())
    mixed = np.zeros(high - low)
    for position, first, chance in zip(positions.tolist(), (lows - low).tolist(), columns.chances, strict=True):
        begin, size = level.starts[position], level.sizes[position]
        mixed[first : first + size] += chance * level.chances[begin : begin + size]
    return PointsDistribution(low, mixed)
