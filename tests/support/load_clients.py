"""A load for the tests: a thousand players on real sockets who want legal things at a steady pace, leanly."""

import asyncio
import gc
import os
import resource
import secrets
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from knobel import fair
from knobel.web.wire import WIRE_VERSION
from tests.support.proofs import proof_protocols
from tests.support.socket_players import EDITION, LOBBY, ServerProcess, post_json
from tests.support.waiting import wait_until

PLAYERS, ROOMS, SPECTATORS = 1000, 300, 200
RATE = 1000.0
SECONDS, WARM_UP, SETTLE = 60.0, 10.0, 2.0
"""How long is counted; how long before that the games begin, one by one; and how long they then settle."""
GOALS = {0.5: 15.0, 0.95: 50.0, 0.99: 150.0}
"""The milliseconds within which each share of all commands must be done."""
MAX_MEMORY_MB = 400
ROOMS_AT_ONCE = 40
"""How many rooms are opened at a time."""


class Option(Struct):
    """An open box."""

    box: str
    refusal: str | None


class Tray(Struct):
    """Whose turn it is, and what can be done."""

    seat: int
    dice: tuple[int, ...]
    options: tuple[Option, ...]
    roll_refusal: str | None


class View(Struct):
    """As much of a position as a player must know."""

    game: str
    ply: int
    trays: tuple[Tray, ...]
    waiting: tuple[int, ...]
    places: tuple[tuple[int, ...], ...] | None
    closed: str | None


class Position(Struct):
    """A position."""

    view: View


class SeatView(Struct):
    """A seat."""

    sealed: bool


class RoomView(Struct):
    """As much of a room as a player must know."""

    next_game: str
    running: bool
    sealed: bool
    seats: tuple[SeatView, ...]


class RoomMessage(Struct):
    """A room."""

    view: RoomView


class Done(Struct):
    """A promise."""

    id: str


POSITION_DECODER, ROOM_DECODER, DONE_DECODER = (
    msgspec.json.Decoder(Position),
    msgspec.json.Decoder(RoomMessage),
    msgspec.json.Decoder(Done),
)
KIND_OFFSET = len('{"is":"')


