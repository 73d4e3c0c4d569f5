"""Wait for what must come: the one place where the tests look again and again, and the one limit that ends a hang."""

import asyncio
import time
from collections.abc import Awaitable, Callable

HANG_SECONDS = 120.0
"""Far longer than anything takes on a busy machine: it only turns a hang into a failure."""
POLL_SECONDS = 0.01


def poll_until(is_so: Callable[[], bool], seconds: float = HANG_SECONDS) -> None:
    """Look until something is so."""
    deadline = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(POLL_SECONDS)


async def wait_until(is_so: Callable[[], bool | Awaitable[bool]], seconds: float = HANG_SECONDS) -> None:
    """Look until something is so, and let everything else in this event loop go on meanwhile."""
    async with asyncio.timeout(seconds):
        while True:
            found = is_so()
            if found if isinstance(found, bool) else await found:
                return
            await asyncio.sleep(POLL_SECONDS)
