"""Solves a ruleset: level by level from the full sheet back to the empty one, on all processors."""

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import comb

import numpy as np

from knobel.errors import GameTooLarge
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.arrays import LANES, TOP_DOWN, Floats, Ints
from knobel.solver.tables import Tables, count_flag_states, round_up_to_strips

MAX_BYTES = 2 * 1024**3
MAX_SECONDS = 900.0
SECONDS_PER_STATE = 1.1e-6
"""What one position costs on one processor in the measured game: five dice of six faces, three rolls."""
MEASURED_GROWTHS = 462 * 6
"""How often a multiset grows by one die in the measured game: multisets times faces."""
MEASURED_ROLLS = 2.5
"""How many rolls the measured game has that cost a whole pass; the first one costs about half."""
LOCKED_ROLL_FACTOR, LOCKED_DIVISOR = 4, 2
"""What a roll between the first and the last costs where kept dice stay, and how much the whole gains by it."""
SECONDS_PER_MULTISET = 2e-4
"""What it costs to list one multiset of dice."""

TASKS_PER_PROCESSOR = 4
"""Into how many pieces a level is cut for each processor, so that none waits long for another."""

ProgressCallback = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """The cost of a run, estimated before it starts."""

    states: int
    seconds: float
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class SheetSolution:
    """The value of every position, and the time it took."""

    values: Floats
    states: int
    seconds: float


def pad_to_stride(tables: Tables, values: Floats) -> Floats:
    """Lay the values of a book out as the compiled code reads them: past the last upper total it repeats."""
    wide = np.empty((values.shape[0], tables.stride))
    wide[:, : tables.upper_states] = values
    wide[:, tables.upper_states :] = values[:, -1:]
    return wide.reshape(-1)


def count_book_rows(rules: SheetRules) -> int:
    """Count the distinct sets of used boxes."""
    boxes = len(rules.boxes)
    return boxes + 1 if rules.order == "top_down" else 1 << boxes


def count_columns(rules: SheetRules) -> int:
    """Count the distinct columns: sets of used boxes, each with its flags."""
    return count_book_rows(rules) * count_flag_states(rules)


def estimate_cost(rules: SheetRules) -> CostEstimate:
    """Say what solving will take, from the rules alone: the tables of a huge game would be too large themselves."""
    columns, upper_states = count_columns(rules), rules.bonus.goal + 1 if rules.bonus else 1
    widest = round_up_to_strips(upper_states)
    sets, hands = comb(rules.dice + rules.faces, rules.dice), comb(rules.dice + rules.faces - 1, rules.dice)
    per_roll = sets * rules.faces / MEASURED_GROWTHS
    cost = per_roll * max(rules.rolls - 0.5, 1) / MEASURED_ROLLS
    if rules.locked_dice:
        cost = per_roll * (1 + LOCKED_ROLL_FACTOR * max(rules.rolls - 2, 0)) / LOCKED_DIVISOR
    if rules.order == "announced":
        cost *= len(rules.boxes) / 2  # on average half of the boxes are open and may be announced
    stride = widest + rules.dice * rules.faces + LANES if rules.bonus else widest
    seconds = columns * widest * cost * SECONDS_PER_STATE / count_processors() + sets * SECONDS_PER_MULTISET
    return CostEstimate(columns * upper_states, seconds, 8 * (columns * stride + hands * len(rules.boxes) * 3))


PROCESSOR_LIMIT: list[int] = []
"""How many processors this process may use at most, where somebody said so."""


def limit_processors(count: int) -> None:
    """Use no more processors than this, in this process."""
    PROCESSOR_LIMIT[:] = [count]


def count_processors() -> int:
    """Count the processors we may use."""
    if PROCESSOR_LIMIT:
        return PROCESSOR_LIMIT[0]
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
        raise build_size_error(cost, max_seconds, max_bytes, error)
    return cost


