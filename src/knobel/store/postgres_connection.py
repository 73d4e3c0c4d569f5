"""Connections to PostgreSQL: opened, migrated, pooled, and their errors in our words."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from knobel.errors import DatabaseError, DatabaseForeign, DatabaseFull, DatabaseUnreachable
from knobel.store.room_upgrade import UPGRADES
from knobel.store.schema import is_empty, list_pending_migrations, load_queries, read_version, schema_version

if TYPE_CHECKING:
    from psycopg import AsyncConnection

DIALECT = "postgres"
SQL = load_queries(DIALECT)
MAX_CONNECTIONS = 6
WAIT_SECONDS = 10.0
"""How long a caller waits for a connection before the database counts as unreachable."""
RETRIES = 3
"""How often work is done again whose connection was cut."""
KEEPALIVE = {"connect_timeout": "5", "keepalives_idle": "5", "keepalives_interval": "2", "keepalives_count": "2"}

DURABLE = "-c synchronous_commit=on"
"""A commit is on disk when it returns, whatever the server, the database or the role is set to."""

T = TypeVar("T")
PgConnection: TypeAlias = "AsyncConnection[tuple[Any, ...]]"


def hide_password(address: str) -> str:
    address = re.sub(r"//([^:/@]*):.*@", r"//\1@", address)
    return re.sub(r"([?&]\w*password=)[^&]*", r"\1…", address)


def translate_error(error: Exception, value: str) -> DatabaseError:
    import psycopg

    if isinstance(error, psycopg.errors.DiskFull):
        return DatabaseFull(value=value)
    return DatabaseUnreachable(value=value, reason=" ".join(str(error).split()) or type(error).__name__)


def add_keepalive(address: str) -> str:
    """Let connections notice when the other side is gone, unless the address says how; and let commits be durable."""
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    given = conninfo_to_dict(address)
    options = f"{given.get('options') or ''} {DURABLE}".strip()
    alive = {name: value for name, value in KEEPALIVE.items() if name not in given}
    return make_conninfo(address, **alive, options=options)


async def connect(address: str) -> PgConnection:
    """Open a connection outside the pool."""
    import psycopg

    try:
        return await psycopg.AsyncConnection.connect(add_keepalive(address), autocommit=True)
    except (psycopg.Error, OSError, UnicodeError) as error:
        raise translate_error(error, hide_password(address)) from None


async def migrate(connection: PgConnection, value: str) -> None:
    """Apply the missing migrations in one transaction, one process at a time."""
    import psycopg

    try:
        async with connection.transaction():
            await connection.execute(SQL["migration_lock"])
            tables = [name for (name,) in await (await connection.execute(SQL["list_tables"])).fetchall()]
            version = 0
            if not is_empty(tables, value):
                found = await (await connection.execute(SQL["select_version"])).fetchone()
                version = read_version(found, value)
            pending = list_pending_migrations(DIALECT, version, value)
            for number, statements in pending:
                for statement in statements:
                    await connection.execute(statement.encode())
                if upgrade := UPGRADES.get(number):
                    rooms = await (await connection.execute(SQL["rooms_to_upgrade"])).fetchall()
                    for name, values, _ in upgrade(rooms):
                        await connection.execute(SQL[name], values)
            if pending:
                await connection.execute(SQL["clear_version"])
                await connection.execute(SQL["insert_version"], (schema_version(DIALECT),))
    except (psycopg.ProgrammingError, psycopg.DataError):
        raise DatabaseForeign(value=value) from None
    except psycopg.Error as error:
        raise translate_error(error, value) from None


class PostgresPool:
    """A bounded pool that runs work on a connection, and again if that connection turns out to be broken."""

    def __init__(self, address: str) -> None:
        from psycopg_pool import AsyncConnectionPool

        self.display_address = hide_password(address)
        self._active, self._idle = 0, asyncio.Event()
        self._idle.set()
        self._pool: AsyncConnectionPool[PgConnection] = AsyncConnectionPool(
            add_keepalive(address),
            kwargs={"autocommit": True},
            min_size=1,
            max_size=MAX_CONNECTIONS,
            open=False,
            timeout=WAIT_SECONDS,
            # Pauses between attempts double: after a long absence the database would not be noticed for minutes.
            reconnect_timeout=WAIT_SECONDS,
        )

    async def open(self) -> None:
        await self._pool.open()

    async def close(self) -> None:
        """Close once everything that was begun is done."""
        await self._idle.wait()
        await self._pool.close()

    async def run(self, work: Callable[[PgConnection], Awaitable[T]]) -> T:
        if self._pool.closed:
            raise RuntimeError(self.display_address)
        self._active += 1
        self._idle.clear()
        try:
            return await self._run(work)
        finally:
            self._active -= 1
            if not self._active:
                self._idle.set()

    async def _run(self, work: Callable[[PgConnection], Awaitable[T]]) -> T:
        import psycopg

        try:
            for _ in range(RETRIES):
                async with self._pool.connection() as connection:
                    try:
                        return await work(connection)
                    except psycopg.OperationalError as error:
                        if isinstance(error, psycopg.errors.TransactionRollback):
                            return await work(connection)
                        if not connection.closed:
                            raise
                # What cut this connection has likely cut the idle ones, too, and perhaps one that was being opened.
                await self._pool.drain()
            async with self._pool.connection() as connection:
                return await work(connection)
        except psycopg.OperationalError as error:
            raise translate_error(error, self.display_address) from None
