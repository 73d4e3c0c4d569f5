"""Solve what bots and the coach request: in this process, or by a command that runs in its own.

What solves needs numpy and the compiler; it is imported when the first request comes, so that a server without one
starts faster.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from knobel.extras import SOLVER, find_missing, require_extra
from knobel.solver.request import SolveRequest

if TYPE_CHECKING:
    from knobel.rules.sheet_rules import SheetRules

COMMAND = (sys.executable, "-m", "knobel.solve_worker")
"""The worker; its argument is the memory it may use, its input a request."""
EXIT_OUT_OF_MEMORY, EXIT_UNSAVED = 3, 4
KINDS_MODULE = "knobel.solve_worker.kinds"
IMPORTED: set[ModuleType] = set()
"""What solves, once all of it is imported: another thread may be importing it just now."""


def import_kinds() -> ModuleType:
    """Import what solves, unless that was done before; refuse where it is not installed."""
    require_extra(SOLVER)
    kinds = import_module(KINDS_MODULE)
    IMPORTED.add(kinds)
    return kinds


def is_ready(request: SolveRequest) -> bool:
    """Tell whether everything that was asked for is open in this process."""
    return any(kinds.find_kind(request).is_ready(request) for kinds in IMPORTED)


def load_cached(request: SolveRequest) -> bool:
    """Open what was solved before; tell whether that is everything."""
    return bool(import_kinds().find_kind(request).load(request))


def prepare(request: SolveRequest, progress: Callable[[float], None]) -> None:
    """Open what was asked for; solve in this process what is missing."""
    if not load_cached(request):
        solve(request, progress)
        load_cached(request)


def solve(request: SolveRequest, progress: Callable[[float], None]) -> None:
    """Solve in this process what was asked for, and keep it on disk."""
    import_kinds().find_kind(request).solve(request, progress)


def estimate_memory(request: SolveRequest, max_seconds: float, max_bytes: int) -> int:
    """Estimate how many bytes a worker needs; refuse rules that would take too long or too much."""
    return int(import_kinds().estimate_memory(request, max_seconds, max_bytes))


def find_par(rules: "SheetRules") -> float | None:
    """Find what perfect play expects, if that was solved before."""
    if find_missing(SOLVER):
        return None
    note = import_module("knobel.solver.book_cache").read_book_note(rules)
    return None if note is None else float(note["par"])


def evict_old_books() -> None:
    """Delete the least recently used books if the cache is too large."""
    if find_missing(SOLVER) is None:
        import_module("knobel.solver.book_cache").evict_old_books()


def has_unsaved() -> bool:
    """Tell whether something solved in this process could not be written."""
    return bool(import_module("knobel.solver.book_cache").UNSAVED)
