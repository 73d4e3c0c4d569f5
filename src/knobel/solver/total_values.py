"""Best play where the final total is worth what anybody likes: an aim to reach, or a chance to win.

What a total is worth must rise from 0 to 1. For an aim it jumps there, and only the points still needed count: the row
of a position then holds the greatest chance to reach every total at once.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from knobel.solver.arrays import LANES, NO_BOX, NO_PLACE, WORST_VALUE, Floats, Ints, LaneIndex, LaneRows
from knobel.solver.final_totals import list_later_masks
from knobel.solver.odds import join_arrays, run_parallel
from knobel.solver.position import ColumnKey, Offers, compute_keep_values, find_book_rows, find_offers
from knobel.solver.solve import (
    MAX_BYTES,
    MAX_SECONDS,
    CostEstimate,
    ProgressCallback,
    build_size_error,
    count_columns,
    count_processors,
)
from knobel.solver.tables import Tables

DOUBLE_OPEN_BOXES = 6
"""With more open boxes single precision is used, which is twice as fast; it differs by less than 4e-6."""
DOUBLE_CUT, SINGLE_CUT = 1e-14, 1e-7
"""Nearer than this to 0 or 1 a value counts as that."""
ANY_POINTS = 1 << 32
"""More points than anybody has."""
SECONDS_PER_STRIP = 1.5e-5
"""What a strip of values costs on one processor, about."""


@dataclass(frozen=True)
class TotalWorth:
    """What each final total is worth, counted from the points scored when play begins: 0 below `low`, 1 at the end."""

    low: int
    values: Floats

    def shift(self, points: int) -> "TotalWorth":
        """Give what a number of points is worth to somebody who gets so many besides."""
        return TotalWorth(self.low - points, self.values)


AIM = TotalWorth(0, np.zeros(0))
"""What a total is worth to somebody who wants to reach it; points are counted from there, so most are below zero."""


@dataclass(frozen=True)
class TotalValues:
    """What a column is worth by the points scored before it, and the columns one box fuller by those after."""

    tables: Tables
    key: ColumnKey
    places: Ints
    next_rows: LaneRows
    own_row: LaneRows

    def value_at(self, points: int) -> float:
        """Give the value of the column before its turn, with so many points."""
        return float(read_rows(self.own_row, np.zeros(1, np.int64), np.array([points]))[0])

    def value_next(self, key: ColumnKey, points: int) -> float:
        """Give the value of a column one box fuller, with so many points."""
        tables = self.tables
        column = int(find_book_rows(tables, np.array([key.mask]))[0]) * tables.flag_states + key.flag_state
        place = self.places[column * tables.upper_states + key.upper_total]
        return float(read_rows(self.next_rows, np.array([place]), np.array([points]))[0])

    def list_aims(self) -> Floats:
        """Give the greatest chance to score at least 0, 1, 2 … more points, as far as it is not zero."""
        most = max(-int(self.own_row.lows[0]), 0)
        needed = np.arange(most + 1)
        return read_rows(self.own_row, np.zeros(needed.size, np.int64), -needed)

    def value_entries(self, points: int, announced: int = NO_BOX) -> Floats:
        """Value scoring each hand in each box, with so many points before; what is closed is never chosen."""
        tables, key = self.tables, self.key
        offers: Offers = find_offers(tables, key, announced)
        bits = np.int64(1) << np.arange(tables.offer.box_count)
        columns = find_book_rows(tables, key.mask | bits)[None, :] * tables.flag_states + offers.flags_after
        totals = np.minimum(key.upper_total + offers.points * tables.is_upper, tables.upper_cap)
        rows = self.places[np.where(offers.closed, 0, columns * tables.upper_states + totals)]
        after = points + offers.points + offers.extra[:, None]
        values = read_rows(self.next_rows, np.where(offers.closed, 0, rows), after)
        return np.where(offers.closed, WORST_VALUE, values)

    def value_keeps(self, points: int, rolls_left: int, announced: int = NO_BOX) -> Floats:
        """Value keeping each multiset and rolling the rest, with this many rolls left to do."""
        return compute_keep_values(self.tables, self.value_entries(points, announced).max(axis=1), rolls_left)


def read_rows(rows: LaneRows, wanted: Ints, points: Ints) -> Floats:
    """Read the value of some positions at some numbers of points."""
    first = rows.lows[wanted] - LANES
    places = np.clip(points, first, rows.highs[wanted])
    return np.asarray(rows.numbers[rows.starts[wanted] + places - first], np.float64)


def compute_total_values(
    tables: Tables,
    key: ColumnKey,
    worth: TotalWorth,
    progress: ProgressCallback | None = None,
    in_double: bool | None = None,
    points: int | None = None,
) -> TotalValues:
    """Work backwards from the full sheets to a column, level by level; only one level is kept at a time.

    If play begins with a known number of `points`, only totals that can follow are worked out, which takes half the
    time; values may then be asked for these points alone. Whoever wants to stop it lets `progress` raise.
    """
    from knobel.solver.lane_kernel import value_lane_columns

    open_boxes = tables.offer.box_count - key.mask.bit_count()
    check_lanes_size(tables, open_boxes)
    if in_double is None:
        in_double = open_boxes <= DOUBLE_OPEN_BOXES
    kind, cut = (np.float64, DOUBLE_CUT) if in_double else (np.float32, SINGLE_CUT)
    root = np.array([key.mask], np.int64)
    levels = [root, *list_later_masks(tables, root)]
    places = np.full(count_columns(tables.rules) * tables.upper_states, NO_PLACE, np.int64)
    totals = merge_totals(tables, key)
    rows = lay_out_full_sheets(tables, index_level(tables, key, levels[-1], totals, places, points), worth, kind)
    lock = tables.lock_arrays if tables.rules.locked_dice else None
    done, every, later = 0, sum(map(len, levels[:-1])), rows
    with ThreadPoolExecutor(count_processors()) as pool:
        for masks in reversed(levels[:-1]):
            later = rows
            index = index_level(tables, key, masks, totals, places, points)

            def value_some(begin: int, end: int, index: LaneIndex = index, later: LaneRows = later) -> LaneRows:
                part = slice_index(index, begin, end)
                return value_lane_columns(part, places, later, cut, tables.sheet_arrays, tables.turn_dice, lock)

            rows = join_rows(run_parallel(pool, index.columns.size, value_some))
            done += masks.size
            if progress:
                progress(done / every)
    return TotalValues(tables, key, places, later, rows)


def check_lanes_size(tables: Tables, open_boxes: int) -> None:
    """Refuse a game whose positions are too many, with the number."""
    is_top_down = tables.rules.order == "top_down"
    masks = open_boxes + 1 if is_top_down else 1 << open_boxes
    width = int(tables.worth.max(axis=0).sum()) // 2
    states = masks * tables.flag_states * (tables.upper_states // 2 + 1) * width
    announced = open_boxes / 2 if tables.rules.order == "announced" else 1
    seconds = states / LANES * SECONDS_PER_STRIP * announced / count_processors()
    cost = CostEstimate(states, seconds, 4 * states)
    if cost.memory_bytes > MAX_BYTES or cost.seconds > MAX_SECONDS:
        raise build_size_error(cost)


def find_counted_bits(tables: Tables) -> int:
    """Find the boxes that count for the bonus, as bits; without a bonus there are none."""
    return sum(1 << int(box) for box in np.flatnonzero(tables.is_upper))


def find_reachable_totals(tables: Tables, key: ColumnKey) -> dict[int, Ints]:
    """List for each set of used upper boxes the upper totals it can have, from those of the column on."""
    reached: dict[int, Ints] = {key.mask & find_counted_bits(tables): np.array([key.upper_total])}
    for box in np.flatnonzero(tables.is_upper):
        bit = 1 << int(box)
        if key.mask & bit:
            continue
        scores = np.unique(np.append(tables.worth[:, box], 0))
        for used, totals in list(reached.items()):
            reached[used | bit] = np.unique(np.minimum(totals[:, None] + scores, tables.upper_cap))
    return reached


@dataclass(frozen=True)
class MergedTotals:
    """The upper totals of a set of used upper boxes; those that reach the bonus with the same scores to come are one.

    `numbers` says for each of `reached` which one of `lowest` it is; these reach up to `highest`.
    """

    reached: Ints
    numbers: Ints
    lowest: Ints
    highest: Ints


def merge_totals(tables: Tables, key: ColumnKey) -> dict[int, MergedTotals]:
    """Find the upper totals that differ, for each set of used upper boxes.

    With Sixes alone to come, who needs one to six points for the bonus needs one six.
    """
    found = dict[int, MergedTotals]()
    for used, reached in find_reachable_totals(tables, key).items():
        enough = np.searchsorted(list_sums_to_come(tables, used), tables.upper_cap - reached)
        # The smallest total stands for the others: what follows it is listed too, as any box can be crossed out.
        _, first, numbers = np.unique(-enough, return_index=True, return_inverse=True)
        highest = reached[np.searchsorted(numbers, np.arange(first.size), side="right") - 1]
        found[used] = MergedTotals(reached, numbers, reached[first], highest)
    return found


def list_sums_to_come(tables: Tables, used: int) -> Ints:
    """List what the upper boxes that are not used may add up to, in order."""
    sums = np.zeros(1, np.int64)
    for box in np.flatnonzero(tables.is_upper):
        if not used >> int(box) & 1:
            sums = np.unique(sums[:, None] + np.append(tables.worth[:, box], 0))
    return sums


def list_flag_states(tables: Tables, key: ColumnKey, mask: int) -> list[int]:
    """List the flag states that may follow with these boxes used: flags are never taken away."""
    offer = tables.offer
    if mask == key.mask:
        return [key.flag_state]
    can_score = mask & offer.yatzy_bit and not key.mask & offer.yatzy_bit
    closed = 0 if can_score else offer.scored_flag & ~key.flag_state
    return [state for state in range(tables.flag_states) if not (key.flag_state & ~state or state & closed)]


def index_level(
    tables: Tables, key: ColumnKey, masks: Ints, totals: dict[int, MergedTotals], places: Ints, points: int | None
) -> LaneIndex:
    """List the positions of a level, and note in `places` where each stands."""
    states, counted = tables.flag_states, find_counted_bits(tables)
    columns, listed, row = list[int](), list[MergedTotals](), 0
    for mask, book_row in zip(masks.tolist(), find_book_rows(tables, masks).tolist(), strict=True):
        here = totals[mask & counted]
        for flag_state in list_flag_states(tables, key, mask):
            places[(book_row * states + flag_state) * tables.upper_states + here.reached] = row + here.numbers
            columns.append(mask * states + flag_state)
            listed.append(here)
            row += here.lowest.size
    found, counts = np.array(columns, np.int64), [one.lowest.size for one in listed]
    lowest, highest = np.concatenate([one.lowest for one in listed]), np.concatenate([one.highest for one in listed])
    fewest, most = find_points_range(tables, key, np.repeat(found, counts), lowest, highest, points)
    return LaneIndex(found, np.array([0, *accumulate(counts)], np.int64), lowest.astype(np.int64), fewest, most)


def find_points_range(
    tables: Tables, key: ColumnKey, columns: Ints, lowest: Ints, highest: Ints, points: int | None
) -> tuple[Ints, Ints]:
    """Say how many points somebody may have in each position, at least and at most.

    A position is a column with upper totals from `lowest` to `highest`. The upper total says how many of the points are
    upper ones, unless it has reached the cap; further yatzys pay only after the first has been scored.
    """
    if points is None:
        return np.full(columns.size, -ANY_POINTS), np.full(columns.size, ANY_POINTS)
    masks, flags = np.divmod(columns, tables.flag_states)
    is_new = (masks & ~key.mask)[:, None] >> np.arange(tables.offer.box_count) & 1
    most = tables.worth.max(axis=0)
    upper = np.where(highest < tables.upper_cap, highest - key.upper_total, is_new @ (most * tables.is_upper))
    scored, scored_before = flags & tables.offer.scored_flag != 0, key.flag_state & tables.offer.scored_flag != 0
    further = np.where(scored, is_new.sum(axis=1) - (not scored_before), 0)
    other = is_new @ (most * ~tables.is_upper.astype(bool)) + further * int(tables.extra.max())
    return points + lowest - key.upper_total, points + upper + other


def slice_index(index: LaneIndex, begin: int, end: int) -> LaneIndex:
    starts = index.total_starts[begin : end + 1]
    return LaneIndex(
        index.columns[begin:end],
        starts - starts[0],
        index.totals[starts[0] : starts[-1]],
        index.fewest[starts[0] : starts[-1]],
        index.most[starts[0] : starts[-1]],
    )


def find_most_points(tables: Tables, key: ColumnKey) -> int:
    """Say how many more points a column can get, at most; the bonus is one of them even if it is earned already."""
    offer, bonus, most = tables.offer, tables.rules.bonus, tables.worth.max(axis=0)
    bits = np.int64(1) << np.arange(offer.box_count)
    is_open, is_scored = key.mask & bits == 0, key.flag_state & offer.scored_flag
    if is_scored or offer.yatzy_bit & ~key.mask:
        # Further yatzys pay once the first has been scored, which itself gets nothing extra.
        with_extra = (tables.worth + tables.extra[:, None]).max(axis=0)
        most_in_box = np.where((bits == offer.yatzy_bit) & (not is_scored), most, with_extra)
    else:
        most_in_box = most
    upper = key.upper_total + int((most * tables.is_upper)[is_open].sum())
    reached = bonus.points if bonus and upper >= tables.upper_cap else 0
    return int(most_in_box[is_open].sum()) + reached


def lay_out_full_sheets(tables: Tables, index: LaneIndex, worth: TotalWorth, kind: type[np.floating]) -> LaneRows:
    """Give the rows of full sheets: what the total is worth, and the bonus with it where it is earned."""
    bonus = tables.rules.bonus
    earned = (index.totals == tables.upper_cap) & (bonus is not None)
    size = worth.values.size
    row = np.concatenate((np.zeros(LANES), worth.values, np.ones(LANES))).astype(kind)
    lows = worth.low - earned * (bonus.points if bonus else 0)
    starts = np.arange(earned.size) * row.size
    return LaneRows(
        starts.astype(np.int64), lows.astype(np.int64), (lows + size).astype(np.int64), np.tile(row, earned.size)
    )


def join_rows(parts: list[LaneRows]) -> LaneRows:
    """Put the rows of all parts behind each other."""
    before = np.cumsum([0, *(part.numbers.size for part in parts)])
    starts = np.concatenate([part.starts + shift for part, shift in zip(parts, before, strict=False)])
    lows, highs = np.concatenate([part.lows for part in parts]), np.concatenate([part.highs for part in parts])
    numbers = [part.numbers for part in parts]
    parts.clear()
    return LaneRows(starts, lows, highs, join_arrays(numbers))
