"""Who is connected is known over several processes: nobody is declared away who only came back elsewhere."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from knobel.host import Host
from knobel.rooms.intents import Sit
from knobel.store.address import open_store
from knobel.web import hubs, presence
from knobel.web.hubs import Client, RoomHubs
from knobel.web.messages import encode_room
from tests.support.hosted_rooms import ANN, BEN, CID, HostedRoom, open_host, run_async
from tests.support.postgres import postgres_address, postgres_server
from tests.support.waiting import HANG_SECONDS, wait_until

__all__ = ["postgres_address", "postgres_server"]

TWO = ((ANN, Sit("Ann")), (BEN, Sit("Ben")))
NEVER = 10 * HANG_SECONDS
"""Seconds that do not pass during a test, however slow the machine is."""


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look around often; whoever lives never expires."""
    monkeypatch.setattr(presence, "REFRESH_SECONDS", 0.05)
    monkeypatch.setattr(presence, "EXPIRE_SECONDS", NEVER)


@asynccontextmanager
async def open_process(address: str) -> AsyncIterator[RoomHubs]:
    """Stand for one server process on a shared database, which waits for whoever is gone until it is told not to."""
    host = Host(await open_store(address, Path()), paced=False)
    process = RoomHubs(host, NEVER)
    process.start()
    try:
        yield process
    finally:
        await host.close()


async def connect(process: RoomHubs, device: str, room_id: str) -> Client:
    client = Client(device, "en")
    await process.enter(client, room_id)
    return client


def read_messages(client: Client) -> list[dict[str, object]]:
    waiting = client.outbox.messages
    return [msgspec.json.decode(waiting.popleft()) for _ in range(len(waiting))]


async def is_led_by(hosted: HostedRoom, device: str) -> bool:
    return (await hosted.room()).acting_host == device


async def is_away(hosted: HostedRoom, seat: int) -> bool:
    return (await hosted.table()).replay.attendance.away == {seat}


@pytest.mark.database
@pytest.mark.usefixtures("quick")
@run_async
async def test_a_host_who_comes_back_at_another_process_is_not_away(postgres_address: str) -> None:
    async with open_process(postgres_address) as one, open_process(postgres_address) as two:
        hosted = await HostedRoom.open(one.host, seating=TWO)
        await hosted.begin_game()
        ann, ben = await connect(one, ANN, hosted.id), await connect(one, BEN, hosted.id)
        endless = set(one.host.tasks.tasks)
        one.leave(ann)
        ann = await connect(two, ANN, hosted.id)
        one.check_absence(hosted.id, ANN)
        await wait_until(lambda: one.host.tasks.tasks <= endless)
        await (await hosted.session()).catch_up()
        await wait_until(lambda: one.hubs[hosted.id].present == two.hubs[hosted.id].present == {ANN, BEN})
        assert ((await hosted.room()).host, (await hosted.room()).acting_host) == (ANN, None)
        assert (await hosted.table()).replay.attendance.away == set()
        one.away_seconds = 0.0
        two.leave(ann)
        await wait_until(lambda: is_led_by(hosted, BEN))
        await wait_until(lambda: is_away(hosted, 0))
        assert ben.hub is not None
        await connect(two, ANN, hosted.id)
        await (await hosted.session()).catch_up()
        assert (await hosted.room()).acting_host is None
        assert (await hosted.table()).replay.attendance.away == set()


@pytest.mark.database
@run_async
async def test_whoever_arrives_is_known_elsewhere_at_the_next_look(postgres_address: str) -> None:
    async with open_process(postgres_address) as one, open_process(postgres_address) as two:
        hosted = await HostedRoom.open(one.host, seating=TWO)
        await connect(one, ANN, hosted.id)
        await connect(two, BEN, hosted.id)
        assert two.hubs[hosted.id].present == {ANN, BEN}
        await one.presence.look()
        assert one.hubs[hosted.id].present == {ANN, BEN}


@pytest.mark.database
@pytest.mark.usefixtures("quick")
@run_async
async def test_whoever_was_connected_through_a_process_that_died_is_away_in_time(
    postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_process(postgres_address) as one, open_process(postgres_address) as two:
        hosted = await HostedRoom.open(one.host, seating=TWO)
        await hosted.begin_game()
        await connect(one, BEN, hosted.id)
        await connect(two, ANN, hosted.id)
        await wait_until(lambda: one.hubs[hosted.id].present == {ANN, BEN})
        for task in tuple(two.host.tasks.tasks):
            task.cancel()
        one.away_seconds = 0.0
        monkeypatch.setattr(presence, "EXPIRE_SECONDS", 1.0)
        await two.presence.beat(two.list_connected())
        await wait_until(lambda: one.hubs[hosted.id].present == {BEN})
        await wait_until(lambda: is_away(hosted, 0))


@pytest.mark.database
@pytest.mark.usefixtures("quick")
@run_async
async def test_remarks_cross_from_one_process_to_another(postgres_address: str) -> None:
    async with open_process(postgres_address) as one, open_process(postgres_address) as two:
        hosted = await HostedRoom.open(one.host, seating=TWO)
        ann, ben = await connect(one, ANN, hosted.id), await connect(two, BEN, hosted.id)
        await wait_until(lambda: one.hubs[hosted.id].present == {ANN, BEN})
        one.send_remark(ann, 0, "hello")
        await wait_until(lambda: {"is": "remark", "seat": 0, "remark": "hello"} in read_messages(ben))


@run_async
async def test_a_flood_of_visitors_redraws_the_room_only_so_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = 0

    def count_room(*values: object) -> bytes:
        nonlocal drawn
        drawn += 1
        return encode_room(*values)  # type: ignore[arg-type]

    monkeypatch.setattr(hubs, "encode_room", count_room)
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        rooms = RoomHubs(host)
        watchers = [await connect(rooms, f"watcher {number}", hosted.id) for number in range(20)]
        hub = rooms.hubs[hosted.id]
        await wait_until(lambda: hub.timer is None)
        # Nothing more becomes due while the flood goes on, however slow the machine is.
        monkeypatch.setattr(hubs, "ROOMS_PER_SECOND", 1 / (10 * HANG_SECONDS))
        drawn = 0
        for number in range(200):
            rooms.leave(await connect(rooms, f"visitor {number}", hosted.id))
        # Each visitor is shown the room once; everybody else only a few times.
        assert drawn <= 200 + 21 * int(hubs.BURST_ROOMS)
        for watcher in watchers:
            read_messages(watcher)
        assert hub.timer is not None
        hub.timer.cancel()
        hub.send_delayed_room()
        assert [message["is"] for message in read_messages(watchers[0])] == ["room"]
        drawn = 0
        again = await connect(rooms, "watcher 0", hosted.id)
        assert drawn == 1
        assert again.shown


@run_async
async def test_a_device_that_is_known_is_no_news(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        rooms = RoomHubs(host)
        ann = await connect(rooms, ANN, hosted.id)
        await connect(rooms, CID, hosted.id)
        read_messages(ann)
        tab = await connect(rooms, CID, hosted.id)
        rooms.leave(tab)
        assert read_messages(ann) == []
