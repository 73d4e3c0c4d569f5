"""The odds of perfect play: how likely each final total is, exactly, without throwing a die."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from math import comb
from typing import Any

import numpy as np

from knobel.errors import GameTooLarge
from knobel.solver.solve import (
    LANES,
    MAX_BYTES,
    MAX_SECONDS,
    ProgressCallback,
    build_lock_arrays,
    compute_stride,
    count_book_rows,
    count_processors,
    estimate_cost,
)
from knobel.solver.tables import Floats, Ints, Tables

NEGLIGIBLE_CHANCE = 1e-24
"""Ends of a position's points less likely than this in the whole game are left out."""

BYTES_PER_POSITION = 500
"""What one position of the largest level takes: the points so far, before and after, and the entries it leads to."""


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

    @property
    def mean(self) -> float:
        """The mean of the final total: par."""
        return float(self.distribution @ np.arange(self.distribution.size))

    @property
    def sd(self) -> float:
        """The standard deviation of the final total."""
        away = np.arange(self.distribution.size) - self.mean
        return float(np.sqrt(self.distribution @ away**2))

    @property
    def median(self) -> int:
        """The total that half of all games reach or stay below."""
        return self.quantile(0.5)

    def quantile(self, p: float) -> int:
        """Give the smallest total that at least this share of all games does not exceed."""
        place = int(np.searchsorted(np.cumsum(self.distribution), p))
        return min(place, self.distribution.size - 1)

    def chance_at_least(self, n: int) -> float:
        """Say how likely a total is at least so high."""
        return float(self.distribution[max(n, 0) :].sum())


@dataclass(frozen=True, slots=True)
class LevelDistribution:
    """All positions with so many boxes written: for each how likely it is reached with how many points so far."""

    masks: Ints
    starts: Ints
    lowest_points: Ints
    sizes: Ints
    reach_chances: Floats
    chances: Floats


def compute_odds(tables: Tables, values: Floats, progress: ProgressCallback | None = None) -> Odds:
    """Follow perfect play from the empty sheet to the full one, by the solved values."""
    from knobel.solver import distribution_kernel, transition_kernel, turn_kernel

    boxes, states = len(tables.rules.boxes), tables.flag_states
    check_memory(tables)
    paper, dice = build_sheet_arrays(tables), build_turn_dice(tables)
    lock = turn_kernel.LockArrays(tables.rules.locked_dice, *build_lock_arrays(tables))
    widest = int(tables.worth.max(axis=0).sum()) + boxes * paper.prime + 1
    levels = group_masks_by_level(tables)
    where = np.zeros(count_book_rows(tables), np.int64)
    level, sums = start_level(states * tables.upper_states), np.zeros(2 * boxes + 1)
    with ThreadPoolExecutor(count_processors()) as pool:
        for written, masks in enumerate(levels[1:], 1):
            if tables.rules.order != "top_down":
                where[level.masks] = np.arange(level.masks.size)
            parts = run_parallel(
                pool,
                level.masks.size * states,
                transition_kernel.follow_columns,
                level.masks,
                level.reach_chances,
                values,
                dice,
                lock,
                paper,
            )
            sums += sum(part[3] for part in parts)
            entries = join_entries(parts)
            spots = (level.starts, level.lowest_points, level.sizes, level.chances)
            parts = run_parallel(
                pool,
                masks.size,
                distribution_kernel.gather_level,
                masks,
                where,
                spots,
                entries,
                paper,
                widest,
                NEGLIGIBLE_CHANCE,
            )
            del entries, spots
            level = join_level(masks, parts)
            if progress:
                progress(sum(map(len, levels[: written + 1])) / sum(map(len, levels)))
    return sum_up_odds(tables, level, sums)


