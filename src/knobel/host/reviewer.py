"""Reviews finished games in the background, one at a time and politely, so that luck and points lost become known."""

import asyncio
import contextlib
import time

from knobel.errors import DatabaseError, KnobelError, ServerBusy
from knobel.extras import SOLVER, find_missing
from knobel.host.coach_service import CoachService
from knobel.host.integrity import read_header
from knobel.host.mistakes import plan_mistakes, search_seat
from knobel.record.events import Header
from knobel.record.replay import Replay
from knobel.solve_worker import load_cached
from knobel.solver.request import SolveRequest
from knobel.store import WriteConflict
from knobel.store.learning import PutMistakes
from knobel.store.people import PutReview

FIRST_SECONDS = 10.0
POLL_SECONDS = 10.0
MIN_REST_FACTOR, MAX_REST_FACTOR = 3, 300
"""How long the reviewer rests after a review, as a multiple of what it took: as many times as there are tables at which
somebody plays, within these bounds, because all of them share the processor with it."""
MILLI = 1000
LOOK_AHEAD = 20
"""How many games are looked through for one whose book is solved."""


class BackgroundReviewer:
    """Reviews what nobody has reviewed yet, the last game first.

    A book that is not solved yet is only solved for it while nobody plays.
    """

    def __init__(self, coaching: CoachService) -> None:
        self.coaching = coaching
        self.host = coaching.host

    async def run(self) -> None:
        """Review for as long as the server runs; without the solver there is nothing to do."""
        if find_missing(SOLVER):
            return
        await asyncio.sleep(FIRST_SECONDS)
        while True:
            began = time.monotonic()
            done = False
            with contextlib.suppress(DatabaseError, ServerBusy):
                done = await self.review_next()
            await asyncio.sleep(self.rest_factor * (time.monotonic() - began) if done else POLL_SECONDS)

    def count_played_tables(self) -> int:
        """Count the tables of this process at which somebody plays."""
        return sum(bool(one.room.running and one.watchers) for one in self.host.registry.sessions.values())

    @property
    def is_idle(self) -> bool:
        """Whether nobody plays in this process."""
        return self.count_played_tables() == 0

    @property
    def rest_factor(self) -> int:
        """How many times as long as a review took to rest after it now."""
        return min(max(MIN_REST_FACTOR, self.count_played_tables()), MAX_REST_FACTOR)

    async def review_next(self) -> bool:
        """Review one seat, and count what was found; tells whether there was one."""
        for game, seat in await self.host.store.list_pending_reviews(LOOK_AHEAD):
            if self.is_idle or await self.has_book(game, seat):
                await self.review(game, seat)
                await self.host.statistics.catch_up()
                return True
        for game, seat, person in await self.host.store.list_unsearched("", LOOK_AHEAD):
            if self.is_idle or await self.has_book(game, seat):
                await search_seat(self.host.store, self.coaching.run_review, (game, seat, person), self.host.clock())
                return True
        return False

    async def has_book(self, game: str, seat: int) -> bool:
        """Tell whether a review needs no solving; one that cannot be made needs none either.

        What was agreed on says so: many games are looked at for each that is replayed.
        """
        stored = await self.host.store.find_game(game)
        if stored is None or (header := read_header(stored)) is None:
            return True
        try:
            return await asyncio.to_thread(has_book, header, seat)
        except DatabaseError:
            raise
        except (KnobelError, ValueError, KeyError, TypeError, IndexError):
            return True  # what is damaged is said when the game is replayed

    async def review(self, game: str, seat: int) -> None:
        """Review a seat; if that cannot be done, it is not tried again."""
        found, mistakes = PutReview(game, seat, None, None, None), PutMistakes(game, seat, ())
        try:
            table = await self.coaching.load_finished_game(game)
            review = await self.coaching.run_review(table, seat)
            headline = review.headlines[0]
            if review.in_book:
                lost, luck = round(headline.lost * MILLI), round(headline.luck * MILLI)
                found = PutReview(game, seat, luck, lost, review.level)
                if person := (await self.host.store.list_players(game)).get(seat):
                    mistakes = plan_mistakes(table, review, person, self.host.clock())
        except (DatabaseError, ServerBusy):
            raise
        except KnobelError:
            pass
        with contextlib.suppress(WriteConflict):  # another process was faster
            await self.host.store.commit(found, mistakes)


def has_book(header: Header, seat: int) -> bool:
    """Tell whether the book to review a seat is solved, or none is needed; importing the coach for it takes long."""
    from knobel.coach.review import find_book_rules

    rules = find_book_rules(Replay(header), seat)
    return rules is None or load_cached(SolveRequest(rules))
