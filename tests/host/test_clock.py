"""Rooms age by the time that has passed, not by what a clock says that was set wrong."""

import logging
from pathlib import Path

import pytest

from knobel.host.archive import DAY_SECONDS, tidy_rooms
from knobel.rooms.intents import Sit
from tests.support.hosted_rooms import ANN, BEN, HostedRoom, open_host, run_async

TWO = ((ANN, Sit("Ann")), (BEN, Sit("Ben")))
NOW = 1_790_000_000.0


@pytest.mark.parametrize("jump", [400 * DAY_SECONDS, -400 * DAY_SECONDS, -NOW], ids=["ahead", "behind", "1970"])
@run_async
async def test_a_wrong_clock_at_the_start_closes_no_game(
    jump: float, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    clock = [NOW]
    async with open_host(tmp_path, clock=lambda: clock[0]) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        await hosted.begin_game()
        await tidy_rooms(host.store, clock[0], DAY_SECONDS)
    for moment in (NOW + jump, NOW + jump + 60, NOW + 120):
        async with open_host(tmp_path, clock=lambda: clock[0]) as host:
            clock[0] = moment
            with caplog.at_level(logging.WARNING, "knobel"):
                assert await tidy_rooms(host.store, clock[0], DAY_SECONDS) == 0
            assert (await (await hosted.reopen_at(host)).table()).replay.closed is None
    assert any("clock jumped" in record.message for record in caplog.records)


@run_async
async def test_while_it_runs_an_hour_is_an_hour_whatever_the_clock_says(tmp_path: Path) -> None:
    async with open_host(tmp_path, clock=lambda: NOW) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        await tidy_rooms(host.store, NOW, DAY_SECONDS)
        await tidy_rooms(host.store, NOW + 3600, 3600)
        await tidy_rooms(host.store, NOW + 500 * DAY_SECONDS, 3600)
        await tidy_rooms(host.store, NOW, 3600)
        room = await host.store.find_room(hosted.id)
        assert room is not None
        assert room.idle == 2 * 3600


@pytest.mark.parametrize(
    ("passed", "most", "is_logged"),
    [
        (10 * DAY_SECONDS, 3600, True),
        (3 * 3600, 3600, True),
        (1.5 * 3600, 3600, False),
        (-30, 3600, False),
        (-3600, 3600, True),
        (10 * DAY_SECONDS, DAY_SECONDS, False),
        (31 * DAY_SECONDS, DAY_SECONDS, True),
    ],
)
@run_async
async def test_a_jump_of_the_clock_is_logged_and_a_server_that_was_off_is_none(
    passed: float, most: float, is_logged: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_host(tmp_path, clock=lambda: NOW) as host:
        await tidy_rooms(host.store, NOW, DAY_SECONDS)
        with caplog.at_level(logging.WARNING, "knobel"):
            await tidy_rooms(host.store, NOW + passed, most)
    assert [record.getMessage() for record in caplog.records] == [
        f"clock jumped by {passed:.0f} s since the last upkeep; rooms age by at most {most:.0f} s"
    ] * is_logged


@run_async
async def test_a_server_that_is_started_every_day_expires_rooms_in_time(tmp_path: Path) -> None:
    async with open_host(tmp_path, clock=lambda: NOW) as host:
        await HostedRoom.open(host, seating=TWO)
        expired = [await tidy_rooms(host.store, NOW + day * DAY_SECONDS, DAY_SECONDS) for day in range(5)]
        assert expired == [0, 0, 1, 0, 0]
