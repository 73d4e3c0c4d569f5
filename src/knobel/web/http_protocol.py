"""The HTTP protocol of one connection: uvicorn's, with a time by which a request must have come, and an answer gone.

It overrides methods that uvicorn does not document, like `web/protocol.py`; tests/web/test_half_requests.py is to be
run before another version of uvicorn is allowed.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 10.0
"""How long a request may take to come, from its first byte or the opening of the connection to the end of its head."""
UNREAD_SECONDS = 30.0
"""How long a part of an answer, of 64 KiB at most, may wait for a client that does not read."""


class BoundedHttpProtocol(H11Protocol):
    """A connection on which neither half a request nor a client that does not read is waited for for ever."""

    deadline: asyncio.TimerHandle | None = None
    unread_deadline: asyncio.TimerHandle | None = None
    is_upgraded = False

    def connection_made(self, transport: Any) -> None:
        """Open a connection that reports as soon as anything waits to be sent, and when nothing does any more."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)
        self.set_deadline()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.unread_deadline = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self.clear_unread_deadline()

    def data_received(self, data: bytes) -> None:
        """Take bytes; a request whose head is complete is no longer waited for."""
        super().data_received(data)
        if self.is_upgraded or (self.cycle is not None and not self.cycle.response_complete):
            self.clear_deadline()
        elif self.deadline is None:
            self.set_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        self.clear_deadline()
        self.clear_unread_deadline()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand the connection over to a websocket, which has limits of its own."""
        self.is_upgraded = True
        self.clear_deadline()
        self.clear_unread_deadline()
        self.transport.set_write_buffer_limits()
        super().handle_websocket_upgrade(event)

    def set_deadline(self) -> None:
        self.deadline = self.loop.call_later(REQUEST_SECONDS, self.give_up)

    def clear_deadline(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def clear_unread_deadline(self) -> None:
        if self.unread_deadline is not None:
            self.unread_deadline.cancel()
            self.unread_deadline = None

    def give_up(self) -> None:
        """Close a connection on which no whole request came in time."""
        self.deadline = None
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()
