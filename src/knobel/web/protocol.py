"""The line to one browser: what the server's own protocol leaves open is closed here, so that nobody can fill us up."""

import asyncio
import struct
from typing import Any

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

EXTENSION = "knobel.line"
TEXT_FRAME, SHORT_LENGTH = 0x81, 126
HEADER_16, HEADER_64 = struct.Struct("!BBH"), struct.Struct("!BBQ")
INVALID_TEXT, MESSAGE_TOO_BIG = 1007, 1009
MAX_FRAGMENTS = 64
MAX_QUEUED = 4
"""So many messages may wait to be heard before no more are read."""
LINGER_SECONDS = 10.0
"""So long may a line that is closed keep what its reader has not taken yet."""


class BoundedWebSocketProtocol(WebSocketsSansIOProtocol):
    """A socket whose memory is bounded whatever the other side sends, and however little it reads."""

    async def run_asgi(self) -> None:
        """Let the application know the line it talks over."""
        self.scope["extensions"][EXTENSION] = {"tell": self.try_send}
        await super().run_asgi()

    def try_send(self, text: str) -> bool:
        """Send a message at once where nothing has to wait; tells whether it could."""
        if self.disconnected or self.close_sent or not self.writable.is_set() or self.transport.is_closing():
            return False
        body = text.encode()
        self.transport.write(encode_frame_header(len(body)) + body)
        return True

    async def send(self, message: ASGISendEvent) -> None:
        """Send; a refusal is an answer like any other, and nothing to complain about."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True

    def handle_ping(self) -> None:
        """Answer a ping; whoever pings on and never reads the answers is cut off."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.transport.abort()

    def handle_cont(self, event: Any) -> None:
        """Take a further piece of a message; one in very many pieces is none."""
        if len(self.frames) >= MAX_FRAGMENTS:
            self.fail_connection(MESSAGE_TOO_BIG)
        else:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Pass a message on; text that is none ends the line, without a word in the log."""
        if self.curr_msg_data_type == "text" and not is_utf8(b"".join(self.frames)):
            self.fail_connection(INVALID_TEXT)
        elif self.curr_msg_data_type == "text" and not self.close_sent and self.queue.qsize() < MAX_QUEUED:
            # The server's own way stops reading after every message, at two system calls each.
            message = b"".join(self.frames).decode()
            self.frames = []
            self.queue.put_nowait({"type": "websocket.receive", "text": message})
        else:
            super().send_receive_event_to_app()

    def fail_connection(self, code: int) -> None:
        """End the line at once."""
        self.frames = []
        if not self.close_sent:
            self.conn.send_close(code)
            self.handle_parser_exception()

    def keepalive_timeout(self) -> None:
        """Give up on somebody who answers no ping."""
        super().keepalive_timeout()
        self.abort_later()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Let go of a line after its last word, even if that is never read."""
        super().on_task_complete(task)
        if self.transport.get_write_buffer_size():
            self.abort_later()

    def abort_later(self) -> None:
        """Cut the line off if it is not closed by itself."""
        self.loop.call_later(LINGER_SECONDS, self.transport.abort)


def encode_frame_header(length: int) -> bytes:
    """Write the head of a whole text message as RFC 6455 has it, from a server: not masked."""
    if length < SHORT_LENGTH:
        return bytes((TEXT_FRAME, length))
    return (
        HEADER_16.pack(TEXT_FRAME, SHORT_LENGTH, length)
        if length < 1 << 16
        else HEADER_64.pack(TEXT_FRAME, SHORT_LENGTH + 1, length)
    )


def is_utf8(content: bytes) -> bool:
    """Tell whether bytes are text."""
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True
