"""What devices and addresses try is counted by the processes of a server together, as far as they hear of it."""

import contextlib

import msgspec

from knobel.errors import KnobelError
from knobel.host import Host
from knobel.web.rate_limits import CountedTries, RateLimits

NO_ROOM = ""
"""Whom a message is for that is about no room."""
MAX_TOLD = 40
"""How many tries stand in one message, which PostgreSQL limits to 8,000 bytes."""
MAX_UNTOLD = 1000
"""How many may wait to be told; what comes while the database is away is counted here alone."""
DECODER = msgspec.json.Decoder(tuple[CountedTries, ...])


class SharedLimits:
    """Tells other processes what was tried here, in order, and counts what was tried there.

    A message too few does no harm, but a try must not be taken back before it was counted.
    """

    def __init__(self, host: Host, limits: RateLimits) -> None:
        self.host = host
        self.limits = limits
        self.untold: list[CountedTries] = []
        self.is_telling = False
        if host.store.is_shared:
            limits.share = self.tell

    def tell(self, counted: CountedTries) -> None:
        if len(self.untold) < MAX_UNTOLD:
            self.untold.append(counted)
        if not self.is_telling:
            self.is_telling = True
            self.host.tasks.spawn(self.tell_all())

    async def tell_all(self) -> None:
        try:
            while self.untold:
                told, self.untold = self.untold[:MAX_TOLD], self.untold[MAX_TOLD:]
                with contextlib.suppress(KnobelError):
                    await self.host.store.publish(NO_ROOM, msgspec.json.encode(told).decode())
        finally:
            self.is_telling = False

    def receive(self, message: str) -> None:
        """Count what was tried through another process, perhaps of another version."""
        with contextlib.suppress(msgspec.MsgspecError):
            for counted in DECODER.decode(message):
                self.limits.add(counted)
