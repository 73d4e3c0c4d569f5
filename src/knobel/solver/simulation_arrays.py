"""What the kernel that plays very many games is given: the tables of a game, the rolls, and room to work in."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from knobel.solver.arrays import ChoiceList, ColumnModel, Floats, Ints, Records, TurnScratch


class SimulationTables(NamedTuple):
    """What stays the same in every turn of every game."""

    model: ColumnModel
    tag_clear_mask: int


class RollTable(NamedTuple):
    """The outcomes of a roll from each spot of a turn: their number, all equally likely, and their spots."""

    outcome_starts: Records
    outcome_counts: Records
    reject_below: Records
    outcome_spots: NDArray[np.unsignedinteger]
    keep_spots: Ints
    spot_hands: Ints


class SimulationScratch(NamedTuple):
    """Room to work in: the choices of the column at hand, the values of its turn, and the best play.

    `policy` holds for each announced box, roll, spot and lane what is best done there: the spot to roll from next, at
    the last roll the choice. `record_steps` says what a choice adds to the number that is a game.
    """

    choices: ChoiceList
    turn: TurnScratch
    policy: NDArray[np.unsignedinteger]
    record_steps: Records
    turn_values: Floats
    best_values: Floats
    announced_boxes: Ints


class Batch(NamedTuple):
    """Games that play a turn: the records from begin to end, sorted, and where their random numbers begin."""

    records: Records
    begin: int
    end: int
    counter: np.uint64
