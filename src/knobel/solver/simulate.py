"""Plays many games at best play: all of them together, turn by turn, sorted by where they stand."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from math import sqrt

import numpy as np

from knobel.solver.arrays import (
    ANNOUNCED,
    LANES,
    ColumnModel,
    Floats,
    Ints,
    Records,
    allocate_choices,
    allocate_strips,
    lay_out_turn,
)
from knobel.solver.simulation_arrays import Batch, RollTable, SimulationScratch, SimulationTables
from knobel.solver.solve import ProgressCallback, count_columns, count_processors
from knobel.solver.table_checks import check_values
from knobel.solver.tables import Tables

GAMES_PER_BATCH = 1 << 24
"""How many games are advanced together; it is part of what a seed means."""

TASKS_PER_PROCESSOR, MIN_GAMES_PER_TASK = 16, 1 << 10
"""Into how many pieces a turn is cut for each processor, and how many games a piece has at least."""

GAMES_PER_COUNT = 1 << 16
"""How many finished games are counted at once."""

MAX_ROLL_OUTCOMES = 1 << 18
"""How many entries the list of outcomes may have before dice are rolled a few at a time."""


@dataclass(frozen=True, slots=True)
class SimulatedScores:
    """How many games came to how many points, how often each face was rolled, and the time it took."""

    games: int
    mean: float
    sd: float
    seconds: float
    faces: Ints
    histogram: Ints


def compile_kernels(tables: Tables, values: Floats) -> None:
    """Compile what is not compiled yet, so that the clock measures play alone."""
    nothing = Batch(np.zeros(1, np.uint64), 0, 0, np.uint64(0))
    play_batch(nothing, build_simulation_tables(tables, values), build_roll_table(tables))


def simulate(
    tables: Tables,
    values: Floats,
    games: int,
    seed: int,
    progress: ProgressCallback | None = None,
    roll_table: RollTable | None = None,
) -> SimulatedScores:
    """Play this many games, with fair dice or those given; a seed gives the same games on any number of processors."""
    begin = time.perf_counter()
    sim_tables, roll_table = build_simulation_tables(tables, values), roll_table or build_roll_table(tables)
    roll_counts, histogram = np.zeros(roll_table.outcome_counts.size, np.int64), np.zeros(1, np.int64)
    turns = len(tables.rules.boxes)
    with ThreadPoolExecutor(count_processors()) as pool:
        for first in range(0, games, GAMES_PER_BATCH):
            records = np.zeros(min(GAMES_PER_BATCH, games - first), np.uint64)
            for turn in range(turns):
                if turn:
                    sort_records(pool, records)
                played = first * turns + turn * records.size
                counter = find_counter(seed, played * tables.rules.rolls)
                roll_counts += play_turns(pool, records, counter, sim_tables, roll_table)
                if progress:
                    progress((played + records.size) / (games * turns))
            histogram = add_histograms(histogram, count_totals(tables, records))
    mean, sd = compute_moments(histogram)
    faces = roll_counts @ count_spot_faces(tables)
    return SimulatedScores(games, mean, sd, time.perf_counter() - begin, faces, histogram)


def find_counter(seed: int, drawn: int) -> np.uint64:
    """Say where in the stream of a seed the draws of a turn begin; every roll takes the next number of the stream."""
    from knobel.solver.simulation_kernel import SPLITMIX_GAMMA

    start = int.from_bytes(blake2b(str(seed).encode(), digest_size=8).digest())
    return np.uint64((start + drawn * int(SPLITMIX_GAMMA)) % (1 << 64))


def play_turns(
    pool: ThreadPoolExecutor,
    records: Records,
    counter: np.uint64,
    sim_tables: SimulationTables,
    roll_table: RollTable,
) -> Ints:
    """Play one turn of every game, in pieces; a draw belongs to a place among the sorted games, not to a piece."""
    size = max(records.size // (TASKS_PER_PROCESSOR * count_processors()), MIN_GAMES_PER_TASK)
    batches = [
        Batch(records, begin, min(begin + size, records.size), counter) for begin in range(0, records.size, size)
    ]
    runs = [pool.submit(play_batch, batch, sim_tables, roll_table) for batch in batches]
    return np.asarray(sum(run.result() for run in runs), np.int64)


def play_batch(batch: Batch, sim_tables: SimulationTables, roll_table: RollTable) -> Ints:
    """Play one turn of some games; count how often each spot was rolled to, less how often it was rolled from."""
    from knobel.solver.simulation_kernel import play_turn

    roll_counts = np.zeros(roll_table.outcome_counts.size, np.int64)
    play_turn(batch, sim_tables, roll_table, allocate_scratch(sim_tables, roll_table), roll_counts)
    return roll_counts


def allocate_scratch(sim_tables: SimulationTables, roll_table: RollTable) -> SimulationScratch:
    """Make room to work in; a slot of policy and steps for each box that may be announced, else one."""
    sheet, dice = sim_tables.model.sheet, sim_tables.model.dice
    boxes, hands = sheet.offer.box_count, sheet.alike_faces.size
    sets = roll_table.keep_spots.size
    slots = boxes if sheet.offer.order == ANNOUNCED else 1
    policy = np.zeros((slots * dice.rolls, roll_table.outcome_counts.size, LANES), roll_table.outcome_spots.dtype)
    # A full hand that was kept is not rolled any more: from its spot the turn goes on to the same spot.
    kept_hands = roll_table.keep_spots[dice.first_hand :]
    policy[:, kept_hands] = kept_hands[:, np.newaxis]
    return SimulationScratch(
        choices=allocate_choices(hands, boxes),
        turn=lay_out_turn(allocate_strips(3 * sets, np.float64), sets * LANES),
        policy=policy.reshape(-1),
        record_steps=np.zeros(slots * (hands + 1) * boxes, np.uint64),
        turn_values=np.zeros(LANES),
        best_values=np.zeros(LANES),
        announced_boxes=np.zeros(LANES, np.int64),
    )


def sort_records(pool: ThreadPoolExecutor, records: Records) -> None:
    """Sort on all processors: part the records by size first, then sort each part."""
    parts = count_processors()
    cuts = [records.size * part // parts for part in range(parts + 1)]
    if parts > 1 and records.size >= parts:
        records.partition(cuts[1:-1])
    list(pool.map(np.ndarray.sort, [records[low:high] for low, high in pairwise(cuts)]))


def count_totals(tables: Tables, records: Records) -> Ints:
    """Count the finished games by their total, the bonus included."""
    from knobel.solver.simulation_kernel import POINTS_MASK, UPPER_MASK, UPPER_SHIFT

    counts = np.zeros(1, np.int64)
    for begin in range(0, records.size, GAMES_PER_COUNT):
        part = records[begin : begin + GAMES_PER_COUNT]
        points = (part & POINTS_MASK).astype(np.int64)
        upper = (part >> UPPER_SHIFT) & UPPER_MASK
        counts = add_histograms(counts, np.bincount(points + (upper >= tables.upper_cap) * int(tables.bonus)))
    return counts


def add_histograms(left: Ints, right: Ints) -> Ints:
    """Add two histograms of different lengths."""
    size = max(left.size, right.size)
    return np.asarray(np.pad(left, (0, size - left.size)) + np.pad(right, (0, size - right.size)), np.int64)


def compute_moments(histogram: Ints) -> tuple[float, float]:
    """Give mean and standard deviation, from whole numbers."""
    counts = list(enumerate(histogram.tolist()))
    games = sum(count for _, count in counts)
    points = sum(total * count for total, count in counts)
    squares = sum(total * total * count for total, count in counts)
    return points / games, sqrt(games * squares - points * points) / games


def build_simulation_tables(tables: Tables, values: Floats) -> SimulationTables:
    """Hand over the rules and the book to compiled code, and how many bits of a value are its tag."""
    contiguous = np.require(values, np.float64, ["C", "W", "E"])
    check_values(contiguous, count_columns(tables.rules), tables.stride)
    model = ColumnModel(contiguous, tables.turn_dice, tables.lock_arrays, tables.sheet_arrays)
    return SimulationTables(model, tag_clear_mask=-(1 << count_tags(tables).bit_length()))


def count_spots(tables: Tables) -> int:
    """Say in how many spots a turn can be: the dice on the table, and where they lock, which of them are locked."""
    if tables.rules.locked_dice:
        return tables.lock_pairs.union.size + len(tables.multisets.hands)
    return len(tables.multisets.sets)


def count_tags(tables: Tables) -> int:
    """Say how many numbers it takes to name every spot, or every choice of a box for a hand."""
    return max((len(tables.multisets.hands) + 1) * len(tables.rules.boxes), count_spots(tables))


def find_spot_dice(tables: Tables) -> Ints:
    """Say which dice lie on the table in each spot."""
    everything = np.arange(len(tables.multisets.sets))
    if not tables.rules.locked_dice:
        return everything
    return np.concatenate([tables.lock_pairs.union, everything[tables.multisets.first_hand :]])


def count_spot_faces(tables: Tables) -> Ints:
    """Count the faces that lie on the table in each spot."""
    faces = range(1, tables.rules.faces + 1)
    counts = np.array([[chosen.count(face) for face in faces] for chosen in tables.multisets.sets], np.int64)
    return counts[find_spot_dice(tables)]


def build_roll_table(tables: Tables, max_outcomes: int = MAX_ROLL_OUTCOMES) -> RollTable:
    """List the outcomes of a roll from each spot, all dice at once if the list stays short, else a few at a time."""
    dice = tables.rules.dice
    sizes = np.array([len(chosen) for chosen in tables.multisets.sets])
    dice_to_roll = dice - sizes[find_spot_dice(tables)]
    at_once = max(
        (few for few in range(1, dice + 1) if count_roll_outcomes(tables, dice_to_roll, few).sum() <= max_outcomes),
        default=1,
    )
    counts = count_roll_outcomes(tables, dice_to_roll, at_once)
    outcomes = [
        list_roll_outcomes(tables, spot, int(min(dice_to_roll[spot], at_once)))
        for spot in np.flatnonzero(counts).tolist()
    ]
    return RollTable(
        outcome_starts=(np.cumsum(counts) - counts).astype(np.uint64),
        outcome_counts=counts.astype(np.uint64),
        reject_below=np.array([(1 << 32) % count if count else 0 for count in counts.tolist()], np.uint64),
        outcome_spots=np.concatenate(outcomes).astype(np.uint16 if count_tags(tables) < 1 << 16 else np.uint32),
        keep_spots=find_keep_spots(tables),
        spot_hands=np.maximum(find_spot_dice(tables) - tables.multisets.first_hand, 0),
    )


def count_roll_outcomes(tables: Tables, dice_to_roll: Ints, dice_at_once: int) -> Ints:
    """Count the outcomes of up to this many dice, from each spot."""
    return np.where(dice_to_roll > 0, tables.rules.faces ** np.minimum(dice_to_roll, dice_at_once), 0)


def find_keep_spots(tables: Tables) -> Ints:
    """Say for each kept multiset from which spot the others are rolled."""
    if not tables.rules.locked_dice:
        return np.arange(len(tables.multisets.sets))
    pairs = tables.lock_pairs.union.size
    return np.concatenate([tables.lock_pairs.pair_starts[:-1], np.arange(pairs, count_spots(tables))])


def list_roll_outcomes(tables: Tables, spot: int, dice: int) -> Ints:
    """List the spots that a roll from this one leads to, one for each outcome."""
    first_spot = 0
    if tables.rules.locked_dice:
        pair_starts = tables.lock_pairs.pair_starts
        first_spot = int(pair_starts[np.searchsorted(pair_starts, spot, "right") - 1])
    reached = np.array([spot - first_spot])
    larger = tables.multisets.larger.reshape(-1, tables.rules.faces)
    for _ in range(dice):
        reached = larger[reached].reshape(-1)
    return reached + first_spot
