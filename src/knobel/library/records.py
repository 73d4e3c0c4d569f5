"""Records of games: read, verified, and written."""

from pathlib import Path
from typing import TypeAlias

from knobel.errors import RecordFormatUnknown
from knobel.record.chain import encode_header, hash_line, link_events
from knobel.record.events import Record
from knobel.record.file import MAX_BYTES, encode_log, parse_record, save_record
from knobel.record.formats import FORMAT, FORMATS
from knobel.record.verify import Verdict, verify
from knobel.rules.toml_file import read_bytes

RecordSource: TypeAlias = bytes | str | Path
"""The bytes of a record, or the path of its file."""


def read_record(source: RecordSource) -> Record:
    """Read a record; one that is torn or edited is refused."""
    content, name = load_content(source)
    return parse_record(content, name)


def verify_record(source: RecordSource) -> Verdict:
    """Check every line of a record against the rules, the hash chain and the seeds of the dice."""
    content, name = load_content(source)
    return verify(content, name)


def encode_record(record: Record) -> bytes:
    """Give the bytes of a record; reading them gives an equal one. Formats without a chain are only read."""
    if not FORMATS[record.header.knobel].is_chained:
        raise RecordFormatUnknown(file="record", version=record.header.knobel, known=FORMAT)
    header = encode_header(record.header)
    links, _ = link_events(hash_line(header), record.events, record.header.knobel)
    return encode_log(header, tuple(seat.name for seat in record.header.seats), links)


def write_record(record: Record, path: str | Path) -> None:
    """Write a record to a file, whole or not at all."""
    save_record(encode_record(record), Path(path))


def load_content(source: RecordSource) -> tuple[bytes, str]:
    if isinstance(source, bytes):
        return source, "record"
    return read_bytes(Path(source), MAX_BYTES), Path(source).name
