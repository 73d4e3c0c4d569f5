"""A bot that does anything allowed, one as gladly as another."""

from random import Random

from knobel.game import Move
from knobel.games.sheet import Sheet, SheetState


def luck(game: Sheet, state: SheetState, random: Random) -> Move:
    """Draw a move."""
    return random.choice(list(game.moves(state)))
