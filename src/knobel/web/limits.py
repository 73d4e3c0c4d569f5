"""Readies this process for many people: as many sockets as it may have, and no long pauses for tidying up memory."""

import asyncio
import contextlib
import gc
from collections.abc import Callable, Coroutine
from typing import Any

SOCKET_LIMIT = 10_000
GC_THRESHOLDS = 5_000, 4, 400
"""After so many new values the collector looks for rings among them, after a few such looks among those together, and
after very many among all there are: games leave many values that stay and hardly a ring, and everybody waits while it
looks, so each look is a short one."""


def tune_process() -> None:
    """Make room for a thousand players and more."""
    raise_socket_limit()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


def raise_socket_limit() -> None:
    """Take as many sockets as the machine lets us have; many systems begin with a thousand."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = SOCKET_LIMIT if hard == resource.RLIM_INFINITY else min(hard, SOCKET_LIMIT)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def run_event_loop(work: Coroutine[Any, Any, None]) -> None:
    """Run a house on the quickest loop of events there is here."""
    with asyncio.Runner(loop_factory=find_fastest_loop()) as runner:
        runner.run(work)


def find_fastest_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Find the loop that waits in C where it is installed; elsewhere Python's own does the same, more slowly."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
