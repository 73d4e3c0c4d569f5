"""Many games of rounds and chips at once, stepped by compiled code on all processors."""

import numpy as np
from numpy.typing import NDArray

from knobel.solver.arrays import Ints
from knobel.solver.batch import ParallelSteps, derive_counters, list_keep_actions
from knobel.solver.batch_arrays import BatchView, allocate_view
from knobel.solver.multisets import build_multisets
from knobel.solver.round_batch_arrays import HEAD_SIZE, IS_OVER, SEAT_SIZE, RoundGames, RoundTables

STANDS = 3
"""The actions that stand: plainly, over, under."""
ROUND_NUMBERS, SEAT_NUMBERS = 6, 5
"""How many numbers of an observation are of the round, and of each seat."""


class RoundBatch:
    """Games in which the first seat decides and greedy bots play the others; each call steps all of them."""

    def __init__(self, tables: RoundTables, count: int, seed: int = 0) -> None:
        self.tables = tables
        self.count = count
        self.size = HEAD_SIZE + tables.seats * SEAT_SIZE
        self.games = RoundGames(np.zeros(count * self.size, np.int64), np.zeros(count, np.uint64))
        self.view: BatchView = allocate_view(count, self.tables.observation_size, self.tables.action_count)
        self.steps = ParallelSteps(count)
        self.reset(seed)

    @property
    def is_over(self) -> NDArray[np.bool_]:
        """Which games are over."""
        return np.asarray(self.games.positions[IS_OVER :: self.size] == 1)

    def reset(self, seed: int | None = None) -> BatchView:
        """Begin every game anew; a seed decides all dice to come."""
        if seed is not None:
            self.games.counters[:] = derive_counters(seed, self.count)
        self.games.positions[IS_OVER :: self.size] = 1
        return self.step(np.zeros(self.count, np.int64))

    def step(self, actions: Ints) -> BatchView:
        """Carry out an action in every game; those that are over begin anew. What is seen changes in place."""
        from knobel.solver.round_batch_kernel import step_rounds

        self.steps.run(step_rounds, actions, self.games, self.tables, self.view)
        return self.view

    def close(self) -> None:
        self.steps.close()


def build_round_tables(*, dice: int, faces: int, rolls: int, chips: int, seats: int, all_ones_win: bool) -> RoundTables:
    """List what the kernel looks up: the dice of every hand, and what each way to keep some of them keeps."""
    sets, keep_count = build_multisets(dice, faces), (1 << dice) - 1
    counts = [[chosen.count(face) for face in range(1, faces + 1)] for chosen in sets.sets]
    return RoundTables(
        dice=dice,
        faces=faces,
        rolls=rolls,
        chips=chips,
        seats=seats,
        first_hand=sets.first_hand,
        ones=sets.index[(1,) * dice] if all_ones_win else -1,
        keep_count=keep_count,
        action_count=keep_count + STANDS,
        observation_size=dice + faces + ROUND_NUMBERS + SEAT_NUMBERS * seats,
        set_sizes=np.array([len(chosen) for chosen in sets.sets], np.int64),
        larger=np.concatenate([sets.larger, np.zeros(len(sets.hands) * faces, np.int64)]),
        face_counts=np.array(counts, np.int64).reshape(-1),
        hand_dice=np.array(sets.hands, np.int64).reshape(-1),
        sums=np.array([sum(hand) for hand in sets.hands], np.int64),
        keeps=list_keep_actions(sets).reshape(-1),
    )
