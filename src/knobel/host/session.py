"""One room in use: as it was last read, the game on its table, the commands it remembers, and who watches."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import msgspec

from knobel.errors import GameDamaged, KnobelError, NoGameRunning, RoomNotFound
from knobel.host.command_memory import CommandMemory, RoomRequest
from knobel.host.integrity import hides_stored_turns, list_checked_heads, load_checked_table
from knobel.host.move_clock import MoveClock
from knobel.host.room_store import plan_room_writes, read_room
from knobel.record.chain import encode_link, hash_line, link_events, list_heads
from knobel.record.formats import FORMATS
from knobel.record.track import Step
from knobel.rooms.intents import AnyIntent
from knobel.rooms.room import Room
from knobel.store import AppendEvents, RememberCommand, Store, StoreWrite
from knobel.table import Table, TableDecision, rename_players


class CommandReply(msgspec.Struct, frozen=True):
    """What is on disk: the number of the last event, and the hash that stands for all of them."""

    room_id: str
    count: int | None = None
    head: str | None = None


@dataclass(frozen=True, slots=True)
class SolveProgress:
    """Progress of the solve a bot waits for, 0 to 1, perhaps behind another game; `None` at the end, good or bad."""

    fraction: float | None
    is_queued: bool = False
    error: KnobelError | None = None


class SessionUpdate(msgspec.Struct, frozen=True):
    """Something changed: the room, the steps that were just taken at its table, or how far its book is."""

    session: "RoomSession"
    steps: tuple[Step, ...] = ()
    progress: SolveProgress | None = None
    is_renamed: bool = False
    """Whether somebody at the table has another name."""


Watcher: TypeAlias = Callable[[SessionUpdate], None]


class RoomSession:
    """A room in use; it does one thing at a time."""

    def __init__(self, store: Store, room: Room, version: int) -> None:
        self.store = store
        self.memory = CommandMemory()
        self.room, self.version = room, version
        self.table: Table | None = None
        self.damage: GameDamaged | None = None
        self.begun_at = time.monotonic()
        self.watchers: list[Watcher] = []
        self.lock = asyncio.Lock()
        self.timer: asyncio.TimerHandle | None = None
        self.is_dropped = False
        self.move_clock = MoveClock()

    @property
    def is_in_use(self) -> bool:
        """Whether it is watched, or a command is running."""
        return bool(self.watchers) or self.lock.locked()

    def require_table(self) -> Table:
        """Give the table, if a game is being played."""
        if self.damage is not None and self.table is None:
            raise self.damage
        if self.table is None or not self.room.running:
            raise NoGameRunning
        return self.table

    def cancel_timer(self) -> None:
        if self.timer:
            self.timer.cancel()
            self.timer = None

    @classmethod
    async def load(cls, store: Store, room_id: str) -> "RoomSession":
        """Read a room and its game."""
        stored = await store.find_room(room_id)
        if stored is None:
            raise RoomNotFound
        session = cls(store, await read_room(store, stored), stored.version)
        await session.load_table()
        return session

    async def load_table(self) -> None:
        """Load the game of the room, with everything that happened so far."""
        self.table = self.damage = None
        self.memory.clear()
        if self.room.game is None:
            return
        try:
            if (found := await load_checked_table(self.store, self.room.game)) is None:
                raise GameDamaged(name=self.room.game, event=0)
        except GameDamaged as damage:
            self.set_aside(damage)
            return
        self.table, _, rows = found
        self.memory.add_rows(rows)

    def set_aside(self, damage: GameDamaged) -> None:
        """Play on without a game whose stored log is damaged: another one can begin."""
        self.damage, self.table = damage, None
        self.room = msgspec.structs.replace(self.room, running=False)

    async def catch_up(self) -> bool:
        """Read what other processes wrote since; tell whether there was anything."""
        before = self.room, self.version
        try:
            stored = await self.store.find_room(self.room.id)
            if stored is None:
                raise RoomNotFound
            newer = stored.version != self.version
            steps: tuple[Step, ...] = ()
            if newer:
                self.room, self.version = await read_room(self.store, stored, self.room), stored.version
            if self.damage is not None and self.room.game == self.damage.values["name"]:
                self.set_aside(self.damage)
            elif self.room.game != (self.table.header.game if self.table else None):
                await self.load_table()
                newer = newer or self.table is not None
            elif steps := await self.apply_new_events():
                self.notify(SessionUpdate(self, steps))
        except KnobelError:
            # Whoever watches was not told of what was read, so it must be read again.
            self.room, self.version = before
            raise
        if newer:
            self.notify(SessionUpdate(self, is_renamed=take_over_names(self.room, self.table)))
        return newer or bool(steps)

    async def apply_new_events(self) -> tuple[Step, ...]:
        """Apply the events of the game that others added."""
        if self.table is None:
            return ()
        rows = await self.store.list_events(self.table.header.game, self.table.replay.count)
        if not rows:
            return ()
        table, game = self.table, self.table.header.game
        try:
            heads = list_checked_heads(game, table.head, table.replay.count, rows)
        except GameDamaged as damage:
            self.set_aside(damage)
            return ()
        self.memory.add_rows(rows)
        decode = FORMATS[table.header.knobel].decode_event
        return table.apply_events(tuple(decode(row.body) for row in rows), heads)

    async def commit_events(
        self, request: RoomRequest, decision: TableDecision, at: float, room: Room, *others: StoreWrite
    ) -> CommandReply:
        """Commit the events of a command, with the room if it changed; only then apply and announce them."""
        table = self.table
        if table is None:
            raise RoomNotFound
        links, head = link_events(table.head, decision.events, table.header.knobel)
        count, last = table.replay.count, table.replay.count + len(links)
        closes = room.running != self.room.running
        writes: list[StoreWrite] = [
            AppendEvents(table.header.game, count, request.id, request.body, links, at, closes, head),
            *others,
        ]
        if room is not self.room:
            writes += plan_room_writes(room, self.version, at, self.room)
        await self.store.commit(*writes)
        if room is not self.room:
            self.room, self.version = room, self.version + 1
        self.memory.add(request, last)
        self.notify(SessionUpdate(self, table.apply(decision, list_heads(links, head))))
        return self.build_reply(last)

    async def commit_room(
        self, room: Room, request: RoomRequest, at: float, *others: StoreWrite, new_table: Table | None = None
    ) -> CommandReply:
        """Commit a changed room, and what belongs to it, such as a new game; what a device asked for is remembered."""
        known = [RememberCommand(room.id, request.id, request.body, at)] if request.device else []
        await self.store.commit(*others, *plan_room_writes(room, self.version, at, self.room), *known)
        self.room, self.version = room, self.version + 1
        if new_table is not None:
            self.table, self.begun_at = new_table, time.monotonic()
            self.memory.clear()
        self.notify(SessionUpdate(self, is_renamed=take_over_names(self.room, self.table)))
        return self.build_reply()

    def build_reply(self, count: int | None = None) -> CommandReply:
        """Say what is on disk: now, or when a command had ended."""
        if count is None or self.table is None:
            return CommandReply(self.room.id)
        return CommandReply(self.room.id, count, self.table.heads[count])

    def find_reply(self, request: RoomRequest) -> CommandReply | None:
        """Answer a request of the game on the table that was carried out before as it was answered then."""
        last = None if request.of_room else self.memory.find(request)
        return None if last is None else self.build_reply(last)

    async def look_up_reply(self, request: RoomRequest) -> CommandReply | None:
        """Answer a request that was carried out before, but not in the game on the table: in the room, or earlier."""
        if request.of_room:
            body = await self.store.find_room_command(self.room.id, request.id)
            if body is None:
                self.memory.find(request)  # refuses an id that was used in the game
                return None
            request.check(body)
            return CommandReply(self.room.id)
        if request.game is None or (found := await self.store.find_command(request.game, request.id)) is None:
            return None
        request.check(found.request_body)
        stored = await self.store.find_game(request.game)
        if stored is not None and hides_stored_turns(stored):
            return CommandReply(self.room.id)
        rows = await self.store.list_events(request.game, found.last_seq - 1)
        head = hash_line(encode_link(rows[0].previous, rows[0].body)) if rows else None
        return CommandReply(self.room.id, found.last_seq, head)

    def notify(self, update: SessionUpdate) -> None:
        for watcher in tuple(self.watchers):
            watcher(update)


def take_over_names(room: Room, table: Table | None) -> bool:
    """Let the table of the running game use the names players have in the room now; tell whether one is new."""
    if table is None or not room.running or table.header.game != room.game:
        return False
    return rename_players(table, [seat.name for seat in room.seats])


def encode_intent(intent: AnyIntent) -> bytes:
    """Write an intent as a browser would send it."""
    return msgspec.json.encode(intent)
