"""The writing side of SQLite: a thread that takes commits from a queue and writes many in one transaction."""

import asyncio
import contextlib
import sqlite3
import threading
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TypeAlias

from knobel.errors import DatabaseGone
from knobel.store import (
    AppendEvents,
    ChangeListener,
    CommitListener,
    RememberCommand,
    RepeatedCommand,
    StoreWrite,
    WriteConflict,
)
from knobel.store.sqlite_connection import LOG, SQL, transaction, translate_error
from knobel.store.sqlite_files import FileWatch
from knobel.store.statements import EventValues, build_event_rows, plan_statements

MAX_BATCH = 512
"""From so many commits on, no more are gathered for one transaction."""
POLL_SECONDS = 1.0
BATCH_SECONDS = 0.004
"""The least time between two commits while several callers wait; a caller who is alone never waits for others."""
MAX_ROWS = 64
"""How many rows one statement writes at most: few statements, because each of them releases the interpreter."""
ROW_HOLES = {"update_heads": "(?, ?, ?, ?, ?, ?)", "insert_events": "(?, ?, ?, ?, ?, ?, ?, ?)"}
"""Where the values of one row stand in a statement that writes many."""

Writes: TypeAlias = tuple[StoreWrite, ...]
WriteJob: TypeAlias = tuple[asyncio.Future[None], Writes]
WriteOutcome: TypeAlias = tuple[asyncio.Future[None], Exception | None]


@cache
def write_statement(name: str, rows: int) -> str:
    """Give a statement that writes so many rows at once."""
    holes = ROW_HOLES[name]
    return SQL[name].replace(holes, ", ".join([holes] * rows))


class BatchConflict(Exception):
    """Something in a batch is refused: each commit must be tried alone."""


class SqliteBatch:
    """The commits of one transaction."""

    def __init__(self, connection: sqlite3.Connection, path: Path, jobs: list[WriteJob]) -> None:
        self.connection, self.path, self.jobs = connection, path, jobs

    def write(self) -> list[WriteOutcome]:
        """Write all jobs in one transaction, and say what became of each once it is on disk."""
        try:
            try:
                with transaction(self.connection):
                    return self.write_together()
            except BatchConflict:
                with transaction(self.connection):
                    return [(future, self.write_alone(writes)) for future, writes in self.jobs]
        except sqlite3.Error as error:
            complaint = translate_error(error, self.path)
            return [(future, complaint) for future, _ in self.jobs]
        except Exception as error:  # noqa: BLE001 - whoever waits must hear of it
            return [(future, error) for future, _ in self.jobs]

    def write_together(self) -> list[WriteOutcome]:
        """Write all plain appends in a few statements, anything else by itself."""
        outcomes: list[WriteOutcome] = []
        updates: dict[str, tuple[str, int, int, float, int, str | None]] = {}
        events: list[EventValues] = []
        for future, writes in self.jobs:
            if len(writes) == 1 and type(append := writes[0]) is AppendEvents:
                game, after = append.game_id, append.after
                _, start, now, _, closed, _ = updates.get(game, (game, after, after, 0.0, 0, None))
                if now != after or closed:
                    raise BatchConflict
                last, closes = after + len(append.links), int(append.closes_game)
                updates[game] = (game, start, last, append.at, closes, append.head)
                events += build_event_rows(append)
                outcomes.append((future, None))
            else:
                outcomes.append((future, self.write_alone(writes)))
        try:
            events.sort(key=lambda row: row[:2])
            if self.execute_rows("update_heads", [updates[game] for game in sorted(updates)]) != len(updates):
                raise BatchConflict
            self.execute_rows("insert_events", events)
        except sqlite3.OperationalError:
            raise
        except (sqlite3.Error, ValueError, TypeError, OverflowError):
            raise BatchConflict from None
        return outcomes

    def execute_rows(self, name: str, rows: Sequence[tuple[object, ...]]) -> int:
        """Write rows, many with each statement, and count what changed."""
        changed = 0
        for start in range(0, len(rows), MAX_ROWS):
            some = rows[start : start + MAX_ROWS]
            values = [value for row in some for value in row]
            changed += self.connection.execute(write_statement(name, len(some)), values).rowcount
        return changed

    def write_alone(self, writes: Writes) -> Exception | None:
        """Carry out one job so that its failure leaves no trace."""
        self.connection.execute(SQL["savepoint"])
        try:
            self.execute_writes(writes)
        except sqlite3.OperationalError:
            raise
        except Exception as error:  # noqa: BLE001 - only this job fails
            self.connection.execute(SQL["rollback_to"])
            self.connection.execute(SQL["release"])
            is_conflict = isinstance(error, sqlite3.IntegrityError | WriteConflict)
            return self.explain_refusal(writes) if is_conflict else error
        self.connection.execute(SQL["release"])
        return None

    def execute_writes(self, writes: Writes) -> None:
        for write in writes:
            for name, values, needed in plan_statements(write):
                if self.connection.execute(SQL[name], values).rowcount == 0 and needed:
                    raise WriteConflict

    def explain_refusal(self, writes: Writes) -> Exception:
        """Say why: the command was carried out before, or another writer was faster."""
        for write in writes:
            keys = (write.game_id, write.command) if isinstance(write, AppendEvents) else None
            if keys and self.connection.execute(SQL["find_command"], keys).fetchone():
                return RepeatedCommand()
            known = (write.room_id, write.command) if isinstance(write, RememberCommand) else None
            if known and self.connection.execute(SQL["find_room_command"], known).fetchone():
                return RepeatedCommand()
        return WriteConflict()


