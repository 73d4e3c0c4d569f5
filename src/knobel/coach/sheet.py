"""How good is each move here: its expected final total, and what it costs against the best one."""

from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

from knobel.dice import sort_dice
from knobel.errors import NotInBook
from knobel.game import Announce, Move, Roll, Score
from knobel.games.sheet import SheetGame, SheetState
from knobel.rules.column import Column, tally
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.book_cache import NoticeCallback, open_book, read_values
from knobel.solver.expected_scores import ExpectedScores, read_expected_scores
from knobel.solver.position import Book, TurnValues, encode_column, look_up_value
from knobel.solver.solve import ProgressCallback
from knobel.solver.tables import build_tables
from knobel.solver.turn_forecast import TurnForecast

MAX_OPEN_COACHES = 16
"""So many books stay open, those asked last."""
OPEN_COACHES: "dict[str, SheetCoach]" = {}
OPEN_COACHES_LOCK = Lock()


@dataclass(frozen=True, slots=True)
class MoveValue:
    """A move, the final total it may expect, and what it costs against the best one."""

    move: Move
    value: float
    loss: float


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a move leads to under best play, by box in the order of the sheet.

    `chances` says how likely points are written there this turn, `now` how many, `means` how many by the end of the
    game, `bonus` how likely the upper bonus is; the last two are unknown without prospects.
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
    """Knows the book of one ruleset, and what lies beside it."""

    def __init__(self, book: Book, expected_scores: ExpectedScores | None = None) -> None:
        self.book = book
        self.expected_scores = expected_scores
        self.cached_turn = lru_cache(maxsize=64)(self.value_turn)
        self.cached_forecast = lru_cache(maxsize=64)(self.forecast_turn)

    def value_turn(self, column: Column, announced: str | None) -> TurnValues:
        """Value a turn; the moves within one turn ask for the same."""
        self.require_column(column)
        return TurnValues(self.book, column, announced)

    def has_column(self, column: Column) -> bool:
        """Tell whether the book has a column: where a sheet is filled from top to bottom, only one without gaps."""
        full = [points is not None for points in column.entries]
        return self.book.tables.rules.order != "top_down" or full == sorted(full, reverse=True)

    def require_column(self, column: Column) -> None:
        """Refuse to guess what a column is worth that the book does not have."""
        if not self.has_column(column):
            raise NotInBook

    def forecast_turn(self, column: Column, announced: str | None) -> TurnForecast:
        """Follow best play through a turn."""
        return TurnForecast(self.cached_turn(column, announced), self.expected_scores)

    def load_expected_scores(self) -> bool:
        """Open the expected scores beside the book, if they were computed before; tell whether they were."""
        if self.expected_scores is None:
            self.expected_scores = read_expected_scores(self.book)
            self.cached_forecast.cache_clear()
        return self.expected_scores is not None

    def rank_moves(self, game: SheetGame, state: SheetState) -> list[MoveValue]:
        """Judge every move of the player whose turn it is, best first."""
        so_far = add_points_so_far(game.rules, state.column)
        values = [(move, so_far + self.value_move(game, state, move)) for move in game.legal_moves(state)]
        best = max(value for _, value in values)
        judged = [MoveValue(move, value, best - value) for move, value in values]
        return sorted(judged, key=lambda one: (one.loss, tie_break_key(one.move)))

    def value_move(self, game: SheetGame, state: SheetState, move: Move) -> float:
        """Say what a move may expect besides what is already written."""
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
        """Say which final total a column may expect before its next turn."""
        self.require_column(column)
        return add_points_so_far(rules, column) + look_up_value(self.book, column)

    def compute_outlook(self, game: SheetGame, state: SheetState, move: Move) -> Outlook:
        """Say what a move leads to under best play."""
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
        """Say what an entry leads to."""
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
    """Add up what is written; the bonus is still expected, not written."""
    sums = tally(rules, column)
    return sums.upper + sums.lower + sums.extra


def tie_break_key(move: Move) -> tuple[int, int]:
    """Break ties: write before throwing, keep more before less."""
    return (1, -len(move.keep)) if isinstance(move, Roll) else (0, 0)


def open_coach(
    rules: SheetRules, notice: NoticeCallback | None = None, progress: ProgressCallback | None = None
) -> SheetCoach:
    """Find the coach for these rules; without a book one is written first."""
    return find_open_coach(rules) or cache_coach(rules, SheetCoach(open_book(rules, notice, progress)))


def load_cached_coach(rules: SheetRules) -> SheetCoach | None:
    """Find the coach for these rules, if their book is open or on the shelf; none is written."""
    if known := find_open_coach(rules):
        return known
    found = read_values(rules, None)
    return None if found is None else cache_coach(rules, SheetCoach(Book(build_tables(rules), found[0])))


def find_open_coach(rules: SheetRules) -> SheetCoach | None:
    """Find the coach for these rules, if their book is open."""
    with OPEN_COACHES_LOCK:
        found = OPEN_COACHES.pop(rules.fingerprint, None)
        if found:
            OPEN_COACHES[rules.fingerprint] = found
    return found


def cache_coach(rules: SheetRules, coach: SheetCoach) -> SheetCoach:
    """Keep a coach at hand; who was not asked for the longest time is let go, and so is the book."""
    with OPEN_COACHES_LOCK:
        OPEN_COACHES[rules.fingerprint] = coach
        for name in list(OPEN_COACHES)[:-MAX_OPEN_COACHES]:
            del OPEN_COACHES[name]
    return coach
