"""What can be asked for, and for each kind how to see whether it is open, how to open it and how to solve it."""

from collections.abc import Callable
from dataclasses import dataclass

from knobel.bots.levels import calibrate_level, find_known_care
from knobel.coach.random_play import find_sheet_rate
from knobel.coach.sheet import find_open_coach, load_cached_coach, open_coach
from knobel.errors import GameTooLargeToServe
from knobel.solver.book_cache import build_missing_book
from knobel.solver.expected_scores import build_missing_expected_scores, check_expected_scores_size
from knobel.solver.request import BOOK, EXPECTED_SCORES, LEVEL, SolveRequest
from knobel.solver.solve import ProgressCallback, check_size
from knobel.solver.tables import build_tables

OVERHEAD_BYTES = 1536 * 1024**2
"""What a worker may address besides its values: the compiler above all."""


@dataclass(frozen=True, slots=True)
class SolveKind:
    """One kind of request."""

    is_ready: Callable[[SolveRequest], bool]
    load: Callable[[SolveRequest], bool]
    solve: Callable[[SolveRequest, ProgressCallback], None]


def find_kind(request: SolveRequest) -> SolveKind:
    return KINDS[request.what]


def estimate_memory(request: SolveRequest, max_seconds: float, max_bytes: int) -> int:
    """Estimate how many bytes a worker needs; refuse rules that would take too long or too much."""
    cost = check_size(request.rules, max_seconds, max_bytes, GameTooLargeToServe)
    if request.what == EXPECTED_SCORES:
        check_expected_scores_size(build_tables(request.rules))
    return OVERHEAD_BYTES + 2 * cost.memory_bytes


def is_book_open(request: SolveRequest) -> bool:
    return find_open_coach(request.rules) is not None


def load_book(request: SolveRequest) -> bool:
    return load_cached_coach(request.rules) is not None


def solve_book(request: SolveRequest, progress: ProgressCallback) -> None:
    build_missing_book(request.rules, progress)


def are_expected_scores_open(request: SolveRequest) -> bool:
    coach = find_open_coach(request.rules)
    return coach is not None and coach.expected_scores is not None


def load_expected_scores(request: SolveRequest) -> bool:
    coach = load_cached_coach(request.rules)
    return coach is not None and coach.load_expected_scores()


def solve_expected_scores(request: SolveRequest, progress: ProgressCallback) -> None:
    build_missing_book(request.rules, lambda done: progress(done / 2))
    coach = open_coach(request.rules)
    find_sheet_rate(coach)
    build_missing_expected_scores(coach.book, lambda done: progress((1 + done) / 2))


def is_level_known(request: SolveRequest) -> bool:
    return is_book_open(request) and find_known_care(request.rules, request.level, on_disk=False) is not None


def load_level(request: SolveRequest) -> bool:
    return load_book(request) and find_known_care(request.rules, request.level) is not None


def solve_level(request: SolveRequest, progress: ProgressCallback) -> None:
    build_missing_book(request.rules, lambda done: progress(done / 2))
    calibrate_level(request.rules, request.level, lambda done: progress((1 + done) / 2))


KINDS = {
    BOOK: SolveKind(is_book_open, load_book, solve_book),
    EXPECTED_SCORES: SolveKind(are_expected_scores_open, load_expected_scores, solve_expected_scores),
    LEVEL: SolveKind(is_level_known, load_level, solve_level),
}
