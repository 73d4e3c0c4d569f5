"""A record as a `.knobel` file: JSON lines, the last one the digest of all bytes before it."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
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
from knobel.record.chain import encode_header, encode_link, hash_line, link_events
from knobel.record.events import Event, Header, Record, ShortText
from knobel.record.formats import FORMAT, FORMATS, NUMBER_DECODER, RecordFormat
from knobel.record.json_keys import check_duplicate_keys
from knobel.record.replay import set_up_game
from knobel.rules.toml_file import display_name, read_bytes

MAX_BYTES = 4 * 1024 * 1024
SUFFIX = ".knobel"


class Digest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: the digest of the bytes before it."""

    sha256: str


class SeatNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The second line: who sat where; outside the chain, so that a name can be erased."""

    names: tuple[ShortText, ...]


T = TypeVar("T")
NAMES_DECODER = msgspec.json.Decoder(SeatNames)


def save_record(content: bytes, path: Path) -> None:
    with write_atomically(path) as file:
        file.write(content)


def encode_log(first: str, names: tuple[str, ...], links: Iterable[tuple[str, str]]) -> bytes:
    """Write a log as a file: header, names, the links of the chain, and the digest of it all."""
    lines = (
        first,
        msgspec.json.encode(SeatNames(names)).decode(),
        *(encode_link(previous, body) for previous, body in links),
    )
    body = "".join(f"{line}\n" for line in lines).encode()
    return body + msgspec.json.encode(Digest(hashlib.sha256(body).hexdigest())) + b"\n"


def encode_chained_record(record: Record) -> bytes:
    """Write a record of a format with a chain as a file."""
    header = encode_header(record.header)
    links, _ = link_events(hash_line(header), record.events, record.header.knobel)
    return encode_log(header, tuple(seat.name for seat in record.header.seats), links)


def load_record(path: Path) -> Record:
    """Read a record from disk; refuse a torn or edited one with the reason."""
    return parse_record(read_bytes(path, MAX_BYTES), display_name(path))


def parse_record(content: bytes, file: str) -> Record:
    lines, fits = split_digest(content, file)
    if not fits:
        raise RecordDigestMismatch(file=file)
    return read_lines(lines, file)


def split_digest(content: bytes, file: str) -> tuple[list[bytes], bool]:
    """Split the digest from the lines of a record, and tell whether it fits them."""
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
    form = read_format(first, file)
    header = read_line(first, form.decode_header, file, 1)
    check_evening(header, file)
    check_rules(header, file)
    if not form.is_chained:
        events = (read_line(line, form.decode_event, file, number) for number, line in enumerate(rest, 2))
        return Record(header, tuple(events))
    if not rest:
        raise RecordLineInvalid(file=file, line=2)
    names = read_line(rest[0], NAMES_DECODER.decode, file, 2).names
    if len(names) != len(header.seats):
        raise RecordLineInvalid(file=file, line=2)
    return Record(restore_names(header, names), tuple(read_chain(form, first, rest[1:], file)))


def read_format(first: bytes, file: str) -> RecordFormat:
    """Find out of which format a record is, by its first line."""
    number = read_line(first, NUMBER_DECODER.decode, file, 1).knobel
    if number not in FORMATS:
        raise RecordFormatUnknown(file=file, version=number, known=FORMAT)
    return FORMATS[number]


def read_chain(form: RecordFormat, first: bytes, lines: list[bytes], file: str) -> Iterator[Event]:
    """Read the events, each of which must carry the hash of the line before it."""
    head = hashlib.sha256(first).hexdigest()
    for number, line in enumerate(lines, 3):
        after, event = read_line(line, form.decode_link, file, number)
        if after != head:
            raise RecordChainBroken(file=file, line=number)
        head = hashlib.sha256(line).hexdigest()
        yield event


def restore_names(header: Header, names: Iterable[str]) -> Header:
    """Put the names back to their seats."""
    seats = (replace(seat, name=name) for seat, name in zip(header.seats, names, strict=False))
    return replace(header, seats=tuple(seats))


def read_line(line: bytes, decode: Callable[[bytes], T], file: str, number: int) -> T:
    """Decode one line, or refuse the file with the number of the line."""
    try:
        check_duplicate_keys(line.decode())
        return decode(line)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise RecordLineInvalid(file=file, line=number) from None


def check_evening(header: Header, file: str) -> None:
    """Check that the games before this one were played by these seats."""
    evening, seats = header.evening, len(header.seats)
    whole = len(evening.totals) == evening.number - 1 < evening.games
    if not whole or any(len(totals) != seats for totals in evening.totals) or (evening.first or 0) >= seats:
        raise RecordLineInvalid(file=file, line=1)


def check_rules(header: Header, file: str) -> None:
    """Check that the rules of the header are sound and have its fingerprint."""
    try:
        game, _ = set_up_game(header)
    except KnobelError as error:
        raise RecordRulesInvalid(file=file, why=error.phrase) from None
    if game.rules.fingerprint != header.fingerprint:
        raise RecordRulesInvalid(file=file, why=phrase("errors.record_fingerprint"))
