"""What devices and addresses try is counted by the processes of a server together, as far as they hear of it."""

import contextlib

import msgspec

from knobel.errors import KnobelError
from knobel.host import Host
from knobel.web.rate_limits import CountedTries, RateLimits

NO_ROOM = ""
"""Whom a message is for that is about no room."""
DECODER = msgspec.json.Decoder(CountedTries)


class SharedLimits:
    """Tells other processes what was tried here, and counts what was tried there; one message too few does no harm."""

    def __init__(self, host: Host, limits: RateLimits) -> None:
        self.host = host
        self.limits = limits
        if host.store.is_shared:
            limits.share = self.tell

    def tell(self, counted: CountedTries) -> None:
        self.host.tasks.spawn(self.publish(msgspec.json.encode(counted).decode()))

    async def publish(self, message: str) -> None:
        with contextlib.suppress(KnobelError):
            await self.host.store.publish(NO_ROOM, message)

    def receive(self, message: str) -> None:
        """Count what was tried through another process, perhaps of another version."""
        with contextlib.suppress(msgspec.MsgspecError):
            self.limits.add(DECODER.decode(message))
