"""How good is each move here: its expected final total, and what it costs against the best one."""

from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

from knobel.dice import hand
from knobel.errors import OutOfBook, TooLarge
from knobel.game import Announce, Fill, Move, Throw
from knobel.games.sheet import Sheet, SheetState
from knobel.rules.column import Column, tally
from knobel.rules.ruleset import SheetRules
from knobel.solver.ahead import Ahead
from knobel.solver.book import Notice, open_book, read_values
from knobel.solver.position import Book, Turn, place_of, value_of
from knobel.solver.prospects import Prospects, build_prospects, open_prospects, read_prospects
from knobel.solver.solve import Progress
from knobel.solver.tables import tables

MOST_OPEN = 16
"""So many books stay open, those asked last."""
OPEN: "dict[str, Coach]" = {}
OPENING = Lock()


@dataclass(frozen=True, slots=True)
class Judged:
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
    now: tuple[float, ...]
    means: tuple[float, ...] | None
    bonus: float | None

    @property
    def zero(self) -> float:
        """How likely the turn ends with a zero."""
        return max(0.0, 1.0 - sum(self.chances))


class Coach:
    """Knows the book of one ruleset, and what lies beside it."""

    def __init__(self, book: Book, prospects: Prospects | None = None) -> None:
        self.book = book
        self.prospects = prospects
        self.turn_of = lru_cache(maxsize=64)(self.turn)
        self.ahead_of = lru_cache(maxsize=64)(self.ahead)

    def turn(self, column: Column, announced: str | None) -> Turn:
        """Value a turn; the moves within one turn ask for the same."""
        self.insist(column)
        return Turn(self.book, column, announced)

    def knows(self, column: Column) -> bool:
        """Tell whether the book has a column: where a sheet is filled from top to bottom, only one without gaps."""
        full = [points is not None for points in column.entries]
        return self.book.tables.rules.order != "top_down" or full == sorted(full, reverse=True)

    def insist(self, column: Column) -> None:
        """Refuse to guess what a column is worth that the book does not have."""
        if not self.knows(column):
            raise OutOfBook

    def ahead(self, column: Column, announced: str | None) -> Ahead:
        """Follow best play through a turn."""
        return Ahead(self.turn_of(column, announced), self.prospects)

    def look_ahead(self, progress: Progress | None = None, *, write: bool = True) -> bool:
        """Open the prospects beside the book, written first if need be and allowed; tells whether there are any."""
        if self.prospects is None:
            try:
                self.prospects = open_prospects(self.book, progress) if write else read_prospects(self.book)
            except TooLarge:
                return False
            self.ahead_of.cache_clear()
        return self.prospects is not None

    def work_ahead(self, progress: Progress) -> None:
        """Write the prospects beside the book, in this process; meant for a child that does nothing else."""
        if read_prospects(self.book) is None:
            build_prospects(self.book, progress)

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
            case Fill(strike=True):
                after = game.after(state, move).columns[state.player]
                return self.worth(game.rules, after) - points_so_far(game.rules, state.column)
            case Fill(box):
                row = sets.index[state.hand] - sets.first
                return float(turn.choices[row, game.rules.index[box]])
        raise TypeError(move)

    def worth(self, rules: SheetRules, column: Column) -> float:
        """Say which final total a column may expect before its next turn."""
        self.insist(column)
        return points_so_far(rules, column) + value_of(self.book, column)

    def outlook(self, game: Sheet, state: SheetState, move: Move) -> Outlook:
        """Say what a move leads to under best play."""
        sets, boxes = self.book.tables.sets, len(game.rules.boxes)
        match move:
            case Announce(box):
                row = self.ahead_of(state.column, box).keeps(game.rules.throws)[0]
            case Throw(keep):
                kept = hand(state.dice[place] for place in keep)
                row = self.ahead_of(state.column, state.announced).keeps(game.rules.throws - state.thrown)[
                    sets.index[kept]
                ]
            case Fill(box):
                return self.outlook_written(game, state, move)
            case _:
                raise TypeError(move)
        parts = [tuple(row[begin : begin + boxes].tolist()) for begin in (0, boxes, 2 * boxes)]
        known = self.prospects is not None
        return Outlook(parts[0], parts[1], parts[2] if known else None, float(row[-1]) if known else None)

    def outlook_written(self, game: Sheet, state: SheetState, move: Fill) -> Outlook:
        """Say what an entry leads to."""
        after = game.after(state, move).columns[state.player]
        place, boxes = game.rules.index[move.box], range(len(game.rules.boxes))
        points = after.entries[place] or 0
        now = tuple(float(points) if box == place else 0.0 for box in boxes)
        chances = tuple(float(box == place and points > 0) for box in boxes)
        if self.prospects is None:
            return Outlook(chances, now, None, None)
        later, bonus = self.prospects.of(place_of(self.book.tables, after))
        return Outlook(chances, now, tuple((later + now).tolist()), bonus)


def points_so_far(rules: SheetRules, column: Column) -> int:
    """Add up what is written; the bonus is still expected, not written."""
    sums = tally(rules, column)
    return sums.upper + sums.lower + sums.extra


def rank(move: Move) -> tuple[int, int]:
    """Break ties: write before throwing, keep more before less."""
    return (1, -len(move.keep)) if isinstance(move, Throw) else (0, 0)


def coach(rules: SheetRules, notice: Notice | None = None, progress: Progress | None = None) -> Coach:
    """Find the coach for these rules; without a book one is written first."""
    return known_coach(rules) or remembered(rules, Coach(open_book(rules, notice, progress)))


def shelved_coach(rules: SheetRules) -> Coach | None:
    """Find the coach for these rules, if their book is open or on the shelf; none is written."""
    if known := known_coach(rules):
        return known
    found = read_values(rules, None)
    return None if found is None else remembered(rules, Coach(Book(tables(rules), found[0])))


def known_coach(rules: SheetRules) -> Coach | None:
    """Find the coach for these rules, if their book is open."""
    with OPENING:
        found = OPEN.pop(rules.fingerprint, None)
        if found:
            OPEN[rules.fingerprint] = found
    return found


def remembered(rules: SheetRules, opened: Coach) -> Coach:
    """Keep a coach at hand; who was not asked for the longest time is let go, and so is the book."""
    with OPENING:
        OPEN[rules.fingerprint] = opened
        for name in list(OPEN)[:-MOST_OPEN]:
            del OPEN[name]
    return opened
