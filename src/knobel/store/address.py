"""From an address to a store."""

from pathlib import Path
from typing import TypeAlias

from knobel.errors import DatabaseUnknown
from knobel.store.postgres import PostgresStore, public
from knobel.store.sqlite import SqliteStore

AnyStore: TypeAlias = SqliteStore | PostgresStore

FILE = "sqlite:///"
SERVERS = ("postgresql://", "postgres://")


async def open_store(address: str | None, default: Path) -> AnyStore:
    """Open the database at an address, or the file at home."""
    if address is None:
        return await SqliteStore.open(default)
    if address.startswith(SERVERS):
        return await PostgresStore.open(address)
    path = address.removeprefix(FILE)
    if path == address or not path or path.endswith("/") or ":memory:" in path or "\0" in path:
        raise DatabaseUnknown(value=public(address))
    return await SqliteStore.open(Path(path))