def check_memory(tables: Tables) -> None:
    """Refuse a game whose positions do not fit into memory, with the number."""
    boxes, cost = len(tables.rules.boxes), estimate_cost(tables.rules)
    columns = 1 if tables.rules.order == "top_down" else comb(boxes, boxes // 2)
    memory = columns * tables.flag_states * tables.upper_states * BYTES_PER_POSITION
    if memory > MAX_BYTES:
        raise GameTooLarge(
            states=cost.states,
            seconds=round(5 * cost.seconds),
            memory=memory // 1024**2,
            most_seconds=round(MAX_SECONDS),
            most_memory=MAX_BYTES // 1024**2,
        )


def run_parallel(pool: ThreadPoolExecutor, count: int, work: Callable[..., Any], *arguments: Any) -> list[Any]:
    """Share out so many pieces of work among all processors; results come back in order."""
    parts = min(count, 8 * count_processors())
    cuts = [count * part // parts for part in range(parts + 1)]
    runs = [pool.submit(work, begin, end, *arguments) for begin, end in pairwise(cuts)]
    return [run.result() for run in runs]


def build_sheet_arrays(tables: Tables) -> Any:
    """Hand over the sheet as numbers."""
    from knobel.solver import transition_kernel

    return transition_kernel.SheetArrays(
        tables.alike_faces,
        tables.situation_rows,
        tables.scoring_boxes,
        tables.worth.reshape(-1),
        tables.extra,
        tables.is_upper,
        tables.offer_rules,
        tables.upper_cap,
        compute_stride(tables),
        tables.flag_states,
        int(tables.worth.max()) + 1,
        int(tables.extra.max()),
    )


def build_turn_dice(tables: Tables) -> Any:
    """Hand over the dice, their multisets counted in strips."""
    from knobel.solver import turn_kernel

    rules, sets = tables.rules, tables.multisets
    return turn_kernel.TurnDice(
        rules.rolls,
        sets.first_hand,
        rules.faces,
        sets.larger * LANES,
        sets.smaller_starts,
        sets.smaller * LANES,
        sets.hand_chances,
    )


def group_masks_by_level(tables: Tables) -> list[Ints]:
    """List the sets of written boxes, the empty sheet first."""
    boxes = len(tables.rules.boxes)
    if tables.rules.order == "top_down":
        return [np.array([(1 << written) - 1], np.int64) for written in range(boxes + 1)]
    masks = np.arange(1 << boxes, dtype=np.int64)
    written = sum((masks >> box & 1 for box in range(boxes)), np.zeros_like(masks))
    return [masks[written == count] for count in range(boxes + 1)]


def start_level(rows: int) -> LevelDistribution:
    """Begin with the empty sheet, no points and certainty."""
    size, reach = np.zeros(rows, np.int64), np.zeros(rows)
    size[0], reach[0] = 1, 1.0
    none = np.zeros(rows, np.int64)
    return LevelDistribution(np.zeros(1, np.int64), none, none, size, reach, np.ones(1))


def join_entries(parts: list[Any]) -> tuple[Floats, Ints, Ints]:
    """Put the entries of all parts behind each other."""
    chance, ways, begins, _ = unzip_parts(parts)
    before = np.cumsum([0, *(part.size for part in chance)])
    shifted = [part[:-1] + shift for part, shift in zip(begins, before, strict=False)]
    return join_arrays(chance), join_arrays(ways), join_arrays([*shifted, before[-1:]])


def join_level(masks: Ints, parts: list[Any]) -> LevelDistribution:
    """Put the positions of all parts behind each other."""
    start, low, size, reach, mass = unzip_parts(parts)
    before = np.cumsum([0, *(part.size for part in mass)])
    shifted = [part + shift for part, shift in zip(start, before, strict=False)]
    return LevelDistribution(
        masks, join_arrays(shifted), join_arrays(low), join_arrays(size), join_arrays(reach), join_arrays(mass)
    )


def unzip_parts(parts: list[Any]) -> list[list[Any]]:
    """Sort results by kind, leaving nothing behind that would keep them in memory."""
    kinds = [list(kind) for kind in zip(*parts, strict=True)]
    parts.clear()
    return kinds


def join_arrays(pieces: list[Any]) -> Any:
    """Put arrays behind each other, letting go of each as soon as it is copied."""
    whole = np.empty(sum(piece.size for piece in pieces), pieces[0].dtype)
    at = whole.size
    while pieces:
        piece = pieces.pop()
        at -= piece.size
        whole[at : at + piece.size] = piece
    return whole


def sum_up_odds(tables: Tables, level: LevelDistribution, sums: Floats) -> Odds:
    """Add the bonus to full sheets and put all of them together."""
    bonus, lanes, boxes = tables.rules.bonus, tables.upper_states, len(tables.rules.boxes)
    points = bonus.points if bonus else 0
    earned = [bonus is not None and place % lanes == tables.upper_cap for place in range(level.sizes.size)]
    ends = [int(end) for end in level.lowest_points + level.sizes + points * np.array(earned)]
    total = np.zeros(max(ends))
    for place, end in enumerate(ends):
        size, start = level.sizes[place], level.starts[place]
        total[end - size : end] += level.chances[start : start + size]
    return Odds(
        total,
        float(level.reach_chances[np.array(earned)].sum()),
        tuple(BoxOdds(float(sums[box]), float(sums[boxes + box])) for box in range(boxes)),
        float(sums[2 * boxes]),
    )
