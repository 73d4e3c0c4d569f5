"""Bots: functions that answer a game's state with a move."""

from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any, TypeAlias

from knobel.bots.families import FAMILIES, BotKind
from knobel.errors import UnknownBot
from knobel.extras import require_extra
from knobel.game import Game, Move
from knobel.rules.fields import abbreviate
from knobel.solver.request import SolveRequest

USUAL_BOTS = ("cautious", "greedy")
"""The first of them that knows a family of games is offered first; none of them needs an extra."""
Bot: TypeAlias = Callable[[Game[Any], Any, Random], Move]


def load_bot(name: str, family: str) -> Bot:
    """Find a bot by name; a suffix after a colon sets its level. One whose extra is not installed is refused."""
    kind, (_, colon, level) = find_kind(name, family), name.partition(":")
    if kind.extra:
        require_extra(kind.extra)
    # Import bots on demand: some of them pull in numpy and the solver.
    found = getattr(import_module(f"knobel.bots.{kind.module}"), kind.function)
    bot: Bot = found(level) if colon else found
    return bot


def find_kind(name: str, family: str) -> BotKind:
    kinds = FAMILIES[family].kinds
    found, colon, _ = name.partition(":")
    if found not in kinds or bool(colon) != kinds[found].has_level:
        known = tuple(f"{one}:{kind.levels[0]}" if kind.has_level else one for one, kind in kinds.items())
        raise UnknownBot(name=abbreviate(name), known=known)
    return kinds[found]


def find_usual_bot(family: str) -> str:
    """Name the bot to play against where nobody chose one, the same as in the browser."""
    return next(bot for bot in USUAL_BOTS if bot in FAMILIES[family].kinds)


def is_slow(name: str, family: str) -> bool:
    """Tell whether a bot is slow enough to run in a thread."""
    return find_kind(name, family).is_slow


def find_request(name: str, rules: Any) -> SolveRequest | None:
    """Find what a bot needs solved before it can play by these rules."""
    needs, level = find_kind(name, rules.family).needs, name.partition(":")[2]
    return SolveRequest(rules, needs, int(level or 0)) if needs else None


def find_seat_request(name: str, game: Game[Any], state: Any, seat: int) -> SolveRequest | None:
    """Find what a bot needs solved for its seat, whose rules may differ from those of the others."""
    rules = FAMILIES[game.rules.family].find_rules(game, state, seat)
    return find_request(name, rules) if rules else None
