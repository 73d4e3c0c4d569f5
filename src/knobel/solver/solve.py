"""Solves a ruleset: level by level from the full sheet back to the empty one, on all processors."""

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from knobel.errors import GameTooLarge
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.arrays import (
    LANES,
    TOP_DOWN,
    WORST_VALUE,
    ColumnBatch,
    Floats,
    Ints,
    SingleFloats,
    SolveScratch,
    allocate_choices,
    allocate_strips,
    lay_out_turn,
)
from knobel.solver.hand_classes import TurnClasses, list_turn_classes
from knobel.solver.position import find_book_rows
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

MAX_TASK_COLUMNS = 2048
"""About how many columns a piece has at most: what it finds is kept aside until it is done."""

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
    values = np.zeros(count_columns(tables.rules) * tables.stride)
    write_full_sheets(tables, values)
    solve_some = prepare_solve(tables, values)
    levels = group_columns_by_level(tables)
    solve_some(levels[0][:0])  # compiles, before the clock starts
    begin = time.perf_counter()
    run_levels(solve_some, levels, progress)
    seconds = time.perf_counter() - begin
    return SheetSolution(values, count_states(tables, levels), seconds)


def write_full_sheets(tables: Tables, values: Floats) -> None:
    """Write what full sheets are worth: nothing but the bonus is still to come."""
    full_sheets = values.reshape(-1, tables.stride)[-tables.flag_states :]
    full_sheets[:, tables.upper_cap :] = tables.bonus


def prepare_solve(tables: Tables, values: Floats) -> Callable[[Ints], None]:
    """Make a function that values columns from those with one box more, whose values are there already."""
    from knobel.solver.value_kernel import value_columns

    turns, sheet = list_turn_classes(tables), tables.sheet_arrays
    lock = tables.lock_arrays if tables.rules.locked_dice else None

    def solve_some(columns: Ints) -> None:
        batch = limit_totals(tables, columns)
        best = np.full((columns.size, round_up_to_strips(tables.upper_states)), WORST_VALUE)
        for turn in turns:
            places, scratch = turn.select_columns(columns // tables.flag_states), allocate_solve_scratch(tables, turn)
            if turn.sure_points is not None:
                places = places[may_be_best(tables, values, batch, best, turn, places)]
            value_columns(batch, places, turn.announced, values, best.reshape(-1), sheet, turn.dice, lock, scratch)
        write_columns(tables, values, batch, best)

    return solve_some


def may_be_best(
    tables: Tables, values: Floats, batch: ColumnBatch, best: Floats, turn: TurnClasses, places: Ints
) -> NDArray[np.bool_]:
    """Tell where a turn that brings sure points may be worth more than the best one so far, by any upper total."""
    masks = batch.numbers[places] // tables.flag_states | 1 << turn.announced
    after = values.reshape(-1, tables.stride)[find_book_rows(tables, masks), : best.shape[1]]
    worth = after + (turn.sure_points or 0.0)
    totals = np.arange(best.shape[1])
    is_asked = (totals >= batch.lowest_totals[places, None]) & (totals <= batch.highest_totals[places, None])
    return np.asarray((is_asked & (worth > best[places])).any(axis=1))


def limit_totals(tables: Tables, columns: Ints) -> ColumnBatch:
    """Say between which upper totals columns are worked out: where they can be, and where they differ."""
    masks = columns // tables.flag_states
    if tables.offer.order == TOP_DOWN:
        return ColumnBatch(columns, np.zeros_like(columns), np.full_like(columns, tables.upper_cap))
    highest = np.minimum(tables.max_upper_totals[masks & tables.offer.upper_bits], tables.upper_cap)
    return ColumnBatch(columns, find_lowest_totals(tables, masks), highest)


def list_rows_of(tables: Tables, columns: Ints) -> Ints:
    """List the rows of the book that columns stand in."""
    states = tables.flag_states
    return np.asarray(find_book_rows(tables, columns // states) * states + columns % states)


def write_columns(
    tables: Tables, values: Floats | SingleFloats, batch: ColumnBatch, best: Floats | SingleFloats
) -> None:
    """Write the values of columns into the book; where the bonus is out of reach they are all the same.

    Past the last upper total its value is repeated: a strip may begin near the cap and score upper points on top.
    """
    totals = np.arange(tables.stride)
    nearest = np.minimum(np.maximum(totals, batch.lowest_totals[:, None]), tables.upper_cap)
    rows = np.take_along_axis(best, nearest, axis=1)
    rows[nearest > batch.highest_totals[:, None]] = 0.0
    values.reshape(-1, tables.stride)[list_rows_of(tables, batch.numbers)] = rows


def count_states(tables: Tables, levels: list[Ints]) -> int:
    return sum(map(len, levels)) * tables.upper_states


def allocate_solve_scratch(
    tables: Tables, turn: TurnClasses, strips: int = 1, kind: type[np.floating] = np.float64
) -> SolveScratch:
    """Make the room that one thread needs, with so many strips for each multiset."""
    return SolveScratch(
        choices=allocate_choices(turn.hands.size, tables.offer.box_count)._replace(hands=turn.hands),
        turn=lay_out_turn(allocate_strips(3 * strips * (turn.dice.smaller_starts.size - 1), kind)),
    )


def run_levels(work: Callable[[Ints], None], levels: list[Ints], progress: ProgressCallback | None) -> None:
    """Work through the levels one after the other, the columns of each on all processors."""
    processors, every, done = count_processors(), sum(map(len, levels)), 0
    with ThreadPoolExecutor(processors) as pool:
        for level in levels:
            tasks = max(TASKS_PER_PROCESSOR * processors, len(level) // MAX_TASK_COLUMNS)
            # Columns with many boxes open take longer and lie together, so each task takes every nth one.
            parts = [np.ascontiguousarray(level[task::tasks]) for task in range(min(tasks, len(level)))]
            for run in [pool.submit(work, part) for part in parts]:
                run.result()
            done += len(level)
            if progress:
                progress(done / every)


def find_lowest_totals(tables: Tables, masks: Ints) -> Ints:
    """Say for sets of used boxes from which upper total on positions differ: below it the bonus is out of reach."""
    if tables.offer.order == TOP_DOWN:
        return np.zeros(masks.size, np.int64)
    totals, upper_bits = tables.max_upper_totals, tables.offer.upper_bits
    highest = totals[masks & upper_bits]
    to_come = totals[upper_bits] - highest
    lowest = np.maximum(tables.upper_cap - 1 - to_come, 0)
    return np.asarray(np.minimum(lowest, np.minimum(highest, tables.upper_cap)))


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
