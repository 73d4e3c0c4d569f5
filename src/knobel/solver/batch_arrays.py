"""What the kernel that steps many games at once is given: the tables of a game, the games, and what is seen of them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from knobel.solver.arrays import Ints, Records, SheetArrays

NO_DICE = -1
"""Said of the dice of a game that waits for a box to be announced."""
NOT_A_KEEP = -1
"""Said of an action that keeps equal dice in another order than the first one."""
OPEN_BOX = -1
"""Stands in a box that is not used yet."""
ILLEGAL_REWARD = -1.0
"""What an action costs that is not possible now; it changes nothing."""


class BatchTables(NamedTuple):
    """What is the same for all games of a batch; multisets are named by their number, smallest first.

    `keeps` has for each hand one place for each action that keeps dice, with the multiset it keeps. `contains` says for
    two multisets whether the first has all dice of the second; where dice are never locked nobody reads it.
    """

    sheet: SheetArrays
    dice: int
    faces: int
    rolls: int
    bonus: int
    is_locked: bool
    first_hand: int
    keep_count: int
    action_count: int
    observation_size: int
    set_sizes: Ints
    larger: Ints
    face_counts: Ints
    hand_dice: Ints
    keeps: Ints
    contains: NDArray[np.bool_]


HAND, LOCKED, ROLLS_LEFT, ANNOUNCED_BOX, MASK, FLAG_STATE, UPPER_TOTAL, POINTS, IS_OVER = range(9)
OFFER_ROW, OFFER_BOXES, OFFER_FLAG_STATE, OFFER_IS_MISSED = range(9, 13)
"""The numbers that say where a game stands, and what its dice are offered: the row of the hand in the tables, the boxes
as bits, the flag state after it, and whether an announced box was missed, so that every box but Chance scores nothing.
"""
POSITION_SIZE = 13


class BatchGames(NamedTuple):
    """Games that are played together: POSITION_SIZE numbers for each, the points of its boxes, its stream of dice."""

    positions: Ints
    entries: Ints
    counters: Records


class BatchView(NamedTuple):
    """What is seen of the games: the observation, which actions are possible, and what the last one scored."""

    observations: NDArray[np.float32]
    action_masks: NDArray[np.int8]
    rewards: NDArray[np.float64]
    is_illegal: NDArray[np.bool_]


def allocate_games(count: int, boxes: int) -> BatchGames:
    return BatchGames(
        positions=np.zeros(count * POSITION_SIZE, np.int64),
        entries=np.zeros(count * boxes, np.int64),
        counters=np.zeros(count, np.uint64),
    )


def allocate_view(count: int, observation_size: int, action_count: int) -> BatchView:
    return BatchView(
        observations=np.zeros(count * observation_size, np.float32),
        action_masks=np.zeros(count * action_count, np.int8),
        rewards=np.zeros(count),
        is_illegal=np.zeros(count, np.bool_),
    )
