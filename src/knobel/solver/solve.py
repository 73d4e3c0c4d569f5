"""Solves a ruleset: level by level from the full sheet back to the empty one, on all processors."""

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from knobel.errors import GameTooLarge
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.tables import YATZY_ROLLED, YATZY_SCORED, Floats, Ints, Tables, count_flag_states

LANES = 16
MAX_BYTES = 2 * 1024**3
MAX_SECONDS = 900.0
SECONDS_PER_STATE = 1.1e-6
"""What one column with one upper total costs on one processor, for five dice of six faces and three throws."""
SECONDS_PER_MULTISET = 2e-4
"""What it costs to list one multiset of dice."""

ProgressCallback = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """What a run will take, known before it starts."""

    states: int
    seconds: float
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class SheetSolution:
    """The value of every position, and what it took."""

    values: Floats
    states: int
    seconds: float


def compute_stride(tables: Tables) -> int:
    """Say how many numbers a column takes: its upper totals, and room to read past the last one."""
    reach = int(tables.worth[:, tables.is_upper > 0].max(initial=0))
    lanes = -(-tables.upper_states // LANES) * LANES
    return lanes + -(-reach // LANES) * LANES


def pad_to_stride(tables: Tables, values: Floats) -> Floats:
    """Lay the values of a book out as the compiled code reads them: past the last upper total it repeats."""
    wide = np.empty((values.shape[0], compute_stride(tables)))
    wide[:, : tables.upper_states] = values
    wide[:, tables.upper_states :] = values[:, -1:]
    return wide.reshape(-1)


def count_book_rows(tables: Tables) -> int:
    """Say how many sets of written boxes there are."""
    boxes = len(tables.rules.boxes)
    return boxes + 1 if tables.rules.order == "top_down" else 1 << boxes


def count_columns(rules: SheetRules) -> int:
    """Say how many columns are told apart: sets of written boxes, each with its flags."""
    boxes = len(rules.boxes)
    return (boxes + 1 if rules.order == "top_down" else 1 << boxes) * count_flag_states(rules)


def estimate_cost(rules: SheetRules) -> CostEstimate:
    """Say what solving will take, from the rules alone: the tables of a huge game would be too large themselves."""
    rows, lanes = count_columns(rules), rules.bonus.goal + 1 if rules.bonus else 1
    widest = -(-lanes // LANES) * LANES
    sets, hands = comb(rules.dice + rules.faces, rules.dice), comb(rules.dice + rules.faces - 1, rules.dice)
    per_throw = sets * rules.faces / (462 * 6)
    cost = per_throw * max(rules.rolls - 0.5, 1) / 2.5
    if rules.locked_dice:
        cost = per_throw * (1 + 4 * max(rules.rolls - 2, 0)) / 2
    if rules.order == "announced":
        cost *= len(rules.boxes) / 2
    room = widest + rules.dice * rules.faces + LANES if rules.bonus else widest
    seconds = rows * widest * cost * SECONDS_PER_STATE / count_processors() + sets * SECONDS_PER_MULTISET
    return CostEstimate(rows * lanes, seconds, 8 * (rows * room + hands * len(rules.boxes) * 3))


def count_processors() -> int:
    """Count the processors we may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_size(
    rules: SheetRules,
    max_seconds: float = MAX_SECONDS,
    max_bytes: int = MAX_BYTES,
    error: type[GameTooLarge] = GameTooLarge,
) -> CostEstimate:
    """Refuse a run that is too large, with the number."""
    cost = estimate_cost(rules)
    if cost.memory_bytes > max_bytes or cost.seconds > max_seconds:
        raise error(
            states=cost.states,
            seconds=round(cost.seconds),
            memory=cost.memory_bytes // 1024**2,
            most_seconds=round(max_seconds),
            most_memory=max_bytes // 1024**2,
        )
    return cost


def solve(tables: Tables, progress: ProgressCallback | None = None) -> SheetSolution:
    """Value every position."""
    check_size(tables.rules)
    from knobel.solver import value_kernel

    rules, sets = tables.rules, tables.multisets
    stride, states = compute_stride(tables), tables.flag_states
    values = np.zeros(count_columns(rules) * stride)
    full = values.reshape(-1, stride)[-states:]
    full[:, tables.upper_cap :] = tables.bonus
    strip = np.int64(LANES)
    fixed: tuple[Any, ...] = (
        values,
        stride,
        tables.upper_cap,
        find_max_upper_totals(tables),
        rules.rolls,
        rules.faces,
        (np.int64(sets.first_hand), sets.larger * strip, sets.smaller_starts, sets.smaller * strip, sets.hand_chances),
        build_lock_arrays(tables) if rules.locked_dice else None,
        tables.alike_faces,
        tables.situation_rows,
        tables.scoring_boxes,
        tables.worth.reshape(-1),
        tables.extra,
        tables.is_upper,
        tables.offer_rules,
    )
    levels = group_columns_by_level(tables)
    value_kernel.solve_columns(levels[0][:0], *fixed)
    begin = time.perf_counter()
    run_levels(value_kernel.solve_columns, levels, fixed, progress)
    seconds = time.perf_counter() - begin
    return SheetSolution(values, sum(map(len, levels)) * tables.upper_states, seconds)


def run_levels(
    kernel: Callable[..., None], levels: list[Ints], kernel_args: tuple[Any, ...], progress: ProgressCallback | None
) -> None:
    """Work through the levels one after the other, the columns of each on all processors."""
    threads, every, done = count_processors(), sum(map(len, levels)), 0
    with ThreadPoolExecutor(threads) as pool:
        for level in levels:
            parts = [np.ascontiguousarray(level[part :: 4 * threads]) for part in range(4 * threads)]
            for run in [pool.submit(kernel, part, *kernel_args) for part in parts if part.size]:
                run.result()
            done += len(level)
            if progress:
                progress(done / every)


def build_lock_arrays(tables: Tables) -> tuple[Ints, Ints, Ints, Ints, Floats]:
    """Hand over the pairs of locked dice, or nothing where dice are free."""
    if not tables.rules.locked_dice:
        empty = np.zeros(1, np.int64)
        return empty, empty, empty, empty, np.zeros(1)
    locks = tables.lock_pairs
    return locks.pair_starts, locks.union, locks.smaller_starts, locks.smaller, locks.roll_chances


def find_max_upper_totals(tables: Tables) -> Ints:
    """Say for each set of written upper boxes how high its total can be."""
    boxes = len(tables.rules.boxes)
    most = tables.worth.max(axis=0)
    reach = np.zeros(1 << boxes if tables.rules.order != "top_down" else 1, np.int64)
    for box in range(boxes) if reach.size > 1 else ():
        if tables.is_upper[box]:
            reach[1 << box : 2 << box] = reach[: 1 << box] + most[box]
        else:
            reach[1 << box : 2 << box] = reach[: 1 << box]
    return reach


def group_columns_by_level(tables: Tables) -> list[Ints]:
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
        columns = [here * states + flag for flag in range(states) if not flag & YATZY_ROLLED or count]
        if tables.flags & YATZY_SCORED:
            columns = [part[((part // states) >> yatzy & 1 == 1) | ((part % states) & 1 == 0)] for part in columns]
        levels.append(np.sort(np.concatenate(columns)))
    return levels
