"""Solves a ruleset: level by level from the full sheet back to the empty one, on all processors."""

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from knobel.errors import TooLarge
from knobel.solver.tables import HELD, SEEN, Floats, Ints, Tables

STRIP = 16
MOST_BYTES = 2 * 1024**3
MOST_SECONDS = 900.0
STATE_SECONDS = 1.1e-6
"""What one column with one upper total costs on one processor, for five dice of six faces and three throws."""

Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run will take, known before it starts."""

    states: int
    seconds: float
    memory: int


@dataclass(frozen=True, slots=True)
class Solution:
    """The value of every position, and what it took."""

    values: Floats
    states: int
    seconds: float


def stride_of(tables: Tables) -> int:
    """Say how many numbers a column takes: its upper totals, and room to read past the last one."""
    reach = int(tables.worth[:, tables.upper > 0].max(initial=0))
    lanes = -(-tables.lanes // STRIP) * STRIP
    return lanes + -(-reach // STRIP) * STRIP


def rows_of(tables: Tables) -> int:
    """Say how many sets of written boxes there are."""
    boxes = len(tables.rules.boxes)
    return boxes + 1 if tables.rules.order == "top_down" else 1 << boxes


def estimate(tables: Tables) -> Estimate:
    """Say what solving will take."""
    rules, sets = tables.rules, tables.sets
    rows = rows_of(tables) * tables.flag_states
    lanes = -(-tables.lanes // STRIP) * STRIP
    per_throw = len(sets.sets) * rules.faces / (462 * 6)
    cost = per_throw * max(rules.throws - 0.5, 1) / 2.5
    if rules.locked_dice:
        cost = per_throw * (1 + 4 * max(rules.throws - 2, 0)) / 2
    if rules.order == "announced":
        cost *= len(rules.boxes) / 2
    seconds = rows * lanes * cost * STATE_SECONDS / processors()
    return Estimate(rows * tables.lanes, seconds, rows * stride_of(tables) * 8)


def processors() -> int:
    """Count the processors we may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_size(tables: Tables) -> Estimate:
    """Refuse a run that is too large, with the number."""
    cost = estimate(tables)
    if cost.memory > MOST_BYTES or cost.seconds > MOST_SECONDS:
        raise TooLarge(
            states=cost.states,
            seconds=round(cost.seconds),
            memory=cost.memory // 1024**2,
            most_seconds=round(MOST_SECONDS),
            most_memory=MOST_BYTES // 1024**2,
        )
    return cost


def solve(tables: Tables, progress: Progress | None = None) -> Solution:
    """Value every position."""
    check_size(tables)
    from knobel.solver import kernel

    rules, sets = tables.rules, tables.sets
    boxes, stride, states = len(rules.boxes), stride_of(tables), tables.flag_states
    values = np.zeros(rows_of(tables) * states * stride)
    full = values.reshape(-1, stride)[-states:]
    full[:, tables.cap :] = tables.bonus
    reach = reachable(tables)
    strip = np.int64(STRIP)
    fixed = (
        (np.int64(sets.first), sets.grow * strip, sets.starts, sets.smaller * strip, sets.chance),
        lock_arrays(tables),
        tables.alike,
        tables.row,
        tables.scores,
        tables.worth.reshape(-1),
        tables.extra,
        tables.upper,
        tables.offer,
    )
    levels = columns_by_level(tables)
    threads = processors()
    kernel.solve(levels[0][:0], values, stride, tables.cap, reach, rules.throws, rules.faces, rules.locked_dice, *fixed)
    begin = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        for done, level in enumerate(levels, 1):
            parts = [np.ascontiguousarray(level[part :: 4 * threads]) for part in range(4 * threads)]
            runs = [
                pool.submit(
                    kernel.solve,
                    part,
                    values,
                    stride,
                    tables.cap,
                    reach,
                    rules.throws,
                    rules.faces,
                    rules.locked_dice,
                    *fixed,
                )
                for part in parts
                if part.size
            ]
            for run in runs:
                run.result()
            if progress:
                progress(sum(map(len, levels[:done])) / sum(map(len, levels)))
    seconds = time.perf_counter() - begin
    return Solution(values, sum(map(len, levels)) * tables.lanes, seconds)


def lock_arrays(tables: Tables) -> tuple[Ints, Ints, Ints, Ints, Floats]:
    """Hand over the pairs of locked dice, or nothing where dice are free."""
    if not tables.rules.locked_dice:
        empty = np.zeros(1, np.int64)
        return empty, empty, empty, empty, np.zeros(1)
    locks = tables.locks
    return locks.begin, locks.union, locks.starts, locks.smaller, locks.chance


def reachable(tables: Tables) -> Ints:
    """Say for each set of written upper boxes how high its total can be."""
    boxes = len(tables.rules.boxes)
    most = tables.worth.max(axis=0)
    reach = np.zeros(1 << boxes if tables.rules.order != "top_down" else 1, np.int64)
    for box in range(boxes) if reach.size > 1 else ():
        if tables.upper[box]:
            reach[1 << box : 2 << box] = reach[: 1 << box] + most[box]
        else:
            reach[1 << box : 2 << box] = reach[: 1 << box]
    return reach


def columns_by_level(tables: Tables) -> list[Ints]:
    """List the columns to value, those with the most boxes written first."""
    boxes, states = len(tables.rules.boxes), tables.flag_states
    if tables.rules.order == "top_down":
        masks = np.array([(1 << written) - 1 for written in range(boxes)], np.int64)
    else:
        masks = np.arange((1 << boxes) - 1, dtype=np.int64)
    written = np.array([int(mask).bit_count() for mask in masks]) if boxes < 12 else np.bitwise_count(masks)
    yatzy = tables.rules.index[tables.rules.yatzy.box] if tables.rules.yatzy else 0
    levels = []
    for count in range(boxes - 1, -1, -1):
        here = masks[written == count]
        columns = [here * states + flag for flag in range(states) if not flag & SEEN or count]
        if tables.flags & HELD:
            columns = [part[((part // states) >> yatzy & 1 == 1) | ((part % states) & 1 == 0)] for part in columns]
        levels.append(np.sort(np.concatenate(columns)))
    return levels
