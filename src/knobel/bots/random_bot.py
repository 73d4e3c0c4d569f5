"""A bot that does anything allowed, one as gladly as another."""

from random import Random
from typing import Any

from knobel.game import Game, Move


def random_bot(game: Game[Any], state: Any, random: Random) -> Move:
    """Draw a move."""
    return random.choice(list(game.legal_moves(state)))