def build_size_error(
    cost: CostEstimate,
    max_seconds: float = MAX_SECONDS,
    max_bytes: int = MAX_BYTES,
    error: type[GameTooLarge] = GameTooLarge,
) -> GameTooLarge:
    return error(
        states=cost.states,
        seconds=round(cost.seconds),
        memory=cost.memory_bytes // 1024**2,
        most_seconds=round(max_seconds),
        most_memory=max_bytes // 1024**2,
    )


def solve(tables: Tables, progress: ProgressCallback | None = None) -> SheetSolution:
    """Value every position."""
    check_size(tables.rules)
    from knobel.solver.value_kernel import solve_columns

    values = np.zeros(count_columns(tables.rules) * tables.stride)
    full_sheets = values.reshape(-1, tables.stride)[-tables.flag_states :]
    full_sheets[:, tables.upper_cap :] = tables.bonus
    max_upper_totals = find_max_upper_totals(tables)
    lock = tables.lock_arrays if tables.rules.locked_dice else None

    def solve_some(columns: Ints) -> None:
        solve_columns(columns, values, max_upper_totals, tables.sheet_arrays, tables.turn_dice, lock)

    levels = group_columns_by_level(tables)
    solve_some(levels[0][:0])  # compiles, before the clock starts
    begin = time.perf_counter()
    run_levels(solve_some, levels, progress)
    seconds = time.perf_counter() - begin
    return SheetSolution(values, sum(map(len, levels)) * tables.upper_states, seconds)


def run_levels(work: Callable[[Ints], None], levels: list[Ints], progress: ProgressCallback | None) -> None:
    """Work through the levels one after the other, the columns of each on all processors."""
    processors, every, done = count_processors(), sum(map(len, levels)), 0
    tasks = TASKS_PER_PROCESSOR * processors
    with ThreadPoolExecutor(processors) as pool:
        for level in levels:
            # Columns with many boxes open take longer and lie together, so each task takes every nth one.
            parts = [np.ascontiguousarray(level[task::tasks]) for task in range(min(tasks, len(level)))]
            for run in [pool.submit(work, part) for part in parts]:
                run.result()
            done += len(level)
            if progress:
                progress(done / every)


def find_max_upper_totals(tables: Tables) -> Ints:
    """Say for each set of used boxes how high the upper total can be; filled top down nobody asks."""
    if tables.offer.order == TOP_DOWN:
        return np.zeros(1, np.int64)
    box_maxima = tables.worth.max(axis=0) * tables.is_upper
    totals = np.zeros(1 << tables.offer.box_count, np.int64)
    for box, most in enumerate(box_maxima):
        totals[1 << box : 2 << box] = totals[: 1 << box] + most
    return totals


def group_masks_by_level(tables: Tables) -> list[Ints]:
    """List the sets of used boxes by their number, the empty sheet first."""
    boxes = tables.offer.box_count
    if tables.offer.order == TOP_DOWN:
        return [np.array([(1 << used) - 1], np.int64) for used in range(boxes + 1)]
    masks = np.arange(1 << boxes, dtype=np.int64)
    used = np.bitwise_count(masks)
    return [masks[used == count] for count in range(boxes + 1)]


def group_columns_by_level(tables: Tables) -> list[Ints]:
    """List the columns to value as `mask * flag_states + flag_state`, those with the most boxes used first.

    Flags that cannot be are left out: no Yatzy was rolled before the first turn, or scored in an open box.
    """
    offer, states = tables.offer, tables.flag_states
    levels = []
    for used, masks in reversed(list(enumerate(group_masks_by_level(tables)[:-1]))):
        columns = (masks[:, None] * states + np.arange(states)).reshape(-1)
        flag_states, yatzy_used = columns % states, columns // states & offer.yatzy_bit != 0
        possible = (flag_states & offer.scored_flag == 0) | yatzy_used
        if used == 0:
            possible &= flag_states & offer.rolled_flag == 0
        levels.append(columns[possible])
    return levels
