"""PostgreSQL: many processes on one database, which tell each other what they write."""

import asyncio
import contextlib
import json
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from knobel.errors import DatabaseDriver, DatabaseError, DatabaseForeign, DatabaseFull, DatabaseUnreachable
from knobel.store import (
    Append,
    DropRoom,
    NewGame,
    News,
    PutRoom,
    Repeated,
    Taken,
    Write,
)
from knobel.store.plan import check, rows, steps
from knobel.store.reading import Reading
from knobel.store.schema import TABLES, is_empty, known, missing, queries

if TYPE_CHECKING:
    from psycopg import AsyncConnection

DIALECT = "postgres"
ASK = queries(DIALECT)
CONNECTIONS = 6
MOST_JOBS = 256
SHORT, LONG = 0.05, 0.5
ALIVE = {"connect_timeout": "5", "keepalives_idle": "5", "keepalives_interval": "2", "keepalives_count": "2"}

T = TypeVar("T")
Link: TypeAlias = "AsyncConnection[tuple[Any, ...]]"
Job: TypeAlias = tuple[asyncio.Future[None], Append]


def public(address: str) -> str:
    """Show an address without its password."""
    address = re.sub(r"//([^:/@]*):.*@", r"//\1@", address)
    return re.sub(r"([?&]\w*password=)[^&]*", r"\1…", address)


def failure(error: Exception, value: str) -> DatabaseError:
    """Say what PostgreSQL complains about."""
    import psycopg

    if isinstance(error, psycopg.errors.DiskFull):
        return DatabaseFull(value=value)
    return DatabaseUnreachable(value=value, reason=" ".join(str(error).split()) or type(error).__name__)


async def connect(address: str) -> Link:
    """Open a connection that notices when the other side is gone."""
    import psycopg
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    try:
        given = conninfo_to_dict(address)
        missing_ones = {name: value for name, value in ALIVE.items() if name not in given}
        return await psycopg.AsyncConnection.connect(make_conninfo(address, **missing_ones), autocommit=True)
    except (psycopg.Error, OSError, UnicodeError) as error:
        raise failure(error, public(address)) from None


async def migrate(link: Link, value: str) -> None:
    """Apply what is missing in one transaction, one process at a time."""
    import psycopg

    try:
        async with link.transaction():
            await link.execute(ASK["alone"])
            tables = [name for (name,) in await (await link.execute(ASK["tables"])).fetchall()]
            version = 0
            if not is_empty(tables, value):
                found = await (await link.execute(ASK["version"])).fetchone()
                version = int(found[0]) if found else 0
            if waiting := missing(DIALECT, version, value):
                for statement in waiting:
                    await link.execute(statement.encode())
                await link.execute(ASK["forget_version"])
                await link.execute(ASK["set_version"], (known(DIALECT),))
    except (psycopg.ProgrammingError, psycopg.DataError):
        raise DatabaseForeign(value=value) from None
    except psycopg.Error as error:
        raise failure(error, value) from None


