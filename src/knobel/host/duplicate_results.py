"""The results of duplicate games that are over, as soon as their books are solved."""

import asyncio

from knobel.errors import GameNotFound, KnobelError, ServerBusy
from knobel.extras import SOLVER, find_missing
from knobel.host.coach_service import CoachService
from knobel.record.duplicate import is_duplicate
from knobel.record.duplicate_result import DuplicateResult, compare_scores
from knobel.record.marks import find_leavers
from knobel.rules.fields import abbreviate
from knobel.table import Table

MAX_CACHED = 32


class DuplicateResults:
    """Compares everybody at a duplicate table; the results that were asked for last stay in memory."""

    def __init__(self, coaching: CoachService) -> None:
        self.coaching = coaching
        self.known: dict[str, DuplicateResult] = {}

    async def find_result(self, game_id: str) -> DuplicateResult:
        """Compare with the average, and where the rules can be solved with par; wait for the book."""
        table = await self.coaching.load_finished_game(game_id)
        outcome = table.replay.outcome
        if not is_duplicate(table.header) or outcome is None:
            raise GameNotFound(name=abbreviate(game_id))
        if game_id in self.known:
            return self.known[game_id]
        left = frozenset(find_leavers(table.replay))
        try:
            par = await self.find_par(table)
            lost = [await self.find_points_lost(table, seat) for seat in range(len(outcome.totals))]
        except ServerBusy:
            raise
        except KnobelError:
            return compare_scores(outcome.totals, left)
        result = self.known[game_id] = compare_scores(outcome.totals, left, par, lost)
        for oldest in list(self.known)[:-MAX_CACHED]:
            del self.known[oldest]
        return result

    async def find_par(self, table: Table) -> int | None:
        """Find what perfect play makes of the dice, by the rules that most play by."""
        if find_missing(SOLVER):
            return None
        from knobel.learning.duplicate import find_duplicate_par

        seats = table.header.seats
        seat = next((place for place, one in enumerate(seats) if not one.beginner), 0)
        coach = await self.coaching.open_coach(table, seat)
        return None if coach is None else await asyncio.to_thread(find_duplicate_par, coach, table.dice.key)

    async def find_points_lost(self, table: Table, seat: int) -> float | None:
        if find_missing(SOLVER):
            return None
        review = await self.coaching.run_review(table, seat)
        return review.headlines[0].lost if review.in_book else None
