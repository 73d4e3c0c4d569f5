"""SQLite: one file, one thread that writes many commits at once, one that reads."""

import asyncio
import contextlib
import json
import os
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeAlias

from knobel.errors import DatabaseError, DatabaseForeign, DatabaseFull, DatabaseUnreachable
from knobel.store import Append, News, Repeated, Taken, Write
from knobel.store.plan import EventRow, check, rows, steps
from knobel.store.reading import Reading
from knobel.store.schema import TABLES, is_empty, known, missing, queries

DIALECT = "sqlite"
ASK = queries(DIALECT)
MOST_JOBS = 512
POLL = 1.0
PATIENCE = 10.0
GATHER = 0.004
"""So far apart are commits at least while several ask at once: one that is alone never waits for others."""
STRIDES = (64, 8, 1)
"""How many rows one statement writes; few statements, because each of them lets go of the interpreter."""

MOVES, EVENTS = (
    tuple((stride, ASK[name].replace(holes, ", ".join([holes] * stride))) for stride in STRIDES)
    for name, holes in (("move_games", "(?, ?, ?, ?, ?)"), ("new_events", "(?, ?, ?, ?, ?, ?, ?, ?)"))
)

Work: TypeAlias = tuple[Write, ...] | Callable[[sqlite3.Connection], None]
Job: TypeAlias = tuple[asyncio.Future[None], Work]
Outcome: TypeAlias = tuple[asyncio.Future[None], Exception | None]


class Clash(Exception):
    """Something in a batch is refused: each commit must be tried alone."""


def connect(path: Path) -> sqlite3.Connection:
    """Open the file, durable and patient."""
    link = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        for name in ("patience", "durable", "cache", "checkpoint"):
            link.execute(ASK[name])
    except BaseException:
        link.close()
        raise
    return link


def failure(error: sqlite3.Error, path: Path) -> DatabaseError:
    """Say what SQLite complains about."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return DatabaseFull(value=str(path))
    if code == sqlite3.SQLITE_NOTADB:
        return DatabaseForeign(value=str(path))
    return DatabaseUnreachable(value=str(path), reason=" ".join(str(error).split()))


def prepare(path: Path) -> sqlite3.Connection:
    """Make the file if there is none, and bring its tables up to date; others may do so at the same time."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise DatabaseUnreachable(value=str(path), reason=error.strerror or type(error).__name__) from None
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return brought_up(path)
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise failure(error, path) from None
            time.sleep(0.02)


def brought_up(path: Path) -> sqlite3.Connection:
    """Open the file; nothing is changed in it before it is known to be ours."""
    link = connect(path)
    try:
        is_empty(tables(link), str(path))
        link.execute(ASK["journal"])
        with locked(link):
            migrate(link, str(path))
    except BaseException:
        link.close()
        raise
    return link


def tables(link: sqlite3.Connection) -> Iterator[str]:
    """List the tables there are."""
    return (name for (name,) in link.execute(ASK["tables"]).fetchall() if not name.startswith("sqlite_"))


def migrate(link: sqlite3.Connection, value: str) -> None:
    """Apply what is missing, inside a transaction."""
    version = 0 if is_empty(tables(link), value) else int(link.execute(ASK["version"]).fetchone()[0])
    if waiting := missing(DIALECT, version, value):
        for statement in waiting:
            link.execute(statement)
        link.execute(ASK["forget_version"])
        link.execute(ASK["set_version"], (known(DIALECT),))


@contextlib.contextmanager
def locked(link: sqlite3.Connection) -> Iterator[None]:
    """Write in one transaction, or not at all."""
    link.execute(ASK["lock"])
    try:
        yield
        link.execute(ASK["commit"])
    except BaseException:
        if link.in_transaction:
            link.execute(ASK["rollback"])
        raise


