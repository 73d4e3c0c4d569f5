"""The one place that wires: opens rooms, seats people and bots, lets bots move; every window asks here."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from knobel.bots import bot, reads
from knobel.errors import CannotBegin, KnobelError, NoGame, NotHost, NotYours, RoomUnknown, SeedsMissing, Stale
from knobel.host.deciding import after_game, bot_seat, decided, idle, undoable
from knobel.host.desk import Desk, News, Reply, Solving, Watcher
from knobel.host.opening import coming_of, room_id, spoken_code, with_coming
from knobel.host.solving import Study, insist_ready, must_read
from knobel.host.speaking import family_of
from knobel.record.chain import first_line
from knobel.record.events import Away, Back, Closed, Event
from knobel.record.replay import opened
from knobel.room.chairs import Room, agreed, changed, edition_of, header_of, passed_on, why_not_begin
from knobel.room.intents import Begin, GoOn, Lobby, Playing, Settle, Sit, SitBot, Stop, Wanted
from knobel.store import DropGame, NewGame, PutRoom, Repeated, Store, Taken
from knobel.table import Table

UNDO_SECONDS = 3.0
END_SECONDS = 5.0
SWEEP_SECONDS = 2.0
MOST_DESKS = 2000
TRIES = 4


class Host:
    """Rooms and their games, over a store; `paced`: bots move by themselves, slowly enough to be watched."""

    def __init__(
        self,
        store: Store,
        *,
        paced: bool = True,
        undo_seconds: float = UNDO_SECONDS,
        end_seconds: float = END_SECONDS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.store = store
        self.paced = paced
        self.undo_seconds = undo_seconds
        self.end_seconds = end_seconds
        self.clock = clock
        self.desks: dict[str, Desk] = {}
        self.finding: dict[str, asyncio.Future[Desk]] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.study = Study(self.worked)
        store.listen(self.hear)

    async def open(
        self, owner: str, command: str, settle: Settle, chairs: Sequence[Sit | SitBot] = (), seed: str | None = None
    ) -> Room:
        """Open a room and seat whoever is there; the same command again gives the same room."""
        name = room_id(owner, command)
        await self.study.read(settle)
        settings = agreed(settle, seed)
        room = Room(name, owner, settings, coming_of(settings, 1), code=spoken_code())
        for chair in chairs:
            room = changed(room, owner, chair)
        self.know_bots(room)
        try:
            await self.store.commit(PutRoom(name, 0, msgspec.json.encode(room).decode(), room.code, self.clock()))
        except Taken:
            return (await self.desk(name)).room
        return room

    async def desk(self, room: str) -> Desk:
        """Find a room, in use or in the store."""
        if (desk := self.desks.get(room)) is not None:
            return desk
        if (finding := self.finding.get(room)) is not None:
            return await asyncio.shield(finding)
        finding = self.finding[room] = asyncio.get_running_loop().create_future()
        try:
            desk = await Desk.found(self.store, room)
        except BaseException as error:
            finding.set_exception(error)
            finding.exception()
            raise
        else:
            self.make_space()
            self.desks[room] = desk
            finding.set_result(desk)
            return desk
        finally:
            del self.finding[room]

    def make_space(self, most: int | None = None) -> None:
        """Put away rooms nobody looks at, the oldest first, until there are fewer than so many."""
        most = MOST_DESKS if most is None else most
        if len(self.desks) < most:
            return
        for name in [name for name, desk in self.desks.items() if not desk.watchers and not desk.lock.locked()]:
            self.put_away(name)
            if len(self.desks) < most:
                return

    def put_away(self, room: str) -> None:
        """Let go of a room; it stays in the store."""
        desk = self.desks.pop(room, None)
        if desk and desk.alarm:
            desk.alarm.cancel()

    async def room_of_code(self, code: str) -> str:
        """Find the room with a spoken code; wrong and missing are answered alike."""
        room = await self.store.room_of_code(code.strip().upper().replace("-", "").replace(" ", ""))
        if room is None:
            raise RoomUnknown
        return room

    async def watch(self, room: str, watcher: Watcher) -> Desk:
        """Hear of everything that changes in a room from now on."""
        desk = await self.desk(room)
        desk.watchers.append(watcher)
        self.schedule(desk)
        return desk

    def unwatch(self, desk: Desk, watcher: Watcher) -> None:
        """Hear no more; a room nobody watches is put away."""
        if watcher in desk.watchers:
            desk.watchers.remove(watcher)
        if not desk.watchers:
            self.study.linger(desk.room.room)
        if not desk.watchers and not desk.lock.locked():
            self.put_away(desk.room.room)

    def worked(self, room: str, solving: Solving) -> None:
        """Tell a room how far its book is; once it is written, bots go on."""
        if desk := self.desks.get(room):
            desk.tell(News(desk, solving=solving))
            if solving.done is None:
                self.set_alarm(desk)

    async def do(self, room: str, owner: str, command: str, wanted: Wanted) -> Reply:
        """Carry out what somebody wants, once, and promise it only when it is on disk."""
        desk = await self.desk(room)
        asked = f"{owner} {msgspec.json.encode(wanted).decode()}"
        if owner == desk.room.host:
            await self.study.consider(room, wanted)
        async with desk.lock:
            reply = await self.tried(desk, command, asked, lambda: self.carry_out(desk, owner, command, asked, wanted))
        self.schedule(desk)
        return reply

    async def tried(self, desk: Desk, command: str, asked: str, attempt: Callable[[], Awaitable[Reply]]) -> Reply:
        """Answer a repeated command as before; when somebody else was faster, read on and try again."""
        for _ in range(TRIES):
            if reply := desk.answered(command, asked):
                return reply
            try:
                return await attempt()
            except (Taken, Repeated):
                await desk.catch_up()
            except KnobelError:
                if not await desk.catch_up():
                    raise
        raise Stale

    async def carry_out(self, desk: Desk, owner: str, command: str, asked: str, wanted: Wanted) -> Reply:
        """Carry out one intent."""
        match wanted:
            case Begin():
                return await self.begin(desk, owner, command, asked, wanted)
            case GoOn(ply):
                if owner not in (desk.room.host, *desk.room.owners):
                    raise NotYours
                return await self.go_on(desk, command, asked, ply)
            case Stop():
                if owner != desk.room.host:
                    raise NotHost
                table = self.playing(desk)
                events = table.close() if table.replay.over else table.stop()
                return await self.write(desk, command, asked, events)
        if isinstance(wanted, Playing):
            return await self.write(desk, command, asked, decided(self.playing(desk), desk.room, owner, wanted))
        return await self.change(desk, owner, command, asked, wanted)

    async def change(self, desk: Desk, owner: str, command: str, asked: str, wanted: Lobby) -> Reply:
        """Change the room before a game."""
        room = changed(desk.room, owner, wanted)  # type: ignore[arg-type]
        self.know_bots(room)
        seeded = room.settings.seed is not None
        if room.settings != desk.room.settings or (seeded and room.number != desk.room.number):
            room = with_coming(room)
        return await desk.change(room, command, asked, self.clock())

    def know_bots(self, room: Room) -> None:
        """Refuse bots that play no such game."""
        family = edition_of(room.settings.edition, room.settings.house).family
        for chair in room.chairs:
            if chair.bot is not None:
                bot(chair.bot, family)

    def playing(self, desk: Desk) -> Table:
        """Give the table where a game is being played."""
        if desk.table is None or not desk.room.running:
            raise NoGame
        return desk.table

    async def begin(self, desk: Desk, owner: str, command: str, asked: str, wanted: Begin) -> Reply:
        """Start the next game: from now on the roster is frozen, and all show their seeds."""
        room = desk.room
        if owner != room.host:
            raise NotHost
        if why := why_not_begin(room):
            raise CannotBegin(why=why)
        if room.unsealed and not wanted.anyway and room.settings.seed is None:
            silent = [chair.name for chair in room.chairs if chair.owner in room.unsealed]
            raise SeedsMissing(names=tuple(silent))
        if len(room.totals) >= room.settings.games:
            room = replace(room, totals=(), first=None)
        self.study.refuse(desk)
        header = header_of(room)
        opened(header)
        names = tuple(chair.name for chair in room.chairs)
        new = NewGame(header.game, room.room, first_line(header), room.coming.seed, names, self.clock())
        again = [DropGame(header.game)] if room.settings.seed is not None else []
        number = room.number % room.settings.games + 1
        room = replace(room, running=True, game=header.game, code=None, coming=coming_of(room.settings, number))
        return await desk.change(room, command, asked, self.clock(), *again, new)

    async def go_on(self, desk: Desk, command: str, asked: str, ply: int) -> Reply:
        """Let a bot move at once, or confirm the end."""
        table = self.playing(desk)
        if ply != table.replay.ply:
            raise Stale
        if table.replay.over:
            return await self.write(desk, command, asked, table.close())
        return await self.write(desk, command, asked, await self.bot_events(table))

    async def write(self, desk: Desk, command: str, asked: str, events: tuple[Event, ...]) -> Reply:
        """Commit events; the last one of a game gives the room back."""
        closing = isinstance(events[-1], Closed)
        room = desk.remembering(after_game(desk.room, self.playing(desk).replay)) if closing else desk.room
        if closing and room.settings.seed is not None:
            room = with_coming(room)
        return await desk.write_down(command, asked, events, self.clock(), room)

    async def bot_events(self, table: Table) -> tuple[Event, ...]:
        """Ask the bot whose turn it is; its ties are broken alike in every process."""
        seat = bot_seat(table)
        if seat is None:
            raise NoGame
        lane, name = table.replay.lane(seat), table.player_of(seat) or ""
        chance = Random(f"{table.header.game}/{table.replay.ply}")  # noqa: S311
        player = bot(name, family_of(table.header))
        if not reads(name):
            return table.decide(seat, player(lane.game, lane.state, chance))
        insist_ready(table, seat)
        return table.decide(seat, await asyncio.to_thread(player, lane.game, lane.state, chance))

    async def step(self, room: str) -> bool:
        """Let the house do the next thing that is not a person's: a bot's move, or closing a finished game."""
        desk = await self.desk(room)
        await self.study.wait_for(desk)
        async with desk.lock:
            table = desk.table
            if table is None or not desk.room.running or idle(table):
                return False
            command = f"bot:{table.replay.count + 1}"
            await self.tried(
                desk, command, "bot", lambda: self.go_on(desk, command, "bot", self.playing(desk).replay.ply)
            )
        self.schedule(desk)
        return True

    def schedule(self, desk: Desk) -> None:
        """See what a room needs, and set its alarm; in a room somebody watches, books are written beforehand."""
        if self.paced and desk.watchers:
            self.study.look(desk)
        self.set_alarm(desk)

    def set_alarm(self, desk: Desk) -> None:
        """Set the alarm for the next thing the house does by itself in a room somebody watches."""
        if desk.alarm:
            desk.alarm.cancel()
            desk.alarm = None
        if not self.paced or not desk.watchers or (wait := self.wait(desk)) is None:
            return
        desk.alarm = asyncio.get_running_loop().call_later(wait, self.ring, desk)

    def wait(self, desk: Desk) -> float | None:
        """Say in how many seconds a bot moves or the end is confirmed, so that undo stays possible beside bots."""
        table = desk.table
        if table is None or not desk.room.running or table.replay.pending:
            return None
        pace = desk.room.settings.pace
        if idle(table):
            return None
        if table.replay.over:
            return self.end_seconds if undoable(table) else pace
        if must_read(desk):
            return None
        return max(self.undo_seconds, pace) if undoable(table) else pace

    def ring(self, desk: Desk) -> None:
        """Do what the alarm was set for."""
        self.spawn(self.rung(desk))

    async def rung(self, desk: Desk) -> None:
        """Take one step; what cannot be done now is tried again at the next change."""
        desk.alarm = None
        try:
            await self.step(desk.room.room)
        except (KnobelError, Taken, Repeated):
            if self.desks.get(desk.room.room) is desk and desk.watchers and self.paced:
                desk.alarm = asyncio.get_running_loop().call_later(SWEEP_SECONDS, self.ring, desk)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside everything else."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def attend(self, room: str, seats: Sequence[int], there: bool) -> None:
        """Note that the people of some seats went away, or came back; what is noted already stays."""
        desk = await self.desk(room)
        async with desk.lock:
            for event in (Back(seat) if there else Away(seat) for seat in seats):
                await self.insisted(desk, partial(self.note, desk, event))
        self.schedule(desk)

    async def note(self, desk: Desk, event: Away | Back) -> None:
        """Note once that somebody went or came, if a game runs."""
        table = desk.table
        if table and desk.room.running and table.replay.refuse_attending(event) is None:
            command = f"{'back' if isinstance(event, Back) else 'away'}:{table.replay.count + 1}"
            await desk.write_down(command, "", (event,), self.clock(), desk.room)

    async def insisted(self, desk: Desk, attempt: Callable[[], Awaitable[None]]) -> None:
        """Do what nobody asked for by name; when somebody else was faster, read on and try again."""
        for _ in range(TRIES):
            try:
                return await attempt()
            except (Taken, Repeated):
                await desk.catch_up()
        return None

    async def pass_on(self, room: str, present: frozenset[str]) -> None:
        """Give the host's role to somebody who is there, if the host is not."""
        desk = await self.desk(room)
        async with desk.lock:
            await self.insisted(desk, partial(self.pass_now, desk, present))

    async def pass_now(self, desk: Desk, present: frozenset[str]) -> None:
        """Give the host's role on in the room as it is."""
        passed = passed_on(desk.room, present)
        if passed is not desk.room:
            await desk.change(passed, f"pass:{desk.version}", "", self.clock())

    def hear(self, room: str | None) -> None:
        """Read on where another process wrote."""
        for desk in [self.desks[room]] if room in self.desks else () if room else tuple(self.desks.values()):
            self.spawn(self.read_on(desk))

    async def read_on(self, desk: Desk) -> None:
        """Catch up with what others wrote in a room."""
        async with desk.lock:
            try:
                await desk.catch_up()
            except RoomUnknown:
                self.put_away(desk.room.room)
                return
            except KnobelError:
                return
        self.schedule(desk)

    async def sweep(self) -> None:
        """Look for missed news in the rooms that are watched: a message between processes can be lost."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            watched = [desk for desk in self.desks.values() if desk.watchers]
            games = [desk.table.header.game for desk in watched if desk.table and desk.room.running]
            try:
                heads = await self.store.heads(games) if games else {}
            except KnobelError:
                continue
            for desk in watched:
                table = desk.table if desk.room.running else None
                if table is None or heads.get(table.header.game, 0) > table.replay.count:
                    self.spawn(self.read_on(desk))

    async def close(self) -> None:
        """Stop all alarms and finish what is being written."""
        for desk in self.desks.values():
            if desk.alarm:
                desk.alarm.cancel()
        for task in tuple(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.study.close()
        await self.store.close()
