"""Exact distributions that were worked out before: the newest in memory, and a few of each ruleset beside its book."""

from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np

from knobel.rules.sheet_rules import SheetRules
from knobel.solver import book_cache as books
from knobel.solver.column_position import ColumnPosition
from knobel.solver.final_totals import (
    PointsDistribution,
    compute_all_points_to_come,
    compute_points_to_come,
)
from knobel.solver.position import BookValues
from knobel.solver.request import TOTALS, SolveRequest
from knobel.solver.solve import ProgressCallback

NOTE_KIND = "totals"
MAX_NOTED = 32
"""How many positions of a ruleset are kept on disk: those worked out last."""
MAX_KNOWN = 2048
"""How many positions of all rulesets are kept in memory."""
KNOWN: dict[str, PointsDistribution] = {}
KNOWN_LOCK = Lock()


def build_request(rules: SheetRules, position: ColumnPosition) -> SolveRequest:
    return SolveRequest(rules, TOTALS, position=position)


def find_known_totals(request: SolveRequest) -> PointsDistribution | None:
    """Find a distribution in memory; it counts as the one asked last."""
    with KNOWN_LOCK:
        found = KNOWN.pop(request.key, None)
        if found:
            KNOWN[request.key] = found
    return found


def remember_totals(request: SolveRequest, found: PointsDistribution) -> PointsDistribution:
    with KNOWN_LOCK:
        KNOWN[request.key] = found
        for name in list(KNOWN)[:-MAX_KNOWN]:
            del KNOWN[name]
    return found


def load_totals(request: SolveRequest) -> PointsDistribution | None:
    """Find a distribution in memory or beside the book."""
    if found := find_known_totals(request):
        return found
    noted = read_noted_totals(request.rules).get(request.position_key)
    if noted is None:
        return None
    return remember_totals(request, PointsDistribution(noted["lowest"], np.array(noted["chances"])))


def read_noted_totals(rules: SheetRules) -> dict[str, Any]:
    note = books.read_note(rules, NOTE_KIND) or {}
    noted = note.get("positions", {})
    return noted if isinstance(noted, dict) else {}


def compute_totals(
    book: BookValues, request: SolveRequest, progress: ProgressCallback | None = None
) -> PointsDistribution:
    """Find a distribution, or work it out here and now and keep it in memory."""
    if found := find_known_totals(request):
        return found
    if request.position is None:
        raise ValueError(request.what)
    return remember_totals(request, compute_points_to_come(book, request.position, progress))


def compute_all_totals(book: BookValues, positions: Sequence[ColumnPosition]) -> list[PointsDistribution]:
    """Find the distributions of the moments of one turn; what is not known is worked out in one pass, and kept."""
    requests = {position: build_request(book.tables.rules, position) for position in positions}
    missing = [position for position, request in requests.items() if find_known_totals(request) is None]
    found = dict(zip(missing, compute_all_points_to_come(book, missing), strict=True)) if missing else {}
    for position, total in found.items():
        remember_totals(requests[position], total)
    return [found.get(position) or compute_totals(book, requests[position]) for position in positions]


def build_totals(book: BookValues, request: SolveRequest, progress: ProgressCallback | None = None) -> None:
    """Work a distribution out and keep it beside the book, where another process finds it."""
    found = compute_totals(book, request, progress)
    with books.lock_book(request.rules.fingerprint):
        noted = read_noted_totals(request.rules)
        noted[request.position_key] = {"lowest": found.lowest, "chances": found.chances.tolist()}
        newest = dict(list(noted.items())[-MAX_NOTED:])
        books.write_note(request.rules, NOTE_KIND, {"positions": newest})