class LoadClient(asyncio.Protocol):
    """One socket with frames made by hand: nothing the client does may cost what the server needs."""

    def __init__(self, port: int, address: str, on_message: Callable[["LoadClient", bytes], None]) -> None:
        self.port = port
        self.address = address
        self.on_message = on_message
        self.token = secrets.token_hex(32)
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.is_open = False
        self.buffer = b""
        self.transport: asyncio.Transport

    async def connect(self, room: str) -> "LoadClient":
        """Connect to a room as a browser does."""
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: self, "127.0.0.1", self.port, local_addr=(self.address, 0))
        here = f"localhost:{self.port}"
        self.transport.write(
            f"GET /ws/{WIRE_VERSION}/{room}?lang=en HTTP/1.1\r\nHost: {here}\r\nOrigin: http://{here}\r\n"
            f"Cookie: knobel={self.token}\r\n"
            f"Sec-WebSocket-Protocol: {', '.join(proof_protocols(self.token))}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        await self.ready
        return self

    def connection_made(self, transport: Any) -> None:
        """Take the link."""
        self.transport = transport

    def connection_lost(self, _: Exception | None) -> None:
        """Note that the link is gone."""
        self.is_open = False
        if not self.ready.done():
            self.ready.set_exception(ConnectionError())

    def data_received(self, data: bytes) -> None:
        """Take the frames apart."""
        data = self.buffer + data if self.buffer else data
        at, end = 0, len(data)
        if not self.is_open:
            at = data.find(b"\r\n\r\n") + 4
            if at < 4:
                self.buffer = data
                return
            self.is_open = data.startswith(b"HTTP/1.1 101")
            if self.is_open:
                self.ready.set_result(None)
        while end - at >= 2:
            size, head = data[at + 1], 2
            if size == 126:
                size, head = int.from_bytes(data[at + 2 : at + 4], "big"), 4
            elif size == 127:
                size, head = int.from_bytes(data[at + 2 : at + 10], "big"), 10
            if end - at < head + size:
                break
            begin, at = at + head, at + head + size
            kind = data[begin - head] & 15
            if kind == 1:
                self.on_message(self, data[begin:at])
            elif kind == 9:
                self.send_frame(0x8A, data[begin:at])
        self.buffer = data[at:]

    def send(self, message: object) -> None:
        """Send a message."""
        self.send_frame(0x81, msgspec.json.encode(message))

    def send_frame(self, kind: int, body: bytes) -> None:
        """Send a frame under an empty mask."""
        size = bytes((kind, 128 | len(body))) if len(body) < 126 else bytes((kind, 254)) + len(body).to_bytes(2, "big")
        self.transport.write(size + b"\0\0\0\0" + body)


@dataclass
class Meter:
    """What is counted once it runs: seconds from when a command was due, what was refused, bytes heard."""

    command_seconds: list[float] = field(default_factory=list)
    update_seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    message_count: int = 0
    byte_count: int = 0
    others: int = 0
    is_running: bool = False

    def has_counted(self, commands: int) -> bool:
        """Tell whether so many commands were done, and more were heard of by the others."""
        return not commands or commands <= len(self.command_seconds) < len(self.update_seconds)


@dataclass(frozen=True)
class LoadResult:
    """What came of it."""

    seconds: float
    command_seconds: list[float]
    update_seconds: list[float]
    errors: list[str]
    mean_message_bytes: float
    peak_memory_mb: float
    cpu: float
    load_average: float

    @property
    def rate(self) -> float:
        """How many commands were done in a second."""
        return len(self.command_seconds) / self.seconds

    @property
    def cpu_microseconds(self) -> float:
        """How many microseconds of a processor a command cost the server."""
        return self.cpu / self.rate * 1e6


class LoadRoom:
    """One room with its players and spectators, and what is wanted there next."""

    def __init__(self, number: int, port: int, players: int, spectators: int, meter: Meter, random: Random) -> None:
        self.number = number
        self.meter = meter
        self.random = random
        address = f"127.0.{1 + number // 200}.{1 + number % 200}"
        self.clients = [LoadClient(port, address, self.receive) for _ in range(players + spectators)]
        self.players = self.clients[:players]
        self.seeds = [secrets.token_bytes(32) for _ in self.players]
        self.view: View | None = None
        self.room: RoomView | None = None
        self.game = ""
        self.ply = -1
        self.last_ply = -1
        self.sender: LoadClient | None = None
        self.waiting: dict[str, float] = {}
        self.due, self.previous_due = 0.0, 0.0
        self.dues: deque[float] = deque()
        self.command_count = 0
        self.sealed: set[tuple[LoadClient, str]] = set()
        self.reply: asyncio.Future[None] | None = None

    async def set_up(self) -> None:
        """Open the room, connect, let everybody sit down."""
        first = self.players[0]
        body = {"id": self.next_command_id(), "settings": {"edition": EDITION}}
        opened = await post_json(first.port, "/api/rooms", body, first.token, first.address)
        for client in self.clients:
            await client.connect(opened["room"])
        for number, client in enumerate(self.players):
            await self.send_and_wait(client, self.wrap_intent({"want": "sit", "name": f"Player {number + 1}"}))

    async def send_and_wait(self, client: LoadClient, message: dict[str, object]) -> None:
        """Send a command and wait until it is done."""
        self.reply = asyncio.get_running_loop().create_future()
        client.send({**message, "id": self.next_command_id()})
        await self.reply

    def wrap_intent(self, intent: dict[str, object]) -> dict[str, object]:
        """Want something in the room."""
        meant = {} if intent["want"] in LOBBY else {"game": self.game}
        return {"do": "want", "intent": intent, **meant}

    def next_command_id(self) -> str:
        """Name the next command."""
        self.command_count += 1
        return f"c{self.number}.{self.command_count}"

    # Hearing.

    def receive(self, client: LoadClient, message: bytes) -> None:
        """Take notice of what the server says to one of us."""
        meter = self.meter
        meter.message_count += 1
        meter.byte_count += len(message)
        kind = message[KIND_OFFSET : KIND_OFFSET + 4]
        if kind == b"posi":
            self.receive_position(client, message)
        elif kind == b"done":
            self.receive_done(DONE_DECODER.decode(message))
        elif kind == b"room":
            self.receive_room(client, ROOM_DECODER.decode(message).view)
        elif kind == b"refu":
            meter.errors.append(message.decode())

    def receive_position(self, client: LoadClient, message: bytes) -> None:
        """Look at a position once, whoever of us gets it first; of the others only when it came."""
        at = message.find(b'"ply":') + 6
        ply = int(message[at : message.find(b",", at)])
        fresh = ply > self.last_ply
        if client is not self.sender and self.meter.is_running:
            self.meter.update_seconds.append(time.perf_counter() - (self.due if fresh else self.previous_due))
        if ply != self.ply or client is self.clients[0]:
            view = POSITION_DECODER.decode(message).view
            if view.game != self.game:
                self.game, self.last_ply = view.game, -1
            elif ply < self.ply:
                return
            self.view, self.ply = view, ply
            self.send_due()
        if self.view is not None and self.view.waiting:
            self.reveal_seed(client)

    def receive_done(self, done: Done) -> None:
        """Note how long a command took."""
        if self.reply is not None and not self.reply.done():
            self.reply.set_result(None)
        due = self.waiting.pop(done.id, None)
        if due is not None and self.meter.is_running:
            self.meter.command_seconds.append(time.perf_counter() - due)
        self.send_due()

    def receive_room(self, client: LoadClient, room: RoomView) -> None:
        """Promise a seed for the next game."""
        if client is self.clients[0]:
            self.room = room
        if client not in self.players or room.sealed or len(room.seats) < len(self.players):
            return
        if (client, room.next_game) not in self.sealed:
            self.sealed.add((client, room.next_game))
            seat = self.players.index(client)
            seal = fair.commit_client_seed(room.next_game, seat, self.seeds[seat]).hex()
            client.send(
                {
                    **self.wrap_intent({"want": "seal", "game": room.next_game, "seal": seal}),
                    "id": self.next_command_id(),
                }
            )

    def reveal_seed(self, client: LoadClient) -> None:
        """Show a seed, once."""
        seat = self.players.index(client) if client in self.players else -1
        if self.view is not None and seat in self.view.waiting and (client, f"{self.game}!") not in self.sealed:
            self.sealed.add((client, f"{self.game}!"))
            client.send(
                {**self.wrap_intent({"want": "reveal", "seed": self.seeds[seat].hex()}), "id": self.next_command_id()}
            )

    # Playing.

    @property
    def can_begin(self) -> bool:
        """Whether everybody sits and has promised a seed, and nothing runs."""
        room = self.room
        if room is None or room.running or len(room.seats) < len(self.players):
            return False
        return all(seat.sealed for seat in room.seats)

    def schedule(self, due: float) -> None:
        """Want the next thing now, or as soon as the last one is done; what is late counts from when it was due."""
        if self.choose_intent() is not None or self.waiting:
            self.dues.append(due)
            self.send_due()

    def send_due(self) -> None:
        """Do what is due."""
        if self.dues and not self.waiting and (choice := self.choose_intent()) is not None:
            client, intent = choice
            self.previous_due, self.due = self.due, self.dues.popleft()
            self.last_ply, self.sender = self.ply, client
            command = self.next_command_id()
            self.waiting[command] = self.due
            client.send({**self.wrap_intent(intent), "id": command})

    def choose_intent(self) -> tuple[LoadClient, dict[str, object]] | None:
        """Choose what is wanted next, and by whom; nothing while somebody else's answer is awaited."""
        view = self.view
        if self.can_begin and (view is None or view.closed):
            return self.players[0], {"want": "begin"}
        if view is None or view.closed or view.waiting or self.ply <= self.last_ply:
            return None
        if view.places is not None:
            return self.players[0], {"want": "go_on", "ply": view.ply}
        tray = view.trays[0]
        return self.players[tray.seat], {
            "want": "act",
            "seat": tray.seat,
            "ply": view.ply,
            "action": choose_move(tray, self.random),
        }


def choose_move(tray: Tray, random: Random) -> str:
    """Choose a legal move at random from what the position offers."""
    fitting = [option.box for option in tray.options if option.refusal is None]
    if tray.roll_refusal is None and (not fitting or not tray.dice or random.random() < 0.5):
        kept = [die if random.random() < 0.5 else 0 for die in tray.dice] or [0] * 5
        return "".join(str(die or ".") for die in (kept if 0 in kept else [0] * len(kept)))
    return random.choice(fitting)


@dataclass(frozen=True)
class LoadProfile:
    """How many come, how much they do, and for how long; however slow the machine is, so many commands are counted."""

    players: int = PLAYERS
    rooms: int = ROOMS
    spectators: int = SPECTATORS
    rate: float = RATE
    seconds: float = SECONDS
    warm_up: float = WARM_UP
    least: int = 0


async def measure_load(server: ServerProcess, profile: LoadProfile, kind: type[LoadRoom] = LoadRoom) -> LoadResult:
    """Fill a server, let it run, and count."""
    meter, random = Meter(), Random(1)
    await server.start()
    try:
        rooms = [
            kind(number, server.port, divide_evenly(profile.players, profile.rooms, number), extra, meter, random)
            for number in range(profile.rooms)
            for extra in [divide_evenly(profile.spectators, profile.rooms, number)]
        ]
        gate = asyncio.Semaphore(ROOMS_AT_ONCE)
        await asyncio.gather(*(set_up_room(room, gate) for room in rooms))
        await wait_until(lambda: all(room.choose_intent() is not None for room in rooms))
        gc.collect()
        gc.freeze()
        tasks = [
            asyncio.create_task(schedule_regularly(room, every, random.random() * profile.warm_up))
            for room, every in zip(rooms, choose_intervals(profile, random), strict=True)
        ]
        await asyncio.sleep(profile.warm_up + SETTLE)
        return await measure_window(server, meter, rooms, tasks, profile)
    finally:
        server.kill()


def divide_evenly(total: int, parts: int, number: int) -> int:
    """Divide as evenly as it goes."""
    return total * (number + 1) // parts - total * number // parts


async def set_up_room(room: LoadRoom, gate: asyncio.Semaphore) -> None:
    """Let a group come, not all at once."""
    async with gate:
        await room.set_up()


def choose_intervals(profile: LoadProfile, random: Random) -> list[float]:
    """Give every room a pace of its own, so that they do not all end at once; together they keep the rate."""
    paces = [random.uniform(0.5, 1.5) for _ in range(profile.rooms)]
    return [sum(paces) / profile.rate / pace for pace in paces]


async def schedule_regularly(room: LoadRoom, every: float, start: float) -> None:
    """Want something at every beat, whatever became of the one before."""
    due = time.perf_counter() + start
    while True:
        await asyncio.sleep(due - time.perf_counter())
        room.schedule(due)
        due += every


async def measure_window(
    server: ServerProcess,
    meter: Meter,
    rooms: Sequence[LoadRoom],
    tasks: list[asyncio.Task[None]],
    profile: LoadProfile,
) -> LoadResult:
    """Count for a while, and until there is enough."""
    pid = server.process.pid if server.process else 0
    meter.is_running, meter.message_count, meter.byte_count = True, 0, 0
    begin, cpu = time.perf_counter(), server.read_cpu_seconds()
    await asyncio.sleep(profile.seconds)
    await wait_until(lambda: meter.has_counted(profile.least))
    took, cpu = time.perf_counter() - begin, server.read_cpu_seconds() - cpu
    meter.is_running = False
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    broken = ["a line is broken" for room in rooms for client in room.clients if not client.is_open]
    return LoadResult(
        seconds=took,
        command_seconds=sorted(meter.command_seconds),
        update_seconds=sorted(meter.update_seconds),
        errors=meter.errors + broken,
        mean_message_bytes=meter.byte_count / meter.message_count,
        peak_memory_mb=read_peak_memory_mb(pid),
        cpu=cpu / took,
        load_average=os.getloadavg()[0],
    )


def read_peak_memory_mb(pid: int) -> float:
    """Say how many megabytes a process had at most."""
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(lines["VmHWM"].split()[0]) / 1024


def percentile_ms(times: list[float], part: float) -> float:
    """Give the milliseconds within which so large a part came."""
    return times[min(int(part * len(times)), len(times) - 1)] * 1e3


def meets_goals(found: LoadResult) -> bool:
    """Tell whether every figure is reached."""
    quick = all(percentile_ms(found.command_seconds, part) <= goal for part, goal in GOALS.items())
    return quick and not found.errors and found.peak_memory_mb <= MAX_MEMORY_MB


def raise_file_limit() -> None:
    """Allow as many sockets as the machine does; the server inherits it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
