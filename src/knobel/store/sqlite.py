"""SQLite: one file, one thread that writes many commits at once, one that reads."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from knobel.store import ChangeListener, CommitListener, DuplicateRow, MessageListener, StoreWrite
from knobel.store.reader import StoreReader
from knobel.store.schema import TABLES
from knobel.store.sqlite_connection import SQL, ProcessLock, connect, open_database, transaction, translate_error
from knobel.store.sqlite_writer import SqliteWriter
from knobel.store.statements import check_writes


class SqliteSnapshot:
    """All rows of a file at once, for backups."""

    def __init__(self, path: Path) -> None:
        self.path = path

    async def dump_rows(self, chunk: int = 1000) -> AsyncIterator[tuple[str, list[Any]]]:
        """Give all rows of all tables as they stood at one moment, while others write on."""
        connection = connect(self.path)
        try:
            await asyncio.to_thread(connection.execute, SQL["begin"])
            for table in TABLES:
                cursor = await asyncio.to_thread(connection.execute, SQL[f"select_all_{table}"])
                while found := await asyncio.to_thread(cursor.fetchmany, chunk):
                    yield table, found
        except sqlite3.Error as error:
            raise translate_error(error, self.path) from None
        finally:
            connection.close()

    async def restore_rows(self, chunks: Iterable[tuple[str, list[Any]]]) -> bool:
        """Write all rows into an empty database, all or none; False says that it is not empty."""
        return await asyncio.to_thread(self._restore_rows, chunks)

    def _restore_rows(self, chunks: Iterable[tuple[str, list[Any]]]) -> bool:
        connection = connect(self.path)
        try:
            with transaction(connection):
                if connection.execute(SQL["has_rows"]).fetchone():
                    return False
                for table, found in chunks:
                    connection.executemany(SQL[f"restore_{table}"], found)
            return True
        except (sqlite3.IntegrityError, sqlite3.DataError, sqlite3.ProgrammingError, OverflowError):
            raise DuplicateRow from None
        except sqlite3.Error as error:
            raise translate_error(error, self.path) from None
        finally:
            connection.close()


class SqliteStore(StoreReader):
    """Rooms and games in one SQLite file."""

    def __init__(
        self, path: Path, writer: SqliteWriter, reader: sqlite3.Connection, lock: ProcessLock | None = None
    ) -> None:
        self.path, self.writer = path, writer
        self.on_commit: CommitListener = lambda _: None
        self.writer.on_commit = lambda size: self.on_commit(size)  # noqa: PLW0108 - it is set later
        self._lock = lock
        self.display_address = str(path)
        self.snapshot = SqliteSnapshot(path)
        self._reader = reader
        self._read_pool = ThreadPoolExecutor(1, thread_name_prefix="knobel-read")
        self._closed = False

    @classmethod
    async def open(cls, path: Path, *, exclusive: bool = False) -> "SqliteStore":
        """Open a file; whoever plays in it opens it exclusively, unless SQLite is safe with several processes."""
        connection = await asyncio.to_thread(open_database, path)
        try:
            lock = ProcessLock(path) if exclusive else None
        except BaseException:
            connection.close()
            raise
        return cls(path, SqliteWriter(path, connection), connect(path), lock)

    async def commit(self, *writes: StoreWrite) -> None:
        """Make all writes durable together or none of them; raises `WriteConflict` or `RepeatedCommand`."""
        check_writes(writes)
        await self.writer.enqueue(writes)

    @staticmethod
    def _encode_list(items: Sequence[str]) -> str:
        return json.dumps(list(items))

    @staticmethod
    def _decode_list(value: str) -> tuple[str, ...]:
        return tuple(json.loads(value))

    async def _read(self, name: str, *values: object) -> list[Any]:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(
                self._read_pool, lambda: self._reader.execute(SQL[name], values).fetchall()
            )
        except sqlite3.Error as error:
            raise translate_error(error, self.path) from None

    @property
    def is_shared(self) -> bool:
        """Whether several processes may use it at once."""
        return False

    async def list_risks(self) -> Sequence[str]:
        """List what lets it lose what it has acknowledged: nothing, every connection is opened durably."""
        return ()

    async def list_faults(self) -> Sequence[str]:
        """List what SQLite itself finds wrong with the file."""
        return [str(fault) for (fault,) in await self._read("integrity_check") if fault != "ok"]

    async def publish(self, room_id: str, message: str) -> None:
        """Send nothing: there is no other process."""

    def subscribe_messages(self, listener: MessageListener) -> None:
        """Hear nothing: there is no other process."""

    def subscribe(self, listener: ChangeListener) -> None:
        """Call the listener when another process has written."""
        self.writer.subscribe(listener)

    async def erase_traces(self) -> None:
        """Move everything out of the log, which still holds what was deleted, and empty it."""
        await self._read("empty_log")

    async def close(self) -> None:
        """Finish what is being written, and let go."""
        if not self._closed:
            self._closed = True
            await self.writer.close()
            self._read_pool.shutdown()
            self._reader.close()
            if self._lock:
                self._lock.release()
