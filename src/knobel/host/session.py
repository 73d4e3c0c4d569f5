"""One room in use: as it was last read, the game on its table, what was asked before, and who watches."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import msgspec

from knobel.errors import CommandIdReused, KnobelError, RoomNotFound
from knobel.host.room_store import plan_room_writes, read_room
from knobel.record.chain import link_events, list_heads
from knobel.record.file import restore_names
from knobel.record.formats import FORMATS, decode_header
from knobel.record.track import Step
from knobel.rooms.room import Room
from knobel.store import AppendEvents, EventRow, NewGame, Store, StoredGame, StoreWrite
from knobel.table import Table, TableDecision

MAX_REMEMBERED = 64
"""So many commands of a room are remembered, to answer a repeated one as before."""


@dataclass(frozen=True, slots=True)
class CommandReply:
    """What was promised: the number of the last event, and the hash that stands for all of them."""

    room_id: str
    count: int | None = None
    head: str | None = None


@dataclass(frozen=True, slots=True)
class SolveProgress:
    """How far that is what bots need: from 0 to 1, perhaps behind another game; None at the end, good or bad."""

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
    """A room in use; one thing at a time is done at it."""

    def __init__(self, store: Store, room: Room, version: int) -> None:
        self.store = store
        self.set_room(room, version)
        self.table: Table | None = None
        self.game_commands: dict[str, tuple[str, int]] = {}
        self.watchers: list[Watcher] = []
        self.lock = asyncio.Lock()
        self.timer: asyncio.TimerHandle | None = None

    def set_room(self, room: Room, version: int) -> None:
        """Take the room as it is written now; `done` are the last commands it remembers, by name."""
        self.room, self.version, self.room_commands = room, version, dict(room.done)

    @classmethod
    async def load(cls, store: Store, room_id: str) -> "RoomSession":
        """Read a room and its game."""
        stored = await store.find_room(room_id)
        if stored is None:
            raise RoomNotFound
        desk = cls(store, await read_room(store, stored), stored.version)
        await desk.load_table()
        return desk

    async def load_table(self) -> None:
        """Put the game of the room on its table, with everything that happened so far."""
        self.table, self.game_commands = None, {}
        if self.room.game is None:
            return
        game = await self.store.find_game(self.room.game)
        if game is None:
            return
        rows = await self.store.list_events(game.id)
        self.table = build_table(game, rows)
        self.remember_commands(rows)

    def remember_commands(self, rows: Sequence[EventRow]) -> None:
        """Remember which commands made these events."""
        for row in rows:
            if row.command is not None:
                self.game_commands[row.command] = (row.request_body or "", row.last_seq or row.seq)

    async def catch_up(self) -> bool:
        """Read what others wrote since; tells whether there was anything."""
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
        self.remember_commands(rows)
        decode = FORMATS[self.table.header.knobel].decode_event
        return self.table.apply_events(tuple(decode(row.body) for row in rows))

    async def commit_events(
        self, command: str, request_body: str, decision: TableDecision, at: float, room: Room
    ) -> CommandReply:
        """Commit the events of a command, with the room if it changed; only then make them happen and tell."""
        table = self.table
        if table is None:
            raise RoomNotFound
        links, head = link_events(table.head, decision.events, table.header.knobel)
        count, last = table.replay.count, table.replay.count + len(links)
        closes = room.running != self.room.running
        writes: list[StoreWrite] = [AppendEvents(table.header.game, count, command, request_body, links, at, closes)]
        if room is not self.room:
            writes += plan_room_writes(room, self.version, at, self.room)
        await self.store.commit(*writes)
        if room is not self.room:
            self.set_room(room, self.version + 1)
        self.game_commands[command] = (request_body, last)
        self.notify(SessionUpdate(self, table.apply(decision, list_heads(links, head))))
        return self.build_reply(last)

    async def commit_room(
        self, room: Room, command: str, request_body: str, at: float, *others: StoreWrite
    ) -> CommandReply:
        """Commit a changed room, and what belongs to it."""
        room = msgspec.structs.replace(room, done=(*room.done, (command, request_body))[-MAX_REMEMBERED:])
        await self.store.commit(*others, *plan_room_writes(room, self.version, at, self.room))
        self.set_room(room, self.version + 1)
        for begun in others:
            if isinstance(begun, NewGame):
                self.table, self.game_commands = build_table(begun), {}
        self.notify(SessionUpdate(self))
        return self.build_reply()

    def keep_commands_in(self, room: Room) -> Room:
        """Let the room remember the last commands of its game, so that none acts again on the next one.

        The house's own commands have a colon and are counted anew in every game.
        """
        done = [(command, asked) for command, (asked, _) in self.game_commands.items() if ":" not in command]
        return msgspec.structs.replace(room, done=(*room.done, *done)[-MAX_REMEMBERED:])

    def build_reply(self, count: int | None = None) -> CommandReply:
        """Promise what is on disk now, or was when a command ended."""
        if count is None or self.table is None:
            return CommandReply(self.room.id)
        return CommandReply(self.room.id, count, self.table.heads[count])

    def find_reply(self, command: str, request_body: str) -> CommandReply | None:
        """Answer a command that was carried out before as it was answered then."""
        if command in self.game_commands:
            before, ends = self.game_commands[command]
            if before != request_body:
                raise CommandIdReused
            return self.build_reply(ends)
        if command in self.room_commands:
            if self.room_commands[command] != request_body:
                raise CommandIdReused
            return self.build_reply()
        return None

    def notify(self, update: SessionUpdate) -> None:
        """Tell whoever watches."""
        for watcher in tuple(self.watchers):
            watcher(update)


def build_table(game: StoredGame | NewGame, rows: Sequence[EventRow] = ()) -> Table:
    """Play a stored game up to where it stands; one that is just begun stands at its start."""
    header = restore_names(decode_header(game.header), game.names)
    decode = FORMATS[header.knobel].decode_event
    return Table(header, game.seed, tuple(decode(row.body) for row in rows), header.game, game.header)
