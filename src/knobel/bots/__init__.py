"""Players who never tire: a bot answers a game's state with a move."""

from collections.abc import Callable
from random import Random
from typing import TypeAlias

from knobel.bots.greedy import greedy
from knobel.bots.luck import luck
from knobel.errors import UnknownBot
from knobel.game import Move
from knobel.games.sheet import Sheet, SheetState
from knobel.rules.fields import shown

Bot: TypeAlias = Callable[[Sheet, SheetState, Random], Move]


def bot(name: str) -> Bot:
    """Find a bot by name."""
    if name not in BOTS:
        raise UnknownBot(name=shown(name), known=tuple(BOTS))
    return BOTS[name]


BOTS: dict[str, Bot] = {"random": luck, "greedy": greedy}
