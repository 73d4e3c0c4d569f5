"""Plays many games at best play: all of them together, turn by turn, sorted by where they stand."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from knobel.solver.solve import STRIP, lock_arrays, processors, stride_of
from knobel.solver.tables import Floats, Ints, Tables

if TYPE_CHECKING:
    from knobel.solver.playing import Desk, Falls, Game

BLOCK = 1 << 24
"""How many games are advanced together; it is part of what a seed means."""

PIECES, LEAST_PIECE = 16, 1 << 10
"""Into how many pieces a turn is cut for each processor, and how many games a piece has at least."""

AT_ONCE = 1 << 16
"""How many finished games are counted at once."""

MOST_WAYS = 1 << 18
"""How many entries the list of falls may have before dice are thrown a few at a time."""

Progress = Callable[[float], None]
Records = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Simulation:
    """How many games came to how many points, how often each face fell, and what it took."""

    games: int
    mean: float
    sd: float
    seconds: float
    faces: Ints
    histogram: Ints

    @property
    def games_per_second(self) -> float:
        """The speed, preparation included."""
        return self.games / self.seconds

    @property
    def standard_error(self) -> float:
        """How far the mean is likely to be from the truth."""
        return self.sd / sqrt(self.games)


def simulate(tables: Tables, values: Floats, games: int, seed: int, progress: Progress | None = None) -> Simulation:
    """Play so many games; the same seed gives the same games on any number of processors."""
    warm(tables, values)
    return run(tables, values, games, seed, progress)


def warm(tables: Tables, values: Floats) -> None:
    """Compile what is not compiled yet, so that the clock measures play alone."""
    play_piece(np.zeros(1, np.uint64), 0, 0, np.uint64(0), game_of(tables, values), falls_of(tables))


def run(
    tables: Tables,
    values: Floats,
    games: int,
    seed: int,
    progress: Progress | None = None,
    falls: "Falls | None" = None,
) -> Simulation:
    """Play block by block, with fair dice or those given, and add up."""
    begin = time.perf_counter()
    game, falls = game_of(tables, values), falls or falls_of(tables)
    thrown, histogram = np.zeros(falls.ways.size, np.int64), np.zeros(1, np.int64)
    with ThreadPoolExecutor(processors()) as pool:
        for first in range(0, games, BLOCK):
            records = np.zeros(min(BLOCK, games - first), np.uint64)
            for turn in range(len(tables.rules.boxes)):
                if turn:
                    sort(pool, records)
                drawn = first * len(tables.rules.boxes) + turn * records.size
                thrown += play_all(pool, records, counter_of(seed, drawn * tables.rules.throws), game, falls)
                if progress:
                    progress((drawn + records.size) / (games * len(tables.rules.boxes)))
            histogram = merge(histogram, totals(tables, records))
    mean, sd = moments(histogram)
    faces = thrown @ contents(tables)
    return Simulation(games, mean, sd, time.perf_counter() - begin, faces, histogram)


def counter_of(seed: int, drawn: int) -> np.uint64:
    """Say where in the stream of a seed the draws of a turn begin; every throw takes the next number of the stream."""
    from knobel.solver.playing import GAMMA

    start = int.from_bytes(blake2b(str(seed).encode(), digest_size=8).digest())
    return np.uint64((start + drawn * int(GAMMA)) % (1 << 64))


def play_all(pool: ThreadPoolExecutor, records: Records, counter: np.uint64, game: "Game", falls: "Falls") -> Ints:
    """Play one turn of every game, in pieces; a draw belongs to a place among the sorted games, not to a piece."""
    piece = max(records.size // (PIECES * processors()), LEAST_PIECE)
    runs = [
        pool.submit(play_piece, records, begin, min(begin + piece, records.size), counter, game, falls)
        for begin in range(0, records.size, piece)
    ]
    return np.asarray(sum(one.result() for one in runs), np.int64)


def play_piece(records: Records, begin: int, end: int, counter: np.uint64, game: "Game", falls: "Falls") -> Ints:
    """Play one turn of some games; count how often each spot was thrown to, less how often it was thrown from."""
    from knobel.solver.playing import play_turn

    thrown = np.zeros(falls.ways.size, np.int64)
    play_turn(records, begin, end, counter, game, falls, desk_for(game, falls), thrown)
    return thrown


def desk_for(game: "Game", falls: "Falls") -> "Desk":
    """Make room to work in."""
    from knobel.solver.kernel import ANNOUNCED, BOXES, ORDER
    from knobel.solver.playing import Desk

    boxes, hands = int(game.offer[BOXES]), game.hands[0].size
    slots = boxes if game.offer[ORDER] == ANNOUNCED else 1
    choices, size = (hands + 1) * boxes, falls.start.size * STRIP
    policy = np.zeros((slots * game.throws, falls.ways.size, STRIP), falls.outcome.dtype)
    complete = falls.start[game.sets[0] :]
    policy[:, complete] = complete[:, np.newaxis]
    return Desk(
        zero=np.zeros(hands, np.int64),
        begin=np.zeros(hands + 1, np.int64),
        address=np.zeros(choices, np.int64),
        points=np.zeros(choices),
        work=np.zeros(size),
        spare=np.zeros(size),
        more=np.zeros(size),
        policy=policy.reshape(-1),
        step=np.zeros(slots * choices, np.uint64),
        value=np.zeros(STRIP),
        best=np.zeros(STRIP),
        named=np.zeros(STRIP, np.int64),
    )


def sort(pool: ThreadPoolExecutor, records: Records) -> None:
    """Sort on all processors: part the records by size first, then sort each part."""
    parts = processors()
    cuts = [records.size * part // parts for part in range(parts + 1)]
    if parts > 1 and records.size >= parts:
        records.partition(cuts[1:-1])
    list(pool.map(np.ndarray.sort, [records[low:high] for low, high in pairwise(cuts)]))


def totals(tables: Tables, records: Records) -> Ints:
    """Count the finished games by their total, the bonus included."""
    from knobel.solver.playing import POINTS_BITS, UPPER_AT, UPPER_BITS

    counts = np.zeros(1, np.int64)
    for begin in range(0, records.size, AT_ONCE):
        part = records[begin : begin + AT_ONCE]
        points = (part & POINTS_BITS).astype(np.int64)
        upper = (part >> UPPER_AT) & UPPER_BITS
        counts = merge(counts, np.bincount(points + (upper >= tables.cap) * int(tables.bonus)))
    return counts


def merge(left: Ints, right: Ints) -> Ints:
    """Add two histograms of different lengths."""
    size = max(left.size, right.size)
    return np.asarray(np.pad(left, (0, size - left.size)) + np.pad(right, (0, size - right.size)), np.int64)


def moments(histogram: Ints) -> tuple[float, float]:
    """Give mean and standard deviation, from whole numbers."""
    counts = list(enumerate(histogram.tolist()))
    games = sum(count for _, count in counts)
    points = sum(total * count for total, count in counts)
    squares = sum(total * total * count for total, count in counts)
    return points / games, sqrt(games * squares - points * points) / games


def game_of(tables: Tables, values: Floats) -> "Game":
    """Hand over the rules and the book to compiled code."""
    from knobel.solver.playing import Game

    rules, sets = tables.rules, tables.sets
    strip = np.int64(STRIP)
    return Game(
        throws=rules.throws,
        faces=rules.faces,
        locked=rules.locked_dice,
        cap=tables.cap,
        stride=stride_of(tables),
        clear=-(1 << numbers(tables).bit_length()),
        values=np.require(values, np.float64, ["C", "W", "E"]),
        offer=tables.offer,
        hands=(tables.alike, tables.row, tables.scores, tables.worth.reshape(-1), tables.extra, tables.upper),
        sets=(sets.first, sets.grow * strip, sets.starts, sets.smaller * strip, sets.chance),
        lock=lock_arrays(tables),
    )


def spots(tables: Tables) -> int:
    """Say in how many spots a turn can be: the dice on the table, and where they lock, which of them are locked."""
    if tables.rules.locked_dice:
        return tables.locks.union.size + len(tables.sets.hands)
    return len(tables.sets.sets)


def numbers(tables: Tables) -> int:
    """Say how many numbers it takes to name every spot, or every choice of a box for a hand."""
    return max((len(tables.sets.hands) + 1) * len(tables.rules.boxes), spots(tables))


def unions(tables: Tables) -> Ints:
    """Say which dice lie on the table in each spot."""
    everything = np.arange(len(tables.sets.sets))
    if not tables.rules.locked_dice:
        return everything
    return np.concatenate([tables.locks.union, everything[tables.sets.first :]])


def contents(tables: Tables) -> Ints:
    """Count the faces that lie on the table in each spot."""
    faces = range(1, tables.rules.faces + 1)
    counts = np.array([[chosen.count(face) for face in faces] for chosen in tables.sets.sets], np.int64)
    return counts[unions(tables)]


def falls_of(tables: Tables, most: int = MOST_WAYS) -> "Falls":
    """List how dice fall from each spot, all at once if the list stays short, else a few dice at a time."""
    from knobel.solver.playing import Falls

    dice = tables.rules.dice
    sizes = np.array([len(chosen) for chosen in tables.sets.sets])
    room = dice - sizes[unions(tables)]
    at_once = max((few for few in range(1, dice + 1) if fall_ways(tables, room, few).sum() <= most), default=1)
    ways = fall_ways(tables, room, at_once)
    outcome = np.concatenate(
        [outcomes(tables, int(spot), int(min(room[spot], at_once))) for spot in np.flatnonzero(ways)]
    )
    return Falls(
        base=(np.cumsum(ways) - ways).astype(np.uint64),
        ways=ways.astype(np.uint64),
        limit=np.array([(1 << 32) % way if way else 0 for way in ways.tolist()], np.uint64),
        outcome=outcome.astype(np.uint16 if numbers(tables) < 1 << 16 else np.uint32),
        start=starts(tables),
        hand=np.maximum(unions(tables) - tables.sets.first, 0),
    )


def fall_ways(tables: Tables, room: Ints, at_once: int) -> Ints:
    """Count the ways in which up to so many dice fall, from each spot."""
    return np.where(room > 0, tables.rules.faces ** np.minimum(room, at_once), 0)


def starts(tables: Tables) -> Ints:
    """Say for each kept multiset from which spot the others are thrown."""
    if not tables.rules.locked_dice:
        return np.arange(len(tables.sets.sets))
    pairs = tables.locks.union.size
    return np.concatenate([tables.locks.begin[:-1], np.arange(pairs, spots(tables))])


def outcomes(tables: Tables, spot: int, dice: int) -> Ints:
    """List the spots that dice thrown from this one lead to, one for each way they fall."""
    base = 0
    if tables.rules.locked_dice:
        begin = tables.locks.begin
        base = int(begin[np.searchsorted(begin, spot, "right") - 1])
    reached = np.array([spot - base])
    grow = tables.sets.grow.reshape(-1, tables.rules.faces)
    for _ in range(dice):
        reached = grow[reached].reshape(-1)
    return reached + base
