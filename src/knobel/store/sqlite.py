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
from knobel.store import AppendEvents, ChangeListener, RepeatedCommand, StoreWrite, WriteConflict
from knobel.store.reader import StoreReader
from knobel.store.schema import TABLES, is_empty, list_pending_statements, load_queries, schema_version
from knobel.store.statements import EventValues, build_event_rows, check_writes, plan_statements

DIALECT = "sqlite"
SQL = load_queries(DIALECT)
MAX_BATCH = 512
POLL_SECONDS = 1.0
BUSY_SECONDS = 10.0
BATCH_SECONDS = 0.004
"""So far apart are commits at least while several ask at once: one that is alone never waits for others."""
BATCH_ROWS = (64, 8, 1)
"""How many rows one statement writes; few statements, because each of them lets go of the interpreter."""

UPDATE_HEADS, INSERT_EVENTS = (
    tuple((stride, SQL[name].replace(holes, ", ".join([holes] * stride))) for stride in BATCH_ROWS)
    for name, holes in (("move_games", "(?, ?, ?, ?, ?)"), ("new_events", "(?, ?, ?, ?, ?, ?, ?, ?)"))
)

WriteWork: TypeAlias = tuple[StoreWrite, ...] | Callable[[sqlite3.Connection], None]
WriteJob: TypeAlias = tuple[asyncio.Future[None], WriteWork]
WriteOutcome: TypeAlias = tuple[asyncio.Future[None], Exception | None]


class BatchConflict(Exception):
    """Something in a batch is refused: each commit must be tried alone."""


def connect(path: Path) -> sqlite3.Connection:
    """Open the file, durable and patient."""
    link = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        for name in ("patience", "durable", "cache", "checkpoint"):
            link.execute(SQL[name])
    except BaseException:
        link.close()
        raise
    return link


def translate_error(error: sqlite3.Error, path: Path) -> DatabaseError:
    """Say what SQLite complains about."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return DatabaseFull(value=str(path))
    if code == sqlite3.SQLITE_NOTADB:
        return DatabaseForeign(value=str(path))
    return DatabaseUnreachable(value=str(path), reason=" ".join(str(error).split()))


def open_database(path: Path) -> sqlite3.Connection:
    """Make the file if there is none, and bring its tables up to date; others may do so at the same time."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise DatabaseUnreachable(value=str(path), reason=error.strerror or type(error).__name__) from None
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            return open_migrated(path)
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise translate_error(error, path) from None
            time.sleep(0.02)


def open_migrated(path: Path) -> sqlite3.Connection:
    """Open the file; nothing is changed in it before it is known to be ours."""
    link = connect(path)
    try:
        is_empty(list_tables(link), str(path))
        link.execute(SQL["journal"])
        with transaction(link):
            migrate(link, str(path))
    except BaseException:
        link.close()
        raise
    return link


def list_tables(connection: sqlite3.Connection) -> Iterator[str]:
    """List the tables there are."""
    return (name for (name,) in connection.execute(SQL["tables"]).fetchall() if not name.startswith("sqlite_"))


