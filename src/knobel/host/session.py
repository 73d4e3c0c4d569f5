"""One room in use: as it was last read, the game on its table, the commands it remembers, and who watches."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import msgspec

from knobel.errors import KnobelError, NoGameRunning, RoomNotFound
from knobel.host.command_memory import CommandMemory, RoomRequest, remember
from knobel.host.room_store import plan_room_writes, read_room
from knobel.record.chain import link_events, list_heads
from knobel.record.file import restore_names
from knobel.record.formats import FORMATS, decode_header
from knobel.record.track import Step
from knobel.rooms.intents import AnyIntent
from knobel.rooms.room import Room
from knobel.store import AppendEvents, EventRow, NewGame, Store, StoredGame, StoreWrite
from knobel.table import Table, TableDecision


@dataclass(frozen=True, slots=True)
class CommandReply:
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


@dataclass(frozen=True, slots=True)
class SessionUpdate:
    """Something changed: the room, the steps that were just taken at its table, or how far its book is."""

    session: "RoomSession"
    steps: tuple[Step, ...] = ()
    progress: SolveProgress | None = None


Watcher: TypeAlias = Callable[[SessionUpdate], None]


class RoomSession:
    """A room in use; it does one thing at a time."""

    def __init__(self, store: Store, room: Room, version: int) -> None:
        self.store = store
        self.memory = CommandMemory()
        self.set_room(room, version)
        self.table: Table | None = None
        self.watchers: list[Watcher] = []
        self.lock = asyncio.Lock()
        self.timer: asyncio.TimerHandle | None = None
        self.is_dropped = False

    @property
    def is_in_use(self) -> bool:
        """Whether it is watched, or a command is running."""
        return bool(self.watchers) or self.lock.locked()

    def require_table(self) -> Table:
        """Give the table, if a game is being played."""
        if self.table is None or not self.room.running:
            raise NoGameRunning
        return self.table

    def cancel_timer(self) -> None:
        if self.timer:
            self.timer.cancel()
            self.timer = None

    def set_room(self, room: Room, version: int) -> None:
        self.room, self.version = room, version
        self.memory.of_room = dict(room.done)

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
        self.table, self.memory.of_game = None, {}
        if self.room.game is None:
            return
        game = await self.store.find_game(self.room.game)
        if game is None:
            return
        rows = await self.store.list_events(game.id)
        self.table = build_table(game, rows)
        self.memory.add_rows(rows)

    async def catch_up(self) -> bool:
        """Read what other processes wrote since; tell whether there was anything."""
        stored = await self.store.find_room(self.room.id)
        if stored is None:
            raise RoomNotFound
        newer = stored.version != self.version
        steps: tuple[Step, ...] = ()
        if newer:
            self.set_room(await read_room(self.store, stored, self.room), stored.version)
        if self.room.game != (self.table.header.game if self.table else None):
            await self.load_table()
            newer = newer or self.table is not None
        elif steps := await self.apply_new_events():
            self.notify(SessionUpdate(self, steps))
        if newer:
            self.notify(SessionUpdate(self))
        return newer or bool(steps)

    async def apply_new_events(self) -> tuple[Step, ...]:
        """Apply the events of the game that others added."""
        if self.table is None:
            return ()
        rows = await self.store.list_events(self.table.header.game, self.table.replay.count)
        if not rows:
            return ()
        self.memory.add_rows(rows)
        decode = FORMATS[self.table.header.knobel].decode_event
        return self.table.apply_events(tuple(decode(row.body) for row in rows))

    async def commit_events(self, request: RoomRequest, decision: TableDecision, at: float, room: Room) -> CommandReply:
        """Commit the events of a command, with the room if it changed; only then apply and announce them."""
        table = self.table
        if table is None:
            raise RoomNotFound
        links, head = link_events(table.head, decision.events, table.header.knobel)
        count, last = table.replay.count, table.replay.count + len(links)
        closes = room.running != self.room.running
        writes: list[StoreWrite] = [AppendEvents(table.header.game, count, request.id, request.body, links, at, closes)]
        if room is not self.room:
            writes += plan_room_writes(room, self.version, at, self.room)
        await self.store.commit(*writes)
        if room is not self.room:
            self.set_room(room, self.version + 1)
        self.memory.of_game[request.id] = (request.body, last)
        self.notify(SessionUpdate(self, table.apply(decision, list_heads(links, head))))
        return self.build_reply(last)

    async def commit_room(self, room: Room, request: RoomRequest, at: float, *others: StoreWrite) -> CommandReply:
        """Commit a changed room, and what belongs to it."""
        room = remember(room, [(request.id, request.body)])
        await self.store.commit(*others, *plan_room_writes(room, self.version, at, self.room))
        self.set_room(room, self.version + 1)
        for begun in others:
            if isinstance(begun, NewGame):
                self.table, self.memory.of_game = build_table(begun), {}
        self.notify(SessionUpdate(self))
        return self.build_reply()

    def build_reply(self, count: int | None = None) -> CommandReply:
        """Say what is on disk: now, or when a command had ended."""
        if count is None or self.table is None:
            return CommandReply(self.room.id)
        return CommandReply(self.room.id, count, self.table.heads[count])

    def find_reply(self, request: RoomRequest) -> CommandReply | None:
        """Answer a request that was carried out before as it was answered then."""
        return self.build_reply(self.memory.last_event(request)) if self.memory.has(request) else None

    def notify(self, update: SessionUpdate) -> None:
        for watcher in tuple(self.watchers):
            watcher(update)


def encode_intent(intent: AnyIntent) -> bytes:
    """Write an intent as a browser would send it."""
    return msgspec.json.encode(intent)


def build_table(game: StoredGame | NewGame, rows: Sequence[EventRow] = ()) -> Table:
    """Replay a stored game up to where it stands; one that has just begun stands at its start."""
    header = restore_names(decode_header(game.header), game.names)
    decode = FORMATS[header.knobel].decode_event
    return Table(header, game.seed, tuple(decode(row.body) for row in rows), header.game, game.header)
