"""Players who never tire: a bot answers a game's state with a move."""

from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any, TypeAlias

from knobel.errors import UnknownBot
from knobel.game import Game, Move
from knobel.rules.fields import shown
from knobel.rules.ruleset import SheetRules

Bot: TypeAlias = Callable[[Game[Any], Any, Random], Move]


def bot(name: str, family: str = "sheet") -> Bot:
    """Find a bot by name; what stands after a colon sets its level."""
    kind, colon, level = name.partition(":")
    known = BOTS[family]
    if kind not in known or bool(colon) != (kind in LEVELLED):
        raise UnknownBot(name=shown(name), known=tuple(f"{one}:20" if one in LEVELLED else one for one in known))
    module, function = known[kind]
    # A bot is imported when it sits down: some bring numpy and the solver with them.
    found = getattr(import_module(f"knobel.bots.{module}"), function)
    seated: Bot = found(level) if colon else found
    return seated


def prepare(name: str, rules: SheetRules, progress: Callable[[float], None]) -> None:
    """Let a bot get ready, if it needs to: some read a book first."""
    kind, _, level = name.partition(":")
    if kind in READERS:
        import_module("knobel.bots.perfect").prepare(rules, level, progress)


LEVELLED = {"human"}
READERS = {"perfect", "human"}
BOTS = {
    "sheet": {
        "random": ("luck", "luck"),
        "greedy": ("greedy", "greedy"),
        "cautious": ("cautious", "cautious"),
        "perfect": ("perfect", "perfect"),
        "human": ("perfect", "human"),
    },
    "rounds": {
        "random": ("luck", "luck"),
        "greedy": ("rounds", "greedy"),
        "perfect": ("rounds", "perfect"),
    },
}
