"""A record as a `.knobel` file: JSON lines, the last one the digest of all bytes before it."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from knobel.atomic_write import write_atomically
from knobel.errors import (
    KnobelError,
    RecordChainBroken,
    RecordDigestMismatch,
    RecordFormatUnknown,
    RecordLineInvalid,
    RecordRulesInvalid,
    RecordTruncated,
)
from knobel.phrase import phrase
from knobel.record.chain import encode_header, encode_json, encode_link, hash_line, link_events
from knobel.record.events import Event, Header, Hex256, Record, Seat, ShortText
from knobel.record.replay import set_up_game
from knobel.rules.toml_file import display_name, read_bytes

FORMAT = 2
FORMATS = (1, FORMAT)
"""Format 1 knew no chain, and had the names in its header."""
MAX_BYTES = 4 * 1024 * 1024
SUFFIX = ".knobel"


class FileVersion(msgspec.Struct, frozen=True):
    """The first thing to know about a file."""

    knobel: int


class Digest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: what the bytes before it must add up to."""

    sha256: str


class SeatNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The second line: who sat where; outside the chain, so that a guest can be forgotten."""

    names: tuple[ShortText, ...]


class ChainLink(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event and the hash of the line before it."""

    after: Hex256
    event: Event


T = TypeVar("T")
VERSION_DECODER = msgspec.json.Decoder(FileVersion)
HEADER_DECODER = msgspec.json.Decoder(Header)
NAMES_DECODER = msgspec.json.Decoder(SeatNames)
LINK_DECODER = msgspec.json.Decoder(ChainLink)
EVENT_DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def save_record(content: bytes, path: Path) -> None:
    """Write a record where it was asked for."""
    with write_atomically(path) as file:
        file.write(content)


def encode_record(record: Record) -> bytes:
    """Write a record as bytes, of this format, and so without the secret of an unfinished one of format 1."""
    header = record.header
    first = encode_header(replace(header, knobel=FORMAT, dice=replace(header.dice, secret=None)))
    links, _ = link_events(hash_line(first), record.events)
    return encode_log(first, tuple(seat.name for seat in header.seats), links)


def encode_log(first: str, names: tuple[str, ...], links: Iterable[tuple[str, str]]) -> bytes:
    """Put the lines of a log together: header, names, the links of the chain, and the digest of it all."""
    lines = (first, encode_json(SeatNames(names)), *(encode_link(previous, body) for previous, body in links))
    body = "".join(f"{line}\n" for line in lines).encode()
    return body + msgspec.json.encode(Digest(hashlib.sha256(body).hexdigest())) + b"\n"


def load_record(path: Path) -> Record:
    """Read a record from disk; a torn or edited one is refused with the reason."""
    return parse_record(read_bytes(path, MAX_BYTES), display_name(path))


def parse_record(content: bytes, file: str) -> Record:
    """Read a record from bytes."""
    lines, fits = split_digest(content, file)
    if not fits:
        raise RecordDigestMismatch(file=file)
    return read_lines(lines, file)


def split_digest(content: bytes, file: str) -> tuple[list[bytes], bool]:
    """Take the digest off the lines of a record, and tell whether it fits them."""
    body, newline, last = content.removesuffix(b"\n").rpartition(b"\n")
    try:
        digest = msgspec.json.decode(last, type=Digest)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise RecordTruncated(file=file) from None
    if not content.endswith(b"\n") or not newline:
        raise RecordTruncated(file=file)
    return body.split(b"\n"), hashlib.sha256(body + b"\n").hexdigest() == digest.sha256


def read_lines(lines: list[bytes], file: str) -> Record:
    """Read the lines of a record, without its digest."""
    first, *rest = lines
    if (version := read_line(first, VERSION_DECODER, file, 1).knobel) not in FORMATS:
        raise RecordFormatUnknown(file=file, version=version, known=FORMAT)
    header = read_line(first, HEADER_DECODER, file, 1)
    check_evening(header, file)
    check_rules(header, file)
    if version == 1:
        return Record(
            header, tuple(read_line(line, EVENT_DECODER, file, number) for number, line in enumerate(rest, 2))
        )
    if not rest:
        raise RecordLineInvalid(file=file, line=2)
    names = read_line(rest[0], NAMES_DECODER, file, 2).names
    if len(names) != len(header.seats):
        raise RecordLineInvalid(file=file, line=2)
    return Record(restore_names(header, names), tuple(read_chain(first, rest[1:], file)))


def read_chain(first: bytes, lines: list[bytes], file: str) -> Iterator[Event]:
    """Read the events, each of which must carry the hash of the line before it."""
    head = hashlib.sha256(first).hexdigest()
    for number, line in enumerate(lines, 3):
        link = read_line(line, LINK_DECODER, file, number)
        if link.after != head:
            raise RecordChainBroken(file=file, line=number)
        head = hashlib.sha256(line).hexdigest()
        yield link.event


def restore_names(header: Header, names: Iterable[str]) -> Header:
    """Put the names back to their seats."""
    return replace(header, seats=tuple(map(name_seat, header.seats, names)))


def name_seat(seat: Seat, name: str) -> Seat:
    """Put a name to a seat."""
    return replace(seat, name=name)


def read_line(line: bytes, decoder: msgspec.json.Decoder[T], file: str, number: int) -> T:
    """Read one line as what it must be."""
    try:
        return decoder.decode(line)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise RecordLineInvalid(file=file, line=number) from None


def check_evening(header: Header, file: str) -> None:
    """Check that the games before this one were played by these seats."""
    evening, seats = header.evening, len(header.seats)
    whole = len(evening.totals) == evening.number - 1 < evening.games
    if not whole or any(len(totals) != seats for totals in evening.totals) or (evening.first or 0) >= seats:
        raise RecordLineInvalid(file=file, line=1)


def check_rules(header: Header, file: str) -> None:
    """Check that the rules of the header are sound, and those of its fingerprint."""
    try:
        game, _ = set_up_game(header)
    except KnobelError as error:
        raise RecordRulesInvalid(file=file, why=error.phrase) from None
    if game.rules.fingerprint != header.fingerprint:
        raise RecordRulesInvalid(file=file, why=phrase("errors.record_fingerprint"))
