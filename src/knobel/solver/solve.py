"""Solves a ruleset: level by level from the full sheet back to the empty one, on all processors."""

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from knobel.errors import TooLarge
from knobel.rules.ruleset import SheetRules
from knobel.solver.tables import HELD, SEEN, Floats, Ints, Tables, flag_states

STRIP = 16
MOST_BYTES = 2 * 1024**3
MOST_SECONDS = 900.0
STATE_SECONDS = 1.1e-6
"""What one column with one upper total costs on one processor, for five dice of six faces and three throws."""
SET_SECONDS = 2e-4
"""What it costs to list one multiset of dice."""

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


def strided(tables: Tables, values: Floats) -> Floats:
    """Lay the values of a book out as the compiled code reads them: past the last upper total it repeats."""
    wide = np.empty((values.shape[0], stride_of(tables)))
    wide[:, : tables.lanes] = values
    wide[:, tables.lanes :] = values[:, -1:]
    return wide.reshape(-1)


def rows_of(tables: Tables) -> int:
    """Say how many sets of written boxes there are."""
    boxes = len(tables.rules.boxes)
    return boxes + 1 if tables.rules.order == "top_down" else 1 << boxes


def columns_of(rules: SheetRules) -> int:
    """Say how many columns are told apart: sets of written boxes, each with its flags."""
    boxes = len(rules.boxes)
    return (boxes + 1 if rules.order == "top_down" else 1 << boxes) * flag_states(rules)


def estimate(rules: SheetRules) -> Estimate:
    """Say what solving will take, from the rules alone: the tables of a huge game would be too large themselves."""
    rows, lanes = columns_of(rules), rules.bonus.goal + 1 if rules.bonus else 1
    widest = -(-lanes // STRIP) * STRIP
    sets, hands = comb(rules.dice + rules.faces, rules.dice), comb(rules.dice + rules.faces - 1, rules.dice)
    per_throw = sets * rules.faces / (462 * 6)
    cost = per_throw * max(rules.throws - 0.5, 1) / 2.5
    if rules.locked_dice:
        cost = per_throw * (1 + 4 * max(rules.throws - 2, 0)) / 2
    if rules.order == "announced":
        cost *= len(rules.boxes) / 2
    room = widest + rules.dice * rules.faces + STRIP if rules.bonus else widest
    seconds = rows * widest * cost * STATE_SECONDS / processors() + sets * SET_SECONDS
    return Estimate(rows * lanes, seconds, 8 * (rows * room + hands * len(rules.boxes) * 3))


def processors() -> int:
    """Count the processors we may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_size(
    rules: SheetRules,
    most_seconds: float = MOST_SECONDS,
    most_bytes: int = MOST_BYTES,
    error: type[TooLarge] = TooLarge,
) -> Estimate:
    """Refuse a run that is too large, with the number."""
    cost = estimate(rules)
    if cost.memory > most_bytes or cost.seconds > most_seconds:
        raise error(
            states=cost.states,
            seconds=round(cost.seconds),
            memory=cost.memory // 1024**2,
            most_seconds=round(most_seconds),
            most_memory=most_bytes // 1024**2,
        )
    return cost


def solve(tables: Tables, progress: Progress | None = None) -> Solution:
    """Value every position."""
    check_size(tables.rules)
    from knobel.solver import kernel

    rules, sets = tables.rules, tables.sets
    stride, states = stride_of(tables), tables.flag_states
    values = np.zeros(columns_of(rules) * stride)
    full = values.reshape(-1, stride)[-states:]
    full[:, tables.cap :] = tables.bonus
    strip = np.int64(STRIP)
    fixed: tuple[Any, ...] = (
        values,
        stride,
        tables.cap,
        reachable(tables),
        rules.throws,
        rules.faces,
        (np.int64(sets.first), sets.grow * strip, sets.starts, sets.smaller * strip, sets.chance),
        lock_arrays(tables) if rules.locked_dice else None,
        tables.alike,
        tables.row,
        tables.scores,
        tables.worth.reshape(-1),
        tables.extra,
        tables.upper,
        tables.offer,
    )
    levels = columns_by_level(tables)
    kernel.solve(levels[0][:0], *fixed)
    begin = time.perf_counter()
    run_levels(kernel.solve, levels, fixed, progress)
    seconds = time.perf_counter() - begin
    return Solution(values, sum(map(len, levels)) * tables.lanes, seconds)


def run_levels(
    work: Callable[..., None], levels: list[Ints], fixed: tuple[Any, ...], progress: Progress | None
) -> None:
    """Work through the levels one after the other, the columns of each on all processors."""
    threads, every, done = processors(), sum(map(len, levels)), 0
    with ThreadPoolExecutor(threads) as pool:
        for level in levels:
            parts = [np.ascontiguousarray(level[part :: 4 * threads]) for part in range(4 * threads)]
            for run in [pool.submit(work, part, *fixed) for part in parts if part.size]:
                run.result()
            done += len(level)
            if progress:
                progress(done / every)


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
