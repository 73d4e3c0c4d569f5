"""Readies this process for many people: as many sockets as it may have, and no long pauses for tidying up memory."""

import contextlib
import gc

SOCKETS = 10_000
YOUNG = 20_000, 20, 20
"""So many new values before the collector looks for rings among them: games leave many that stay, and hardly a ring."""


def make_room() -> None:
    """Make room for a thousand players and more."""
    more_sockets()
    gc.freeze()
    gc.set_threshold(*YOUNG)


def more_sockets() -> None:
    """Take as many sockets as the machine lets us have; many systems begin with a thousand."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = SOCKETS if hard == resource.RLIM_INFINITY else min(hard, SOCKETS)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