class SqliteWriter:
    """The thread that writes; between batches it looks whether another process has written."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path, self.connection = path, connection
        self._loop = asyncio.get_running_loop()
        self._buffer: list[WriteJob] = []
        self._queue: SimpleQueue[list[WriteJob]] = SimpleQueue()
        self._listener: ChangeListener | None = None
        self._data_version = connection.execute(SQL["data_version"]).fetchone()[0]
        self._polled_at = 0.0
        self._files = FileWatch(path)
        self._written_at, self._gathered = 0.0, 0
        self._closed = False
        self.on_commit: CommitListener = lambda _: None
        self._thread = threading.Thread(target=self._run, name="knobel-write", daemon=True)
        self._thread.start()

    def enqueue(self, writes: Writes) -> asyncio.Future[None]:
        """Queue a commit; the future is done when it is on disk."""
        if self._closed:
            raise RuntimeError(self.path)
        future = self._loop.create_future()
        if not self._buffer:
            self._loop.call_soon(self._flush)
        self._buffer.append((future, writes))
        return future

    def subscribe(self, listener: ChangeListener) -> None:
        self._listener = listener
        self._queue.put([])

    async def close(self) -> None:
        """Write what waits, then stop the thread."""
        self._closed = True
        self._flush()
        self._queue.put([])
        await asyncio.to_thread(self._thread.join)
        self._files.close()
        self.connection.close()

    def _flush(self) -> None:
        """Hand over everything queued in one turn of the loop, so that it is written together."""
        jobs, self._buffer = self._buffer, []
        self._queue.put(jobs)

    def _run(self) -> None:
        going = True
        while going:
            jobs, going = self._take_batch()
            self._check_file()
            if jobs:
                outcomes = self._write(jobs)
                self._written_at, self._gathered = time.monotonic(), len(jobs)
                with contextlib.suppress(RuntimeError):  # the loop is closed, so nobody waits any more
                    self._loop.call_soon_threadsafe(self._resolve, outcomes)
            if self._listener and time.monotonic() >= self._polled_at + POLL_SECONDS:
                self._poll_changes(self._listener)

    def _resolve(self, outcomes: list[WriteOutcome]) -> None:
        resolve_futures(outcomes)
        self.on_commit(len(outcomes))

    def _write(self, jobs: list[WriteJob]) -> list[WriteOutcome]:
        """Write jobs, and say that nothing is stored if the file was not there before or is not afterwards."""
        outcomes = [] if self._files.is_gone else SqliteBatch(self.connection, self.path, jobs).write()
        self._check_file()
        if self._files.is_gone:
            # What was written stands in a file nobody will find again.
            outcomes = [(future, DatabaseGone(value=str(self.path))) for future, _ in jobs]
        return outcomes

    def _check_file(self) -> None:
        """Notice when the file or its log is deleted, replaced or cut short, and say so once."""
        if not self._files.is_gone and self._files.look():
            LOG.error(
                "%s or its log was deleted, replaced or cut short; nothing is stored until the server is restarted",
                self.path,
            )

    def _take_batch(self) -> tuple[list[WriteJob], bool]:
        """Wait for jobs, and take what has gathered behind them; say whether to go on."""
        try:
            found = self._queue.get(timeout=POLL_SECONDS)
        except Empty:
            return [], True
        if self._gathered > 1 and (wait := self._written_at + BATCH_SECONDS - time.monotonic()) > 0:
            time.sleep(wait)
        while len(found) < MAX_BATCH and not self._queue.empty():
            found = found + self._queue.get()
        return found, not (self._closed and self._queue.empty())

    def _poll_changes(self, listener: ChangeListener) -> None:
        self._polled_at = time.monotonic()
        with contextlib.suppress(sqlite3.Error, RuntimeError):
            (version,) = self.connection.execute(SQL["data_version"]).fetchone()
            if version != self._data_version:
                self._data_version = version
                self._loop.call_soon_threadsafe(listener, None)


def resolve_futures(outcomes: list[WriteOutcome]) -> None:
    """Answer everybody of a batch who still waits."""
    for future, error in outcomes:
        if not future.done():
            if error is None:
                future.set_result(None)
            else:
                future.set_exception(error)
