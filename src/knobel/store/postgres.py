"""PostgreSQL: many processes on one database, which notify each other of writes."""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any

from knobel.errors import DatabaseError
from knobel.extras import POSTGRES, require_extra
from knobel.store import (
    AppendEvents,
    ChangeListener,
    CommitListener,
    DropGame,
    DropRoom,
    DuplicateRow,
    MessageListener,
    NewGame,
    PutRoom,
    RememberCommand,
    RepeatedCommand,
    StoreWrite,
    WriteConflict,
)
from knobel.store.postgres_connection import (
    SQL,
    PgConnection,
    PostgresPool,
    connect,
    hide_password,
    migrate,
    translate_error,
)
from knobel.store.postgres_queue import AppendQueue
from knobel.store.reader import StoreReader
from knobel.store.schema import TABLES
from knobel.store.statements import check_writes, plan_statements

MIN_RETRY_SECONDS, MAX_RETRY_SECONDS = 0.05, 0.5


class PostgresSnapshot:
    """All rows of a database at once, for backups."""

    def __init__(self, address: str) -> None:
        self.address = address

    async def dump_rows(self, chunk: int = 1000) -> AsyncIterator[tuple[str, list[Any]]]:
        """Give all rows of all tables as they stood at one moment, while others write on."""
        import psycopg

        connection = await connect(self.address)
        try:
            await connection.execute(SQL["snapshot"])
            for table in TABLES:
                async with connection.cursor(f"all_{table}") as cursor:
                    await cursor.execute(SQL[f"select_all_{table}"])
                    while found := await cursor.fetchmany(chunk):
                        yield table, found
        except psycopg.OperationalError as error:
            raise translate_error(error, hide_password(self.address)) from None
        finally:
            await connection.close()

    async def restore_rows(self, chunks: Iterable[tuple[str, list[Any]]]) -> bool:
        """Write all rows into an empty database, all or none; False says that it is not empty."""
        import psycopg

        connection = await connect(self.address)
        try:
            async with connection.transaction():
                await connection.execute(SQL["lock_tables"])
                if await (await connection.execute(SQL["has_rows"])).fetchone():
                    return False
                for table, found in chunks:
                    async with connection.cursor() as cursor:
                        await cursor.executemany(SQL[f"restore_{table}"], found)
            return True
        except (psycopg.IntegrityError, psycopg.DataError):
            raise DuplicateRow from None
        except psycopg.OperationalError as error:
            raise translate_error(error, hide_password(self.address)) from None
        finally:
            await connection.close()