def migrate(connection: sqlite3.Connection, value: str) -> None:
    """Apply what is missing, inside a transaction."""
    version = 0 if is_empty(list_tables(connection), value) else int(connection.execute(SQL["version"]).fetchone()[0])
    if waiting := list_pending_statements(DIALECT, version, value):
        for statement in waiting:
            connection.execute(statement)
        connection.execute(SQL["forget_version"])
        connection.execute(SQL["set_version"], (schema_version(DIALECT),))


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write in one transaction, or not at all."""
    connection.execute(SQL["lock"])
    try:
        yield
        connection.execute(SQL["commit"])
    except BaseException:
        if connection.in_transaction:
            connection.execute(SQL["rollback"])
        raise


class SqliteStore(StoreReader):
    """Rooms and games in one SQLite file."""

    def __init__(self, path: Path, writer: sqlite3.Connection, reader: sqlite3.Connection) -> None:
        self.path = path
        self._loop = asyncio.get_running_loop()
        self._writer, self._reader = writer, reader
        self._buffer: list[WriteJob] = []
        self._queue: SimpleQueue[WriteJob | None] = SimpleQueue()
        self._listener: ChangeListener | None = None
        self._data_version = writer.execute(SQL["others"]).fetchone()[0]
        self._polled_at = 0.0
        self._written_at, self._was_batch = 0.0, False
        self._closed = False
        self._read_pool = ThreadPoolExecutor(1, thread_name_prefix="knobel-read")
        self._thread = threading.Thread(target=self._run_writer, name="knobel-write", daemon=True)
        self._thread.start()

    @classmethod
    async def open(cls, path: Path) -> "SqliteStore":
        """Open a file, or begin it."""
        writer = await asyncio.to_thread(open_database, path)
        return cls(path, writer, connect(path))

    # Writing.

    async def commit(self, *writes: StoreWrite) -> None:
        """Make all writes durable together or none of them; raises `Taken` or `Repeated` when a key is used."""
        check_writes(writes)
        await self._enqueue(writes)

    async def set_max_pages(self, pages: int) -> None:
        """Let the file grow up to so many pages."""
        await self._enqueue(lambda link: link.execute(SQL["pages"].format(int(pages))).close())

    def _enqueue(self, work: WriteWork) -> asyncio.Future[None]:
        if self._closed:
            raise RuntimeError(self.path)
        future = self._loop.create_future()
        if not self._buffer:
            self._loop.call_soon(self._flush)
        self._buffer.append((future, work))
        return future

    def _flush(self) -> None:
        """Give the writer all that was asked for in one turn of the loop, so that it is written together."""
        for job in self._buffer:
            self._queue.put(job)
        self._buffer.clear()

    def _run_writer(self) -> None:
        """Carry out what is waiting, until told to stop."""
        going = True
        while going:
            batch, going = self._take_batch()
            if batch:
                outcomes = self._write_batch(batch)
                self._written_at, self._was_batch = time.monotonic(), len(batch) > 1
                with contextlib.suppress(RuntimeError):  # the loop is gone, and so is everybody who waited
                    self._loop.call_soon_threadsafe(resolve_futures, outcomes)
            if self._listener and time.monotonic() >= self._polled_at + POLL_SECONDS:
                self._poll_changes(self._listener)

    def _take_batch(self) -> tuple[list[WriteJob], bool]:
        """Wait for a job, and take what has gathered behind it."""
        try:
            found = [self._queue.get(timeout=POLL_SECONDS if self._listener else None)]
        except Empty:
            return [], True
        if self._was_batch and (wait := self._written_at + BATCH_SECONDS - time.monotonic()) > 0:
            time.sleep(wait)
        found += [self._queue.get() for _ in range(min(self._queue.qsize(), MAX_BATCH - 1))]
        return [job for job in found if job is not None], not (self._closed and self._queue.empty())

    def _poll_changes(self, listener: ChangeListener) -> None:
        """Notice what other processes have written."""
        self._polled_at = time.monotonic()
        with contextlib.suppress(sqlite3.Error, RuntimeError):
            (others,) = self._writer.execute(SQL["others"]).fetchone()
            if others != self._data_version:
                self._data_version = others
                self._loop.call_soon_threadsafe(listener, None)

    def _write_batch(self, batch: list[WriteJob]) -> list[WriteOutcome]:
        """Write a batch in one transaction; nobody hears of success before it is on disk."""
        link = self._writer
        try:
            try:
                with transaction(link):
                    return self._write_together(batch)
            except BatchConflict:
                with transaction(link):
                    return [(future, self._write_alone(work)) for future, work in batch]
        except sqlite3.Error as error:
            complaint = translate_error(error, self.path)
            return [(future, complaint) for future, _ in batch]
        except Exception as error:  # noqa: BLE001 - whoever waits must hear of it
            return [(future, error) for future, _ in batch]

    def _write_together(self, batch: list[WriteJob]) -> list[WriteOutcome]:
        """Write all plain appends in a few statements, anything else by itself."""
        outcomes: list[WriteOutcome] = []
        moves: dict[str, tuple[str, int, int, float, int]] = {}
        events: list[EventValues] = []
        for future, work in batch:
            if not callable(work) and len(work) == 1 and type(append := work[0]) is AppendEvents:
                game, after = append.game_id, append.after
                _, start, now, _, closed = moves.get(game, (game, after, after, 0.0, 0))
                if now != after or closed:
                    raise BatchConflict
                moves[game] = (game, start, after + len(append.links), append.at, int(append.closes_game))
                events += build_event_rows(append)
                outcomes.append((future, None))
            else:
                outcomes.append((future, self._write_alone(work)))
        try:
            events.sort(key=lambda row: row[:2])
            if self._execute_rows(UPDATE_HEADS, sorted(moves.values())) != len(moves):
                raise BatchConflict
            self._execute_rows(INSERT_EVENTS, events)
        except sqlite3.OperationalError:
            raise
        except (sqlite3.Error, ValueError, TypeError, OverflowError):
            raise BatchConflict from None
        return outcomes

    def _execute_rows(self, statements: Iterable[tuple[int, str]], table: Sequence[tuple[object, ...]]) -> int:
        """Write rows, many with each statement, and count what changed."""
        at = changed = 0
        for stride, statement in statements:
            while at + stride <= len(table):
                values = [value for row in table[at : at + stride] for value in row]
                changed += self._writer.execute(statement, values).rowcount
                at += stride
        return changed

    def _write_alone(self, work: WriteWork) -> Exception | None:
        """Carry out one job so that its failure leaves no trace."""
        link = self._writer
        link.execute(SQL["save"])
        try:
            if callable(work):
                work(link)
            else:
                self._execute_writes(work)
        except sqlite3.OperationalError:
            raise
        except Exception as error:  # noqa: BLE001 - only this job fails
            link.execute(SQL["undo"])
            link.execute(SQL["keep"])
            if isinstance(error, sqlite3.IntegrityError | WriteConflict) and not callable(work):
                return self._explain_refusal(work)
            return error
        link.execute(SQL["keep"])
        return None

    def _execute_writes(self, writes: tuple[StoreWrite, ...]) -> None:
        for write in writes:
            for name, values, needed in plan_statements(write):
                if self._writer.execute(SQL[name], values).rowcount == 0 and needed:
                    raise WriteConflict

    def _explain_refusal(self, writes: tuple[StoreWrite, ...]) -> Exception:
        """Say why: a command that was carried out before, or somebody was faster."""
        for write in writes:
            keys = (write.game_id, write.command) if isinstance(write, AppendEvents) else None
            if keys and self._writer.execute(SQL["done"], keys).fetchone():
                return RepeatedCommand()
        return WriteConflict()

    # Reading.

    @staticmethod
    def _encode_list(items: Sequence[str]) -> str:
        return json.dumps(list(items))

    @staticmethod
    def _decode_list(value: str) -> tuple[str, ...]:
        return tuple(json.loads(value))

    async def _read(self, name: str, *values: object) -> list[Any]:
        try:
            return await self._loop.run_in_executor(self._read_pool, self._fetch, name, values)
        except sqlite3.Error as error:
            raise translate_error(error, self.path) from None

    def _fetch(self, name: str, values: tuple[object, ...]) -> list[Any]:
        return self._reader.execute(SQL[name], values).fetchall()

    # Everything at once.

    async def dump_rows(self, chunk: int = 1000) -> AsyncIterator[tuple[str, list[Any]]]:
        """Give all rows of all tables as they stood at one moment, while others write on."""
        link = connect(self.path)
        try:
            await asyncio.to_thread(link.execute, SQL["begin"])
            for table in TABLES:
                cursor = await asyncio.to_thread(link.execute, SQL[f"all_{table}"])
                while found := await asyncio.to_thread(cursor.fetchmany, chunk):
                    yield table, found
        except sqlite3.Error as error:
            raise translate_error(error, self.path) from None
        finally:
            link.close()

    async def restore_rows(self, chunks: Iterable[tuple[str, list[Any]]]) -> bool:
        """Write all rows into an empty database, all or none; an answer of no says that it is not empty."""
        return await asyncio.to_thread(self._restore_rows, chunks)

    def _restore_rows(self, chunks: Iterable[tuple[str, list[Any]]]) -> bool:
        link = connect(self.path)
        try:
            with transaction(link):
                if link.execute(SQL["anything"]).fetchone():
                    return False
                for table, found in chunks:
                    link.executemany(SQL[f"add_{table}"], found)
            return True
        except sqlite3.Error as error:
            raise translate_error(error, self.path) from None
        finally:
            link.close()

    # Coming and going.

    def subscribe(self, listener: ChangeListener) -> None:
        """Tell about what other processes write."""
        self._listener = listener
        self._queue.put(None)

    async def close(self) -> None:
        """Finish what is being written, and let go."""
        if not self._closed:
            self._closed = True
            self._flush()
            self._queue.put(None)
            await asyncio.to_thread(self._thread.join)
            self._read_pool.shutdown()
            self._reader.close()
            self._writer.close()


def resolve_futures(outcomes: list[WriteOutcome]) -> None:
    """Answer everybody of a batch who still waits."""
    for future, error in outcomes:
        if not future.done():
            if error is None:
                future.set_result(None)
            else:
                future.set_exception(error)
