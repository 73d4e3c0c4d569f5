"""Records of games: read, verified, and written."""

from pathlib import Path
from typing import TypeAlias

from knobel.errors import RecordFormatUnknown
from knobel.record.events import Record
from knobel.record.file import MAX_BYTES, encode_chained_record, parse_record, save_record
from knobel.record.formats import FORMAT, FORMATS
from knobel.record.verify import Verdict, verify
from knobel.rules.fields import check_type
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
    check_type("record", record, Record)
    if not FORMATS[record.header.knobel].is_chained:
        raise RecordFormatUnknown(file="record", version=record.header.knobel, known=FORMAT)
    return encode_chained_record(record)


def write_record(record: Record, path: str | Path) -> None:
    """Write a record to a file, whole or not at all."""
    check_type("path", path, str, Path)
    save_record(encode_record(record), Path(path))


def load_content(source: RecordSource) -> tuple[bytes, str]:
    if isinstance(source, bytes):
        return source, "record"
    check_type("source", source, bytes, str, Path)
    return read_bytes(Path(source), MAX_BYTES), Path(source).name
