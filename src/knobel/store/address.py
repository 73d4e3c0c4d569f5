"""Open a store by its address."""

from pathlib import Path
from typing import TypeAlias

from knobel.errors import DatabaseAddressUnknown
from knobel.store.postgres import PostgresStore
from knobel.store.postgres_connection import hide_password
from knobel.store.sqlite import SqliteStore

AnyStore: TypeAlias = SqliteStore | PostgresStore

SQLITE_PREFIX = "sqlite:///"
POSTGRES_PREFIXES = ("postgresql://", "postgres://")


def is_sqlite(address: str | None) -> bool:
    """Tell whether an address names a file of SQLite, as none does."""
    return address is None or address.startswith(SQLITE_PREFIX)


async def open_store(address: str | None, default: Path, *, exclusive: bool = False) -> AnyStore:
    """Open the database at an address, or the default file; `exclusive` is for whoever plays in it."""
    if address is None:
        return await SqliteStore.open(default, exclusive=exclusive)
    if address.startswith(POSTGRES_PREFIXES):
        return await PostgresStore.open(address)
    path = address.removeprefix(SQLITE_PREFIX)
    if path == address or not path or path.endswith("/") or ":memory:" in path or "\0" in path:
        raise DatabaseAddressUnknown(value=hide_password(address))
    return await SqliteStore.open(Path(path), exclusive=exclusive)