class PostgresStore(Reading):
    """Rooms and games in a PostgreSQL database."""

    def __init__(self, address: str, first: Link) -> None:
        self.address, self.value = address, public(address)
        self._nonce = secrets.token_hex(8)
        self._idle: asyncio.LifoQueue[Link | None] = asyncio.LifoQueue()
        for link in (*[None] * (CONNECTIONS - 1), first):
            self._idle.put_nowait(link)
        self._waiting: list[Job] = []
        self._writing: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None
        self._closed = False

    @classmethod
    async def open(cls, address: str) -> "PostgresStore":
        """Reach a database, and bring its tables up to date."""
        try:
            import psycopg  # noqa: F401
        except ImportError:
            raise DatabaseDriver from None
        link = await connect(address)
        try:
            await migrate(link, public(address))
        except BaseException:
            await link.close()
            raise
        return cls(address, link)

    async def _with(self, work: Callable[[Link], Awaitable[T]]) -> T:
        """Do something on a connection; if that turns out to be broken, once more on a fresh one."""
        import psycopg

        if self._closed:
            raise RuntimeError(self.value)
        link = await self._idle.get()
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
            raise failure(error, self.value) from None
        except asyncio.CancelledError:
            if link is not None and not link.closed:
                await link.close()
            raise
        finally:
            self._idle.put_nowait(None if link is None or link.closed else link)

    # Writing.

    async def commit(self, *writes: Write) -> None:
        """Make all writes durable together or none of them; raises `Taken` or `Repeated` when a key is used."""
        check(writes)
        match writes:
            case (Append() as append,):
                await self._append(append)
            case _:
                await self._commit(writes)

    async def _commit(self, writes: tuple[Write, ...]) -> None:
        """Carry out writes in one transaction, sent in one go."""
        import psycopg

        async def work(link: Link) -> None:
            async with link.transaction():
                async with link.pipeline():
                    told = [await link.execute(*self._room(write)) for write in writes]
                    asked = [step for write in writes for step in steps(write)]
                    done = [(await link.execute(ASK[name], values), needed) for name, values, needed in asked]
                if any(needed and cursor.rowcount == 0 for cursor, needed in done):
                    raise Taken
                rooms = {row[0] for cursor in told for row in await cursor.fetchall()}
                async with link.pipeline():
                    for room in sorted(rooms):
                        await link.execute(ASK["tell"], (f"{self._nonce} {room}",))

        try:
            await self._with(work)
        except (psycopg.IntegrityError, Taken):
            raise await self._refused(writes) from None

    def _room(self, write: Write) -> tuple[str, tuple[str]]:
        """Ask for the room a write is about."""
        if isinstance(write, PutRoom | DropRoom | NewGame):
            return ASK["this_room"], (write.room,)
        return ASK["room_of_game"], (write.game,)

    async def _refused(self, writes: tuple[Write, ...]) -> Exception:
        """Say why: a command that was carried out before, or somebody was faster."""
        for write in writes:
            if isinstance(write, Append) and await self.done(write.game, write.command):
                return Repeated()
        return Taken()

    async def _append(self, append: Append) -> None:
        """Wait until an append is written, together with others that wait."""
        if self._closed:
            raise RuntimeError(self.value)
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((future, append))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_on())
        await future

    async def _write_on(self) -> None:
        """Write what waits, batch after batch; a batch has one append of a game at most."""
        try:
            while self._waiting:
                batch: dict[str, Job] = {}
                later: list[Job] = []
                for job in self._waiting:
                    if len(batch) < MOST_JOBS and job[1].game not in batch:
                        batch[job[1].game] = job
                    else:
                        later.append(job)
                self._waiting = later
                await self._write(batch)
        finally:
            self._writing = None

    async def _write(self, batch: dict[str, Job]) -> None:
        """Write a batch in one round trip, and answer everybody in it."""
        import psycopg

        appends = [append for _, append in batch.values()]
        try:
            moved = await self._with(lambda link: self._together(link, appends))
        except (psycopg.IntegrityError, psycopg.DataError, ValueError):  # one of them is at fault
            await asyncio.gather(*(self._alone(future, append) for future, append in batch.values()))
            return
        except BaseException as error:
            for future, _ in batch.values():
                if not future.done():
                    future.set_exception(error if isinstance(error, Exception) else RuntimeError(self.value))
            if not isinstance(error, Exception):
                raise
            return
        lost = []
        for game, (future, append) in batch.items():
            if game not in moved:
                lost.append((future, append))
            elif not future.done():
                future.set_result(None)
        await asyncio.gather(*(self._explain(future, append) for future, append in lost))

    async def _together(self, link: Link, appends: list[Append]) -> set[str]:
        """Add the events of all appends that may be, and say of which games they are."""
        asked = [
            {
                "game": append.game,
                "was": append.after,
                "now": append.after + len(append.links),
                "at": append.at,
                "closes": int(append.closes),
                "command": append.command,
            }
            for append in appends
        ]
        added = [dict(zip(TABLES["events"], row, strict=True)) for append in appends for row in rows(append)]
        values = (json.dumps(asked), json.dumps(added), f"{self._nonce} ")
        return {game for (game,) in await (await link.execute(ASK["append"], values)).fetchall()}

    async def _alone(self, future: asyncio.Future[None], append: Append) -> None:
        """Write one append of a batch that could not be written as a whole."""
        try:
            await self._commit((append,))
        except Exception as error:  # noqa: BLE001 - whoever waits must hear of it
            if not future.done():
                future.set_exception(error)
        else:
            if not future.done():
                future.set_result(None)

    async def _explain(self, future: asyncio.Future[None], append: Append) -> None:
        """Tell whoever waits why an append was not written."""
        try:
            error = await self._refused((append,))
        except Exception as unreachable:  # noqa: BLE001 - whoever waits must hear of it
            error = unreachable
        if not future.done():
            future.set_exception(error)

    # Reading.

    @staticmethod
    def _list(items: Sequence[str]) -> list[str]:
        return list(items)

    @staticmethod
    def _listed(value: list[str]) -> tuple[str, ...]:
        return tuple(value)

    async def _read(self, name: str, *values: object) -> list[Any]:
        if any(isinstance(value, str) and "\0" in value for value in values):
            return []  # no text here holds one, and PostgreSQL would not even look

        async def work(link: Link) -> list[Any]:
            return await (await link.execute(ASK[name], values)).fetchall()

        return await self._with(work)

    # Everything at once.

    async def whole(self, chunk: int = 1000) -> AsyncIterator[tuple[str, list[Any]]]:
        """Give all rows of all tables as they stood at one moment, while others write on."""
        import psycopg

        link = await connect(self.address)
        try:
            await link.execute(ASK["snapshot"])
            for table in TABLES:
                async with link.cursor(f"all_{table}") as cursor:
                    await cursor.execute(ASK[f"all_{table}"])
                    while found := await cursor.fetchmany(chunk):
                        yield table, found
        except psycopg.OperationalError as error:
            raise failure(error, self.value) from None
        finally:
            await link.close()

    async def fill(self, chunks: Iterable[tuple[str, list[Any]]]) -> bool:
        """Write all rows into an empty database, all or none; an answer of no says that it is not empty."""
        import psycopg

        link = await connect(self.address)
        try:
            async with link.transaction():
                await link.execute(ASK["nobody"])
                if await (await link.execute(ASK["anything"])).fetchone():
                    return False
                for table, found in chunks:
                    async with link.cursor() as cursor:
                        await cursor.executemany(ASK[f"add_{table}"], found)
            return True
        except psycopg.OperationalError as error:
            raise failure(error, self.value) from None
        finally:
            await link.close()

    # Coming and going.

    def listen(self, news: News) -> None:
        """Tell about what other processes write."""
        self._listening = asyncio.create_task(self._listen(news))

    async def _listen(self, news: News) -> None:
        """Hear the notes of others; after every cut connect again, and say that something may have been missed."""
        import psycopg

        pause = SHORT
        while True:
            with contextlib.suppress(psycopg.Error, DatabaseError):
                async with await connect(self.address) as link:
                    await link.execute(ASK["listen"])
                    pause = SHORT
                    news(None)
                    async for note in link.notifies():
                        nonce, _, room = note.payload.partition(" ")
                        if nonce != self._nonce:
                            news(room)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONG)

    async def close(self) -> None:
        """Finish what is being written, and let go."""
        if self._closed:
            return
        while self._writing is not None:
            await asyncio.wait([self._writing])
        if self._listening:
            self._listening.cancel()
            await asyncio.wait([self._listening])
        links = [await self._idle.get() for _ in range(CONNECTIONS)]
        self._closed = True
        for link in links:
            if link is not None:
                await link.close()
