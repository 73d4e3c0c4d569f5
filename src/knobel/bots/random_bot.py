"""A bot that plays any legal move with equal chance."""

from random import Random
from typing import Any

from knobel.game import Game, Move


def random_bot(game: Game[Any], state: Any, random: Random) -> Move:
    return random.choice(list(game.legal_moves(state)))
