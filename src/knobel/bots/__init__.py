"""Players who never tire: a bot answers a game's state with a move."""

import sys
from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any, TypeAlias

from knobel.errors import GameTooLargeToServe, UnknownBot
from knobel.game import Game, Move
from knobel.rules.fields import abbreviate
from knobel.rules.sheet_rules import SheetRules

Bot: TypeAlias = Callable[[Game[Any], Any, Random], Move]


def load_bot(name: str, family: str = "sheet") -> Bot:
    """Find a bot by name; what stands after a colon sets its level."""
    kind, colon, level = name.partition(":")
    known = BOTS[family]
    if kind not in known or bool(colon) != (kind in BOTS_WITH_LEVEL):
        raise UnknownBot(
            name=abbreviate(name), known=tuple(f"{one}:20" if one in BOTS_WITH_LEVEL else one for one in known)
        )
    module, function = known[kind]
    # A bot is imported when it sits down: some bring numpy and the solver with them.
    found = getattr(import_module(f"knobel.bots.{module}"), function)
    seated: Bot = found(level) if colon else found
    return seated


def prepare_bot(name: str, rules: SheetRules, progress: Callable[[float], None]) -> None:
    """Let a bot get ready, if it needs to: some read a book first."""
    kind, _, level = name.partition(":")
    if kind in BOOK_USERS:
        import_module("knobel.bots.perfect").prepare_bot(rules, level, progress)


def needs_book(name: str) -> bool:
    """Tell whether a bot plays by the book, and so needs one."""
    return name.partition(":")[0] in BOOK_USERS


def is_ready(name: str, rules: SheetRules) -> bool:
    """Tell whether a bot can move at once, without reading or working out anything first."""
    kind, _, level = name.partition(":")
    # Before anybody opened a book nothing is open: then there is no need to import what opens them.
    known = sys.modules.get(BOOK_BOTS_MODULE)
    return kind not in BOOK_USERS or (known is not None and bool(known.is_ready(rules, level)))


def load_cached_book(name: str, rules: SheetRules) -> bool:
    """Open what a bot needs, if it was worked out before; tells whether it was."""
    kind, _, level = name.partition(":")
    return kind not in BOOK_USERS or bool(import_module(BOOK_BOTS_MODULE).load_cached_book(rules, level))


def build_bot_data(name: str, rules: SheetRules, progress: Callable[[float], None]) -> None:
    """Write down what a bot needs, in this process; meant for a child that does nothing else."""
    kind, _, level = name.partition(":")
    if kind in BOOK_USERS:
        import_module(BOOK_BOTS_MODULE).build_bot_data(rules, level, progress)


def estimate_memory(rules: SheetRules, max_seconds: float, max_bytes: int) -> int:
    """Say how much memory working out may take, in bytes; rules that would take too long or too much are refused."""
    cost = import_module("knobel.solver.solve").check_size(rules, max_seconds, max_bytes, GameTooLargeToServe)
    return OVERHEAD_BYTES + 2 * int(cost.memory)


def find_par(rules: SheetRules) -> float | None:
    """Say what perfect play expects, if that was worked out before."""
    note = import_module("knobel.solver.book_cache").read_book_note(rules)
    return None if note is None else float(note["par"])


def prune_books() -> None:
    """Take the books nobody opened for the longest time off a shelf that is too full."""
    import_module("knobel.solver.book_cache").evict_old_books()


BOOK_BOTS_MODULE = "knobel.bots.perfect"
OVERHEAD_BYTES = 1536 * 1024**2
"""What a process that works out rules may address besides its values: the compiler above all."""
EXIT_OUT_OF_MEMORY = 3
"""The answer of such a process if that is not enough."""
BOTS_WITH_LEVEL = {"human"}
BOOK_USERS = {"perfect", "human", "coach"}
"""Who needs a book: two bots, and the coach, who explains games and plays none."""
BOTS = {
    "sheet": {
        "random": ("random_bot", "random_bot"),
        "greedy": ("greedy", "greedy_bot"),
        "cautious": ("cautious", "cautious_bot"),
        "perfect": ("perfect", "perfect_bot"),
        "human": ("perfect", "make_human_bot"),
    },
    "rounds": {
        "random": ("random_bot", "random_bot"),
        "greedy": ("rounds", "greedy_bot"),
        "perfect": ("rounds", "perfect_bot"),
    },
}
