"""A rush for the tests: a thousand players on real sockets who want legal things at a steady pace, leanly."""

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
from tests.crowd import EDITION, House, post_json, until

PLAYERS, ROOMS, SPECTATORS = 1000, 300, 200
RATE = 1000.0
SECONDS, WARM, SETTLE = 60.0, 10.0, 2.0
"""How long is counted; how long before that the games begin, one by one; and how long they then settle."""
GOALS = {0.5: 15.0, 0.95: 50.0, 0.99: 150.0}
"""Within so many milliseconds such a part of all commands is done."""
MOST_MB = 400
TOGETHER = 40
"""So many rooms are opened at a time."""


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


class RoomNews(Struct):
    """A room."""

    view: RoomView


class Done(Struct):
    """A promise."""

    id: str


POSITION, ROOM, DONE = msgspec.json.Decoder(Position), msgspec.json.Decoder(RoomNews), msgspec.json.Decoder(Done)
KIND = len('{"is":"')


class Line(asyncio.Protocol):
    """One socket with frames made by hand: nothing the client does may cost what the server needs."""

    def __init__(self, port: int, address: str, hear: Callable[["Line", bytes], None]) -> None:
        self.port = port
        self.address = address
        self.hear = hear
        self.token = secrets.token_hex(32)
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.open = False
        self.rest = b""
        self.transport: asyncio.Transport

    async def dial(self, room: str) -> "Line":
        """Connect to a room as a browser does."""
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: self, "127.0.0.1", self.port, local_addr=(self.address, 0))
        here = f"localhost:{self.port}"
        self.transport.write(
            f"GET /ws/{WIRE_VERSION}/{room}?lang=en HTTP/1.1\r\nHost: {here}\r\nOrigin: http://{here}\r\n"
            f"Cookie: knobel={self.token}\r\n"
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
        self.open = False
        if not self.ready.done():
            self.ready.set_exception(ConnectionError())

    def data_received(self, data: bytes) -> None:
        """Take the frames apart."""
        data = self.rest + data if self.rest else data
        at, end = 0, len(data)
        if not self.open:
            at = data.find(b"\r\n\r\n") + 4
            if at < 4:
                self.rest = data
                return
            self.open = data.startswith(b"HTTP/1.1 101")
            if self.open:
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
                self.hear(self, data[begin:at])
            elif kind == 9:
                self.frame(0x8A, data[begin:at])
        self.rest = data[at:]

    def send(self, message: object) -> None:
        """Send a message."""
        self.frame(0x81, msgspec.json.encode(message))

    def frame(self, kind: int, body: bytes) -> None:
        """Send a frame under an empty mask."""
        size = bytes((kind, 128 | len(body))) if len(body) < 126 else bytes((kind, 254)) + len(body).to_bytes(2, "big")
        self.transport.write(size + b"\0\0\0\0" + body)


@dataclass
class Meter:
    """What is counted once it runs: seconds from when a command was due, what was refused, bytes heard."""

    done: list[float] = field(default_factory=list)
    told: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    heard: int = 0
    bytes: int = 0
    others: int = 0
    running: bool = False


@dataclass(frozen=True)
class Figures:
    """What came of it."""

    seconds: float
    done: list[float]
    told: list[float]
    errors: list[str]
    message: float
    memory: float
    busy: float
    load: float

    @property
    def rate(self) -> float:
        """How many commands were done in a second."""
        return len(self.done) / self.seconds

    @property
    def each(self) -> float:
        """How many microseconds of a processor a command cost the house."""
        return self.busy / self.rate * 1e6


class Party:
    """One room with its players and spectators, and what is wanted there next."""

    def __init__(self, number: int, port: int, players: int, spectators: int, meter: Meter, chance: Random) -> None:
        self.number = number
        self.meter = meter
        self.chance = chance
        address = f"127.0.{1 + number // 200}.{1 + number % 200}"
        self.lines = [Line(port, address, self.hear) for _ in range(players + spectators)]
        self.players = self.lines[:players]
        self.seeds = [secrets.token_bytes(32) for _ in self.players]
        self.view: View | None = None
        self.seats: RoomView | None = None
        self.game = ""
        self.ply = -1
        self.asked_ply = -1
        self.speaker: Line | None = None
        self.waiting: dict[str, float] = {}
        self.due, self.before = 0.0, 0.0
        self.dues: deque[float] = deque()
        self.count = 0
        self.sealed: set[tuple[Line, str]] = set()
        self.answer: asyncio.Future[None] | None = None

    async def come(self) -> None:
        """Open the room, connect, let everybody sit down."""
        first = self.players[0]
        body = {"id": self.command(), "settings": {"edition": EDITION}}
        opened = await post_json(first.port, "/api/rooms", body, first.token, first.address)
        for line in self.lines:
            await line.dial(opened["room"])
        for number, line in enumerate(self.players):
            await self.asked(line, self.want({"want": "sit", "name": f"Player {number + 1}"}))

    async def asked(self, line: Line, message: dict[str, object]) -> None:
        """Send a command and wait until it is done."""
        self.answer = asyncio.get_running_loop().create_future()
        line.send({**message, "id": self.command()})
        await self.answer

    def want(self, intent: dict[str, object]) -> dict[str, object]:
        """Want something in the room."""
        return {"do": "want", "intent": intent}

    def command(self) -> str:
        """Name the next command."""
        self.count += 1
        return f"c{self.number}.{self.count}"

    # Hearing.

    def hear(self, line: Line, message: bytes) -> None:
        """Take notice of what the house says to one of us."""
        meter = self.meter
        meter.heard += 1
        meter.bytes += len(message)
        kind = message[KIND : KIND + 4]
        if kind == b"posi":
            self.hear_position(line, message)
        elif kind == b"done":
            self.hear_done(DONE.decode(message))
        elif kind == b"room":
            self.hear_room(line, ROOM.decode(message).view)
        elif kind == b"refu":
            meter.errors.append(message.decode())

    def hear_position(self, line: Line, message: bytes) -> None:
        """Look at a position once, whoever of us gets it first; of the others only when it came."""
        at = message.find(b'"ply":') + 6
        ply = int(message[at : message.find(b",", at)])
        fresh = ply > self.asked_ply
        if line is not self.speaker and self.meter.running:
            self.meter.told.append(time.perf_counter() - (self.due if fresh else self.before))
        if ply != self.ply or line is self.lines[0]:
            view = POSITION.decode(message).view
            if view.game != self.game:
                self.game, self.asked_ply = view.game, -1
            elif ply < self.ply:
                return
            self.view, self.ply = view, ply
            self.go_on()
        if self.view is not None and self.view.waiting:
            self.reveal(line)

    def hear_done(self, done: Done) -> None:
        """Note how long a command took."""
        if self.answer is not None and not self.answer.done():
            self.answer.set_result(None)
        due = self.waiting.pop(done.id, None)
        if due is not None and self.meter.running:
            self.meter.done.append(time.perf_counter() - due)
        self.go_on()

    def hear_room(self, line: Line, room: RoomView) -> None:
        """Promise a seed for the next game."""
        if line is self.lines[0]:
            self.seats = room
        if line not in self.players or room.sealed or len(room.seats) < len(self.players):
            return
        if (line, room.next_game) not in self.sealed:
            self.sealed.add((line, room.next_game))
            seat = self.players.index(line)
            seal = fair.commit_client_seed(room.next_game, seat, self.seeds[seat]).hex()
            line.send({**self.want({"want": "seal", "game": room.next_game, "seal": seal}), "id": self.command()})

    def reveal(self, line: Line) -> None:
        """Show a seed, once."""
        seat = self.players.index(line) if line in self.players else -1
        if self.view is not None and seat in self.view.waiting and (line, f"{self.game}!") not in self.sealed:
            self.sealed.add((line, f"{self.game}!"))
            line.send({**self.want({"want": "reveal", "seed": self.seeds[seat].hex()}), "id": self.command()})

    # Playing.

    @property
    def can_begin(self) -> bool:
        """Whether everybody sits and has promised a seed, and nothing runs."""
        room = self.seats
        if room is None or room.running or len(room.seats) < len(self.players):
            return False
        return all(seat.sealed for seat in room.seats)

    def beat(self, due: float) -> None:
        """Want the next thing now, or as soon as the last one is done; what is late counts from when it was due."""
        if self.wish() is not None or self.waiting:
            self.dues.append(due)
            self.go_on()

    def go_on(self) -> None:
        """Do what is due."""
        if self.dues and not self.waiting and (wish := self.wish()) is not None:
            line, intent = wish
            self.before, self.due = self.due, self.dues.popleft()
            self.asked_ply, self.speaker = self.ply, line
            command = self.command()
            self.waiting[command] = self.due
            line.send({**self.want(intent), "id": command})

    def wish(self) -> tuple[Line, dict[str, object]] | None:
        """Choose what is wanted next, and by whom; nothing while somebody else's answer is awaited."""
        view = self.view
        if self.can_begin and (view is None or view.closed):
            return self.players[0], {"want": "begin"}
        if view is None or view.closed or view.waiting or self.ply <= self.asked_ply:
            return None
        if view.places is not None:
            return self.players[0], {"want": "go_on", "ply": view.ply}
        tray = view.trays[0]
        return self.players[tray.seat], {
            "want": "act",
            "seat": tray.seat,
            "ply": view.ply,
            "action": move(tray, self.chance),
        }


def move(tray: Tray, chance: Random) -> str:
    """Choose a legal move at random from what the position offers."""
    fitting = [option.box for option in tray.options if option.refusal is None]
    if tray.roll_refusal is None and (not fitting or not tray.dice or chance.random() < 0.5):
        kept = [die if chance.random() < 0.5 else 0 for die in tray.dice] or [0] * 5
        return "".join(str(die or ".") for die in (kept if 0 in kept else [0] * len(kept)))
    return chance.choice(fitting)


@dataclass(frozen=True)
class Crowd:
    """How many come, how much they do, and for how long."""

    players: int = PLAYERS
    rooms: int = ROOMS
    spectators: int = SPECTATORS
    rate: float = RATE
    seconds: float = SECONDS
    warm: float = WARM


async def measured(house: House, crowd: Crowd, kind: type[Party] = Party) -> Figures:
    """Fill a house, let it run, and count."""
    meter, chance = Meter(), Random(1)
    await house.start()
    try:
        parties = [
            kind(number, house.port, share(crowd.players, crowd.rooms, number), extra, meter, chance)
            for number in range(crowd.rooms)
            for extra in [share(crowd.spectators, crowd.rooms, number)]
        ]
        gate = asyncio.Semaphore(TOGETHER)
        await asyncio.gather(*(arrived(party, gate) for party in parties))
        await until(lambda: all(party.wish() is not None for party in parties), 60)
        gc.collect()
        gc.freeze()
        going = [
            asyncio.create_task(keep_time(party, every, chance.random() * crowd.warm))
            for party, every in zip(parties, beats(crowd, chance), strict=True)
        ]
        await asyncio.sleep(crowd.warm + SETTLE)
        return await counted(house, meter, parties, going, crowd.seconds)
    finally:
        house.kill()


def share(whole: int, parts: int, number: int) -> int:
    """Divide as evenly as it goes."""
    return whole * (number + 1) // parts - whole * number // parts


async def arrived(party: Party, gate: asyncio.Semaphore) -> None:
    """Let a party come, not all at once."""
    async with gate:
        await party.come()


def beats(crowd: Crowd, chance: Random) -> list[float]:
    """Give every room a pace of its own, so that they do not all end at once; together they keep the rate."""
    paces = [chance.uniform(0.5, 1.5) for _ in range(crowd.rooms)]
    return [sum(paces) / crowd.rate / pace for pace in paces]


async def keep_time(party: Party, every: float, start: float) -> None:
    """Want something at every beat, whatever became of the one before."""
    due = time.perf_counter() + start
    while True:
        await asyncio.sleep(due - time.perf_counter())
        party.beat(due)
        due += every


async def counted(
    house: House, meter: Meter, parties: Sequence[Party], going: list[asyncio.Task[None]], seconds: float
) -> Figures:
    """Count for a while."""
    pid = house.process.pid if house.process else 0
    meter.running, meter.heard, meter.bytes = True, 0, 0
    begin, busy = time.perf_counter(), processor(pid)
    await asyncio.sleep(seconds)
    took, busy = time.perf_counter() - begin, processor(pid) - busy
    meter.running = False
    for task in going:
        task.cancel()
    await asyncio.gather(*going, return_exceptions=True)
    broken = ["a line is broken" for party in parties for line in party.lines if not line.open]
    return Figures(
        seconds=took,
        done=sorted(meter.done),
        told=sorted(meter.told),
        errors=meter.errors + broken,
        message=meter.bytes / meter.heard,
        memory=memory(pid),
        busy=busy / took,
        load=os.getloadavg()[0],
    )


def processor(pid: int) -> float:
    """Say how many seconds of a processor a process has had."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """Say how many megabytes a process had at most."""
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(lines["VmHWM"].split()[0]) / 1024


def within(times: list[float], part: float) -> float:
    """Give the milliseconds within which so large a part came."""
    return times[min(int(part * len(times)), len(times) - 1)] * 1e3


def reached(found: Figures) -> bool:
    """Tell whether every figure is reached."""
    quick = all(within(found.done, part) <= goal for part, goal in GOALS.items())
    return quick and not found.errors and found.memory <= MOST_MB


def more_files() -> None:
    """Allow as many sockets as the machine does; the house inherits it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
