"""Prepares this process for many clients: as many sockets as it may have, and no long garbage collections."""

import asyncio
import contextlib
import gc
import sys
from collections.abc import Callable, Coroutine
from typing import Any

SOCKET_LIMIT = 10_000
GC_THRESHOLDS = 500, 0, 10_000
"""When each generation is collected. Games leave many values that live long and hardly a cycle, and everybody waits
for a collection. So the young are collected often and briefly, the middle generation every second time, before much is
in it, and the oldest one rarely."""

SWITCH_SECONDS = 0.001
"""How long a busy thread keeps the interpreter from another. The thread that writes commits asks for it after every
system call; with Python's 5 ms a commit beside a busy event loop takes many times as long as the disk does."""


def tune_process() -> None:
    raise_socket_limit()
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


def raise_socket_limit() -> None:
    """Allow as many sockets as the system does; many begin with a thousand."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = SOCKET_LIMIT if hard == resource.RLIM_INFINITY else min(hard, SOCKET_LIMIT)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def run_event_loop(work: Coroutine[Any, Any, None]) -> None:
    """Run on the fastest event loop there is here."""
    with asyncio.Runner(loop_factory=find_fastest_loop()) as runner:
        runner.run(work)


def find_fastest_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Use uvloop where it is installed; elsewhere Python's own loop does the same, more slowly."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
