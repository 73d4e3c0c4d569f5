"""Many games of a score sheet at once, stepped by compiled code on all processors."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from knobel.solver.arrays import ANNOUNCED, Ints
from knobel.solver.batch_arrays import (
    IS_OVER,
    NOT_A_KEEP,
    POSITION_SIZE,
    BatchGames,
    BatchTables,
    BatchView,
    allocate_games,
    allocate_view,
)
from knobel.solver.multisets import Multisets
from knobel.solver.solve import count_processors
from knobel.solver.tables import Tables

GAMES_PER_TASK = 256
"""How many games a thread steps at least: fewer take less time than waking it up."""


class ParallelSteps:
    """Runs a compiled step over all games, cut into pieces for as many threads as there are processors."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.pool = ThreadPoolExecutor(count_processors())

    def run(self, step: Callable[..., None], actions: Ints, *shared: object) -> None:
        """Carry out an action for each game; what is shared is given to every piece."""
        taken = np.ascontiguousarray(actions, np.int64)
        if taken.shape != (self.count,):
            raise ValueError(taken.shape)
        parts = max(1, min(count_processors(), self.count // GAMES_PER_TASK))
        cuts = [self.count * part // parts for part in range(parts + 1)]
        if parts == 1:
            step(0, self.count, taken, *shared)
        else:
            list(self.pool.map(lambda part: step(cuts[part], cuts[part + 1], taken, *shared), range(parts)))

    def close(self) -> None:
        self.pool.shutdown()


class GameBatch:
    """Games that are stepped together: with an action for each, a call gives what is seen of all of them."""

    def __init__(self, tables: Tables, count: int, seed: int = 0) -> None:
        self.tables = build_batch_tables(tables)
        self.count = count
        self.games: BatchGames = allocate_games(count, tables.offer.box_count)
        self.view: BatchView = allocate_view(count, self.tables.observation_size, self.tables.action_count)
        self.steps = ParallelSteps(count)
        self.reset(seed)

    @property
    def is_over(self) -> NDArray[np.bool_]:
        """Which games are over."""
        return np.asarray(self.games.positions[IS_OVER::POSITION_SIZE] == 1)

    def reset(self, seed: int | None = None) -> BatchView:
        """Begin every game anew; a seed decides all dice to come."""
        if seed is not None:
            self.games.counters[:] = derive_counters(seed, self.count)
        self.games.positions[IS_OVER::POSITION_SIZE] = 1
        return self.step(np.zeros(self.count, np.int64))

    def step(self, actions: Ints) -> BatchView:
        """Carry out an action in every game; those that are over begin anew. What is seen changes in place."""
        from knobel.solver.batch_kernel import step_games

        self.steps.run(step_games, actions, self.games, self.tables, self.view)
        return self.view

    def close(self) -> None:
        self.steps.close()


def derive_counters(seed: int, count: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Give every game a stream of dice of its own."""
    start = int.from_bytes(blake2b(str(seed).encode(), digest_size=8).digest())
    return np.random.Generator(np.random.PCG64(start)).integers(0, 1 << 64, count, np.uint64, endpoint=False)


def build_batch_tables(tables: Tables) -> BatchTables:
    """List what the kernel looks up: the dice of every hand, and what each way to keep some of them keeps."""
    sets, offer = tables.multisets, tables.offer
    dice, faces, boxes = sets.dice, sets.faces, offer.box_count
    is_announcing, is_locked = offer.order == ANNOUNCED, tables.rules.locked_dice
    keep_count = (1 << dice) - 1
    counts = [[chosen.count(face) for face in range(1, faces + 1)] for chosen in sets.sets]
    return BatchTables(
        sheet=tables.sheet_arrays,
        dice=dice,
        faces=faces,
        rolls=tables.rules.rolls,
        bonus=int(tables.bonus),
        is_locked=is_locked,
        first_hand=sets.first_hand,
        keep_count=keep_count,
        action_count=keep_count + boxes * (2 if is_announcing else 1),
        observation_size=dice + faces * (2 if is_locked else 1) + 1 + boxes * (4 if is_announcing else 3) + 4,
        set_sizes=np.array([len(chosen) for chosen in sets.sets], np.int64),
        larger=np.concatenate([sets.larger, np.zeros(len(sets.hands) * faces, np.int64)]),
        face_counts=np.array(counts, np.int64).reshape(-1),
        hand_dice=np.array(sets.hands, np.int64).reshape(-1),
        keeps=list_keep_actions(sets).reshape(-1),
        contains=compare_sets(sets) if is_locked else np.ones(1, np.bool_),
    )


def list_keep_actions(sets: Multisets) -> Ints:
    """Say for every hand which multiset each action keeps: bit n of its number is the nth die, the lowest first.

    Of actions that keep equal dice only the one that keeps the first of them counts.
    """
    keeps = np.full((len(sets.hands), (1 << sets.dice) - 1), NOT_A_KEEP, np.int64)
    for row, hand in enumerate(sets.hands):
        for action in range((1 << sets.dice) - 1):
            if is_first_of_equals(hand, action):
                kept = tuple(die for place, die in enumerate(hand) if action >> place & 1)
                keeps[row, action] = sets.index[kept]
    return keeps


def is_first_of_equals(hand: tuple[int, ...], action: int) -> bool:
    """Tell whether of equal dice the first ones are kept."""
    kept = [action >> place & 1 for place in range(len(hand))]
    return not any(hand[place] == hand[place - 1] and kept[place] > kept[place - 1] for place in range(1, len(hand)))


def compare_sets(sets: Multisets) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Say for each two multisets whether the first has all dice of the second."""
    counts = np.array([[chosen.count(face) for face in range(1, sets.faces + 1)] for chosen in sets.sets])
    return np.concatenate([(counts[row] >= counts).all(axis=1) for row in range(len(counts))])
