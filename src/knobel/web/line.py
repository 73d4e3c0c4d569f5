"""The line to one browser: what the server's own protocol leaves open is closed here, so that nobody can fill us up."""

import asyncio
from typing import Any

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

NOT_TEXT, TOO_MUCH = 1007, 1009
MOST_PIECES = 64
LINGER_SECONDS = 10.0
"""So long may a line that is closed keep what its reader has not taken yet."""


class Line(WebSocketsSansIOProtocol):
    """A socket whose memory is bounded whatever the other side sends, and however little it reads."""

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
        if len(self.frames) >= MOST_PIECES:
            self.break_off(TOO_MUCH)
        else:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Pass a message on; text that is none ends the line, without a word in the log."""
        if self.curr_msg_data_type == "text" and not readable(b"".join(self.frames)):
            self.break_off(NOT_TEXT)
        else:
            super().send_receive_event_to_app()

    def break_off(self, code: int) -> None:
        """End the line at once."""
        self.frames = []
        if not self.close_sent:
            self.conn.send_close(code)
            self.handle_parser_exception()

    def keepalive_timeout(self) -> None:
        """Give up on somebody who answers no ping."""
        super().keepalive_timeout()
        self.cut_off_soon()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Let go of a line after its last word, even if that is never read."""
        super().on_task_complete(task)
        if self.transport.get_write_buffer_size():
            self.cut_off_soon()

    def cut_off_soon(self) -> None:
        """Cut the line off if it is not closed by itself."""
        self.loop.call_later(LINGER_SECONDS, self.transport.abort)


def readable(content: bytes) -> bool:
    """Tell whether bytes are text."""
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True
