"""What a terminal does by itself: it seals again whenever it must, and shows the seed it sealed."""

import asyncio
from pathlib import Path

import pytest

from knobel import fair
from knobel.client.device_duties import DeviceDuties
from knobel.client.device_file import DeviceFile
from knobel.rooms.intents import AnyIntent, RevealSeed, SealSeed
from knobel.view.lobby import RoomSeatView, RoomView
from tests.support.played_tables import open_table

HERE = "http://localhost:8765"


class Wishes:
    """Notes what is wanted; an answer comes when it is let come."""

    def __init__(self) -> None:
        self.sent = list[AnyIntent]()
        self.answered = asyncio.Event()

    async def want(self, intent: AnyIntent) -> None:
        self.sent.append(intent)
        await self.answered.wait()


@pytest.fixture
def device(tmp_path: Path) -> DeviceFile:
    device = DeviceFile(tmp_path / "devices.json")
    device.remember_server(HERE, "c" * 64)
    return device


def show_room(*names: str, sealed: bool = False) -> RoomView:
    """Show a room in which Ann is the device that looks."""
    nothing = dict.fromkeys(RoomSeatView.__struct_fields__)
    seats = tuple(RoomSeatView(**{**nothing, "name": name, "yours": name == "Ann"}) for name in names)  # type: ignore[arg-type]
    empty = dict.fromkeys(RoomView.__struct_fields__)
    return RoomView(**{**empty, "seats": seats, "next_game": "g", "commitment": "p", "sealed": sealed})  # type: ignore[arg-type]


async def let_tasks_run(duties: DeviceDuties) -> None:
    """Let everything that was answered end."""
    while duties.tasks:
        await asyncio.gather(*duties.tasks)


def test_the_seed_is_sealed_again_after_somebody_sat_down(device: DeviceFile) -> None:
    async def run() -> list[AnyIntent]:
        wishes = Wishes()
        duties = DeviceDuties(HERE, device, wishes.want)
        duties.seal(show_room("Bo"))
        duties.seal(show_room("Bo", "Ann"))
        duties.seal(show_room("Bo", "Ann"))
        wishes.answered.set()
        await let_tasks_run(duties)
        duties.seal(show_room("Bo", "Ann", sealed=True))
        duties.seal(show_room("Bo", "Ann", "Cid"))
        await let_tasks_run(duties)
        return wishes.sent

    secret_seals = asyncio.run(run())
    secret = device.find_seed(HERE, "g")
    assert secret is not None
    seal = fair.commit_client_seed("g", 1, bytes.fromhex(secret.seed)).hex()
    assert secret_seals == [SealSeed("g", seal), SealSeed("g", seal)]


def test_after_a_new_connection_it_is_sent_again_although_nobody_answered(device: DeviceFile) -> None:
    async def run() -> int:
        wishes = Wishes()
        duties = DeviceDuties(HERE, device, wishes.want)
        duties.seal(show_room("Ann"))
        duties.reset()
        duties.seal(show_room("Ann"))
        wishes.answered.set()
        await let_tasks_run(duties)
        return len(wishes.sent)

    assert asyncio.run(run()) == 2


def test_the_seed_is_shown_to_a_table_that_waits_for_it_and_to_no_other(device: DeviceFile) -> None:
    table = open_table("mb-yahtzee", sealed=(0,))
    secret = device.draw_seed(HERE, table.header.game, "p")

    async def run(seats: list[int]) -> list[AnyIntent]:
        wishes = Wishes()
        wishes.answered.set()
        duties = DeviceDuties(HERE, device, wishes.want)
        duties.take_part(table, seats)
        await let_tasks_run(duties)
        return wishes.sent

    assert asyncio.run(run([0])) == [RevealSeed(secret.seed)]
    assert asyncio.run(run([1])) == []
