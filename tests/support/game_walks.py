"""Games played at random, position by position."""

from collections.abc import Iterator
from random import Random

from knobel.game import CHANCE, Land
from knobel.games.sheet import SheetGame, SheetState


def walk_randomly(game: SheetGame, seats: int, random: Random) -> Iterator[SheetState]:
    """Play a game at random from the empty sheets to the end; give every state, dice that roll included."""
    state = game.start(seats, first=0)
    yield state
    while state.seat is not None:
        if state.seat == CHANCE:
            rolled = tuple(random.randint(1, game.rules.faces) for _ in state.rolling)
            state = game.apply(state, Land(rolled))
        else:
            state = game.apply(state, random.choice(list(game.legal_moves(state))))
        yield state
