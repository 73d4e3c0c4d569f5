"""Games as numbers: what every family of games has to say to an environment."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from knobel.dice import sort_dice
from knobel.game import Game, Move, Roll

Observation: TypeAlias = NDArray[np.float32]
ActionMask: TypeAlias = NDArray[np.int8]
LossFinder: TypeAlias = Callable[[Any, Any], Mapping[Move, float]]
"""Gives for every move of a position what it loses against the best one."""


class Encoding(Protocol):
    """How a game of one ruleset and number of players is written as numbers.

    An observation is seen by one seat: its own column or chips come first, then those of the seats after it.
    """

    @property
    def observation_names(self) -> tuple[str, ...]:
        """What each number of an observation is."""

    @property
    def observation_limits(self) -> Observation:
        """How large each number can be; none is below zero."""

    @property
    def action_names(self) -> tuple[str, ...]:
        """What each action does; one that keeps dice names them by their place, the lowest die first."""

    def observe(self, game: Any, state: Any, seat: int) -> Observation:
        """Write down what a seat sees."""

    def mask(self, game: Any, state: Any) -> ActionMask:
        """Mark the actions that are possible now."""

    def decode(self, game: Any, state: Any, action: int) -> Move:
        """Find the move that an action stands for."""

    def encode(self, state: Any, move: Move) -> int:
        """Find the action that stands for a move."""


@dataclass(frozen=True, slots=True)
class DiceActions:
    """Actions that keep some dice and roll the others: bit n of their number is the nth die, the lowest die first."""

    dice: int

    @property
    def count(self) -> int:
        return (1 << self.dice) - 1

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.name_keep(action) for action in range(self.count))

    def name_keep(self, action: int) -> str:
        return "_".join(["keep", *(str(place + 1) for place in range(self.dice) if action >> place & 1)])

    def decode(self, game: Game[Any], state: Any, action: int) -> Roll:
        """Find the positions that are kept."""
        values = tuple(die for place, die in enumerate(sort_dice(state.dice)) if action >> place & 1)
        return Roll(game.find_positions(state, values) or ())

    def encode(self, dice: tuple[int, ...], roll: Roll) -> int:
        """Find the action of a roll: of equal dice, the first are kept."""
        ordered, action, last = sort_dice(dice), 0, -1
        for die in sort_dice(dice[place] for place in roll.keep):
            last = ordered.index(die, last + 1)
            action |= 1 << last
        return action


def count_faces(dice: tuple[int, ...], faces: int) -> list[int]:
    return [dice.count(face) for face in range(1, faces + 1)]


def name_by_seat(names: Sequence[str], seats: int) -> tuple[str, ...]:
    """Name the numbers of every seat; those of others say how many seats they are away."""
    others = (f"seat_{step}.{name}" for step in range(1, seats) for name in names)
    return (*names, *others)
