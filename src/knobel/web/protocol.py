"""The websocket protocol of one connection: uvicorn's, with bounds on what a peer can make us keep in memory.

It overrides methods that uvicorn does not document: pyproject.toml pins uvicorn to the minor version this was tested
with, and tests/web/test_floods.py and tests/web/test_security.py are to be run before another one is allowed.
"""

import asyncio
import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

EXTENSION = "knobel.write"
TEXT_FRAME, SHORT_LENGTH = 0x81, 126
HEADER_16, HEADER_64 = struct.Struct("!BBH"), struct.Struct("!BBQ")
INVALID_TEXT, MESSAGE_TOO_BIG = 1007, 1009
MAX_FRAGMENTS = 64
MAX_QUEUED = 4
"""How many messages may wait for the application before reading stops."""
LINGER_SECONDS = 10.0
"""How long a closed connection keeps what its peer has not read yet."""


class BoundedWebSocketProtocol(WebSocketsSansIOProtocol):
    """A websocket whose memory is bounded whatever the peer sends, and however little it reads."""

    async def run_asgi(self) -> None:
        """Give the application a way to send without waiting."""
        self.scope["extensions"][EXTENSION] = {"write": self.try_write}
        await super().run_asgi()

    def try_write(self, messages: Sequence[bytes]) -> bool:
        """Send messages in one write if nothing has to wait for it; tell whether they were sent."""
        if self.disconnected or self.close_sent or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(b"".join([part for body in messages for part in (encode_frame_header(len(body)), body)]))
        return True

    async def send(self, message: ASGISendEvent) -> None:
        """Send; a refused handshake is complete, so that uvicorn does not log an error."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True

    def handle_ping(self) -> None:
        """Answer a ping; abort if the peer never reads the answers."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.transport.abort()

    def handle_cont(self, event: Any) -> None:
        """Take another fragment of a message, up to a limit."""
        if len(self.frames) >= MAX_FRAGMENTS:
            self.fail_connection(MESSAGE_TOO_BIG)
        else:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Pass a message on; text that is not UTF-8 closes the connection without a log entry."""
        is_text = self.curr_msg_data_type == "text"
        message = decode_utf8(b"".join(self.frames)) if is_text else None
        if is_text and message is None:
            self.fail_connection(INVALID_TEXT)
        elif message is not None and not self.close_sent and self.queue.qsize() < MAX_QUEUED:
            # uvicorn stops reading after every message, which costs two system calls each.
            self.frames = []
            self.queue.put_nowait({"type": "websocket.receive", "text": message})
        else:
            super().send_receive_event_to_app()

    def fail_connection(self, code: int) -> None:
        self.frames = []
        if not self.close_sent:
            self.conn.send_close(code)
            self.handle_parser_exception()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.abort_later()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Free the connection after its last message, even if that is never read."""
        super().on_task_complete(task)
        if self.transport.get_write_buffer_size():
            self.abort_later()

    def abort_later(self) -> None:
        self.loop.call_later(LINGER_SECONDS, self.transport.abort)


@lru_cache(maxsize=4096)
def encode_frame_header(length: int) -> bytes:
    """Encode the header of an unfragmented text frame (RFC 6455) from a server: not masked; everybody gets the same."""
    if length < SHORT_LENGTH:
        return bytes((TEXT_FRAME, length))
    return (
        HEADER_16.pack(TEXT_FRAME, SHORT_LENGTH, length)
        if length < 1 << 16
        else HEADER_64.pack(TEXT_FRAME, SHORT_LENGTH + 1, length)
    )


def decode_utf8(content: bytes) -> str | None:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None
