"""Everything a database holds as one file, whatever the database: packed JSON lines, and behind them their digest."""

import asyncio
import hashlib
import io
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from knobel.errors import (
    BackupBroken,
    BackupFormat,
    DatabaseUsed,
    FileKind,
    FileMissing,
    FileUnreadable,
)
from knobel.rules.fields import shown
from knobel.store.address import AnyStore
from knobel.store.postgres import PostgresStore
from knobel.store.schema import TABLES
from knobel.whole import ONESELF, whole

MAGIC = "knobel-backup"
FORMAT = 1
CHUNK = 1000
PIECE = 64 * 1024
GZIP = 31
"""What zlib calls a stream with the header and the checksum of gzip."""
END = len('{"sha256":""}') + 64 + 1
"""The digest stands behind the packed bytes as a line of its own, so that no bit of them can change unnoticed."""


async def backup(store: AnyStore, path: Path) -> None:
    """Write everything as it stands at this moment into one file that is whole or not there at all."""
    digest, packer = hashlib.sha256(), zlib.compressobj(6, zlib.DEFLATED, GZIP)
    with whole(path, ONESELF) as file:

        def add(packed: bytes) -> None:
            digest.update(packed)
            file.write(packed)

        def pack(table: str, rows: list[Any]) -> None:
            add(packer.compress(b"".join(line([table, *row]) for row in rows)))

        add(packer.compress(line({MAGIC: FORMAT, "tables": TABLES})))
        async for table, rows in store.whole(CHUNK):
            await asyncio.to_thread(pack, table, rows)
        add(packer.flush())
        file.write(line({"sha256": digest.hexdigest()}))


def line(content: object) -> bytes:
    """Write one line."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


async def restore(path: Path, store: AnyStore) -> None:
    """Fill an empty database from a backup, all or nothing; every byte is checked before the first is used."""
    with _open(path) as file:
        await asyncio.to_thread(verify, file, path)
        file.seek(0)
        if not await store.fill(chunks(file, path)):
            value = store.value if isinstance(store, PostgresStore) else str(store.path)
            raise DatabaseUsed(value=value)


def _open(path: Path) -> io.BufferedReader:
    """Open a backup once, so that what is checked is what is read."""
    try:
        if path.exists() and not path.is_file():
            raise FileKind(file=shown(path.name))
        return path.open("rb")
    except FileNotFoundError:
        raise FileMissing(file=shown(path.name)) from None
    except OSError as error:
        raise FileUnreadable(file=shown(path.name), reason=shown(error.strerror)) from None


def verify(file: io.BufferedReader, path: Path) -> None:
    """Check that a backup is whole, unchanged, and of a format we know."""
    digest, last = hashlib.sha256(), b""
    while piece := file.read(PIECE):
        digest.update((last + piece)[:-END])
        last = (last + piece)[-END:]
    if last != line({"sha256": digest.hexdigest()}):
        raise BackupBroken(file=shown(path.name))
    file.seek(0)
    try:
        head = json.loads(next(lines(file, path), b""))
        version = head[MAGIC]
    except (ValueError, RecursionError, TypeError, KeyError):
        raise BackupBroken(file=shown(path.name)) from None
    if head != {MAGIC: FORMAT, "tables": {table: list(columns) for table, columns in TABLES.items()}}:
        raise BackupFormat(file=shown(path.name), version=shown(version), known=FORMAT)
    file.seek(0)
    for table, rows in chunks(file, path):
        if table not in TABLES or any(len(row) != len(TABLES[table]) for row in rows):
            raise BackupBroken(file=shown(path.name))


def lines(file: io.BufferedReader, path: Path) -> Iterator[bytes]:
    """Unpack a backup line by line."""
    unpacker, rest = zlib.decompressobj(GZIP), b""
    try:
        while not unpacker.eof and (piece := file.read(PIECE)):
            *whole, rest = (rest + unpacker.decompress(piece)).split(b"\n")
            yield from whole
    except zlib.error:
        raise BackupBroken(file=shown(path.name)) from None
    except OSError as error:
        raise FileUnreadable(file=shown(path.name), reason=shown(error.strerror)) from None
    if rest or not unpacker.eof:
        raise BackupBroken(file=shown(path.name))


def chunks(file: io.BufferedReader, path: Path) -> Iterator[tuple[str, list[Any]]]:
    """Give the rows of a backup, many of one table at a time."""
    table = ""
    rows: list[Any] = []
    for content in lines(file, path):
        entry = json.loads(content)
        if not isinstance(entry, list):
            continue
        if rows and (entry[0] != table or len(rows) == CHUNK):
            yield table, rows
            rows = []
        table = entry[0]
        rows.append(entry[1:])
    if rows:
        yield table, rows
