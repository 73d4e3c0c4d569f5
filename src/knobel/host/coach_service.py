"""The coach of a server: advice before a move, the running ledger, and reviews of games that are over.

The coach is imported on the first request: it needs numpy, and a server without it starts faster. Where the solver is
not installed, whoever asks the coach is told so.
"""

import asyncio
from typing import TYPE_CHECKING

from knobel.errors import GameNotFinished, GameNotFound, IllegalAction, NotInBook, ServerBusy
from knobel.extras import SOLVER, find_missing, require_extra
from knobel.host import Host
from knobel.host.archive import load_table
from knobel.host.daily_record import is_daily_id, load_daily_table
from knobel.phrase import Phrase
from knobel.rooms.intents import AskCoach
from knobel.rules.fields import abbreviate
from knobel.solve_worker import load_cached
from knobel.solver.request import EXPECTED_SCORES, SolveRequest
from knobel.table import Table

if TYPE_CHECKING:
    from knobel.coach.advice import Advice
    from knobel.coach.ledger import Decision
    from knobel.coach.retry import RetryPosition
    from knobel.coach.review import Review
    from knobel.coach.sheet import SheetCoach

MAX_CACHED_TABLES = 16
EXPECTED_SCORES_SECONDS = 10.0
"""How long a review waits for the numbers behind its reasons; without them the reasons say less."""
MAX_REVIEWS = 2
"""How many reviews are written at the same time."""
MAX_WAITING_REVIEWS = 20
"""How many reviews of games that are over are waited for."""


