"""The hash chain of a log: every event carries the hash of the line before it."""

import hashlib
from collections.abc import Iterable

from msgspec.structs import replace

from knobel.record.events import Event, Header, Record
from knobel.record.formats import FORMATS


def hash_line(line: str) -> str:
    """Hash a line without its line feed."""
    return hashlib.sha256(line.encode()).hexdigest()


def encode_link(previous: str, body: str) -> str:
    return f'{{"after":"{previous}","event":{body}}}'


def encode_header(header: Header) -> str:
    """Encode the first line of the chain; names stand beside it, so that one can be erased."""
    seats = tuple(replace(seat, name="") for seat in header.seats)
    return FORMATS[header.knobel].encode_header(replace(header, seats=seats))


def link_events(head: str, events: Iterable[Event], format_number: int) -> tuple[tuple[tuple[str, str], ...], str]:
    """Link events to the head of a chain of some format: each body with the hash before it, and the new head."""
    encode, links = FORMATS[format_number].encode_event, []
    for event in events:
        body = encode(event)
        links.append((head, body))
        head = hash_line(encode_link(head, body))
    return tuple(links), head


def list_heads(links: tuple[tuple[str, str], ...], head: str) -> tuple[str, ...]:
    """List the head after each event of a chain, the last one included."""
    return (*[previous for previous, _ in links[1:]], head) if links else ()


def compute_head(record: Record) -> str:
    """Compute the hash of the last line; records of format 1 have none."""
    if record.header.knobel == 1:
        return ""
    _, head = link_events(hash_line(encode_header(record.header)), record.events, record.header.knobel)
    return head
