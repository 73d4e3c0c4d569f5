"""PostgreSQL: many processes on one database, which tell each other what they write."""

import asyncio
import contextlib
import json
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from knobel.errors import DatabaseDriverMissing, DatabaseError, DatabaseForeign, DatabaseFull, DatabaseUnreachable
from knobel.store import (
    AppendEvents,
    ChangeListener,
    DropRoom,
    NewGame,
    PutRoom,
    RepeatedCommand,
    StoreWrite,
    WriteConflict,
)
from knobel.store.reader import StoreReader
from knobel.store.schema import TABLES, is_empty, list_pending_statements, load_queries, schema_version
from knobel.store.statements import build_event_rows, check_writes, plan_statements

if TYPE_CHECKING:
    from psycopg import AsyncConnection

DIALECT = "postgres"
SQL = load_queries(DIALECT)
MAX_CONNECTIONS = 6
MAX_BATCH = 256
MIN_RETRY_SECONDS, MAX_RETRY_SECONDS = 0.05, 0.5
KEEPALIVE = {"connect_timeout": "5", "keepalives_idle": "5", "keepalives_interval": "2", "keepalives_count": "2"}

T = TypeVar("T")
PgConnection: TypeAlias = "AsyncConnection[tuple[Any, ...]]"
AppendJob: TypeAlias = tuple[asyncio.Future[None], AppendEvents]


def hide_password(address: str) -> str:
    """Show an address without its password."""
    address = re.sub(r"//([^:/@]*):.*@", r"//\1@", address)
    return re.sub(r"([?&]\w*password=)[^&]*", r"\1…", address)


def translate_error(error: Exception, value: str) -> DatabaseError:
    """Say what PostgreSQL complains about."""
    import psycopg

    if isinstance(error, psycopg.errors.DiskFull):
        return DatabaseFull(value=value)
    return DatabaseUnreachable(value=value, reason=" ".join(str(error).split()) or type(error).__name__)


async def connect(address: str) -> PgConnection:
    """Open a connection that notices when the other side is gone."""
    import psycopg
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    try:
        given = conninfo_to_dict(address)
        missing_ones = {name: value for name, value in KEEPALIVE.items() if name not in given}
        return await psycopg.AsyncConnection.connect(make_conninfo(address, **missing_ones), autocommit=True)
    except (psycopg.Error, OSError, UnicodeError) as error:
        raise translate_error(error, hide_password(address)) from None


async def migrate(connection: PgConnection, value: str) -> None:
    """Apply what is missing in one transaction, one process at a time."""
    import psycopg

    try:
        async with connection.transaction():
            await connection.execute(SQL["alone"])
            tables = [name for (name,) in await (await connection.execute(SQL["tables"])).fetchall()]
            version = 0
            if not is_empty(tables, value):
                found = await (await connection.execute(SQL["version"])).fetchone()
                version = int(found[0]) if found else 0
            if waiting := list_pending_statements(DIALECT, version, value):
                for statement in waiting:
                    await connection.execute(statement.encode())
                await connection.execute(SQL["forget_version"])
                await connection.execute(SQL["set_version"], (schema_version(DIALECT),))
    except (psycopg.ProgrammingError, psycopg.DataError):
        raise DatabaseForeign(value=value) from None
    except psycopg.Error as error:
        raise translate_error(error, value) from None


