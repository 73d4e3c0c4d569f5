"""The results of duplicate games that are over, as soon as their books are solved."""

import asyncio

from knobel.errors import GameNotFound, KnobelError, ServerBusy
from knobel.extras import SOLVER, find_missing
from knobel.game import Outcome
from knobel.host.coach_service import CoachService
from knobel.record.duplicate import is_duplicate
from knobel.record.duplicate_result import DuplicateResult, compare_scores
from knobel.record.marks import find_leavers
from knobel.rules.fields import abbreviate
from knobel.table import Table

MAX_CACHED = 32
MAX_WAITING = 8
"""How many results are worked out or waited for at the same time."""


class DuplicateResults:
    """Compares everybody at a duplicate table, once for all who ask; the newest results stay in memory."""

    def __init__(self, coaching: CoachService) -> None:
        self.coaching = coaching
        self.works: dict[str, asyncio.Task[DuplicateResult]] = {}

    async def find_result(self, game_id: str) -> DuplicateResult:
        """Compare with the average, and where the rules can be solved with par; wait for the book."""
        table = await self.coaching.load_finished_game(game_id)
        if not is_duplicate(table.header) or table.replay.outcome is None:
            raise GameNotFound(name=abbreviate(game_id))
        if game_id not in self.works:
            done = [name for name, work in self.works.items() if work.done()]
            if len(self.works) - len(done) >= MAX_WAITING:
                raise ServerBusy
            for oldest in done[: max(0, len(self.works) - MAX_CACHED + 1)]:
                del self.works[oldest]
            self.works[game_id] = asyncio.get_running_loop().create_task(self.compare(table, table.replay.outcome))
        return await asyncio.shield(self.works[game_id])

    async def compare(self, table: Table, outcome: Outcome) -> DuplicateResult:
        """Compare everybody; what is not known because there is no book is asked for again next time."""
        left = frozenset(find_leavers(table.replay))
        try:
            par = await self.find_par(table)
            lost = [await self.find_points_lost(table, seat) for seat in range(len(outcome.totals))]
        except KnobelError:
            self.works.pop(table.header.game, None)
            return compare_scores(outcome.totals, left)
        return compare_scores(outcome.totals, left, par, lost)

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
