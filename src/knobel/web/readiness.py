"""Whether this process can serve right now, and its figures."""

import asyncio
import contextlib
from dataclasses import dataclass

from knobel.errors import KnobelError
from knobel.host import Host
from knobel.web.hubs import RoomHubs
from knobel.web.meters import Metric

ANSWER_SECONDS = 3.0
"""How long the database may take to answer before the process counts as not ready."""
ALONE = "server"
"""What a process is called that serves alone."""
OK, DRAINING, NO_DATABASE = "ok", "draining", "database"


@dataclass
class Readiness:
    """Asks the database, and remembers whether the process is about to end."""

    host: Host
    hubs: RoomHubs
    is_draining: bool = False

    async def explain_unready(self) -> str | None:
        """Say why nobody should be sent here now, in one word; nothing if all is well."""
        if self.is_draining:
            return DRAINING
        with contextlib.suppress(KnobelError, TimeoutError):
            async with asyncio.timeout(ANSWER_SECONDS):
                await self.host.store.find_upkeep()
                return None
        return NO_DATABASE

    async def collect(self) -> list[tuple[str, tuple[Metric, ...]]]:
        return [(ALONE, self.collect_own())]

    def collect_own(self) -> tuple[Metric, ...]:
        return self.hubs.meters.collect(self.host, len(self.hubs.hubs))
