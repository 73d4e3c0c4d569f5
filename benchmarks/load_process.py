"""One process of a load: a part of the rooms with their players, who play at the pace they are told.

python -m benchmarks.load_process PART    PART is a LoadPart as JSON

It sits down at a server that runs, and says `ready`. Each line it then reads is a LoadOrder as JSON; it answers with
`counting` when the window begins, and with a LoadReport as JSON when it is over. It ends when nothing more comes.
"""

import asyncio
import gc
import sys
import time
from random import Random

import msgspec
from msgspec import Struct
from tests.support.load_clients import (
    ROOMS_AT_ONCE,
    LoadProfile,
    LoadRoom,
    Meter,
    choose_intervals,
    divide_evenly,
    raise_file_limit,
    schedule_regularly,
    set_up_room,
)
from tests.support.waiting import wait_until


class LoadPart(Struct):
    """Which rooms of how many are played here."""

    port: int
    first: int
    rooms: int
    of_rooms: int
    players: int
    spectators: int


class LoadOrder(Struct):
    """How many commands a second are wanted of this process, for how long they are counted, and how long before."""

    rate: float
    seconds: float
    warm_up: float


class LoadReport(Struct):
    """How long each command took, how long each update, and what went wrong."""

    seconds: float
    command_seconds: list[float]
    update_seconds: list[float]
    errors: list[str]


class LoadPlayers:
    """The rooms of one process."""

    def __init__(self, part: LoadPart) -> None:
        self.meter, self.random = Meter(), Random(part.first)
        self.rooms = [
            LoadRoom(
                number,
                part.port,
                divide_evenly(part.players, part.of_rooms, number),
                divide_evenly(part.spectators, part.of_rooms, number),
                self.meter,
                self.random,
            )
            for number in range(part.first, part.first + part.rooms)
        ]

    async def sit_down(self) -> None:
        gate = asyncio.Semaphore(ROOMS_AT_ONCE)
        await asyncio.gather(*(set_up_room(room, gate) for room in self.rooms))
        await wait_until(lambda: all(room.choose_intent() is not None for room in self.rooms))
        gc.collect()
        gc.freeze()

    async def play(self, order: LoadOrder) -> LoadReport:
        """Play for a while, count in the end of it, and wait until everything is answered."""
        profile = LoadProfile(rooms=len(self.rooms), rate=order.rate)
        paces = choose_intervals(profile, self.random)
        tasks = [
            asyncio.create_task(schedule_regularly(room, every, self.random.random() * every))
            for room, every in zip(self.rooms, paces, strict=True)
        ]
        await asyncio.sleep(order.warm_up)
        self.meter.command_seconds, self.meter.update_seconds, self.meter.errors = [], [], []
        self.meter.is_running, begin = True, time.perf_counter()
        print("counting", flush=True)
        await asyncio.sleep(order.seconds)
        took, self.meter.is_running = time.perf_counter() - begin, False
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for room in self.rooms:
            room.dues.clear()
        await wait_until(lambda: not any(room.waiting for room in self.rooms))
        broken = ["a line is broken" for room in self.rooms for client in room.clients if not client.is_open]
        return LoadReport(took, self.meter.command_seconds, self.meter.update_seconds, self.meter.errors + broken)


async def serve_orders(part: LoadPart) -> None:
    players = LoadPlayers(part)
    await players.sit_down()
    print("ready", flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        report = await players.play(msgspec.json.decode(line, type=LoadOrder))
        print(msgspec.json.encode(report).decode(), flush=True)


if __name__ == "__main__":
    raise_file_limit()
    asyncio.run(serve_orders(msgspec.json.decode(sys.argv[1], type=LoadPart)))
