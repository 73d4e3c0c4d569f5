"""Connections to one SQLite file: opened durably, migrated, and their errors in our words."""

import contextlib
import logging
import os
import shutil
import sqlite3
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from knobel.atomic_write import PRIVATE_MODE, sync_folder
from knobel.errors import (
    DatabaseError,
    DatabaseForeign,
    DatabaseFull,
    DatabaseInUse,
    DatabaseIoFailed,
    DatabaseUnreachable,
)
from knobel.store.room_upgrade import UPGRADES
from knobel.store.schema import is_empty, list_pending_migrations, load_queries, read_version, schema_version

DIALECT = "sqlite"
SQL = load_queries(DIALECT)
BUSY_SECONDS = 10.0
RETRY_SECONDS = 0.02
KEPT_STATEMENTS = 256
"""How many statements stay prepared: more than there are, those for each number of rows included."""
SPARE_BYTES = 1024 * 1024
SAFE_VERSION = (3, 51, 3)
"""From here on SQLite no longer has the fault that damages a file when two processes reset its log at once."""
LOG = logging.getLogger("knobel")


def connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=KEPT_STATEMENTS
    )
    try:
        for name in ("busy_timeout", "synchronous", "secure_delete", "cache_size", "wal_autocheckpoint"):
            connection.execute(SQL[name])
    except BaseException:
        connection.close()
        raise
    return connection


def translate_error(error: sqlite3.Error, path: Path) -> DatabaseError:
    code = error_code(error)
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and is_out_of_space(path)):
        return DatabaseFull(value=str(path))
    if code == sqlite3.SQLITE_IOERR:
        return DatabaseIoFailed(value=str(path), reason=" ".join(str(error).split()))
    if code == sqlite3.SQLITE_NOTADB:
        return DatabaseForeign(value=str(path))
    return DatabaseUnreachable(value=str(path), reason=" ".join(str(error).split()))


def is_out_of_space(path: Path) -> bool:
    """Tell whether a file may not grow: the disk is full, or a limit of the process is reached."""
    try:
        free = shutil.disk_usage(path.parent).free
        size = max(file.stat().st_size for file in (path, path.with_name(f"{path.name}-wal")) if file.exists())
    except (OSError, ValueError):
        return False
    if free < SPARE_BYTES:
        return True
    import resource

    limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    return limit != resource.RLIM_INFINITY and size + SPARE_BYTES > limit


def error_code(error: sqlite3.Error) -> int:
    """Give the primary result code of an error; the extended codes stand in the higher bits."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def open_database(path: Path) -> sqlite3.Connection:
    """Create the file if there is none, and migrate it; other processes may do so at the same time."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, PRIVATE_MODE))
    except OSError as error:
        raise DatabaseUnreachable(value=str(path), reason=error.strerror or type(error).__name__) from None
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            return open_migrated(path)
        except sqlite3.Error as error:
            if error_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise translate_error(error, path) from None
            time.sleep(RETRY_SECONDS)


def tighten_modes(path: Path) -> None:
    """Take a file of seeds and keys away from everybody but its owner, and say so."""
    for file in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        if file.exists() and stat.S_IMODE(file.stat().st_mode) & (stat.S_IRWXG | stat.S_IRWXO):
            file.chmod(PRIVATE_MODE)
            LOG.warning("%s could be read by others; only its owner may now", file)


class ProcessLock:
    """Keeps other processes from writing to the same file, as long as this one is alive.

    A newer SQLite needs none. The lock lies beside the file: whoever closes the file itself would lose SQLite's locks.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.with_name(f"{path.name}.lock")
        self.file: int | None = None
        if sqlite3.sqlite_version_info >= SAFE_VERSION:
            return
        try:
            self.file = os.open(self.path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, PRIVATE_MODE)
            if (pid := self.take(self.file)) is not None:
                raise DatabaseInUse(value=str(path), pid=pid, version=sqlite3.sqlite_version)
        except OSError as error:
            self.release()
            raise DatabaseUnreachable(value=str(self.path), reason=error.strerror or type(error).__name__) from None
        except DatabaseInUse:
            self.release()
            raise

    @staticmethod
    def take(file: int) -> str | None:
        """Take the lock and write our process into it; give the process that has it already."""
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return os.read(file, 20).decode("ascii", "replace").strip() or "?"
        os.truncate(file, 0)
        os.write(file, str(os.getpid()).encode())
        return None

    def release(self) -> None:
        if self.file is not None:
            os.close(self.file)
            self.file = None


def open_migrated(path: Path) -> sqlite3.Connection:
    """Open the file; change nothing in it before it is known to be ours."""
    connection = connect(path)
    try:
        # A commit writes whole pages, and changes only a few rows in each. Files that exist keep the size they have.
        connection.execute(SQL["page_size"])
        is_empty(list_tables(connection), str(path))
        tighten_modes(path)
        connection.execute(SQL["journal_mode"])
        with transaction(connection):
            migrate(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def list_tables(connection: sqlite3.Connection) -> Iterator[str]:
    return (name for (name,) in connection.execute(SQL["list_tables"]).fetchall() if not name.startswith("sqlite_"))


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Apply the missing migrations, inside a transaction; a file that is in use already is copied first."""
    empty = is_empty(list_tables(connection), str(path))
    version = 0 if empty else read_version(connection.execute(SQL["select_version"]).fetchone(), str(path))
    pending = list_pending_migrations(DIALECT, version, str(path))
    if not pending:
        return
    if not empty:
        copy_aside(path, schema_version(DIALECT))
    for number, statements in pending:
        for statement in statements:
            connection.execute(statement)
        if upgrade := UPGRADES.get(number):
            for name, values, _ in upgrade(connection.execute(SQL["rooms_to_upgrade"]).fetchall()):
                connection.execute(SQL[name], values)
    connection.execute(SQL["clear_version"])
    connection.execute(SQL["insert_version"], (schema_version(DIALECT),))


def copy_aside(path: Path, version: int) -> None:
    """Copy the file as it was before a migration, complete or not at all; the caller keeps all writers out."""
    target = path.with_name(f"{path.name}.before-{version}")
    unfinished = path.with_name(f".{target.name}.{os.getpid()}")
    try:
        os.close(os.open(unfinished, os.O_CREAT | os.O_TRUNC | os.O_RDWR | os.O_CLOEXEC, PRIVATE_MODE))
        with contextlib.closing(connect(path)) as source, contextlib.closing(sqlite3.connect(unfinished)) as copy:
            source.backup(copy)
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        unfinished.replace(target)
        sync_folder(path.parent)
    except OSError as error:
        raise DatabaseUnreachable(value=str(target), reason=error.strerror or type(error).__name__) from None
    finally:
        unfinished.unlink(missing_ok=True)


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit everything done inside, or nothing."""
    connection.execute(SQL["begin_immediate"])
    try:
        yield
        connection.execute(SQL["commit"])
    except BaseException:
        if connection.in_transaction:
            connection.execute(SQL["rollback"])
        raise
