"""The odds of perfect play: how likely each final total is, exactly, without throwing a die."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from math import comb
from typing import Any

import numpy as np

from knobel.errors import TooLarge
from knobel.solver.solve import (
    MOST_BYTES,
    MOST_SECONDS,
    STRIP,
    Progress,
    estimate,
    lock_arrays,
    processors,
    rows_of,
    stride_of,
)
from knobel.solver.tables import Floats, Ints, Tables

LEAST = 1e-24
"""Ends of a position's points less likely than this in the whole game are left out."""

POSITION_BYTES = 500
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
    bonus: float
    boxes: tuple[BoxOdds, ...]
    extra: float

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

    def at_least(self, n: int) -> float:
        """Say how likely a total is at least so high."""
        return float(self.distribution[max(n, 0) :].sum())


@dataclass(frozen=True, slots=True)
class Level:
    """All positions with so many boxes written: for each how likely it is reached with how many points so far."""

    masks: Ints
    start: Ints
    low: Ints
    size: Ints
    reach: Floats
    mass: Floats


def odds(tables: Tables, values: Floats, progress: Progress | None = None) -> Odds:
    """Follow perfect play from the empty sheet to the full one, by the solved values."""
    from knobel.solver import forward, gather, through

    boxes, states = len(tables.rules.boxes), tables.flag_states
    check_memory(tables)
    paper, dice = paper_of(tables), dice_of(tables)
    lock = through.Locked(tables.rules.locked_dice, *lock_arrays(tables))
    widest = int(tables.worth.max(axis=0).sum()) + boxes * paper.prime + 1
    levels = masks_by_level(tables)
    where = np.zeros(rows_of(tables), np.int64)
    level, sums = first_level(states * tables.lanes), np.zeros(2 * boxes + 1)
    with ThreadPoolExecutor(processors()) as pool:
        for written, masks in enumerate(levels[1:], 1):
            if tables.rules.order != "top_down":
                where[level.masks] = np.arange(level.masks.size)
            parts = spread(
                pool, level.masks.size * states, forward.play, level.masks, level.reach, values, dice, lock, paper
            )
            sums += sum(part[3] for part in parts)
            entries = joined_entries(parts)
            spots = (level.start, level.low, level.size, level.mass)
            parts = spread(pool, masks.size, gather.gather, masks, where, spots, entries, paper, widest, LEAST)
            del entries, spots
            level = joined_level(masks, parts)
            if progress:
                progress(sum(map(len, levels[: written + 1])) / sum(map(len, levels)))
    return added_up(tables, level, sums)


def check_memory(tables: Tables) -> None:
    """Refuse a game whose positions do not fit into memory, with the number."""
    boxes, cost = len(tables.rules.boxes), estimate(tables.rules)
    columns = 1 if tables.rules.order == "top_down" else comb(boxes, boxes // 2)
    memory = columns * tables.flag_states * tables.lanes * POSITION_BYTES
    if memory > MOST_BYTES:
        raise TooLarge(
            states=cost.states,
            seconds=round(5 * cost.seconds),
            memory=memory // 1024**2,
            most_seconds=round(MOST_SECONDS),
            most_memory=MOST_BYTES // 1024**2,
        )


def spread(pool: ThreadPoolExecutor, count: int, work: Callable[..., Any], *arguments: Any) -> list[Any]:
    """Share out so many pieces of work among all processors; results come back in order."""
    parts = min(count, 8 * processors())
    cuts = [count * part // parts for part in range(parts + 1)]
    runs = [pool.submit(work, begin, end, *arguments) for begin, end in pairwise(cuts)]
    return [run.result() for run in runs]


def paper_of(tables: Tables) -> Any:
    """Hand over the sheet as numbers."""
    from knobel.solver import forward

    return forward.Paper(
        tables.alike,
        tables.row,
        tables.scores,
        tables.worth.reshape(-1),
        tables.extra,
        tables.upper,
        tables.offer,
        tables.cap,
        stride_of(tables),
        tables.flag_states,
        int(tables.worth.max()) + 1,
        int(tables.extra.max()),
    )


def dice_of(tables: Tables) -> Any:
    """Hand over the dice, their multisets counted in strips."""
    from knobel.solver import through

    rules, sets = tables.rules, tables.sets
    return through.Dice(
        rules.throws, sets.first, rules.faces, sets.grow * STRIP, sets.starts, sets.smaller * STRIP, sets.chance
    )


def masks_by_level(tables: Tables) -> list[Ints]:
    """List the sets of written boxes, the empty sheet first."""
    boxes = len(tables.rules.boxes)
    if tables.rules.order == "top_down":
        return [np.array([(1 << written) - 1], np.int64) for written in range(boxes + 1)]
    masks = np.arange(1 << boxes, dtype=np.int64)
    written = sum((masks >> box & 1 for box in range(boxes)), np.zeros_like(masks))
    return [masks[written == count] for count in range(boxes + 1)]


def first_level(rows: int) -> Level:
    """Begin with the empty sheet, no points and certainty."""
    size, reach = np.zeros(rows, np.int64), np.zeros(rows)
    size[0], reach[0] = 1, 1.0
    none = np.zeros(rows, np.int64)
    return Level(np.zeros(1, np.int64), none, none, size, reach, np.ones(1))


def joined_entries(parts: list[Any]) -> tuple[Floats, Ints, Ints]:
    """Put the entries of all parts behind each other."""
    chance, ways, begins, _ = unzipped(parts)
    before = np.cumsum([0, *(part.size for part in chance)])
    shifted = [part[:-1] + shift for part, shift in zip(begins, before, strict=False)]
    return joined(chance), joined(ways), joined([*shifted, before[-1:]])


def joined_level(masks: Ints, parts: list[Any]) -> Level:
    """Put the positions of all parts behind each other."""
    start, low, size, reach, mass = unzipped(parts)
    before = np.cumsum([0, *(part.size for part in mass)])
    shifted = [part + shift for part, shift in zip(start, before, strict=False)]
    return Level(masks, joined(shifted), joined(low), joined(size), joined(reach), joined(mass))


def unzipped(parts: list[Any]) -> list[list[Any]]:
    """Sort results by kind, leaving nothing behind that would keep them in memory."""
    kinds = [list(kind) for kind in zip(*parts, strict=True)]
    parts.clear()
    return kinds


def joined(pieces: list[Any]) -> Any:
    """Put arrays behind each other, letting go of each as soon as it is copied."""
    whole = np.empty(sum(piece.size for piece in pieces), pieces[0].dtype)
    at = whole.size
    while pieces:
        piece = pieces.pop()
        at -= piece.size
        whole[at : at + piece.size] = piece
    return whole


def added_up(tables: Tables, level: Level, sums: Floats) -> Odds:
    """Add the bonus to full sheets and put all of them together."""
    bonus, lanes, boxes = tables.rules.bonus, tables.lanes, len(tables.rules.boxes)
    points = bonus.points if bonus else 0
    earned = [bonus is not None and place % lanes == tables.cap for place in range(level.size.size)]
    ends = [int(end) for end in level.low + level.size + points * np.array(earned)]
    total = np.zeros(max(ends))
    for place, end in enumerate(ends):
        size, start = level.size[place], level.start[place]
        total[end - size : end] += level.mass[start : start + size]
    return Odds(
        total,
        float(level.reach[np.array(earned)].sum()),
        tuple(BoxOdds(float(sums[box]), float(sums[boxes + box])) for box in range(boxes)),
        float(sums[2 * boxes]),
    )
