"""Players who never tire: a bot answers a game's state with a move."""

from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import TypeAlias

from knobel.errors import UnknownBot
from knobel.game import Move
from knobel.games.sheet import Sheet, SheetState
from knobel.rules.fields import shown

Bot: TypeAlias = Callable[[Sheet, SheetState, Random], Move]


def bot(name: str) -> Bot:
    """Find a bot by name; what stands after a colon sets its level."""
    kind, colon, level = name.partition(":")
    if kind not in BOTS or bool(colon) != (kind in LEVELLED):
        raise UnknownBot(name=shown(name), known=tuple(f"{one}:20" if one in LEVELLED else one for one in BOTS))
    module, function = BOTS[kind]
    # A bot is imported when it sits down: some bring numpy and the solver with them.
    found = getattr(import_module(f"knobel.bots.{module}"), function)
    seated: Bot = found(level) if colon else found
    return seated


LEVELLED = {"human"}
BOTS = {
    "random": ("luck", "luck"),
    "greedy": ("greedy", "greedy"),
    "cautious": ("cautious", "cautious"),
    "perfect": ("perfect", "perfect"),
    "human": ("perfect", "human"),
}
