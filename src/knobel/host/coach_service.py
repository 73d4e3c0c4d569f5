"""The coach at the tables: advice before a move, the running ledger, and reviews of games that are over.

The coach is called when somebody asks: it brings numpy with it, and a house without questions opens faster.
"""

import asyncio
import contextlib
from typing import TYPE_CHECKING

from knobel.errors import GameNotFinished, GameNotFound, IllegalAction, KnobelError, NotInBook
from knobel.games.sheet import SheetGame
from knobel.host import Host
from knobel.host.archive import load_table
from knobel.rooms.intents import AskCoach
from knobel.rules.fields import abbreviate
from knobel.rules.sheet_rules import SheetRules
from knobel.table import Table

if TYPE_CHECKING:
    from knobel.coach.advice import Advice
    from knobel.coach.review import Review
    from knobel.coach.sheet import SheetCoach

MAX_CACHED = 16
PROSPECTS_TIMEOUT_SECONDS = 10.0
"""So long a review waits for the numbers behind its reasons; afterwards it is written without them."""
MAX_REVIEWS = 2
"""So many reviews are written at the same time."""


class CoachService:
    """The coach of a house; `kept` are the games looked at last, as a slider asks for one again and again."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.cached_tables: dict[str, Table] = {}
        self.review_slots = asyncio.Semaphore(MAX_REVIEWS)
        self.prospect_tasks: dict[str, asyncio.Task[None]] = {}

    async def review_seat(self, game_id: str, seat: int | None) -> "tuple[Table, Review]":
        """Review a seat of a game that is over; without one, the first person's."""
        table = await self.load_finished_game(game_id)
        seats = table.header.seats
        if seat is None:
            seat = next((place for place, one in enumerate(seats) if one.bot is None), 0)
        if not 0 <= seat < len(seats):
            raise GameNotFound(name=abbreviate(game_id))
        await self.wait_for_prospects(table, seat)
        return table, await self.run_review(table, seat)

    async def wait_for_prospects(self, table: Table, seat: int) -> None:
        """Have worked out what the reasons are made of, and wait a moment for it; without, they say less."""
        from knobel.coach.review import find_seat_rules

        if not isinstance(table.replay.track(seat).game, SheetGame):
            return
        rules = find_seat_rules(table.replay, seat)
        if (task := self.prospect_tasks.get(rules.fingerprint)) is None:
            task = self.prospect_tasks[rules.fingerprint] = asyncio.create_task(self.solve_prospects(rules))
        await asyncio.wait([task], timeout=PROSPECTS_TIMEOUT_SECONDS)

    async def solve_prospects(self, rules: SheetRules) -> None:
        """Have the prospects of some rules worked out; what cannot be done in time is not tried again."""
        with contextlib.suppress(KnobelError):
            await self.host.solve_queue.wait_for_prospects(rules)

    async def load_finished_game(self, game_id: str) -> Table:
        """Play a game again that is over; one that still runs is nobody's to look into."""
        if (known := self.cached_tables.get(game_id)) is not None:
            return known
        table, _ = await load_table(self.host.store, game_id)
        if table.replay.closed is None:
            raise GameNotFinished(name=abbreviate(game_id))
        while len(self.cached_tables) >= MAX_CACHED:
            del self.cached_tables[next(iter(self.cached_tables))]
        self.cached_tables[game_id] = table
        return table

    async def run_review(self, table: Table, seat: int) -> "Review":
        """Let the coach go through a seat of a game, beside everything else."""
        from knobel.coach.review import review_seat

        await self.open_coach(table, seat)
        async with self.review_slots:
            return await asyncio.to_thread(review_seat, table.record, table.replay, seat)

    async def load_position(self, game_id: str, event: int) -> Table:
        """Play a game that is over again, up to one of its events."""
        table = await self.load_finished_game(game_id)
        if event > len(table.events):
            raise GameNotFound(name=abbreviate(game_id))
        return Table(table.header, table.server_seed, tuple(table.events[:event]), game_id)

    async def advise(
        self, room_id: str, device: str, command: str, seat: int
    ) -> "tuple[Table, str, tuple[Advice, ...]]":
        """Say what is best here for a seat of a device; the record says from now on that the coach was asked."""
        from knobel.coach.advice import advise

        table = await self.record_assistance(room_id, device, command, seat)
        own = await self.open_coach(table, seat)
        lane = table.replay.track(seat)
        state = lane.state
        if state.seat is None or state.seat != lane.local_seat(seat) or getattr(state, "rolloff", None):
            return table, "", ()
        unit, found = await asyncio.to_thread(advise, lane, own)
        return table, unit, found

    async def compute_ledger(self, room_id: str, device: str, command: str, seat: int) -> "Review":
        """Add up how a seat of a device stands so far; that is asking the coach, too."""
        table = await self.record_assistance(room_id, device, command, seat)
        # The game goes on while the coach counts: what is counted is the game as it was when it was asked.
        found = await self.run_review(
            Table(table.header, table.server_seed, tuple(table.events), table.header.game), seat
        )
        if not found.in_book:
            raise NotInBook
        return found

    async def record_assistance(self, room_id: str, device: str, command: str, seat: int) -> Table:
        """Note that a seat asks the coach, unless that is noted already, perhaps by another question just now."""
        desk = await self.host.find_session(room_id)
        table = self.host.require_table(desk)
        if seat not in desk.room.seats_of(device) or seat not in table.replay.assisted:
            try:
                await self.host.execute(room_id, device, command, AskCoach(seat))
            except IllegalAction:
                if seat not in table.replay.assisted:
                    raise
        return table

    async def open_coach(self, table: Table, seat: int) -> "SheetCoach | None":
        """Open the book of a seat's rules, once it is worked out; games of rounds need none."""
        from knobel.coach.review import find_seat_rules
        from knobel.coach.sheet import open_coach

        if not isinstance(table.replay.track(seat).game, SheetGame):
            return None
        rules = find_seat_rules(table.replay, seat)
        await self.host.solve_queue.wait_for_book(rules)
        return await asyncio.to_thread(open_coach, rules)
