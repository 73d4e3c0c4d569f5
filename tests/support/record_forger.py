"""Changes records as a careful forger would: with a chain and a digest that fit."""

import hashlib
import json
from typing import Any


def split_lines(content: bytes) -> list[bytes]:
    """Split a record into its lines, without its digest."""
    return content.split(b"\n")[:-2]


def add_digest(lines: list[bytes]) -> bytes:
    """Put lines together with a digest that fits."""
    body = b"".join(line + b"\n" for line in lines)
    return body + b'{"sha256":"' + hashlib.sha256(body).hexdigest().encode() + b'"}\n'


def encode_compact(form: object) -> bytes:
    return json.dumps(form, ensure_ascii=False, separators=(",", ":")).encode()


class RecordForger:
    """Takes a record of any format apart and writes it anew; format 1 has no line of names and no chain."""

    def __init__(self, content: bytes) -> None:
        header, *rest = map(json.loads, split_lines(content))
        self.header: dict[str, Any] = header
        self.form: int = header["knobel"]
        self.names: dict[str, Any] = rest[0] if self.form > 1 else {}
        self.events: list[Any] = [link["event"] for link in rest[1:]] if self.form > 1 else rest

    @property
    def content(self) -> bytes:
        """The whole file."""
        return self.encode(self.events)

    def encode(self, events: list[Any]) -> bytes:
        """Write the whole file with these events."""
        lines = [encode_compact(form) for form in ((self.header, self.names) if self.form > 1 else (self.header,))]
        head = hashlib.sha256(lines[0]).hexdigest()
        for event in events:
            lines.append(encode_compact({"after": head, "event": event} if self.form > 1 else event))
            head = hashlib.sha256(lines[-1]).hexdigest()
        return add_digest(lines)

    @property
    def begin(self) -> int:
        """The line of the first event."""
        return 3 if self.form > 1 else 2

    def line(self, kind: str) -> int:
        """Find the line of the first event of a kind."""
        return self.begin + [event["event"] for event in self.events].index(kind)

    def first(self, kind: str) -> dict[str, Any]:
        """Find the first event of a kind."""
        event: dict[str, Any] = self.events[self.line(kind) - self.begin]
        return event