class ChangeFeed:
    """Hears what other processes write, on a connection of its own."""

    def __init__(self, address: str, process_id: str) -> None:
        self.address, self.process_id = address, process_id
        self.on_message: MessageListener = lambda _room, _message: None
        self._task: asyncio.Task[None] | None = None

    def start(self, listener: ChangeListener) -> None:
        self._task = asyncio.create_task(self._listen_forever(listener))

    async def stop(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _listen_forever(self, listener: ChangeListener) -> None:
        """Listen for notifications; after a lost connection, reconnect and report that some may have been missed."""
        import psycopg

        pause = MIN_RETRY_SECONDS
        while True:
            with contextlib.suppress(psycopg.Error, DatabaseError):
                async with await connect(self.address) as connection:
                    await connection.execute(SQL["listen"])
                    pause = MIN_RETRY_SECONDS
                    listener(None)
                    await self._hear(connection, listener)
            await asyncio.sleep(pause)
            pause = min(2 * pause, MAX_RETRY_SECONDS)

    async def _hear(self, connection: PgConnection, listener: ChangeListener) -> None:
        """Pass on what comes until the connection is lost.

        Every process hears of every write of all others, so each must cost little: the socket is read here, without
        waking a task for it.
        """
        import psycopg

        loop, link, descriptor = asyncio.get_running_loop(), connection.pgconn, connection.fileno()
        lost = loop.create_future()

        def read() -> None:
            try:
                link.consume_input()
                while (note := link.notifies()) is not None:
                    self._pass_on(note.extra.decode(), listener)
            except psycopg.Error as error:
                loop.remove_reader(descriptor)
                if not lost.done():
                    lost.set_exception(error)

        loop.add_reader(descriptor, read)
        try:
            await lost
        finally:
            loop.remove_reader(descriptor)

    def _pass_on(self, payload: str, listener: ChangeListener) -> None:
        process_id, _, rest = payload.partition(" ")
        room, _, message = rest.partition(" ")
        if process_id != self.process_id and message:
            self.on_message(room, message)
        elif process_id != self.process_id:
            listener(room)


class PostgresStore(StoreReader):
    """Rooms and games in a PostgreSQL database."""

    def __init__(self, address: str, pool: PostgresPool) -> None:
        self.display_address = pool.display_address
        self.snapshot = PostgresSnapshot(address)
        self._pool = pool
        self._process_id = secrets.token_hex(8)
        self._appends = AppendQueue(pool, self._process_id, self._commit_together, self._explain_refusal)
        self.on_commit: CommitListener = lambda _: None
        self._appends.on_commit = lambda size: self.on_commit(size)  # noqa: PLW0108 - it is set later
        self._feed = ChangeFeed(address, self._process_id)
        self._closed = False

    @classmethod
    async def open(cls, address: str) -> "PostgresStore":
        """Connect to a database, and migrate its tables."""
        require_extra(POSTGRES)
        import psycopg

        connection = await connect(address)
        try:
            await migrate(connection, hide_password(address))
        finally:
            with contextlib.suppress(psycopg.Error):
                await connection.close()
        pool = PostgresPool(address)
        await pool.open()
        return cls(address, pool)

    async def commit(self, *writes: StoreWrite) -> None:
        """Make all writes durable together or none of them; raises `WriteConflict` or `RepeatedCommand`."""
        if self._closed:
            raise RuntimeError(self.display_address)
        check_writes(writes)
        match writes:
            case (AppendEvents() as append,):
                await self._appends.append(append)
            case _:
                await self._commit_together(writes)
                self.on_commit(1)

    async def _commit_together(self, writes: tuple[StoreWrite, ...]) -> None:
        """Carry out writes in one transaction, sent in one go."""
        import psycopg

        async def work(connection: PgConnection) -> None:
            async with connection.transaction():
                async with connection.pipeline():
                    found = [await connection.execute(*room_query(write)) for write in writes]
                    steps = [step for write in writes for step in plan_statements(write)]
                    done = [(await connection.execute(SQL[name], values), needed) for name, values, needed in steps]
                if any(needed and cursor.rowcount == 0 for cursor, needed in done):
                    raise WriteConflict
                rooms = {row[0] for cursor in found for row in await cursor.fetchall()}
                async with connection.pipeline():
                    for room in sorted(rooms):
                        await connection.execute(SQL["notify"], (f"{self._process_id} {room}",))

        try:
            await self._pool.run(work)
        except (psycopg.IntegrityError, WriteConflict):
            raise await self._explain_refusal(writes) from None

    async def _explain_refusal(self, writes: tuple[StoreWrite, ...]) -> Exception:
        """Say why: the command was carried out before, or another writer was faster."""
        for write in writes:
            if isinstance(write, AppendEvents) and await self.find_command(write.game_id, write.command):
                return RepeatedCommand()
            if isinstance(write, RememberCommand) and await self.find_room_command(write.room_id, write.command):
                return RepeatedCommand()
        return WriteConflict()

    @staticmethod
    def _encode_list(items: Sequence[str]) -> list[str]:
        return list(items)

    @staticmethod
    def _decode_list(value: list[str]) -> tuple[str, ...]:
        return tuple(value)

    async def _read(self, name: str, *values: object) -> list[Any]:
        if any(isinstance(value, str) and "\0" in value for value in values):
            return []  # no text here holds one, and PostgreSQL would not even look

        async def work(connection: PgConnection) -> list[Any]:
            return await (await connection.execute(SQL[name], values)).fetchall()

        return await self._pool.run(work)

    @property
    def is_shared(self) -> bool:
        """Whether several processes may use it at once."""
        return True

    async def list_faults(self) -> Sequence[str]:
        """List nothing: PostgreSQL checks its files itself."""
        return ()

    async def list_risks(self) -> Sequence[str]:
        """List the settings of the server that let it lose what it has acknowledged."""
        return [str(name) for (name,) in await self._read("list_risks")]

    async def publish(self, room_id: str, message: str) -> None:
        """Send a message to whoever watches a room in other processes; it is not stored, and may be lost."""
        await self._read("notify", f"{self._process_id} {room_id} {message}")

    def subscribe_messages(self, listener: MessageListener) -> None:
        """Call the listener with what other processes publish; before `subscribe`."""
        self._feed.on_message = listener

    def subscribe(self, listener: ChangeListener) -> None:
        """Call the listener with the room another process has written to."""
        self._feed.start(listener)

    async def close(self) -> None:
        """Finish what is being written, and let go."""
        if self._closed:
            return
        self._closed = True
        await self._appends.drain()
        await self._feed.stop()
        await self._pool.close()


def room_query(write: StoreWrite) -> tuple[str, tuple[str, ...]]:
    """Ask for the room a write is about."""
    match write:
        case PutRoom() | DropRoom() | NewGame():
            return SQL["name_room"], (write.room_id,)
        case AppendEvents() | DropGame():
            return SQL["find_room_of_game"], (write.game_id,)
    return SQL["name_no_room"], ()
