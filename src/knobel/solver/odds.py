"""The odds of perfect play: how likely each final total is, exactly, without rolling a die."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from math import comb
from operator import index
from typing import Any, SupportsIndex, TypeVar

import numpy as np
from numpy.typing import NDArray

from knobel.errors import WrongArgument
from knobel.solver.arrays import NO_PLACE, TOP_DOWN, BoxSums, ColumnModel, Entries, Floats, Ints, LevelDistribution
from knobel.solver.position import find_book_rows
from knobel.solver.solve import (
    MAX_BYTES,
    CostEstimate,
    ProgressCallback,
    build_size_error,
    count_book_rows,
    count_columns,
    count_processors,
    estimate_cost,
    find_lowest_totals,
    group_masks_by_level,
)
from knobel.solver.table_checks import check_values
from knobel.solver.tables import Tables

BYTES_PER_POSITION = 500
"""What one position of the largest level takes: the points so far, before and after, and the entries it leads to."""

COST_FACTOR = 5
"""How much longer this takes than solving, about."""

TASKS_PER_PROCESSOR = 8
"""Into how many pieces a level is cut for each processor."""

LEAST_IN_PIECE = 16
"""How many columns a piece has at least: making room for one takes as long as some columns."""

MAX_SHOWN = 40
"""How much of a wrong argument is shown."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class BoxOdds:
    """How likely a box holds more than zero at the end, and how much it holds on average."""

    chance: float
    mean: float


@dataclass(frozen=True, slots=True)
class Odds:
    """How likely each final total is under perfect play; the chance of the bonus, each box, the mean of the primes."""

    distribution: Floats
    bonus_chance: float
    boxes: tuple[BoxOdds, ...]
    prime_mean: float

    def __repr__(self) -> str:
        return f"<Odds mean={self.mean:.6f} sd={self.sd:.4f}>"

    @property
    def mean(self) -> float:
        """The mean of the final total: par."""
        return float(self.distribution @ np.arange(self.distribution.size))

    @property
    def sd(self) -> float:
        """The standard deviation of the final total."""
        away = np.arange(self.distribution.size) - self.mean
        return float(np.sqrt(self.distribution @ away**2))

    def quantile(self, p: float) -> int:
        """Give the smallest total that at least this share of all games does not exceed."""
        if not isinstance(p, int | float) or not 0 <= p <= 1:
            raise WrongArgument(name="p", wanted="0 … 1", value=repr(p)[:MAX_SHOWN])
        place = int(np.searchsorted(np.cumsum(self.distribution), p))
        return min(place, self.distribution.size - 1)

    def chance_at_least(self, n: SupportsIndex) -> float:
        """Give the chance of at least so many points."""
        try:
            first = max(index(n), 0)
        except TypeError:
            raise WrongArgument(name="n", wanted="int", value=repr(n)[:MAX_SHOWN]) from None
        return float(self.distribution[first:].sum())


def compute_odds(tables: Tables, values: Floats, progress: ProgressCallback | None = None) -> Odds:
    """Follow perfect play from the empty sheet to the full one, by the solved values."""
    check_memory(tables, tables.offer.box_count)
    level, sums = start_level(tables.flag_states * tables.upper_states), start_sums(tables.offer.box_count)
    level = follow_to_end(tables, values, level, group_masks_by_level(tables)[1:], sums, progress)
    return sum_up_odds(tables, level, sums)


def follow_to_end(
    tables: Tables,
    values: Floats,
    level: LevelDistribution,
    later_masks: list[Ints],
    sums: BoxSums,
    progress: ProgressCallback | None = None,
    lanes: int = 1,
) -> LevelDistribution:
    """Follow perfect play from a level to the full sheet; `later_masks` are the used boxes of the levels after it.

    Only the columns that are met need their values. With several `lanes` the level holds as many distributions in one:
    n points of one of them stand at n * lanes and its number.
    """
    check_values(values, count_columns(tables.rules), tables.stride)
    model = ColumnModel(values, tables.turn_dice, tables.lock_arrays, tables.sheet_arrays)
    with ThreadPoolExecutor(count_processors()) as pool:
        for done, masks in enumerate(later_masks, 1):
            entries = follow_level(pool, level, model, sums)
            level = gather_next_level(pool, tables, masks, level, entries, lanes)
            del entries
            if progress:
                progress(sum(map(len, later_masks[:done])) / sum(map(len, later_masks)))
    return level


