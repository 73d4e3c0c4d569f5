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
from knobel.store import DuplicateRow
from knobel.store.address import AnyStore
from knobel.store.room_upgrade import upgrade_backup, upgrade_backup_2
from knobel.store.schema import TABLES

MAGIC = "knobel-backup"
FORMAT = 7
OLD_TABLES = {
    "rooms": ("room", "version", "body", "code", "touched"),
    "games": ("game", "room", "header", "seed", "opened"),
    "heads": ("game", "count", "touched", "closed"),
    "names": ("game", "seat", "name"),
    "events": ("game", "seq", "command", "asked", "ends", "previous", "body", "at"),
}
TABLES_2 = {
    "house_rules": ("fingerprint", "text", "stored"),
    "rooms": ("room", "version", "body", "code", "touched", "house_rules"),
    "games": ("game", "room", "header", "seed", "opened", "house_rules"),
    "heads": ("game", "count", "touched", "closed"),
    "names": ("game", "seat", "name"),
    "events": ("game", "seq", "command", "request_body", "ends", "previous", "body", "at"),
}
PEOPLE_TABLES = ("people", "holders", "players", "results", "summaries")
LEARNING_TABLES = ("mistakes", "searched_seats", "answers")
TABLES_6 = {table: columns for table, columns in TABLES.items() if table != "tournaments"}
TABLES_5 = {table: columns for table, columns in TABLES_6.items() if table not in LEARNING_TABLES}
TABLES_4 = {table: columns for table, columns in TABLES_5.items() if table not in PEOPLE_TABLES}
TABLES_3 = {table: columns for table, columns in TABLES_4.items() if table != "devices"}
KNOWN_TABLES = {1: OLD_TABLES, 2: TABLES_2, 3: TABLES_3, 4: TABLES_4, 5: TABLES_5, 6: TABLES_6, FORMAT: TABLES}
WHOLE_COLUMNS = {
    *("version", "count", "closed", "seat", "seq", "ends", "colour", "emblem", "hidden", "stale", "total", "place"),
    *("players", "practice", "free", "assisted", "real_dice", "imported", "counts", "luck", "lost", "reviewed"),
    *("counted", "event"),
}
NUMBER_COLUMNS = {"touched", "opened", "at", "stored", "idle", "created", "ended", "due"}
EMPTY_COLUMNS = {
    "code",
    "house_rules",
    "command",
    "request_body",
    "asked",
    "ends",
    "head",
    "bot",
    "luck",
    "lost",
    "level",
    "person",
}
MAX_NUMBER = 1e15
MAX_LINE = 4 * 1024 * 1024
MIN_UNPACKED, MAX_RATIO = 64 * 1024 * 1024, 200
"""How much a backup may unpack to, and how many times its own size: real ones pack to about a tenth."""
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
        if version == 1:
            chunks = upgrade_backup(chunks)
        if version <= 2:
            chunks = upgrade_backup_2(chunks)
        try:
            is_restored = await store.snapshot.restore_rows(chunks)
        except DuplicateRow:
            raise BackupBroken(file=abbreviate(path.name)) from None
        if not is_restored:
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
        if table not in tables or not all(fits(row, tables[table]) for row in rows):
            raise BackupBroken(file=abbreviate(path.name))
    return int(version)


def fits(row: list[Any], columns: tuple[str, ...]) -> bool:
    """Tell whether the values of a row are such as its columns hold."""
    return len(row) == len(columns) and all(is_value(value, column) for value, column in zip(row, columns, strict=True))


def is_value(value: object, column: str) -> bool:
    if value is None:
        return column in EMPTY_COLUMNS
    if column in WHOLE_COLUMNS:
        return type(value) is int and abs(value) < 2**63
    if column in NUMBER_COLUMNS:
        return type(value) in (int, float) and abs(float(str(value))) < MAX_NUMBER
    return isinstance(value, str) and "\0" not in value and is_encodable(value)


def is_encodable(text: str) -> bool:
    """Tell whether a text can be stored: half a surrogate pair cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def unpack_lines(file: io.BufferedReader, path: Path) -> Iterator[bytes]:
    unpacker, rest, unpacked = zlib.decompressobj(GZIP_WINDOW_BITS), b"", 0
    limit = max(MIN_UNPACKED, MAX_RATIO * path.stat().st_size)
    try:
        while not unpacker.eof and (piece := unpacker.unconsumed_tail or file.read(READ_BYTES)):
            content = unpacker.decompress(piece, READ_BYTES)
            unpacked += len(content)
            *lines, rest = (rest + content).split(b"\n")
            if unpacked > limit or len(rest) > MAX_LINE:
                raise BackupBroken(file=abbreviate(path.name))
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
    for number, content in enumerate(unpack_lines(file, path)):
        try:
            entry = json.loads(content)
        except (ValueError, RecursionError):
            raise BackupBroken(file=abbreviate(path.name)) from None
        if not number:
            continue
        if not isinstance(entry, list) or not entry or not isinstance(entry[0], str):
            raise BackupBroken(file=abbreviate(path.name))
        if rows and (entry[0] != table or len(rows) == CHUNK_ROWS):
            yield table, rows
            rows = []
        table = entry[0]
        rows.append(entry[1:])
    if rows:
        yield table, rows
