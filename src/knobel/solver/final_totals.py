"""The exact distribution of the points still to come from any position: the forward pass of the odds, begun later."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from knobel.solver.arrays import TOP_DOWN, Floats, Ints, LevelDistribution
from knobel.solver.column_position import ColumnPosition
from knobel.solver.odds import check_memory, follow_to_end, start_sums, sum_up_totals
from knobel.solver.position import BookValues, find_book_rows
from knobel.solver.solve import ProgressCallback
from knobel.solver.tables import Tables
from knobel.solver.turn_entries import WeightedColumns, find_next_columns


@dataclass(frozen=True)
class PointsDistribution:
    """How likely each number of points is: `chances` from `lowest` on."""

    lowest: int
    chances: Floats

    @property
    def highest(self) -> int:
        return self.lowest + self.chances.size - 1

    @property
    def mean(self) -> float:
        return self.lowest + float(self.chances @ np.arange(self.chances.size))

    @property
    def variance(self) -> float:
        away = self.lowest + np.arange(self.chances.size) - self.mean
        return float(self.chances @ away**2)

    def shift(self, points: int) -> "PointsDistribution":
        """Give the distribution of so many points more."""
        return PointsDistribution(self.lowest + points, self.chances)

    def spread(self, lowest: int, highest: int) -> Floats:
        """Give the chances from one number of points to another, which may lie outside."""
        row = np.zeros(highest - lowest + 1)
        row[self.lowest - lowest : self.highest - lowest + 1] = self.chances
        return row


def compute_points_to_come(
    book: BookValues, position: ColumnPosition, progress: ProgressCallback | None = None
) -> PointsDistribution:
    """Follow perfect play from a position to the full sheet: how likely each number of further points is.

    The points of the turn at hand and the bonus are among them. Whoever wants to stop it lets `progress` raise.
    """
    return compute_all_points_to_come(book, [position], progress)[0]


def compute_all_points_to_come(
    book: BookValues, positions: Sequence[ColumnPosition], progress: ProgressCallback | None = None
) -> list[PointsDistribution]:
    """Follow perfect play from several positions in one pass, which takes little longer than that of one.

    Equally many boxes are open in all of them once the turn at hand is over: they are the moments of one turn.
    """
    lanes = len(positions)
    columns = [find_next_columns(book, position) for position in positions]
    starts = WeightedColumns(*map(np.concatenate, zip(*columns, strict=True)))
    lane = np.repeat(np.arange(lanes), [one.masks.size for one in columns])
    chances = follow_columns_to_end(book, starts._replace(points=starts.points * lanes + lane), progress, lanes)
    by_lane = np.concatenate((chances, np.zeros(-chances.size % lanes))).reshape(-1, lanes)
    return [trim_distribution(by_lane[:, lane]) for lane in range(lanes)]


def trim_distribution(chances: Floats) -> PointsDistribution:
    used = np.flatnonzero(chances)
    return PointsDistribution(int(used[0]), chances[used[0] : used[-1] + 1].copy())


def follow_columns_to_end(
    book: BookValues, starts: WeightedColumns, progress: ProgressCallback | None = None, lanes: int = 1
) -> Floats:
    """Follow perfect play from columns with equally many boxes used, each with its chance."""
    tables = book.tables
    masks = np.unique(starts.masks)
    open_boxes = tables.offer.box_count - int(masks[0]).bit_count()
    check_memory(tables, open_boxes)
    later = list_later_masks(tables, masks)
    values = pad_needed_columns(book, np.concatenate([masks, *later]))
    sums = start_sums(tables.offer.box_count)
    level = follow_to_end(tables, values, build_start_level(tables, masks, starts), later, sums, progress, lanes)
    return sum_up_totals(tables, level, lanes)


def list_later_masks(tables: Tables, masks: Ints) -> list[Ints]:
    """List the sets of used boxes that can follow, level by level up to the full sheet."""
    boxes, levels = tables.offer.box_count, []
    while masks[0] != (1 << boxes) - 1:
        if tables.offer.order == TOP_DOWN:
            masks = masks * 2 + 1
        else:
            grown = np.concatenate([(masks | 1 << box)[masks >> box & 1 == 0] for box in range(boxes)])
            masks = np.unique(grown)
        levels.append(masks)
    return levels


def pad_needed_columns(book: BookValues, masks: Ints) -> Floats:
    """Lay the values of some columns out as the compiled code reads them; the others are left as they come."""
    tables = book.tables
    wide = np.empty((book.values.shape[0], tables.stride))
    rows = (find_book_rows(tables, masks)[:, None] * tables.flag_states + np.arange(tables.flag_states)).reshape(-1)
    wide[rows, : tables.upper_states] = book.values[rows]
    wide[rows, tables.upper_states :] = book.values[rows, -1:]
    return wide.reshape(-1)


def build_start_level(tables: Tables, masks: Ints, starts: WeightedColumns) -> LevelDistribution:
    """Put the columns that a pass begins with where it expects them, those that are the same position together."""
    rows = tables.flag_states * tables.upper_states
    positions = np.searchsorted(masks, starts.masks) * rows
    positions += starts.flag_states * tables.upper_states + starts.upper_totals
    count = masks.size * rows
    begins, lowest, sizes = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count, np.int64)
    reach, chances, total = np.zeros(count), list[Floats](), 0
    for position in np.unique(positions):
        here = positions == position
        points = starts.points[here] - starts.points[here].min()
        found = np.bincount(points, starts.chances[here]).astype(np.float64)
        begins[position], lowest[position], sizes[position] = total, starts.points[here].min(), found.size
        reach[position] = found.sum()
        chances.append(found)
        total += found.size
    return LevelDistribution(masks, begins, lowest, sizes, reach, np.concatenate(chances))
