"""A database that simulated processes share: SQLite in memory with the real statements, far away and unreliable.

It keeps the contract of the store, as tests/store/test_store.py checks: what is written is written together or not at
all, whoever read an old version is refused, and others hear of it.
"""

import asyncio
import json
import sqlite3
from collections import deque
from collections.abc import Callable, Sequence
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from knobel.errors import DatabaseUnreachable
from knobel.store import (
    AppendEvents,
    ChangeListener,
    CommitListener,
    DropGame,
    DropRoom,
    MessageListener,
    NewGame,
    PutRoom,
    StoreWrite,
)
from knobel.store.reader import StoreReader
from knobel.store.sqlite_connection import SQL, migrate, transaction
from knobel.store.sqlite_writer import SqliteBatch
from knobel.store.statements import check_writes

NOWHERE = Path("simulated.db")


@cache
def build_template() -> bytes:
    """Build an empty database once; every simulation begins with a copy of it."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    with transaction(connection):
        migrate(connection, NOWHERE)
    return connection.serialize()


@dataclass
class DiskFaults:
    """How a database behaves: how long things take, and how often they fail, each as a share of all."""

    delay: float = 0.001
    """How long a way to the database takes, on average."""
    slow: float = 0.0
    fail_before: float = 0.0
    """A commit or a read is not carried out, and an error is raised."""
    fail_after: float = 0.0
    """A commit is carried out, and an error is raised: nobody knows whether it was."""
    repeat: float = 0.0
    """A commit whose connection was cut is carried out, and again on another connection."""
    lose_news: float = 0.0
    late_news: float = 0.0

    def draw_delay(self, random: Random) -> float:
        slow = 100.0 if random.random() < self.slow else 1.0
        return random.expovariate(1.0 / (self.delay * slow))


SLOW_NEWS_SECONDS = 6.0
RECONNECT_SECONDS = 0.5


@dataclass(eq=False)
class SharedDatabase:
    """The rows, and who hears of changes."""

    random: Random = field(default_factory=lambda: Random(0))
    faults: DiskFaults = field(default_factory=DiskFaults)
    note: Callable[[str], None] = lambda _: None
    stores: "list[SimulatedStore]" = field(default_factory=list)
    context: Context = field(default_factory=Context)
    is_frozen: bool = False
    """Whether nothing is written any more."""

    def __post_init__(self) -> None:
        self.connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self.connection.deserialize(build_template())

    def write(self, writes: tuple[StoreWrite, ...], writer: "SimulatedStore") -> Exception | None:
        """Carry out a commit, and tell everybody else."""
        rooms = [room for write in writes if (room := self.find_room_of(write)) is not None]
        future: Any = None
        ((_, refusal),) = SqliteBatch(self.connection, NOWHERE, [(future, writes)]).write()
        self.note(f"{writer.name} commits {describe_writes(writes)}: {type(refusal).__name__ if refusal else 'ok'}")
        if refusal is None:
            for store in self.stores:
                if store is not writer:
                    for room in sorted(set(rooms)):
                        store.send_news(room)
        return refusal

    def find_room_of(self, write: StoreWrite) -> str | None:
        """Find the room a write is about, before it is deleted."""
        match write:
            case PutRoom() | DropRoom() | NewGame():
                return write.room_id
            case AppendEvents() | DropGame():
                found = self.connection.execute("SELECT room FROM games WHERE game = ?", (write.game_id,)).fetchone()
                return str(found[0]) if found else None
        return None

    def read(self, name: str, values: tuple[object, ...]) -> list[Any]:
        return self.connection.execute(SQL[name], values).fetchall()


def describe_writes(writes: tuple[StoreWrite, ...]) -> str:
    """Describe a commit in one line."""
    return ", ".join(
        f"{write.command}@{write.game_id}/{write.after}+{len(write.links)}"
        if isinstance(write, AppendEvents)
        else f"{type(write).__name__} {getattr(write, 'room_id', '')} {getattr(write, 'version', '')}"
        for write in writes
    )


def resolve(future: asyncio.Future[Any], value: object) -> None:
    """Answer somebody, if they still wait."""
    if not future.done():
        future.set_result(value)


class SimulatedStore(StoreReader):
    """The store of one process on a database that others use, too."""

    def __init__(self, database: SharedDatabase, name: str = "store") -> None:
        self.database, self.name = database, name
        self.random, self.faults = database.random, database.faults
        self.on_commit: CommitListener = lambda _: None
        self.display_address = f"simulated {name}"
        self._on_message: MessageListener = lambda _room, _message: None
        self._listener: ChangeListener | None = None
        self._news_context: Context | None = None
        self._writing: set[asyncio.Future[None]] = set()
        self._appends: deque[tuple[tuple[StoreWrite, ...], asyncio.Future[None]]] = deque()
        self._closed = False

    async def commit(self, *writes: StoreWrite) -> None:
        """Make all writes durable together or none of them; raises `WriteConflict` or `RepeatedCommand`."""
        if self._closed:
            raise RuntimeError(self.display_address)
        check_writes(writes)
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._writing.add(done)
        # What is on its way already may be carried out even if the process that sent it dies.
        context = self.database.context if self.random.random() < 0.5 else None
        delay = self.faults.draw_delay(self.random)
        if len(writes) == 1 and isinstance(writes[0], AppendEvents):
            self._appends.append((writes, done))
            loop.call_later(delay, self._write_next, context=context)
        else:
            loop.call_later(delay, self._write, writes, done, context=context)
        # Whoever no longer waits does not stop what is being written.
        await asyncio.shield(done)

    def _write_next(self) -> None:
        """Carry out the append that has waited longest: they are written in the order they came."""
        self._write(*self._appends.popleft())

    def _write(self, writes: tuple[StoreWrite, ...], done: asyncio.Future[None]) -> None:
        if self.database.is_frozen:
            return
        chance, faults = self.random.random(), self.faults
        answer: Exception | None = DatabaseUnreachable(value=self.display_address, reason="simulated")
        if chance >= faults.fail_before:
            refusal = self.database.write(writes, self)
            if chance < faults.fail_before + faults.repeat:
                refusal = self.database.write(writes, self)
            if chance < 1.0 - faults.fail_after:
                answer = refusal
        asyncio.get_running_loop().call_later(self.faults.draw_delay(self.random), self._answer, done, answer)

    def _answer(self, done: asyncio.Future[None], error: Exception | None) -> None:
        self._writing.discard(done)
        if done.done():
            return
        if error is None:
            done.set_result(None)
            self.on_commit(1)
        else:
            done.set_exception(error)
            done.exception()  # nobody may be waiting any more

    @staticmethod
    def _encode_list(items: Sequence[str]) -> str:
        return json.dumps(list(items))

    @staticmethod
    def _decode_list(value: str) -> tuple[str, ...]:
        return tuple(json.loads(value))

    async def _read(self, name: str, *values: object) -> list[Any]:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[list[Any]] = loop.create_future()

        def look() -> None:
            if done.done():
                return
            if self.random.random() < self.faults.fail_before:
                done.set_exception(DatabaseUnreachable(value=self.display_address, reason="simulated"))
                return
            rows = self.database.read(name, values)
            loop.call_later(self.faults.draw_delay(self.random), resolve, done, rows)

        loop.call_later(self.faults.draw_delay(self.random), look)
        return await done

    @property
    def is_shared(self) -> bool:
        """Whether several processes may use it at once."""
        return True

    async def list_risks(self) -> Sequence[str]:
        return ()

    async def list_faults(self) -> Sequence[str]:
        return ()

    async def erase_traces(self) -> None: ...

    def send_news(self, room_id: str | None) -> None:
        """Let this process hear of a change: soon, late, or only that something may have been missed."""
        if self._listener is None:
            return
        chance = self.random.random()
        if room_id is not None and chance < self.faults.lose_news:
            self.database.note(f"{self.name} does not hear of {room_id}")
            self._schedule_news(None, RECONNECT_SECONDS + self.faults.draw_delay(self.random))
            return
        late = SLOW_NEWS_SECONDS * self.random.random() if chance > 1.0 - self.faults.late_news else 0.0
        self._schedule_news(room_id, late + self.faults.draw_delay(self.random))

    def _schedule_news(self, room_id: str | None, delay: float) -> None:
        loop = asyncio.get_running_loop()
        loop.call_later(delay, self._hear, room_id, context=self._news_context)

    def _hear(self, room_id: str | None) -> None:
        if self._listener is not None and not self._closed:
            self._listener(room_id)

    async def publish(self, room_id: str, message: str) -> None:
        """Send a message to whoever watches a room in other processes; it is not stored, and may be lost."""
        loop = asyncio.get_running_loop()
        for store in self.database.stores:
            if store is not self and self.random.random() >= self.faults.lose_news:
                delay = self.faults.draw_delay(self.random)
                loop.call_later(delay, store._on_message, room_id, message, context=store._news_context)

    def subscribe_messages(self, listener: MessageListener) -> None:
        """Call the listener with what other processes publish; before `subscribe`."""
        self._on_message = listener

    def subscribe(self, listener: ChangeListener) -> None:
        """Call the listener with the room another process has written to."""
        self._listener, self._news_context = listener, copy_context()
        self.database.stores.append(self)
        self.send_news(None)

    async def close(self) -> None:
        """Finish what is being written, and let go."""
        self._closed = True
        if self in self.database.stores:
            self.database.stores.remove(self)
        if self._writing:
            await asyncio.wait(self._writing)
