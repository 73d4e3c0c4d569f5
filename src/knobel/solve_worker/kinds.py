"""What can be asked for, and for each kind how to see whether it is open, how to open it and how to solve it."""

from collections.abc import Callable
from dataclasses import dataclass

from knobel.bots.levels import calibrate_level, find_known_care
from knobel.coach.random_play import find_sheet_rate
from knobel.coach.sheet import find_open_coach, load_cached_coach, open_coach
from knobel.errors import GameTooLargeToServe
from knobel.learning.game_of_day import GameOfDay, find_day_par
from knobel.solver.book_cache import build_missing_book
from knobel.solver.day_totals import keep_day_totals, read_day_totals
from knobel.solver.expected_scores import build_missing_expected_scores, check_expected_scores_size
from knobel.solver.known_totals import build_totals, find_known_totals, load_totals
from knobel.solver.moments import are_moments_known, build_missing_moments, check_moments_size, find_moments
from knobel.solver.odds import check_memory
from knobel.solver.request import BOOK, DAY, EXPECTED_SCORES, LEVEL, MOMENTS, TOTALS, SolveRequest
from knobel.solver.solve import MAX_BYTES, ProgressCallback, check_size
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
    if request.what == MOMENTS:
        check_moments_size(build_tables(request.rules))
    if request.what == TOTALS and request.position:
        check_memory(build_tables(request.rules), request.position.open_boxes)
        return OVERHEAD_BYTES + cost.memory_bytes + MAX_BYTES
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


def are_moments_open(request: SolveRequest) -> bool:
    coach = find_open_coach(request.rules)
    return coach is not None and are_moments_known(coach.book)


def load_moments(request: SolveRequest) -> bool:
    coach = load_cached_coach(request.rules)
    return coach is not None and find_moments(coach.book) is not None


def solve_moments(request: SolveRequest, progress: ProgressCallback) -> None:
    build_missing_book(request.rules, lambda done: progress(done / 2))
    build_missing_moments(open_coach(request.rules).book, lambda done: progress((1 + done) / 2))


def are_totals_known(request: SolveRequest) -> bool:
    return find_known_totals(request) is not None


def load_known_totals(request: SolveRequest) -> bool:
    return load_totals(request) is not None


def solve_totals(request: SolveRequest, progress: ProgressCallback) -> None:
    build_missing_book(request.rules, lambda done: progress(done / 2))
    build_totals(open_coach(request.rules).book, request, lambda done: progress((1 + done) / 2))


def is_day_known(request: SolveRequest) -> bool:
    return read_day_totals(request) is not None


def solve_day(request: SolveRequest, progress: ProgressCallback) -> None:
    build_missing_book(request.rules, lambda done: progress(done / 2))
    of_day = GameOfDay(request.rules, request.day)
    par = find_day_par(of_day, open_coach(request.rules), lambda done: progress((1 + done) / 2))
    keep_day_totals(request, par.perfect, par.clairvoyant)


KINDS = {
    BOOK: SolveKind(is_book_open, load_book, solve_book),
    EXPECTED_SCORES: SolveKind(are_expected_scores_open, load_expected_scores, solve_expected_scores),
    LEVEL: SolveKind(is_level_known, load_level, solve_level),
    MOMENTS: SolveKind(are_moments_open, load_moments, solve_moments),
    DAY: SolveKind(is_day_known, is_day_known, solve_day),
    TOTALS: SolveKind(are_totals_known, load_known_totals, solve_totals),
}
