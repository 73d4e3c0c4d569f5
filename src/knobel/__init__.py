"""Knobel: the dice games on everybody's kitchen table, as a library.

`docs/api.md` has examples. Everything in `__all__` is stable: it changes only with a new major version.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from knobel.coach.ledger import Review
    from knobel.coach.sheet import MoveValue
    from knobel.errors import KnobelError
    from knobel.game import Announce, Outcome, Roll, Score, Stand
    from knobel.library.board import Board
    from knobel.library.errors import explain
    from knobel.library.records import encode_record, read_record, verify_record, write_record
    from knobel.library.scoring import score
    from knobel.library.selection import edition, editions, house_rules
    from knobel.library.solving import Book, solve
    from knobel.record.events import Record
    from knobel.record.verify import Verdict
    from knobel.rules.edition import Edition
    from knobel.simulation import SimulationResult
    from knobel.solver.odds import Odds

__version__ = "1.0.0"

__all__ = [
    "Announce",
    "Board",
    "Book",
    "Edition",
    "KnobelError",
    "MoveValue",
    "Odds",
    "Outcome",
    "Record",
    "Review",
    "Roll",
    "Score",
    "SimulationResult",
    "Stand",
    "Verdict",
    "edition",
    "editions",
    "encode_record",
    "explain",
    "house_rules",
    "read_record",
    "score",
    "solve",
    "verify_record",
    "write_record",
]

HOMES = {
    "Announce": "knobel.game",
    "Board": "knobel.library.board",
    "Book": "knobel.library.solving",
    "Edition": "knobel.library.selection",
    "KnobelError": "knobel.errors",
    "MoveValue": "knobel.coach.sheet",
    "Odds": "knobel.solver.odds",
    "Outcome": "knobel.game",
    "Record": "knobel.record.events",
    "Review": "knobel.coach.ledger",
    "Roll": "knobel.game",
    "Score": "knobel.game",
    "SimulationResult": "knobel.simulation",
    "Stand": "knobel.game",
    "Verdict": "knobel.record.verify",
    "edition": "knobel.library.selection",
    "editions": "knobel.library.selection",
    "encode_record": "knobel.library.records",
    "explain": "knobel.library.errors",
    "house_rules": "knobel.library.selection",
    "read_record": "knobel.library.records",
    "score": "knobel.library.scoring",
    "solve": "knobel.library.solving",
    "verify_record": "knobel.library.records",
    "write_record": "knobel.library.records",
}
"""Where each name lives; it is imported when it is asked for, so that no command loads what it does not use."""


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name, obj=sys.modules[__name__])
    import_module("knobel.library")
    return getattr(import_module(HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