class PostgresStore(StoreReader):
    """Rooms and games in a PostgreSQL database."""

    def __init__(self, address: str, first: PgConnection) -> None:
        self.address, self.display_address = address, hide_password(address)
        self._nonce = secrets.token_hex(8)
        self._pool: asyncio.LifoQueue[PgConnection | None] = asyncio.LifoQueue()
        for link in (*[None] * (MAX_CONNECTIONS - 1), first):
            self._pool.put_nowait(link)
        self._queue: list[AppendJob] = []
        self._writer_task: asyncio.Task[None] | None = None
        self._listener_task: asyncio.Task[None] | None = None
        self._closed = False

    @classmethod
    async def open(cls, address: str) -> "PostgresStore":
        """Reach a database, and bring its tables up to date."""
        try:
            import psycopg  # noqa: F401
        except ImportError:
            raise DatabaseDriverMissing from None
        link = await connect(address)
        try:
            await migrate(link, hide_password(address))
        except BaseException:
            await link.close()
            raise
        return cls(address, link)

    async def _run(self, work: Callable[[PgConnection], Awaitable[T]]) -> T:
        """Do something on a connection; if that turns out to be broken, once more on a fresh one."""
        import psycopg

        if self._closed:
            raise RuntimeError(self.display_address)
        link = await self._pool.get()
        try:
            if link is None or link.closed:
                link = await connect(self.address)
            try:
                return await work(link)
            except psycopg.OperationalError as error:
                if not link.closed and not isinstance(error, psycopg.errors.TransactionRollback):
                    raise
                if link.closed:
                    link = await connect(self.address)
                return await work(link)
        except psycopg.OperationalError as error:
            raise translate_error(error, self.display_address) from None
        except asyncio.CancelledError:
            if link is not None and not link.closed:
                await link.close()
            raise
        finally:
            self._pool.put_nowait(None if link is None or link.closed else link)

    # Writing.

    async def commit(self, *writes: StoreWrite) -> None:
        """Make all writes durable together or none of them; raises `Taken` or `Repeated` when a key is used."""
        check_writes(writes)
        match writes:
            case (AppendEvents() as append,):
                await self._enqueue(append)
            case _:
                await self._commit_together(writes)

    async def _commit_together(self, writes: tuple[StoreWrite, ...]) -> None:
        """Carry out writes in one transaction, sent in one go."""
        import psycopg

        async def work(connection: PgConnection) -> None:
            async with connection.transaction():
                async with connection.pipeline():
                    told = [await connection.execute(*self._room_query(write)) for write in writes]
                    asked = [step for write in writes for step in plan_statements(write)]
                    done = [(await connection.execute(SQL[name], values), needed) for name, values, needed in asked]
                if any(needed and cursor.rowcount == 0 for cursor, needed in done):
                    raise WriteConflict
                rooms = {row[0] for cursor in told for row in await cursor.fetchall()}
                async with connection.pipeline():
                    for room in sorted(rooms):
                        await connection.execute(SQL["tell"], (f"{self._nonce} {room}",))

        try:
            await self._run(work)
        except (psycopg.IntegrityError, WriteConflict):
            raise await self._explain_refusal(writes) from None

    def _room_query(self, write: StoreWrite) -> tuple[str, tuple[str]]:
        """Ask for the room a write is about."""
        if isinstance(write, PutRoom | DropRoom | NewGame):
            return SQL["this_room"], (write.room_id,)
        return SQL["room_of_game"], (write.game_id,)

    async def _explain_refusal(self, writes: tuple[StoreWrite, ...]) -> Exception:
        """Say why: a command that was carried out before, or somebody was faster."""
        for write in writes:
            if isinstance(write, AppendEvents) and await self.find_command(write.game_id, write.command):
                return RepeatedCommand()
        return WriteConflict()

    async def _enqueue(self, append: AppendEvents) -> None:
        """Wait until an append is written, together with others that wait."""
        if self._closed:
            raise RuntimeError(self.display_address)
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append((future, append))
        if self._writer_task is None:
            self._writer_task = asyncio.create_task(self._run_writer())
        await future

    async def _run_writer(self) -> None:
        """Write what waits, batch after batch; a batch has one append of a game at most."""
        try:
            while self._queue:
                batch: dict[str, AppendJob] = {}
                later: list[AppendJob] = []
                for job in self._queue:
                    if len(batch) < MAX_BATCH and job[1].game_id not in batch:
                        batch[job[1].game_id] = job
                    else:
                        later.append(job)
                self._queue = later
                await self._write_batch(batch)
        finally:
            self._writer_task = None

    async def _write_batch(self, batch: dict[str, AppendJob]) -> None:
        """Write a batch in one round trip, and answer everybody in it."""
        import psycopg

        appends = [append for _, append in batch.values()]
        try:
            moved = await self._run(lambda link: self._write_together(link, appends))
        except (psycopg.IntegrityError, psycopg.DataError, ValueError):  # one of them is at fault
            await asyncio.gather(*(self._write_alone(future, append) for future, append in batch.values()))
            return
        except BaseException as error:
            for future, _ in batch.values():
                if not future.done():
                    future.set_exception(error if isinstance(error, Exception) else RuntimeError(self.display_address))
            if not isinstance(error, Exception):
                raise
            return
        lost = []
        for game, (future, append) in batch.items():
            if game not in moved:
                lost.append((future, append))
            elif not future.done():
                future.set_result(None)
        await asyncio.gather(*(self._refuse(future, append) for future, append in lost))

    async def _write_together(self, connection: PgConnection, appends: list[AppendEvents]) -> set[str]:
        """Add the events of all appends that may be, and say of which games they are."""
        asked = [
            {
                "game": append.game_id,
                "was": append.after,
                "now": append.after + len(append.links),
                "at": append.at,
                "closes": int(append.closes_game),
                "command": append.command,
            }
            for append in appends
        ]
        added = [
            dict(zip(TABLES["events"], row, strict=True)) for append in appends for row in build_event_rows(append)
        ]
        values = (json.dumps(asked), json.dumps(added), f"{self._nonce} ")
        return {game for (game,) in await (await connection.execute(SQL["append"], values)).fetchall()}

    async def _write_alone(self, future: asyncio.Future[None], append: AppendEvents) -> None:
        """Write one append of a batch that could not be written as a whole."""
        try:
            await self._commit_together((append,))
        except Exception as error:  # noqa: BLE001 - whoever waits must hear of it
            if not future.done():
                future.set_exception(error)
        else:
            if not future.done():
                future.set_result(None)

    async def _refuse(self, future: asyncio.Future[None], append: AppendEvents) -> None:
        """Tell whoever waits why an append was not written."""
        try:
            error = await self._explain_refusal((append,))
        except Exception as unreachable:  # noqa: BLE001 - whoever waits must hear of it
            error = unreachable
        if not future.done():
            future.set_exception(error)

    # Reading.

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

        return await self._run(work)

    # Everything at once.

    async def dump_rows(self, chunk: int = 1000) -> AsyncIterator[tuple[str, list[Any]]]:
        """Give all rows of all tables as they stood at one moment, while others write on."""
        import psycopg

        link = await connect(self.address)
        try:
            await link.execute(SQL["snapshot"])
            for table in TABLES:
                async with link.cursor(f"all_{table}") as cursor:
                    await cursor.execute(SQL[f"all_{table}"])
                    while found := await cursor.fetchmany(chunk):
                        yield table, found
        except psycopg.OperationalError as error:
            raise translate_error(error, self.display_address) from None
        finally:
            await link.close()

    async def restore_rows(self, chunks: Iterable[tuple[str, list[Any]]]) -> bool:
        """Write all rows into an empty database, all or none; an answer of no says that it is not empty."""
        import psycopg

        link = await connect(self.address)
        try:
            async with link.transaction():
                await link.execute(SQL["nobody"])
                if await (await link.execute(SQL["anything"])).fetchone():
                    return False
                for table, found in chunks:
                    async with link.cursor() as cursor:
                        await cursor.executemany(SQL[f"add_{table}"], found)
            return True
        except psycopg.OperationalError as error:
            raise translate_error(error, self.display_address) from None
        finally:
            await link.close()

    # Coming and going.

    def subscribe(self, listener: ChangeListener) -> None:
        """Tell about what other processes write."""
        self._listener_task = asyncio.create_task(self._listen_forever(listener))

    async def _listen_forever(self, listener: ChangeListener) -> None:
        """Hear the notes of others; after every cut connect again, and say that something may have been missed."""
        import psycopg

        pause = MIN_RETRY_SECONDS
        while True:
            with contextlib.suppress(psycopg.Error, DatabaseError):
                async with await connect(self.address) as link:
                    await link.execute(SQL["listen"])
                    pause = MIN_RETRY_SECONDS
                    listener(None)
                    async for note in link.notifies():
                        nonce, _, room = note.payload.partition(" ")
                        if nonce != self._nonce:
                            listener(room)
            await asyncio.sleep(pause)
            pause = min(2 * pause, MAX_RETRY_SECONDS)

    async def close(self) -> None:
        """Finish what is being written, and let go."""
        if self._closed:
            return
        while self._writer_task is not None:
            await asyncio.wait([self._writer_task])
        if self._listener_task:
            self._listener_task.cancel()
            await asyncio.wait([self._listener_task])
        links = [await self._pool.get() for _ in range(MAX_CONNECTIONS)]
        self._closed = True
        for link in links:
            if link is not None:
                await link.close()
