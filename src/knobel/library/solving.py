"""Solved rules: par, the best move in any position, odds, simulation, and reviews of records."""

import secrets
import time
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TypeAlias, cast

from knobel.coach.ledger import Review
from knobel.coach.review import find_book_rules, review_seat
from knobel.coach.sheet import MoveValue, SheetCoach, open_coach
from knobel.errors import IllegalAction, NoSeatAtTable, OtherRules, WrongArgument
from knobel.game import Move
from knobel.games.sheet import SheetGame
from knobel.library.board import Board
from knobel.library.records import read_record
from knobel.library.selection import RulesLike, resolve_rules
from knobel.phrase import phrase
from knobel.record.events import Record
from knobel.record.replay import replay_record
from knobel.rules.families import expect_sheet_rules
from knobel.rules.fields import abbreviate, check_number, check_type
from knobel.rules.sheet_rules import SheetRules
from knobel.simulation import SimulationResult, simulate_bot
from knobel.solver.odds import Odds, compute_odds
from knobel.solver.solve import pad_to_stride

Progress: TypeAlias = Callable[[float], None]
MAX_GAMES = 1_000_000_000
MAX_SEED = (1 << 62) - 1


def solve(rules: RulesLike, *, progress: Progress | None = None) -> "Book":
    """Solve the rules of a score sheet exactly, or open the book that was solved before.

    Needs the extra `solver`. `progress` is called with the share that is done, from 0 to 1.
    """
    check_progress(progress)
    sheet_rules = expect_sheet_rules(resolve_rules(rules), str(rules))
    return Book(sheet_rules, open_coach(sheet_rules, progress=progress))


class Book:
    """The solved values of one ruleset, as `solve` opens them."""

    def __init__(self, rules: SheetRules, coach: SheetCoach) -> None:
        self.rules = rules
        self.coach = coach

    def __repr__(self) -> str:
        return f"<Book par={self.par:.6f}>"

    def __reduce__(self) -> tuple[Callable[[SheetRules], "Book"], tuple[SheetRules]]:
        """Have another process open the same book, from the cache folder if it is there."""
        return solve, (self.rules,)

    @property
    def par(self) -> float:
        """The average total of perfect play."""
        return self.coach.book.par

    def value(self, board: Board) -> float:
        """Give the average final total of the player whose turn it is, under best play from here."""
        return self.rank(board)[0].value

    def best(self, board: Board) -> Move:
        """Find the best move."""
        return self.rank(board)[0].move

    def rank(self, board: Board) -> list[MoveValue]:
        """Rank all moves, best first, each with its average final total and what it costs."""
        check_type("board", board, Board)
        if board.rules.fingerprint != self.rules.fingerprint:
            raise OtherRules
        if not board.legal_moves:
            raise IllegalAction(why=phrase("rules.refusal.over" if board.is_over else "rules.refusal.falling"))
        return self.coach.rank_moves(cast(SheetGame, board.game), board.state)

    @cached_property
    def odds(self) -> Odds:
        """The exact distribution of the final total under perfect play; takes seconds the first time."""
        book = self.coach.book
        return compute_odds(book.tables, pad_to_stride(book.tables, book.values))

    def simulate(self, games: int, *, seed: int | None = None, progress: Progress | None = None) -> SimulationResult:
        """Play many games perfectly with unbiased dice."""
        check_number("games", games, 1, MAX_GAMES)
        if seed is not None:
            check_number("seed", seed, 0, MAX_SEED)
        check_progress(progress)
        drawn = secrets.randbits(30) if seed is None else seed
        return simulate_bot(
            self.rules, "perfect", games, drawn, self.coach.book, progress or (lambda _: None), time.perf_counter()
        )

    def review(self, record: Record | bytes | str | Path, seat: int = 0) -> Review:
        """Review one seat of a record: par, luck, points lost, every decision with its cost."""
        if not isinstance(record, Record):
            check_type("record", record, Record, bytes, str, Path)
            record = read_record(record)
        check_type("seat", seat, int)
        seats = len(record.header.seats)
        if not 0 <= seat < seats:
            raise NoSeatAtTable(seat=seat + 1, seats=seats)
        replay = replay_record(record)
        played = find_book_rules(replay, seat)
        if played is None or played.fingerprint != self.rules.fingerprint:
            raise OtherRules
        return review_seat(record, replay, seat, lambda _: self.coach)


def check_progress(progress: Progress | None) -> None:
    """Refuse what cannot be called."""
    if progress is not None and not callable(progress):
        raise WrongArgument(name="progress", wanted="Callable", value=abbreviate(repr(progress)))