class CoachService:
    """The coach as a customer of the solve queue; the games that were looked at last stay in memory."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.cached_tables: dict[str, Table] = {}
        self.review_slots = asyncio.Semaphore(MAX_REVIEWS)
        self.waiting_reviews = 0

    async def review_seat(self, game_id: str, seat: int | None) -> "tuple[Table, Review]":
        """Review a seat of a game that is over, by default that of the first person."""
        require_extra(SOLVER)
        table = await self.load_finished_game(game_id)
        seats = table.header.seats
        if seat is None:
            seat = next((place for place, one in enumerate(seats) if one.bot is None), 0)
        if not 0 <= seat < len(seats):
            raise GameNotFound(name=abbreviate(game_id))
        if self.waiting_reviews >= MAX_WAITING_REVIEWS:
            raise ServerBusy
        self.waiting_reviews += 1
        try:
            await self.wait_for_expected_scores(table, seat)
            return table, await self.run_review(table, seat)
        finally:
            self.waiting_reviews -= 1

    async def summarize_seat(self, game_id: str, seat: int) -> "tuple[Table, Phrase | None]":
        """Say in one sentence what stands out in a seat's game; nothing where its book is not solved yet."""
        table = await self.load_finished_game(game_id)
        if not 0 <= seat < len(table.header.seats):
            raise GameNotFound(name=abbreviate(game_id))
        if find_missing(SOLVER):
            return table, None
        from knobel.coach.review import find_book_rules
        from knobel.coach.summary import summarize

        rules = find_book_rules(table.replay, seat)
        if rules is not None and not await asyncio.to_thread(load_cached, SolveRequest(rules)):
            return table, None
        return table, summarize(await self.run_review(table, seat))

    async def wait_for_expected_scores(self, table: Table, seat: int) -> None:
        """Request the numbers behind the reasons, and wait a moment for them."""
        from knobel.coach.review import find_book_rules

        rules = find_book_rules(table.replay, seat)
        if rules is not None:
            request = SolveRequest(rules, EXPECTED_SCORES)
            await self.host.solve_queue.wait_briefly(request, EXPECTED_SCORES_SECONDS)

    async def load_finished_game(self, game_id: str) -> Table:
        """Replay a game that is over; refuse one that is still running."""
        if is_daily_id(game_id):
            return await load_daily_table(self.host.store, game_id)
        if (known := self.cached_tables.pop(game_id, None)) is not None:
            stored = await self.host.store.find_game(game_id)
            # Somebody whose data were deleted since then has no name here either.
            if stored is not None and stored.names == tuple(seat.name for seat in known.header.seats):
                self.cached_tables[game_id] = known
                return known
        table, _ = await load_table(self.host.store, game_id)
        if table.replay.closed is None:
            raise GameNotFinished(name=abbreviate(game_id))
        while len(self.cached_tables) >= MAX_CACHED_TABLES:
            del self.cached_tables[next(iter(self.cached_tables))]
        self.cached_tables[game_id] = table
        return table

    async def run_review(self, table: Table, seat: int) -> "Review":
        """Review a seat in a thread."""
        from knobel.coach.review import review_seat

        await self.open_coach(table, seat)
        async with self.review_slots:
            return await asyncio.to_thread(review_seat, table.record, table.replay, seat)

    async def describe_retry(self, game_id: str, seat: int, event: int) -> "tuple[Table, RetryPosition]":
        """Say what could be chosen at a decision of a game that is over."""
        require_extra(SOLVER)
        from knobel.coach.retry import describe_retry

        table = await self.load_seat(game_id, seat)
        return table, describe_retry(table.replay, seat, event)

    async def judge_choice(
        self, game_id: str, seat: int, event: int, action: str
    ) -> "tuple[Table, Decision | None, float | None]":
        """Judge another choice at a decision of a game that is over, and what it does to the chance to win."""
        require_extra(SOLVER)
        from knobel.coach.retry import find_win_change, judge_choice

        table = await self.load_seat(game_id, seat)
        await self.open_coach(table, seat)
        async with self.review_slots:
            found = await asyncio.to_thread(judge_choice, table.replay, seat, event, action)
            change = await asyncio.to_thread(find_win_change, table.replay, seat, event, action)
        return table, found, change

    async def load_seat(self, game_id: str, seat: int) -> Table:
        table = await self.load_finished_game(game_id)
        if not 0 <= seat < len(table.header.seats):
            raise GameNotFound(name=abbreviate(game_id))
        return table

    async def load_position(self, game_id: str, event: int) -> Table:
        """Replay a game that is over up to one of its events."""
        table = await self.load_finished_game(game_id)
        if event > len(table.events):
            raise GameNotFound(name=abbreviate(game_id))
        return Table(table.header, table.server_seed, tuple(table.events[:event]), game_id)

    async def advise(
        self, room_id: str, device: str, command: str, seat: int
    ) -> "tuple[Table, str, tuple[Advice, ...]]":
        """Rank the moves of a seat of a device; from now on the record says that the coach was asked."""
        require_extra(SOLVER)
        from knobel.coach.families import find_family

        table = await self.record_assistance(room_id, device, command, seat)
        coach = await self.open_coach(table, seat)
        track = table.replay.track(seat)
        game, state, family = track.game, track.state, find_family(track.game)
        if state.seat is None or state.seat != track.local_seat(seat):
            return table, family.unit, ()
        return table, family.unit, await asyncio.to_thread(family.advise, game, state, coach)

    async def compute_ledger(self, room_id: str, device: str, command: str, seat: int) -> "Review":
        """Compute how a seat of a device is doing so far; that is asking the coach, too."""
        require_extra(SOLVER)
        table = await self.record_assistance(room_id, device, command, seat)
        # The game goes on meanwhile, so the coach works on a copy of it.
        copy = Table(table.header, table.server_seed, tuple(table.events), table.header.game)
        review = await self.run_review(copy, seat)
        if not review.in_book:
            raise NotInBook
        return review

    async def sum_win_changes(self, room_id: str, seat: int) -> tuple[float | None, float | None]:
        """Add up what the dice and the choices of a seat did to its chance to win so far.

        What that needs is solved for the next time; until then it is not known.
        """
        from knobel.coach.families import find_chart_maker
        from knobel.coach.win_chance import list_needed_requests
        from knobel.coach.win_chart import list_start_positions
        from knobel.coach.win_story import sum_win_ledger

        table = (await self.host.find_session(room_id)).require_table()
        copy = Table(table.header, table.server_seed, tuple(table.events), table.header.game)
        chart_wins = find_chart_maker(copy.replay)
        if chart_wins is None:
            return None, None
        for request in list_needed_requests(list_start_positions(copy.replay)):
            await self.host.solve_queue.wait_briefly(request, 0)
            if not await asyncio.to_thread(load_cached, request):
                return None, None
        try:
            async with self.review_slots:
                ledger = sum_win_ledger(await asyncio.to_thread(chart_wins, copy.replay), seat)
        except NotInBook:
            return None, None
        return ledger.dice, ledger.choices

    async def record_assistance(self, room_id: str, device: str, command: str, seat: int) -> Table:
        """Record that a seat asks the coach, unless that is recorded already, perhaps by another question just now."""
        session = await self.host.find_session(room_id)
        table = session.require_table()
        if not session.room.has_seat(device, seat) or seat not in table.replay.attendance.assisted:
            try:
                intent, game = AskCoach(seat), table.header.game
                await self.host.execute(room_id, device, command, intent, f"assist {seat}", game)
            except IllegalAction:
                if seat not in table.replay.attendance.assisted:
                    raise
        return table

    async def open_coach(self, table: Table, seat: int) -> "SheetCoach | None":
        """Open the book of a seat's rules as soon as it is solved; some games need none."""
        from knobel.coach.review import find_book_rules
        from knobel.coach.sheet import open_coach

        rules = find_book_rules(table.replay, seat)
        if rules is None:
            return None
        await self.host.solve_queue.wait_for(SolveRequest(rules))
        return await asyncio.to_thread(open_coach, rules)
