"""One room in use: as it was last read, the game on its table, what was asked before, and who watches."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import msgspec

from knobel.errors import CommandReused, KnobelError, RoomUnknown
from knobel.record.chain import chained, heads_of
from knobel.record.events import Event, Header
from knobel.record.file import EVENT, HEADER, named
from knobel.record.lane import Step
from knobel.room.chairs import Room
from knobel.store import Append, NewGame, PutRoom, Row, Store, StoredGame, Write
from knobel.table import Table

ROOM = msgspec.json.Decoder(Room)
REMEMBERED = 64
"""So many commands of a room are remembered, to answer a repeated one as before."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What was promised: the number of the last event, and the hash that stands for all of them."""

    room: str
    count: int | None = None
    head: str | None = None


@dataclass(frozen=True, slots=True)
class Solving:
    """How far that is what bots need: from 0 to 1, perhaps behind another game; None at the end, good or bad."""

    done: float | None
    waiting: bool = False
    error: KnobelError | None = None


@dataclass(frozen=True, slots=True)
class News:
    """Something changed: the room, the steps that were just taken at its table, or how far its book is."""

    desk: "Desk"
    steps: tuple[Step, ...] = ()
    solving: Solving | None = None


Watcher: TypeAlias = Callable[[News], None]


class Desk:
    """A room in use; one thing at a time is done at it."""

    def __init__(self, store: Store, room: Room, version: int) -> None:
        self.store = store
        self.take(room, version)
        self.table: Table | None = None
        self.commands: dict[str, tuple[str, int]] = {}
        self.watchers: list[Watcher] = []
        self.lock = asyncio.Lock()
        self.alarm: asyncio.TimerHandle | None = None

    def take(self, room: Room, version: int) -> None:
        """Take the room as it is written now; `done` are the last commands it remembers, by name."""
        self.room, self.version, self.done = room, version, dict(room.done)

    @classmethod
    async def found(cls, store: Store, room: str) -> "Desk":
        """Read a room and its game."""
        stored = await store.room(room)
        if stored is None:
            raise RoomUnknown
        desk = cls(store, ROOM.decode(stored.body), stored.version)
        await desk.lay()
        return desk

    async def lay(self) -> None:
        """Put the game of the room on its table, with everything that happened so far."""
        self.table, self.commands = None, {}
        if self.room.game is None:
            return
        game = await self.store.game(self.room.game)
        if game is None:
            return
        rows = await self.store.events(game.game)
        self.table = table_of(game, rows)
        self.remember(rows)

    def remember(self, rows: Sequence[Row]) -> None:
        """Remember which commands made these events."""
        for row in rows:
            if row.command is not None:
                self.commands[row.command] = (row.asked or "", row.ends or row.seq)

    async def catch_up(self) -> bool:
        """Read what others wrote since; tells whether there was anything."""
        stored = await self.store.room(self.room.room)
        if stored is None:
            raise RoomUnknown
        newer = stored.version != self.version
        steps: tuple[Step, ...] = ()
        if newer:
            self.take(ROOM.decode(stored.body), stored.version)
        if self.room.game != (self.table.header.game if self.table else None):
            await self.lay()
            newer = newer or self.table is not None
        elif steps := await self.read_on():
            self.tell(News(self, steps))
        if newer:
            self.tell(News(self))
        return newer or bool(steps)

    async def read_on(self) -> tuple[Step, ...]:
        """Apply the events of the game that others added."""
        if self.table is None:
            return ()
        rows = await self.store.events(self.table.header.game, self.table.replay.count)
        if not rows:
            return ()
        self.remember(rows)
        return self.table.apply(tuple(EVENT.decode(row.body) for row in rows))

    async def write_down(self, command: str, asked: str, events: tuple[Event, ...], at: float, room: Room) -> Reply:
        """Commit the events of a command, with the room if it changed; only then make them happen and tell."""
        table = self.table
        if table is None:
            raise RoomUnknown
        links, head = chained(table.head, events)
        count = table.replay.count
        closes = room.running != self.room.running
        writes: list[Write] = [Append(table.header.game, count, command, asked, links, at, closes)]
        if room is not self.room:
            writes.append(self.put(room, at))
        await self.store.commit(*writes)
        if room is not self.room:
            self.take(room, self.version + 1)
        self.commands[command] = (asked, count + len(events))
        self.tell(News(self, table.apply(events, heads_of(links, head))))
        return self.reply(count + len(events))

    async def change(self, room: Room, command: str, asked: str, at: float, *others: Write) -> Reply:
        """Commit a changed room, and what belongs to it."""
        room = msgspec.structs.replace(room, done=(*room.done, (command, asked))[-REMEMBERED:])
        await self.store.commit(*others, self.put(room, at))
        self.take(room, self.version + 1)
        for begun in others:
            if isinstance(begun, NewGame):
                self.table, self.commands = table_of(begun), {}
        self.tell(News(self))
        return self.reply()

    def remembering(self, room: Room) -> Room:
        """Let the room remember the last commands of its game, so that none acts again on the next one.

        The house's own commands have a colon and are counted anew in every game.
        """
        done = [(command, asked) for command, (asked, _) in self.commands.items() if ":" not in command]
        return msgspec.structs.replace(room, done=(*room.done, *done)[-REMEMBERED:])

    def put(self, room: Room, at: float) -> PutRoom:
        """Say how a room is written over the one that was read."""
        return PutRoom(room.room, self.version, msgspec.json.encode(room).decode(), room.code, at)

    def reply(self, count: int | None = None) -> Reply:
        """Promise what is on disk now, or was when a command ended."""
        if count is None or self.table is None:
            return Reply(self.room.room)
        return Reply(self.room.room, count, self.table.heads[count])

    def answered(self, command: str, asked: str) -> Reply | None:
        """Answer a command that was carried out before as it was answered then."""
        if command in self.commands:
            before, ends = self.commands[command]
            if before != asked:
                raise CommandReused
            return self.reply(ends)
        if command in self.done:
            if self.done[command] != asked:
                raise CommandReused
            return self.reply()
        return None

    def tell(self, news: News) -> None:
        """Tell whoever watches."""
        for watcher in tuple(self.watchers):
            watcher(news)


def table_of(game: StoredGame | NewGame, rows: Sequence[Row] = ()) -> Table:
    """Play a stored game up to where it stands; one that is just begun stands at its start."""
    header: Header = named(HEADER.decode(game.header), game.names)
    return Table(header, game.seed, tuple(EVENT.decode(row.body) for row in rows), game.game, game.header)