def check_memory(tables: Tables, open_boxes: int) -> None:
    """Refuse a game whose positions do not fit into memory, with the number."""
    cost = estimate_cost(tables.rules)
    masks = 1 if tables.offer.order == TOP_DOWN else comb(open_boxes, open_boxes // 2)
    memory = masks * tables.flag_states * tables.upper_states * BYTES_PER_POSITION
    if memory > MAX_BYTES:
        raise build_size_error(CostEstimate(cost.states, COST_FACTOR * cost.seconds, memory))


def follow_level(pool: ThreadPoolExecutor, level: LevelDistribution, model: ColumnModel, sums: BoxSums) -> Entries:
    """Find the entries that the turns of a level lead to, and add up what they score."""
    from knobel.solver.transition_kernel import follow_columns

    reach = level.reach_chances.reshape(level.masks.size, -1)

    def follow_some(begin: int, end: int) -> tuple[Entries, BoxSums]:
        return follow_columns(level.masks[begin:end], reach[begin:end].reshape(-1), model)

    parts = run_parallel(pool, level.masks.size, follow_some)
    for _, part in parts:
        for total, added in zip(sums, part, strict=True):
            np.add(total, added, out=total)
    return join_entries(pool, parts)


def gather_next_level(
    pool: ThreadPoolExecutor, tables: Tables, masks: Ints, level: LevelDistribution, entries: Entries, lanes: int
) -> LevelDistribution:
    """Find how likely the positions of the next level are, and with how many points."""
    from knobel.solver.distribution_kernel import gather_level

    places = np.full(count_book_rows(tables.rules), NO_PLACE, np.int64)
    places[find_book_rows(tables, level.masks)] = np.arange(level.masks.size)
    sheet, lowest_totals = tables.sheet_arrays, find_lowest_totals(tables, masks)
    width = lanes * (int(tables.worth.max(axis=0).sum()) + tables.offer.box_count * sheet.prime + 1)
    if lanes > 1:
        entries = entries._replace(points=entries.points * lanes)

    def gather_some(begin: int, end: int) -> LevelDistribution:
        return gather_level(masks[begin:end], lowest_totals[begin:end], places, level, entries, sheet, width)

    return join_level(pool, run_parallel(pool, masks.size, gather_some))


def run_parallel(pool: ThreadPoolExecutor, count: int, work: Callable[[int, int], Result]) -> list[Result]:
    """Share out this many pieces of work among all processors; results come back in order."""
    parts = min(-(-count // LEAST_IN_PIECE), TASKS_PER_PROCESSOR * count_processors())
    cuts = [count * part // parts for part in range(parts + 1)]
    runs = [pool.submit(work, begin, end) for begin, end in pairwise(cuts)]
    return [run.result() for run in runs]


def start_level(rows: int) -> LevelDistribution:
    """Begin with the empty sheet, no points and certainty."""
    sizes, reach = np.zeros(rows, np.int64), np.zeros(rows)
    sizes[0], reach[0] = 1, 1.0
    zeros = np.zeros(rows, np.int64)
    return LevelDistribution(np.zeros(1, np.int64), zeros, zeros, sizes, reach, np.ones(1))


def start_sums(boxes: int) -> BoxSums:
    return BoxSums(scored=np.zeros(boxes), points=np.zeros(boxes), prime=np.zeros(1))


def join_entries(pool: ThreadPoolExecutor, parts: list[tuple[Entries, BoxSums]]) -> Entries:
    """Put the entries of all parts behind each other."""
    lists = unzip_parts([entries for entries, _ in parts])
    parts.clear()
    chances, sources, targets, points, starts = lists
    before = np.cumsum([0, *(part.size for part in chances)])
    shifted = [part[:-1] + shift for part, shift in zip(starts, before, strict=False)]
    return Entries(*pool.map(join_arrays, (chances, sources, targets, points, [*shifted, before[-1:]])))


def join_level(pool: ThreadPoolExecutor, parts: list[LevelDistribution]) -> LevelDistribution:
    """Put the positions of all parts behind each other."""
    masks, starts, lowest, sizes, reach, chances = unzip_parts(parts)
    before = np.cumsum([0, *(part.size for part in chances)])
    shifted = [part + shift for part, shift in zip(starts, before, strict=False)]
    return LevelDistribution(*pool.map(join_arrays, (masks, shifted, lowest, sizes, reach, chances)))


def unzip_parts(parts: list[Any]) -> list[list[NDArray[Any]]]:
    """Sort results by kind, leaving nothing behind that would keep them in memory."""
    kinds = [list(kind) for kind in zip(*parts, strict=True)]
    parts.clear()
    return kinds


def join_arrays(pieces: list[NDArray[Any]]) -> NDArray[Any]:
    """Put arrays behind each other, letting go of each as soon as it is copied."""
    joined = np.empty(sum(piece.size for piece in pieces), pieces[0].dtype)
    at = joined.size
    while pieces:
        piece = pieces.pop()
        at -= piece.size
        joined[at : at + piece.size] = piece
    return joined


def sum_up_odds(tables: Tables, level: LevelDistribution, sums: BoxSums) -> Odds:
    """Add the bonus to full sheets and put all of them together."""
    return Odds(
        sum_up_totals(tables, level),
        bonus_chance=float(level.reach_chances[mark_bonus(tables, level)].sum()),
        boxes=tuple(BoxOdds(*row) for row in zip(sums.scored.tolist(), sums.points.tolist(), strict=True)),
        prime_mean=float(sums.prime.sum()),
    )


def mark_bonus(tables: Tables, level: LevelDistribution) -> NDArray[np.bool_]:
    """Mark the positions of full sheets that have earned the bonus."""
    is_top = np.arange(level.sizes.size) % tables.upper_states == tables.upper_cap
    return np.asarray(is_top & (tables.rules.bonus is not None))


def sum_up_totals(tables: Tables, level: LevelDistribution, lanes: int = 1) -> Floats:
    """Add the bonus to full sheets and give how likely each total is."""
    bonus = tables.rules.bonus
    ends = level.lowest_points + level.sizes + mark_bonus(tables, level) * (lanes * bonus.points if bonus else 0)
    distribution = np.zeros(int(ends.max()))
    for size, start, end in zip(level.sizes, level.starts, ends, strict=True):
        distribution[end - size : end] += level.chances[start : start + size]
    return distribution
