"""How good is each move here: its expected final total, and what it costs against the best one."""

from dataclasses import dataclass
from functools import lru_cache

from knobel.dice import hand
from knobel.game import Announce, Fill, Move, Throw
from knobel.games.sheet import Sheet, SheetState
from knobel.rules.column import Column, tally
from knobel.rules.ruleset import SheetRules
from knobel.solver.book import Notice, open_book
from knobel.solver.position import Book, Turn
from knobel.solver.solve import Progress


@dataclass(frozen=True, slots=True)
class Judged:
    """A move, the final total it may expect, and what it costs against the best one."""

    move: Move
    value: float
    loss: float


class Coach:
    """Knows the book of one ruleset."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.turn_of = lru_cache(maxsize=64)(self.turn)

    def turn(self, column: Column, announced: str | None) -> Turn:
        """Value a turn; the moves within one turn ask for the same."""
        return Turn(self.book, column, announced)

    def judge(self, game: Sheet, state: SheetState) -> list[Judged]:
        """Judge every move of the player whose turn it is, best first."""
        so_far = points_so_far(game.rules, state.column)
        values = [(move, so_far + self.value(game, state, move)) for move in game.moves(state)]
        best = max(value for _, value in values)
        judged = [Judged(move, value, best - value) for move, value in values]
        return sorted(judged, key=lambda one: (one.loss, rank(one.move)))

    def value(self, game: Sheet, state: SheetState, move: Move) -> float:
        """Say what a move may expect besides what is already written."""
        sets = self.book.tables.sets
        turn = self.turn_of(state.column, state.announced)
        match move:
            case Announce(box):
                return self.turn_of(state.column, box).begin()
            case Throw(keep):
                kept = hand(state.dice[place] for place in keep)
                return float(turn.keeps(game.rules.throws - state.thrown)[sets.index[kept]])
            case Fill(box):
                row = sets.index[state.hand] - sets.first
                return float(turn.choices[row, game.rules.index[box]])
        raise TypeError(move)


def points_so_far(rules: SheetRules, column: Column) -> int:
    """Add up what is written; the bonus is still expected, not written."""
    sums = tally(rules, column)
    return sums.upper + sums.lower + sums.extra


def rank(move: Move) -> tuple[int, int]:
    """Break ties: write before throwing, keep more before less."""
    return (1, -len(move.keep)) if isinstance(move, Throw) else (0, 0)


@lru_cache(maxsize=8)
def coach(rules: SheetRules, notice: Notice | None = None, progress: Progress | None = None) -> Coach:
    """Find the coach for these rules; without a book one is written first."""
    return Coach(open_book(rules, notice, progress))
