"""The coach at the tables: advice before a move, the running ledger, and reviews of games that are over.

The coach is called when somebody asks: it brings numpy with it, and a house without questions opens faster.
"""

import asyncio
import contextlib
from typing import TYPE_CHECKING

from knobel.errors import GameOpen, GameUnknown, IllegalAction, KnobelError, OutOfBook
from knobel.games.sheet import Sheet
from knobel.host import Host
from knobel.host.keeping import table_again
from knobel.room.intents import Assist
from knobel.rules.fields import shown
from knobel.rules.ruleset import SheetRules
from knobel.table import Table

if TYPE_CHECKING:
    from knobel.coach import Coach
    from knobel.review import Review
    from knobel.review.advice import Advice

MOST_KEPT = 16
PATIENCE_SECONDS = 10.0
"""So long a review waits for the numbers behind its reasons; afterwards it is written without them."""
LOOKING = 2
"""So many reviews are written at the same time."""


class Coaching:
    """The coach of a house; `kept` are the games looked at last, as a slider asks for one again and again."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.kept: dict[str, Table] = {}
        self.looking = asyncio.Semaphore(LOOKING)
        self.ahead: dict[str, asyncio.Task[None]] = {}

    async def reviewed(self, game: str, seat: int | None) -> "tuple[Table, Review]":
        """Review a seat of a game that is over; without one, the first person's."""
        table = await self.closed(game)
        seats = table.header.seats
        if seat is None:
            seat = next((place for place, one in enumerate(seats) if one.bot is None), 0)
        if not 0 <= seat < len(seats):
            raise GameUnknown(name=shown(game))
        await self.foresee(table, seat)
        return table, await self.looked_at(table, seat)

    async def foresee(self, table: Table, seat: int) -> None:
        """Have worked out what the reasons are made of, and wait a moment for it; without, they say less."""
        from knobel.review import rules_of

        if not isinstance(table.replay.lane(seat).game, Sheet):
            return
        rules = rules_of(table.replay, seat)
        if (task := self.ahead.get(rules.fingerprint)) is None:
            task = self.ahead[rules.fingerprint] = asyncio.create_task(self.look_ahead(rules))
        await asyncio.wait([task], timeout=PATIENCE_SECONDS)

    async def look_ahead(self, rules: SheetRules) -> None:
        """Have the prospects of some rules worked out; what cannot be done in time is not tried again."""
        with contextlib.suppress(KnobelError):
            await self.host.study.foreseen(rules)

    async def closed(self, game: str) -> Table:
        """Play a game again that is over; one that still runs is nobody's to look into."""
        if (known := self.kept.get(game)) is not None:
            return known
        table, _ = await table_again(self.host.store, game)
        if table.replay.closed is None:
            raise GameOpen(name=shown(game))
        while len(self.kept) >= MOST_KEPT:
            del self.kept[next(iter(self.kept))]
        self.kept[game] = table
        return table

    async def looked_at(self, table: Table, seat: int) -> "Review":
        """Let the coach go through a seat of a game, beside everything else."""
        from knobel.review import review

        await self.prepared(table, seat)
        async with self.looking:
            return await asyncio.to_thread(review, table.record, table.replay, seat)

    async def stood_at(self, game: str, event: int) -> Table:
        """Play a game that is over again, up to one of its events."""
        table = await self.closed(game)
        if event > len(table.events):
            raise GameUnknown(name=shown(game))
        return Table(table.header, table.seed, tuple(table.events[:event]), game)

    async def advise(self, room: str, owner: str, command: str, seat: int) -> "tuple[Table, str, tuple[Advice, ...]]":
        """Say what is best here for a seat of a device; the record says from now on that the coach was asked."""
        from knobel.review.advice import advised

        table = await self.assisted(room, owner, command, seat)
        own = await self.prepared(table, seat)
        lane = table.replay.lane(seat)
        state = lane.state
        if state.seat is None or state.seat != lane.within(seat) or getattr(state, "rolloff", None):
            return table, "", ()
        unit, found = await asyncio.to_thread(advised, lane, own)
        return table, unit, found

    async def ledger(self, room: str, owner: str, command: str, seat: int) -> "Review":
        """Add up how a seat of a device stands so far; that is asking the coach, too."""
        table = await self.assisted(room, owner, command, seat)
        # The game goes on while the coach counts: what is counted is the game as it was when it was asked.
        found = await self.looked_at(Table(table.header, table.seed, tuple(table.events), table.header.game), seat)
        if not found.in_book:
            raise OutOfBook
        return found

    async def assisted(self, room: str, owner: str, command: str, seat: int) -> Table:
        """Note that a seat asks the coach, unless that is noted already, perhaps by another question just now."""
        desk = await self.host.desk(room)
        table = self.host.playing(desk)
        if seat not in desk.room.seats_of(owner) or seat not in table.replay.assisted:
            try:
                await self.host.do(room, owner, command, Assist(seat))
            except IllegalAction:
                if seat not in table.replay.assisted:
                    raise
        return table

    async def prepared(self, table: Table, seat: int) -> "Coach | None":
        """Open the book of a seat's rules, once it is worked out; games of rounds need none."""
        from knobel.coach import coach
        from knobel.review import rules_of

        if not isinstance(table.replay.lane(seat).game, Sheet):
            return None
        rules = rules_of(table.replay, seat)
        await self.host.study.prepared(rules)
        return await asyncio.to_thread(coach, rules)
