"""Playing several actions in a row."""

from collections.abc import Iterable
from typing import TypeVar

from knobel.game import Action, Game, State, play

S = TypeVar("S", bound=State)


def replay(game: Game[S], state: S, actions: Iterable[Action]) -> S:
    """Fold actions over a state."""
    for action in actions:
        state = play(game, state, action)
    return state
