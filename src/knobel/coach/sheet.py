"""Ranks the moves on a score sheet by the expected final total, and what each costs against the best one."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from threading import Lock

from knobel.dice import sort_dice
from knobel.errors import NotInBook
from knobel.game import Announce, Move, Roll, Score
from knobel.games.sheet import SheetGame, SheetState
from knobel.rules.column import Column, empty_column, tally
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.book_cache import NoticeCallback, open_book, read_note, read_values
from knobel.solver.expected_scores import ExpectedScores, read_expected_scores
from knobel.solver.position import BookValues, TurnValues, encode_column, look_up_value
from knobel.solver.solve import ProgressCallback
from knobel.solver.tables import build_tables
from knobel.solver.turn_forecast import TurnForecast

ODDS_KIND = "odds"
"""The note beside a book that holds the distribution of totals, once somebody has asked for it."""
MAX_OPEN_COACHES = 16
"""How many books stay open: those that were asked last."""
OPEN_COACHES: "dict[str, SheetCoach]" = {}
OPEN_COACHES_LOCK = Lock()


@dataclass(frozen=True, slots=True)
class MoveValue:
    """A move, its expected final total, and what it costs against the best one."""

    move: Move
    value: float
    loss: float


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a move leads to under best play, by box in the order of the sheet.

    `chances` is how likely points are scored there this turn, `turn_means` how many, `final_means` how many by the end
    of the game, `bonus_chance` how likely the upper bonus is; the last two are unknown without expected scores.
    """

    chances: tuple[float, ...]
    turn_means: tuple[float, ...]
    final_means: tuple[float, ...] | None
    bonus_chance: float | None

    @property
    def zero_chance(self) -> float:
        """How likely the turn ends with a zero."""
        return max(0.0, 1.0 - sum(self.chances))


class SheetCoach:
    """Values positions by the book of one ruleset, and by the expected scores beside it if they are open."""

    def __init__(self, book: BookValues, expected_scores: ExpectedScores | None = None) -> None:
        self.book = book
        self.expected_scores = expected_scores
        self.cached_turn = lru_cache(maxsize=64)(self.value_turn)
        self.cached_forecast = lru_cache(maxsize=64)(self.forecast_turn)

    def value_turn(self, column: Column, announced: str | None) -> TurnValues:
        """Value a turn; cached, because all moves within one turn need the same."""
        self.require_column(column)
        return TurnValues(self.book, column, announced)

    def has_column(self, column: Column) -> bool:
        """Tell whether a column is in the book: a sheet filled from top to bottom has no gaps there."""
        full = [points is not None for points in column.entries]
        return self.book.tables.rules.order != "top_down" or full == sorted(full, reverse=True)

    def require_column(self, column: Column) -> None:
        if not self.has_column(column):
            raise NotInBook

    def forecast_turn(self, column: Column, announced: str | None) -> TurnForecast:
        return TurnForecast(self.cached_turn(column, announced), self.expected_scores)

    def load_expected_scores(self) -> bool:
        """Open the expected scores beside the book, if they were computed before; tell whether they were."""
        if self.expected_scores is None:
            self.expected_scores = read_expected_scores(self.book)
            self.cached_forecast.cache_clear()
        return self.expected_scores is not None

    def rank_moves(self, game: SheetGame, state: SheetState) -> list[MoveValue]:
        """Rank the moves of the player whose turn it is, best first."""
        so_far = add_points_so_far(game.rules, state.column)
        values = [(move, so_far + self.value_move(game, state, move)) for move in game.legal_moves(state)]
        best = max(value for _, value in values)
        ranked = [MoveValue(move, value, best - value) for move, value in values]
        return sorted(ranked, key=lambda one: (one.loss, tie_break_key(one.move)))

    def value_move(self, game: SheetGame, state: SheetState, move: Move) -> float:
        """Give what a move is expected to add to what is already scored."""
        sets = self.book.tables.multisets
        turn = self.cached_turn(state.column, state.announced)
        match move:
            case Announce(box):
                return self.cached_turn(state.column, box).start_value()
            case Roll(keep):
                kept = sort_dice(state.dice[place] for place in keep)
                return float(turn.keep_values(game.rules.rolls - state.rolls_used)[sets.index[kept]])
            case Score(cross_out=True):
                after = game.apply(state, move).columns[state.player]
                return self.expected_total(game.rules, after) - add_points_so_far(game.rules, state.column)
            case Score(box):
                row = sets.index[state.hand] - sets.first_hand
                return float(turn.entry_values[row, game.rules.index[box]])
        raise TypeError(move)

    def expected_total(self, rules: SheetRules, column: Column) -> float:
        """Give the expected final total of a column before its next turn."""
        self.require_column(column)
        return add_points_so_far(rules, column) + look_up_value(self.book, column)

    def compute_outlook(self, game: SheetGame, state: SheetState, move: Move) -> Outlook:
        """Compute what a move leads to under best play."""
        sets = self.book.tables.multisets
        match move:
            case Announce(box):
                forecast = self.cached_forecast(state.column, box).forecast_keep(sets.index[()], game.rules.rolls)
            case Roll(keep):
                kept = sort_dice(state.dice[place] for place in keep)
                turn = self.cached_forecast(state.column, state.announced)
                forecast = turn.forecast_keep(sets.index[kept], game.rules.rolls - state.rolls_used)
            case Score(box):
                return self.compute_fill_outlook(game, state, move)
            case _:
                raise TypeError(move)
        known = self.expected_scores is not None
        return Outlook(
            tuple(forecast.scored_chances.tolist()),
            tuple(forecast.turn_points.tolist()),
            tuple(forecast.final_points.tolist()) if known else None,
            forecast.bonus_chance if known else None,
        )

    def compute_fill_outlook(self, game: SheetGame, state: SheetState, move: Score) -> Outlook:
        """Compute what an entry leads to."""
        after = game.apply(state, move).columns[state.player]
        place, boxes = game.rules.index[move.box], range(len(game.rules.boxes))
        points = after.entries[place] or 0
        now = tuple(float(points) if box == place else 0.0 for box in boxes)
        chances = tuple(float(box == place and points > 0) for box in boxes)
        if self.expected_scores is None:
            return Outlook(chances, now, None, None)
        later, bonus = self.expected_scores.look_up(encode_column(self.book.tables, after))
        return Outlook(chances, now, tuple((later + now).tolist()), bonus)


