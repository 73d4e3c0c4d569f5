"""The chain that holds a log together: every event carries the hash of the line before it."""

import hashlib
from collections.abc import Iterable

import msgspec

from knobel.record.events import Event, Header


def hash_line(line: str) -> str:
    """Give the hash of a line, without its line feed."""
    return hashlib.sha256(line.encode()).hexdigest()


def encode_link(previous: str, body: str) -> str:
    """Write an event as a line of the chain."""
    return f'{{"after":"{previous}","event":{body}}}'


def encode_header(header: Header) -> str:
    """Write the header as the first line of the chain; names stand beside it, so that one can be forgotten."""
    seats = tuple(msgspec.structs.replace(seat, name="") for seat in header.seats)
    return encode_json(msgspec.structs.replace(header, seats=seats))


def link_events(head: str, events: Iterable[Event]) -> tuple[tuple[tuple[str, str], ...], str]:
    """Link events to the head of a chain: each body with the hash before it, and the new head."""
    links = []
    for event in events:
        body = encode_json(event)
        links.append((head, body))
        head = hash_line(encode_link(head, body))
    return tuple(links), head


def list_heads(links: tuple[tuple[str, str], ...], head: str) -> tuple[str, ...]:
    """List the head after each event of a chain, the last one included."""
    return (*(previous for previous, _ in links[1:]), head) if links else ()


def encode_json(thing: msgspec.Struct) -> str:
    """Write as JSON."""
    return msgspec.json.encode(thing).decode()
