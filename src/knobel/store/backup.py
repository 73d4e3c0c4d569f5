"""A whole database as one file, whatever the database: compressed JSON lines, and behind them their digest."""

import asyncio
import hashlib
import io
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from knobel.atomic_write import PRIVATE_MODE, write_atomically
from knobel.errors import (
    BackupBroken,
    BackupFormatUnknown,
    DatabaseNotEmpty,
    FileMissing,
    FileUnreadable,
    NotRegularFile,
)
from knobel.rules.fields import abbreviate
from knobel.store.address import AnyStore
from knobel.store.room_upgrade import upgrade_backup
from knobel.store.schema import TABLES

MAGIC = "knobel-backup"
FORMAT = 2
OLD_TABLES = {
    "rooms": ("room", "version", "body", "code", "touched"),
    "games": ("game", "room", "header", "seed", "opened"),
    "heads": ("game", "count", "touched", "closed"),
    "names": ("game", "seat", "name"),
    "events": ("game", "seq", "command", "asked", "ends", "previous", "body", "at"),
}
KNOWN_TABLES = {1: OLD_TABLES, FORMAT: TABLES}
CHUNK_ROWS = 1000
READ_BYTES = 64 * 1024
GZIP_WINDOW_BITS = 31
"""What zlib calls a stream with the header and the checksum of gzip."""
TRAILER_BYTES = len('{"sha256":""}') + 64 + 1
"""The digest stands behind the packed bytes as a line of its own, so that no bit of them can change unnoticed."""


async def write_backup(store: AnyStore, path: Path) -> None:
    """Write everything as it stands at this moment into one file that is complete or not there at all."""
    digest, packer = hashlib.sha256(), zlib.compressobj(6, zlib.DEFLATED, GZIP_WINDOW_BITS)
    with write_atomically(path, PRIVATE_MODE) as file:

        def add(packed: bytes) -> None:
            digest.update(packed)
            file.write(packed)

        def pack(table: str, rows: list[Any]) -> None:
            add(packer.compress(b"".join(encode_line([table, *row]) for row in rows)))

        add(packer.compress(encode_line({MAGIC: FORMAT, "tables": TABLES})))
        async for table, rows in store.snapshot.dump_rows(CHUNK_ROWS):
            await asyncio.to_thread(pack, table, rows)
        add(packer.flush())
        file.write(encode_line({"sha256": digest.hexdigest()}))


def encode_line(content: object) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


async def restore_backup(path: Path, store: AnyStore) -> None:
    """Fill an empty database from a backup, all or nothing; every byte is checked before the first is used."""
    with open_backup(path) as file:
        version = await asyncio.to_thread(verify_backup, file, path)
        file.seek(0)
        chunks = read_chunks(file, path)
        if not await store.snapshot.restore_rows(chunks if version == FORMAT else upgrade_backup(chunks)):
            raise DatabaseNotEmpty(value=store.display_address)


def open_backup(path: Path) -> io.BufferedReader:
    """Open a backup once, so that what is checked is what is read."""
    try:
        if path.exists() and not path.is_file():
            raise NotRegularFile(file=abbreviate(path.name))
        return path.open("rb")
    except FileNotFoundError:
        raise FileMissing(file=abbreviate(path.name)) from None
    except OSError as error:
        raise FileUnreadable(file=abbreviate(path.name), reason=abbreviate(error.strerror)) from None


def verify_backup(file: io.BufferedReader, path: Path) -> int:
    """Check that a backup is complete, unchanged, and of a format we know; give the format."""
    digest, last = hashlib.sha256(), b""
    while piece := file.read(READ_BYTES):
        digest.update((last + piece)[:-TRAILER_BYTES])
        last = (last + piece)[-TRAILER_BYTES:]
    if last != encode_line({"sha256": digest.hexdigest()}):
        raise BackupBroken(file=abbreviate(path.name))
    file.seek(0)
    try:
        head = json.loads(next(unpack_lines(file, path), b""))
        version = head[MAGIC]
    except (ValueError, RecursionError, TypeError, KeyError):
        raise BackupBroken(file=abbreviate(path.name)) from None
    tables = KNOWN_TABLES.get(version, {}) if type(version) is int else {}
    if not tables or head != {MAGIC: version, "tables": {table: list(columns) for table, columns in tables.items()}}:
        raise BackupFormatUnknown(file=abbreviate(path.name), version=abbreviate(version), known=FORMAT)
    file.seek(0)
    for table, rows in read_chunks(file, path):
        if table not in tables or any(len(row) != len(tables[table]) for row in rows):
            raise BackupBroken(file=abbreviate(path.name))
    return int(version)


def unpack_lines(file: io.BufferedReader, path: Path) -> Iterator[bytes]:
    unpacker, rest = zlib.decompressobj(GZIP_WINDOW_BITS), b""
    try:
        while not unpacker.eof and (piece := file.read(READ_BYTES)):
            *lines, rest = (rest + unpacker.decompress(piece)).split(b"\n")
            yield from lines
    except zlib.error:
        raise BackupBroken(file=abbreviate(path.name)) from None
    except OSError as error:
        raise FileUnreadable(file=abbreviate(path.name), reason=abbreviate(error.strerror)) from None
    if rest or not unpacker.eof:
        raise BackupBroken(file=abbreviate(path.name))


def read_chunks(file: io.BufferedReader, path: Path) -> Iterator[tuple[str, list[Any]]]:
    """Give the rows of a backup, many of one table at a time."""
    table = ""
    rows: list[Any] = []
    for content in unpack_lines(file, path):
        entry = json.loads(content)
        if not isinstance(entry, list):
            continue
        if rows and (entry[0] != table or len(rows) == CHUNK_ROWS):
            yield table, rows
            rows = []
        table = entry[0]
        rows.append(entry[1:])
    if rows:
        yield table, rows