def add_points_so_far(rules: SheetRules, column: Column) -> int:
    """Add up what is scored; the bonus is part of the expectation until it is scored."""
    sums = tally(rules, column)
    return sums.upper + sums.lower + sums.extra


def tie_break_key(move: Move) -> tuple[int, int]:
    """Break ties: score before rolling, keep more before less."""
    return (1, -len(move.keep)) if isinstance(move, Roll) else (0, 0)


def open_coach(
    rules: SheetRules, notice: NoticeCallback | None = None, progress: ProgressCallback | None = None
) -> SheetCoach:
    """Find the coach for these rules; solve their book in this process if it is missing."""
    return find_open_coach(rules) or cache_coach(rules, SheetCoach(open_book(rules, notice, progress)))


def load_cached_coach(rules: SheetRules) -> SheetCoach | None:
    """Find the coach for these rules, if their book is open or on disk."""
    if known := find_open_coach(rules):
        return known
    found = read_values(rules, None)
    return None if found is None else cache_coach(rules, SheetCoach(BookValues(build_tables(rules), found.values)))


def find_open_coach(rules: SheetRules) -> SheetCoach | None:
    """Find the coach for these rules, if their book is open; it counts as the one asked last."""
    with OPEN_COACHES_LOCK:
        found = OPEN_COACHES.pop(rules.fingerprint, None)
        if found:
            OPEN_COACHES[rules.fingerprint] = found
    return found


def cache_coach(rules: SheetRules, coach: SheetCoach) -> SheetCoach:
    """Keep a coach open; the least recently used one is closed, with its book."""
    with OPEN_COACHES_LOCK:
        OPEN_COACHES[rules.fingerprint] = coach
        for name in list(OPEN_COACHES)[:-MAX_OPEN_COACHES]:
            del OPEN_COACHES[name]
    return coach


@dataclass(frozen=True, slots=True)
class Baseline:
    """What perfect play gets in a game; the bonus and the boxes only where the expected scores are solved."""

    par: float
    sd: float | None
    bonus_chance: float | None
    boxes: tuple[tuple[str, float], ...]


def load_baseline(rules: SheetRules) -> Baseline | None:
    """Load what perfect play gets by some rules, if their book is open or on disk; nothing is solved for it."""
    coach = load_cached_coach(rules)
    if coach is None:
        return None
    column = empty_column(rules)
    par, odds = coach.expected_total(rules, column), read_note(rules, ODDS_KIND)
    sd = measure_spread(odds["distribution"]) if odds and isinstance(odds["distribution"], list) else None
    if not coach.load_expected_scores() or coach.expected_scores is None:
        return Baseline(par, sd, None, ())
    means, bonus = coach.expected_scores.look_up(encode_column(coach.book.tables, column))
    boxes = zip((box.id for box in rules.boxes), means.tolist(), strict=True)
    return Baseline(par, sd, bonus if rules.bonus else None, tuple(boxes))


def measure_spread(distribution: Sequence[float]) -> float:
    """Give the standard deviation of a distribution over totals."""
    mean = sum(total * share for total, share in enumerate(distribution))
    return sqrt(sum((total - mean) ** 2 * share for total, share in enumerate(distribution)))
