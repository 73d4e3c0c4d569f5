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
        asking = asyncio.ensure_future(self.host.store.find_upkeep())
        answered, _ = await asyncio.wait([asking], timeout=ANSWER_SECONDS)
        if not answered:
            # Not awaited: a driver takes its time to give up a question to a database that hangs.
            asking.add_done_callback(lambda late: late.cancelled() or late.exception())
            asking.cancel()
            return NO_DATABASE
        with contextlib.suppress(KnobelError):
            asking.result()
            return None
        return NO_DATABASE

    async def collect(self) -> list[tuple[str, tuple[Metric, ...]]]:
        return [(ALONE, self.collect_own())]

    def collect_own(self) -> tuple[Metric, ...]:
        return self.hubs.meters.collect(self.host, len(self.hubs.hubs))
