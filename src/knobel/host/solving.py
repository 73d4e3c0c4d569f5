"""The study: what bots that play by the book need is worked out here, one at a time, while the tables go on."""

import asyncio
import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from knobel.bots import NO_MEMORY, memory_for, reads, ready, shelved, tidy_books
from knobel.errors import KnobelError, SolvingFailed, SolvingLong, SolvingMemory, SolvingQueue, StillSolving
from knobel.games.sheet import Sheet
from knobel.host.deciding import bot_seat
from knobel.host.desk import Desk, Solving
from knobel.room.chairs import agreed, rules_of
from knobel.room.intents import Begin, Settle, Wanted
from knobel.rules.ruleset import SheetRules
from knobel.table import Table

READER, SEER = "perfect", "coach:ahead"
"""Who reads the book and nothing else, and who looks ahead as well."""
SECONDS = 60.0
"""So long working out may take; nobody waits longer for a bot."""
BYTES = 1024**3
"""So large the solved values may be."""
MOST_WAITING = 20
MOST_READING = 2
"""So many house-rule files are read at the same time; reading one takes a fraction of a second."""
LINGER_SECONDS = 15.0
"""A room that everybody has left keeps its place in the study for a while: a page that is loaded anew comes back."""
QUIET_SECONDS = 0.2
"""Progress is told no more often."""


@dataclass(frozen=True, slots=True)
class Need:
    """What one bot needs before it can play by some rules."""

    bot: str
    rules: SheetRules

    @property
    def key(self) -> str:
        """Needs with equal keys are met by the same work: bots without a level need the book alone."""
        return f"{self.rules.fingerprint}:{self.bot.partition(':')[2]}"

    @property
    def met(self) -> bool:
        """Whether the bot can move at once."""
        return ready(self.bot, self.rules)


@dataclass(eq=False)
class Work:
    """Something to be worked out: for which rooms, and how far it is."""

    need: Need
    rooms: set[str] = field(default_factory=set)
    state: Solving = field(default_factory=lambda: Solving(0.0))
    waiters: int = 0
    told: float = 0.0
    task: asyncio.Task[None] | None = None
    weighed: asyncio.Event = field(default_factory=asyncio.Event)


Teller: TypeAlias = Callable[[str, Solving], None]


