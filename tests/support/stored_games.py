"""Games that are kept in a database, for the tests: read as anybody would get them, as records."""

import asyncio
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from knobel.host.archive import default_database_path, export_record
from knobel.record.events import Record
from knobel.record.file import parse_record
from knobel.store import StoredGame
from knobel.store.sqlite import SqliteStore


def read_records(path: Path | None = None) -> list[Record]:
    """Give the records of all games, the one touched last first."""
    return [parse_record(content, game) for game, content in read_record_files(path).items()]


def read_record_files(path: Path | None = None) -> dict[str, bytes]:
    """Give the records of all games as bytes, by name, the one touched last first."""
    place = path or default_database_path()
    return asyncio.run(_read_record_files(place)) if place.exists() else {}


async def _read_record_files(path: Path) -> dict[str, bytes]:
    store = await SqliteStore.open(path)
    try:
        return {game.id: await export_record(store, game.id) for game in await store.list_games()}
    finally:
        await store.close()


def read_games(path: Path | None = None) -> Sequence[StoredGame]:
    """List all games, the one touched last first."""
    place = path or default_database_path()
    return asyncio.run(_read_games(place)) if place.exists() else ()


async def _read_games(path: Path) -> Sequence[StoredGame]:
    store = await SqliteStore.open(path)
    try:
        return await store.list_games()
    finally:
        await store.close()


def dump_tables(path: Path | None = None) -> dict[str, list[tuple[object, ...]]]:
    """Give everything that stands in a database, by table."""
    with sqlite3.connect(path or default_database_path()) as link:
        names = [name for (name,) in link.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        found = {name: sorted(link.execute(f"SELECT * FROM {name}").fetchall(), key=repr) for name in names}  # noqa: S608
    link.close()
    return found
