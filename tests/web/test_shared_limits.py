"""What is allowed is allowed by a server, not by each of its processes: they count codes, rooms and files together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from knobel.errors import TooManyCodes, TooManyRooms
from knobel.host import Host
from knobel.store.address import open_store
from knobel.web.app import AppContext
from knobel.web.rate_limits import CODES_PER_DEVICE, ROOMS_PER_DEVICE, CountedTries, RateLimits
from knobel.web.shared_limits import MAX_TOLD
from tests.support.hosted_rooms import open_host, run_async
from tests.support.postgres import postgres_address, postgres_server
from tests.support.waiting import wait_until

__all__ = ["postgres_address", "postgres_server"]


@asynccontextmanager
async def open_process(address: str) -> AsyncIterator[RateLimits]:
    """Stand for one server process on a shared database, and give what it counts."""
    context = AppContext(Host(await open_store(address, Path()), paced=False), frozenset())
    try:
        yield context.rate_limits
    finally:
        await context.host.close()


async def hear_each_other(*processes: RateLimits) -> None:
    """Wait until processes hear each other; what one says before the others listen is lost, as it may be."""

    def is_heard() -> bool:
        for process in processes:
            process.share(CountedTries("files", ("nobody", "nowhere"), 1))
        return all(process.files[1].tries["nowhere"] for process in processes)

    await wait_until(is_heard)


@pytest.mark.database
@run_async
async def test_what_one_process_counted_is_counted_by_the_others(postgres_address: str) -> None:
    async with open_process(postgres_address) as one, open_process(postgres_address) as two:
        await hear_each_other(one, two)
        for number in range(CODES_PER_DEVICE):
            (one, two)[number % 2].count_code("eve", "127.0.2.1")
        await wait_until(lambda: one.codes[0].tries["eve"] == two.codes[0].tries["eve"] == CODES_PER_DEVICE)
        for process in (one, two):
            with pytest.raises(TooManyCodes):
                process.count_code("eve", "127.0.2.2")
        for _ in range(ROOMS_PER_DEVICE):
            one.count_room("ann", "127.0.2.3")
        await wait_until(lambda: two.rooms[1].tries["127.0.2.3"] == ROOMS_PER_DEVICE)
        with pytest.raises(TooManyRooms):
            two.count_room("ann", "127.0.2.4")


@pytest.mark.database
@run_async
async def test_a_right_code_is_no_guess_for_the_others_either(postgres_address: str) -> None:
    async with open_process(postgres_address) as one, open_process(postgres_address) as two:
        await hear_each_other(one, two)
        # More than one message takes, and more than a few connections could carry in order.
        for _ in range(2 * MAX_TOLD):
            one.count_code("ben", "127.0.2.1")
            one.refund_code("ben", "127.0.2.1")
        one.count_code("cid", "127.0.2.1")
        await wait_until(lambda: bool(two.codes[0].tries["cid"]))
        assert ("ben" in two.codes[0].tries, two.codes[1].tries["127.0.2.1"]) == (False, 1)


def test_what_another_version_counts_is_counted_as_far_as_it_is_known() -> None:
    limits = RateLimits()
    limits.add(CountedTries("dreams", ("ann", "127.0.2.1"), 1))
    limits.add(CountedTries("codes", ("ann",), 3))
    assert (limits.codes[0].tries["ann"], limits.codes[1].tries) == (3, {})


@run_async
async def test_nonsense_from_another_process_is_not_counted_and_nothing_is_told_where_there_is_no_other(
    tmp_path: Path,
) -> None:
    async with open_host(tmp_path) as host:
        context = AppContext(host, frozenset())
        for message in ("", "x", "[]", '["codes",["ann"],1]', '[["codes",["ann"],"many"]]'):
            context.hubs.receive_message("", message)
        context.rate_limits.count_code("ann", "127.0.2.1")
        assert context.rate_limits.codes[0].tries == {"ann": 1}
        assert not host.tasks.tasks