class Study:
    """Works out what bots need, in a child process that nobody has to wait for; `tell` hears how far it is."""

    def __init__(self, tell: Teller, seconds: float = SECONDS) -> None:
        self.tell = tell
        self.seconds = seconds
        self.works: dict[str, Work] = {}
        self.place = asyncio.Lock()
        self.reading = asyncio.Semaphore(MOST_READING)
        self.leaving: dict[str, asyncio.TimerHandle] = {}

    async def read(self, wanted: Wanted) -> None:
        """Read house rules beside everything else, so that nobody waits meanwhile; what was read is remembered."""
        if isinstance(wanted, Settle) and wanted.house is not None:
            async with self.reading:
                await asyncio.to_thread(agreed, wanted)

    async def consider(self, room: str, wanted: Wanted) -> None:
        """Do first what may take a moment: read house rules, or find out whether bots will ever be able to play."""
        await self.read(wanted)
        if isinstance(wanted, Begin):
            for work in [work for work in self.works.values() if room in work.rooms]:
                await work.weighed.wait()

    def look(self, desk: Desk) -> None:
        """Begin what the bots of a room need, and drop what they no longer do."""
        room = desk.room.room
        self.stay(room)
        wanted = {need.key: need for need in needs_of(desk) if not need.met}
        for key, work in tuple(self.works.items()):
            if key not in wanted and room in work.rooms:
                self.drop(work, room)
        for key, need in wanted.items():
            work = self.works.get(key) or self.begin(key, need)
            if room not in work.rooms:
                work.rooms.add(room)
                self.tell(room, self.state_of(room))

    def begin(self, key: str, need: Need) -> Work:
        """Put something on the list."""
        work = self.works[key] = Work(need)
        if len([one for one in self.works.values() if one.state.done is not None]) > MOST_WAITING:
            work.state = Solving(None, error=SolvingQueue(limit=MOST_WAITING))
            work.weighed.set()
        else:
            work.task = asyncio.get_running_loop().create_task(self.run(key, work))
        return work

    def drop(self, work: Work, room: str) -> None:
        """Work no longer for a room; what no room waits for is put aside."""
        work.rooms.discard(room)
        self.tell(room, self.state_of(room))
        self.put_aside(work)

    def put_aside(self, work: Work) -> None:
        """Stop what nobody waits for; what went wrong is tried anew when somebody wants it again."""
        if work.rooms or work.waiters:
            return
        if self.works.get(work.need.key) is work:
            del self.works[work.need.key]
        if work.task:
            work.task.cancel()

    def linger(self, room: str) -> None:
        """Keep the place of a room that everybody has left, for a while."""
        self.stay(room)
        if any(room in work.rooms for work in self.works.values()):
            self.leaving[room] = asyncio.get_running_loop().call_later(LINGER_SECONDS, self.leave, room)

    def stay(self, room: str) -> None:
        """Note that somebody is in a room."""
        if room in self.leaving:
            self.leaving.pop(room).cancel()

    def leave(self, room: str) -> None:
        """Work no longer for a room that nobody is in."""
        self.stay(room)
        for work in tuple(self.works.values()):
            if room in work.rooms:
                self.drop(work, room)

    def state_of(self, room: str) -> Solving:
        """Say how far that is what a room waits for; where something went wrong, that comes first."""
        states = [work.state for work in self.works.values() if room in work.rooms]
        return min(states, key=lambda state: (state.error is None, state.done or 0.0), default=Solving(None))

    def refuse(self, desk: Desk) -> None:
        """Refuse what would end in waiting for a book that never comes."""
        if error := self.state_of(desk.room.room).error:
            raise error

    async def wait_for(self, desk: Desk) -> None:
        """Wait until the bot to move can do so, or say why it never will."""
        if (need := next_need(desk)) is not None:
            await self.meet(need)

    async def prepared(self, rules: SheetRules) -> None:
        """Wait until the book of some rules can be opened, or say why it never will."""
        await self.meet(Need(READER, rules))

    async def foreseen(self, rules: SheetRules) -> None:
        """Wait until the coach can see what lies ahead of each move, or say why it never will."""
        await self.meet(Need(SEER, rules))

    async def meet(self, need: Need) -> None:
        """Wait until a need is met, or say why it never will be."""
        if need.met:
            return
        work = self.works.get(need.key) or self.begin(need.key, need)
        work.waiters += 1
        try:
            if work.task:
                await asyncio.wait([work.task])
        finally:
            work.waiters -= 1
            self.put_aside(work)
        if work.state.error:
            raise work.state.error

    async def run(self, key: str, work: Work) -> None:
        """Work something out, once it is its turn; what was worked out before is only opened."""
        need = work.need
        try:
            if not await asyncio.to_thread(shelved, need.bot, need.rules):
                memory = await asyncio.to_thread(memory_for, need.rules, self.seconds, BYTES)
                work.weighed.set()
                if self.place.locked():
                    self.say(work, Solving(0.0, waiting=True))
                async with self.place:
                    self.say(work, Solving(0.0))
                    await self.work_out(work, memory)
                if not await asyncio.to_thread(shelved, need.bot, need.rules):
                    raise SolvingFailed
        except (KnobelError, OSError) as error:
            self.say(work, Solving(None, error=error if isinstance(error, KnobelError) else SolvingFailed()))
            return
        finally:
            work.weighed.set()
        if self.works.get(key) is work:
            del self.works[key]
        self.say(work, Solving(None))

    def say(self, work: Work, state: Solving) -> None:
        """Tell the rooms that wait how far it is."""
        work.state = state
        for room in tuple(work.rooms):
            self.tell(room, self.state_of(room))

    async def work_out(self, work: Work, memory: int) -> None:
        """Let a child process do it; one that takes too long is killed, with everything it began."""
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "knobel.bots", work.need.bot, str(memory)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(self.seconds):
                await self.follow(work, child)
                answer = await child.wait()
        except TimeoutError:
            raise SolvingLong(limit=f"{self.seconds:g}") from None
        finally:
            await ended(child)
        if answer == NO_MEMORY:
            raise SolvingMemory(limit=memory // 1024**2)
        if answer:
            raise SolvingFailed

    async def follow(self, work: Work, child: asyncio.subprocess.Process) -> None:
        """Hand over the rules, and pass on how far the child is."""
        if child.stdin is None or child.stdout is None:
            raise SolvingFailed
        with contextlib.suppress(ConnectionError):
            child.stdin.write(json.dumps(work.need.rules.form).encode() + b"\n")
            await child.stdin.drain()
        async for line in child.stdout:
            if (now := time.monotonic()) - work.told >= QUIET_SECONDS:
                work.told = now
                self.say(work, Solving(float(line)))

    async def tidy(self) -> None:
        """Let go of the books nobody opened for the longest time, if there are too many."""
        await asyncio.to_thread(tidy_books)

    async def close(self) -> None:
        """Stop working; no child is left behind."""
        tasks = [work.task for work in self.works.values() if work.task]
        self.works.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def ended(child: asyncio.subprocess.Process) -> None:
    """See to it that a child and everything it began is gone, and nothing half written stays."""
    if child.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    await child.wait()
    await asyncio.to_thread(tidy_books)


def needs_of(desk: Desk) -> tuple[Need, ...]:
    """List what the bots of a room need: those on its chairs, and in a game those who stand in."""
    room, table = desk.room, desk.table
    if room.running and table is not None:
        seats = range(len(table.header.seats))
        return tuple([need for seat in seats if (need := need_at(table, seat))])
    bots = {chair.bot for chair in room.chairs if chair.bot is not None and reads(chair.bot)}
    rules = rules_of(room.settings) if bots else None
    return tuple(Need(bot, rules) for bot in sorted(bots)) if isinstance(rules, SheetRules) else ()


def need_at(table: Table, seat: int) -> Need | None:
    """Say what a bot on a seat needs: it plays by the rules of that seat."""
    name = table.player_of(seat)
    if name is None or not reads(name):
        return None
    lane = table.replay.lane(seat)
    if not isinstance(lane.game, Sheet) or lane.within(seat) in lane.state.left:
        return None
    return Need(name, lane.game.rules_of(lane.within(seat)))


def insist_ready(table: Table, seat: int) -> None:
    """Refuse the move of a bot whose book is not written yet."""
    need = need_at(table, seat)
    if need and not need.met:
        raise StillSolving


def must_read(desk: Desk) -> bool:
    """Tell whether the bot that is to move has to wait for its book."""
    need = next_need(desk)
    return need is not None and not need.met


def next_need(desk: Desk) -> Need | None:
    """Say what the bot that is to move needs."""
    table = desk.table
    if table is None or not desk.room.running or table.replay.over:
        return None
    seat = bot_seat(table)
    return None if seat is None else need_at(table, seat)
