"""Players who never tire: a bot answers a game's state with a move."""

import sys
from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any, TypeAlias

from knobel.errors import TooLargeHere, UnknownBot
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


def reads(name: str) -> bool:
    """Tell whether a bot plays by the book, and so needs one."""
    return name.partition(":")[0] in READERS


def ready(name: str, rules: SheetRules) -> bool:
    """Tell whether a bot can move at once, without reading or working out anything first."""
    kind, _, level = name.partition(":")
    # Before anybody opened a book nothing is open: then there is no need to import what opens them.
    known = sys.modules.get(BOOKISH)
    return kind not in READERS or (known is not None and bool(known.ready(rules, level)))


def shelved(name: str, rules: SheetRules) -> bool:
    """Open what a bot needs, if it was worked out before; tells whether it was."""
    kind, _, level = name.partition(":")
    return kind not in READERS or bool(import_module(BOOKISH).shelved(rules, level))


def work_out(name: str, rules: SheetRules, progress: Callable[[float], None]) -> None:
    """Write down what a bot needs, in this process; meant for a child that does nothing else."""
    kind, _, level = name.partition(":")
    if kind in READERS:
        import_module(BOOKISH).work_out(rules, level, progress)


def memory_for(rules: SheetRules, most_seconds: float, most_bytes: int) -> int:
    """Say how much memory working out may take, in bytes; rules that would take too long or too much are refused."""
    cost = import_module("knobel.solver.solve").check_size(rules, most_seconds, most_bytes, TooLargeHere)
    return SPARE_BYTES + 2 * int(cost.memory)


def par(rules: SheetRules) -> float | None:
    """Say what perfect play expects, if that was worked out before."""
    note = import_module("knobel.solver.book").book_note(rules)
    return None if note is None else float(note["par"])


def tidy_books() -> None:
    """Take the books nobody opened for the longest time off a shelf that is too full."""
    import_module("knobel.solver.book").tidy()


BOOKISH = "knobel.bots.perfect"
SPARE_BYTES = 1536 * 1024**2
"""What a process that works out rules may address besides its values: the compiler above all."""
NO_MEMORY = 3
"""The answer of such a process if that is not enough."""
LEVELLED = {"human"}
READERS = {"perfect", "human", "coach"}
"""Who needs a book: two bots, and the coach, who explains games and plays none."""
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
