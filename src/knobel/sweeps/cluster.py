"""A Dask cluster somewhere else, by the address of its scheduler."""

from contextlib import AbstractContextManager
from typing import Any

from knobel.errors import ServerUnreachable
from knobel.rules.fields import abbreviate
from knobel.rules.toml_file import MAX_REASON

CONNECT_SECONDS = 10


def connect_to_cluster(address: str) -> AbstractContextManager[Any]:
    """Connect to the scheduler of a cluster; an address where none answers is refused."""
    from distributed import Client

    try:
        return Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise ServerUnreachable(server=abbreviate(address), reason=abbreviate(reason, MAX_REASON)) from None


def count_threads(client: Any, address: str) -> int:
    """Count the threads of all workers, once there is one."""
    try:
        client.wait_for_workers(1, timeout=CONNECT_SECONDS)
    except TimeoutError as error:
        raise ServerUnreachable(server=abbreviate(address), reason=abbreviate(str(error), MAX_REASON)) from None
    return sum(client.nthreads().values())
