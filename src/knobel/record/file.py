"""A record as a `.knobel` file: JSON lines, the last one the digest of all bytes before it."""

import contextlib
import errno
import hashlib
import os
from pathlib import Path
from typing import TypeVar

import msgspec

from knobel.errors import (
    FileUnwritable,
    KnobelError,
    RecordEdited,
    RecordFormat,
    RecordLine,
    RecordRules,
    RecordTorn,
)
from knobel.phrase import phrase
from knobel.record.events import Event, Header, Record
from knobel.record.replay import opened
from knobel.rules.fields import clean, shown
from knobel.rules.limits import file_name, read_bytes

FORMAT = 1
MOST_BYTES = 4 * 1024 * 1024
SUFFIX = ".knobel"


class Version(msgspec.Struct, frozen=True):
    """The first thing to know about a file."""

    knobel: int


class Digest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: what the bytes before it must add up to."""

    sha256: str


T = TypeVar("T")
VERSION = msgspec.json.Decoder(Version)
HEADER = msgspec.json.Decoder(Header)
EVENT: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def save(record: Record, path: Path) -> None:
    """Write a record so that the file is whole at every moment: beside it, flushed, then moved into place."""
    if not path.name:
        raise FileUnwritable(file=clean(str(path)), reason=os.strerror(errno.EISDIR))
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with beside.open("wb") as file:
                file.write(dump(record))
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                beside.unlink()
            raise
        settle(path.parent)
    except OSError as error:
        raise FileUnwritable(file=shown(path.name), reason=shown(error.strerror)) from None


def settle(folder: Path) -> None:
    """Make the folder itself remember its new entry."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def dump(record: Record) -> bytes:
    """Write a record as bytes."""
    body = b"".join(msgspec.json.encode(line) + b"\n" for line in (record.header, *record.events))
    return body + msgspec.json.encode(Digest(hashlib.sha256(body).hexdigest())) + b"\n"


def load(path: Path) -> Record:
    """Read a record from disk; a torn or edited one is refused with the reason."""
    return parse(read_bytes(path, MOST_BYTES), file_name(path))


def parse(content: bytes, file: str) -> Record:
    """Read a record from bytes."""
    body, newline, last = content.removesuffix(b"\n").rpartition(b"\n")
    try:
        digest = msgspec.json.decode(last, type=Digest)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise RecordTorn(file=file) from None
    if not content.endswith(b"\n") or not newline:
        raise RecordTorn(file=file)
    if hashlib.sha256(body + b"\n").hexdigest() != digest.sha256:
        raise RecordEdited(file=file)
    first, *rest = body.split(b"\n")
    if (version := read_line(first, VERSION, file, 1).knobel) != FORMAT:
        raise RecordFormat(file=file, version=version, known=FORMAT)
    header = read_line(first, HEADER, file, 1)
    check_evening(header, file)
    check_rules(header, file)
    events = (read_line(line, EVENT, file, number) for number, line in enumerate(rest, 2))
    return Record(header, tuple(events))


def read_line(line: bytes, decoder: msgspec.json.Decoder[T], file: str, number: int) -> T:
    """Read one line as what it must be."""
    try:
        return decoder.decode(line)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise RecordLine(file=file, line=number) from None


def check_evening(header: Header, file: str) -> None:
    """Check that the games before this one were played by these seats."""
    evening, seats = header.evening, len(header.seats)
    whole = len(evening.totals) == evening.number - 1 < evening.games
    if not whole or any(len(totals) != seats for totals in evening.totals) or (evening.first or 0) >= seats:
        raise RecordLine(file=file, line=1)


def check_rules(header: Header, file: str) -> None:
    """Check that the rules of the header are sound, and those of its fingerprint."""
    try:
        game, _ = opened(header)
    except KnobelError as error:
        raise RecordRules(file=file, why=error.phrase) from None
    if game.rules.fingerprint != header.fingerprint:
        raise RecordRules(file=file, why=phrase("errors.record_fingerprint"))
