"""What waits to be sent to one client: messages of one turn of the event loop leave together, in one write."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence

MAX_QUEUED, MAX_QUEUED_BYTES = 64, 256 * 1024
"""The most messages and bytes that may be queued for one client."""


class Outbox:
    """Messages in order; a client that reads too slowly overruns it, and gets everything on coming back.

    A roll is answered with `done` and shown with its position: one write for both costs half of two.
    """

    def __init__(self) -> None:
        self.messages: deque[bytes] = deque()
        self.queued_bytes = 0
        self.try_write: Callable[[Sequence[bytes]], bool] = lambda _: False
        self.on_overrun: Callable[[], object] = lambda: None
        self.is_overrun = False
        self._blocked = asyncio.Event()

    def put(self, message: bytes) -> None:
        """Send a message with the others of this turn of the event loop."""
        if self.is_full_with(message):
            self.flush()
        if self.is_full_with(message):
            self.end()
            return
        if not self.messages:
            asyncio.get_running_loop().call_soon(self.flush)
        self.messages.append(message)
        self.queued_bytes += len(message)

    def is_full_with(self, message: bytes) -> bool:
        """Tell whether one more message is too much; a large one may wait alone."""
        is_large = bool(self.messages) and self.queued_bytes + len(message) > MAX_QUEUED_BYTES
        return is_large or len(self.messages) >= MAX_QUEUED

    def end(self) -> None:
        """Send nothing more: the client is to connect again."""
        self.is_overrun = True
        self.on_overrun()

    def flush(self) -> None:
        """Write everything at once if the socket takes it, else leave it to whoever waits in `take`."""
        if self._blocked.is_set() or not self.messages:
            return
        if self.try_write(self.messages):
            self.messages.clear()
            self.queued_bytes = 0
        else:
            self._blocked.set()

    async def take(self) -> bytes:
        """Wait for the next message that could not be written at once."""
        if not self.messages:
            self._blocked.clear()
        await self._blocked.wait()
        message = self.messages.popleft()
        self.queued_bytes -= len(message)
        return message