class SqliteStore(Reading):
    """Rooms and games in one SQLite file."""

    def __init__(self, path: Path, writer: sqlite3.Connection, reader: sqlite3.Connection) -> None:
        self.path = path
        self._loop = asyncio.get_running_loop()
        self._writer, self._reader = writer, reader
        self._gathered: list[Job] = []
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._news: News | None = None
        self._others = writer.execute(ASK["others"]).fetchone()[0]
        self._polled = 0.0
        self._last, self._many = 0.0, False
        self._closed = False
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="knobel-read")
        self._thread = threading.Thread(target=self._write_on, name="knobel-write", daemon=True)
        self._thread.start()

    @classmethod
    async def open(cls, path: Path) -> "SqliteStore":
        """Open a file, or begin it."""
        writer = await asyncio.to_thread(prepare, path)
        return cls(path, writer, connect(path))

    # Writing.

    async def commit(self, *writes: Write) -> None:
        """Make all writes durable together or none of them; raises `Taken` or `Repeated` when a key is used."""
        check(writes)
        await self._do(writes)

    async def most_pages(self, pages: int) -> None:
        """Let the file grow up to so many pages."""
        await self._do(lambda link: link.execute(ASK["pages"].format(int(pages))).close())

    def _do(self, work: Work) -> asyncio.Future[None]:
        if self._closed:
            raise RuntimeError(self.path)
        future = self._loop.create_future()
        if not self._gathered:
            self._loop.call_soon(self._hand_over)
        self._gathered.append((future, work))
        return future

    def _hand_over(self) -> None:
        """Give the writer all that was asked for in one turn of the loop, so that it is written together."""
        for job in self._gathered:
            self._jobs.put(job)
        self._gathered.clear()

    def _write_on(self) -> None:
        """Carry out what is waiting, until told to stop."""
        going = True
        while going:
            batch, going = self._next()
            if batch:
                outcomes = self._carry_out(batch)
                self._last, self._many = time.monotonic(), len(batch) > 1
                with contextlib.suppress(RuntimeError):  # the loop is gone, and so is everybody who waited
                    self._loop.call_soon_threadsafe(settle, outcomes)
            if self._news and time.monotonic() >= self._polled + POLL:
                self._poll(self._news)

    def _next(self) -> tuple[list[Job], bool]:
        """Wait for a job, and take what has gathered behind it."""
        try:
            found = [self._jobs.get(timeout=POLL if self._news else None)]
        except Empty:
            return [], True
        if self._many and (wait := self._last + GATHER - time.monotonic()) > 0:
            time.sleep(wait)
        found += [self._jobs.get() for _ in range(min(self._jobs.qsize(), MOST_JOBS - 1))]
        return [job for job in found if job is not None], not (self._closed and self._jobs.empty())

    def _poll(self, news: News) -> None:
        """Notice what other processes have written."""
        self._polled = time.monotonic()
        with contextlib.suppress(sqlite3.Error, RuntimeError):
            (others,) = self._writer.execute(ASK["others"]).fetchone()
            if others != self._others:
                self._others = others
                self._loop.call_soon_threadsafe(news, None)

    def _carry_out(self, batch: list[Job]) -> list[Outcome]:
        """Write a batch in one transaction; nobody hears of success before it is on disk."""
        link = self._writer
        try:
            try:
                with locked(link):
                    return self._together(batch)
            except Clash:
                with locked(link):
                    return [(future, self._alone(work)) for future, work in batch]
        except sqlite3.Error as error:
            complaint = failure(error, self.path)
            return [(future, complaint) for future, _ in batch]
        except Exception as error:  # noqa: BLE001 - whoever waits must hear of it
            return [(future, error) for future, _ in batch]

    def _together(self, batch: list[Job]) -> list[Outcome]:
        """Write all plain appends in a few statements, anything else by itself."""
        outcomes: list[Outcome] = []
        moves: dict[str, tuple[str, int, int, float, int]] = {}
        events: list[EventRow] = []
        for future, work in batch:
            if not callable(work) and len(work) == 1 and type(append := work[0]) is Append:
                game, after = append.game, append.after
                _, start, now, _, closed = moves.get(game, (game, after, after, 0.0, 0))
                if now != after or closed:
                    raise Clash
                moves[game] = (game, start, after + len(append.links), append.at, int(append.closes))
                events += rows(append)
                outcomes.append((future, None))
            else:
                outcomes.append((future, self._alone(work)))
        try:
            events.sort(key=lambda row: row[:2])
            if self._stride(MOVES, sorted(moves.values())) != len(moves):
                raise Clash
            self._stride(EVENTS, events)
        except sqlite3.OperationalError:
            raise
        except (sqlite3.Error, ValueError, TypeError, OverflowError):
            raise Clash from None
        return outcomes

    def _stride(self, statements: Iterable[tuple[int, str]], table: Sequence[tuple[object, ...]]) -> int:
        """Write rows, many with each statement, and count what changed."""
        at = changed = 0
        for stride, statement in statements:
            while at + stride <= len(table):
                values = [value for row in table[at : at + stride] for value in row]
                changed += self._writer.execute(statement, values).rowcount
                at += stride
        return changed

    def _alone(self, work: Work) -> Exception | None:
        """Carry out one job so that its failure leaves no trace."""
        link = self._writer
        link.execute(ASK["save"])
        try:
            if callable(work):
                work(link)
            else:
                self._all_of(work)
        except sqlite3.OperationalError:
            raise
        except Exception as error:  # noqa: BLE001 - only this job fails
            link.execute(ASK["undo"])
            link.execute(ASK["keep"])
            if isinstance(error, sqlite3.IntegrityError | Taken) and not callable(work):
                return self._refused(work)
            return error
        link.execute(ASK["keep"])
        return None

    def _all_of(self, writes: tuple[Write, ...]) -> None:
        for write in writes:
            for name, values, needed in steps(write):
                if self._writer.execute(ASK[name], values).rowcount == 0 and needed:
                    raise Taken

    def _refused(self, writes: tuple[Write, ...]) -> Exception:
        """Say why: a command that was carried out before, or somebody was faster."""
        for write in writes:
            keys = (write.game, write.command) if isinstance(write, Append) else None
            if keys and self._writer.execute(ASK["done"], keys).fetchone():
                return Repeated()
        return Taken()

    # Reading.

    @staticmethod
    def _list(items: Sequence[str]) -> str:
        return json.dumps(list(items))

    @staticmethod
    def _listed(value: str) -> tuple[str, ...]:
        return tuple(json.loads(value))

    async def _read(self, name: str, *values: object) -> list[Any]:
        try:
            return await self._loop.run_in_executor(self._reading, self._fetch, name, values)
        except sqlite3.Error as error:
            raise failure(error, self.path) from None

    def _fetch(self, name: str, values: tuple[object, ...]) -> list[Any]:
        return self._reader.execute(ASK[name], values).fetchall()

    # Everything at once.

    async def whole(self, chunk: int = 1000) -> AsyncIterator[tuple[str, list[Any]]]:
        """Give all rows of all tables as they stood at one moment, while others write on."""
        link = connect(self.path)
        try:
            await asyncio.to_thread(link.execute, ASK["begin"])
            for table in TABLES:
                cursor = await asyncio.to_thread(link.execute, ASK[f"all_{table}"])
                while found := await asyncio.to_thread(cursor.fetchmany, chunk):
                    yield table, found
        except sqlite3.Error as error:
            raise failure(error, self.path) from None
        finally:
            link.close()

    async def fill(self, chunks: Iterable[tuple[str, list[Any]]]) -> bool:
        """Write all rows into an empty database, all or none; an answer of no says that it is not empty."""
        return await asyncio.to_thread(self._fill, chunks)

    def _fill(self, chunks: Iterable[tuple[str, list[Any]]]) -> bool:
        link = connect(self.path)
        try:
            with locked(link):
                if link.execute(ASK["anything"]).fetchone():
                    return False
                for table, found in chunks:
                    link.executemany(ASK[f"add_{table}"], found)
            return True
        except sqlite3.Error as error:
            raise failure(error, self.path) from None
        finally:
            link.close()

    # Coming and going.

    def listen(self, news: News) -> None:
        """Tell about what other processes write."""
        self._news = news
        self._jobs.put(None)

    async def close(self) -> None:
        """Finish what is being written, and let go."""
        if not self._closed:
            self._closed = True
            self._hand_over()
            self._jobs.put(None)
            await asyncio.to_thread(self._thread.join)
            self._reading.shutdown()
            self._reader.close()
            self._writer.close()


def settle(outcomes: list[Outcome]) -> None:
    """Answer everybody of a batch who still waits."""
    for future, error in outcomes:
        if not future.done():
            if error is None:
                future.set_result(None)
            else:
                future.set_exception(error)
