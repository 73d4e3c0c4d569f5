"""What waits to be sent to one client: messages of one turn of the event loop leave together, in one write.

A command that was carried out ends the turn for what it caused: many are answered at once when a commit is on disk, and
nobody waits until the last of them is drawn.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from weakref import WeakKeyDictionary

MAX_QUEUED, MAX_QUEUED_BYTES = 64, 256 * 1024
"""The most messages and bytes that may be queued for one client."""

UNSENT: "WeakKeyDictionary[asyncio.AbstractEventLoop, list[Outbox]]" = WeakKeyDictionary()
"""The outboxes of each event loop that got a message in this turn: one call for all of them, not one for each."""


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
        # Asking which loop runs is a system call on Python 3.11, and every message to everybody would make it.
        self._loop = asyncio.get_running_loop()
        self._unsent = UNSENT.setdefault(self._loop, [])

    def put(self, message: bytes) -> None:
        """Send a message with the others of this turn of the event loop."""
        if self.messages and self.is_full_with(message):
            self.flush()
            if self.messages and self.is_full_with(message):
                self.end()
                return
        if not self.messages:
            if not self._unsent:
                self._loop.call_soon(flush_all, self._loop, self._unsent)
            self._unsent.append(self)
        self.messages.append(message)
        self.queued_bytes += len(message)

    def is_full_with(self, message: bytes) -> bool:
        """Tell whether one more message is too much; a large one may wait alone."""
        return self.queued_bytes + len(message) > MAX_QUEUED_BYTES or len(self.messages) >= MAX_QUEUED

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

    def flush_everybody(self) -> None:
        """Write now what all clients got so far in this turn."""
        flush_all(self._loop, self._unsent)

    async def take(self) -> bytes:
        """Wait for the next message that could not be written at once."""
        if not self.messages:
            self._blocked.clear()
        await self._blocked.wait()
        message = self.messages.popleft()
        self.queued_bytes -= len(message)
        return message


def flush_all(loop: asyncio.AbstractEventLoop, unsent: list[Outbox]) -> None:
    """Write what every client got in this turn; trouble with one socket is reported and keeps nothing from others."""
    outboxes = unsent.copy()
    unsent.clear()
    for outbox in outboxes:
        try:
            outbox.flush()
        except Exception as error:  # noqa: BLE001 - as the event loop treats each of its calls
            loop.call_exception_handler({"message": "a message could not be written", "exception": error})
