"""Guests for the tests, invited or not: a house whose complaints are kept, devices on sockets, plain requests."""

import asyncio
import hashlib
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from knobel import fair
from knobel.web.wire import WIRE_VERSION
from tests.crowd import KNOBEL, House, Json
from tests.kept import rows

PATIENCE = 20.0
EDITION = "tactic-xl-yatzy"
HEX = "0" * 64
INTENTS: dict[str, Json] = {
    "sit": {"name": "Eve"},
    "take": {"seat": 0},
    "sit_bot": {"bot": "random", "name": "Robot"},
    "get_up": {"seat": 0},
    "swap": {"seat": 1},
    "settle": {"edition": "mb-yahtzee"},
    "real_dice": {"seat": 0, "real": True},
    "hand_over": {"seat": 1},
    "seal": {"game": "{next_game}", "seal": HEX},
    "begin": {"anyway": True},
    "reveal": {"seed": HEX},
    "start_without": {"seat": 0},
    "act": {"seat": 0, "ply": 0, "action": "....."},
    "undo": {"seat": 0, "ply": 0},
    "correct": {"seat": 0, "ply": 0, "box": "chance", "actions": ["chance=30"]},
    "swap_boxes": {"seat": 0, "ply": 0, "box": "chance", "other": "ones"},
    "go_on": {"ply": 0},
    "leave": {"seat": 0},
    "put_in": {"seat": 0, "bot": "random"},
    "return": {"seat": 0},
    "assist": {"seat": 0},
    "stop": {},
}
"""One of every kind, as a stranger might try it."""


@dataclass(frozen=True)
class Answer:
    """What came back over plain HTTP."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Place:
    """A house that is open: its port, its database, what it complained about."""

    house: House
    file: Path
    database: Path

    @property
    def port(self) -> int:
        """Where it is open."""
        return self.house.port

    @property
    def complaints(self) -> str:
        """What it wrote to stderr."""
        return self.file.read_text(encoding="utf-8")

    @property
    def memory(self) -> int:
        """How many bytes it has in memory."""
        assert self.house.process is not None
        status = Path(f"/proc/{self.house.process.pid}/status").read_text(encoding="utf-8")
        return int(status.partition("VmRSS:")[2].split()[0]) * 1024

    def ask(self, path: str, method: str = "GET", body: bytes | None = None, **headers: str | None) -> Answer:
        """Ask for something over plain HTTP; a header that is None is left out."""
        link = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        given = {"host": f"localhost:{self.port}", **headers}
        try:
            link.putrequest(method, path, skip_host=True)
            for name, value in given.items():
                if value is not None:
                    link.putheader(name, value)
            if body is not None:
                link.putheader("content-length", str(len(body)))
            link.endheaders(body)
            answer = link.getresponse()
            return Answer(answer.status, {key.lower(): value for key, value in answer.getheaders()}, answer.read())
        finally:
            link.close()


@contextmanager
def opened(folder: Path, *words: str) -> Iterator[Place]:
    """Open a house in a process of its own; it may not have complained about anything."""
    database, file = folder / "house.db", folder / "complaints.txt"
    house = House(f"sqlite:///{database}", (*KNOBEL, *words))
    with file.open("wb") as complaints:
        house.complaints = complaints
        asyncio.run(house.start())
        place = Place(house, file, database)
        try:
            yield place
        finally:
            house.kill()
    if place.complaints:
        raise AssertionError(place.complaints)


@dataclass
class Guest:
    """One device with one socket; it remembers the room and the position it was shown last, and all it ever heard."""

    port: int
    token: str = field(default_factory=lambda: secrets.token_hex(32))
    address: str = "127.0.0.1"
    room: Json = field(default_factory=dict)
    position: Json = field(default_factory=dict)
    heard: list[str] = field(default_factory=list)
    numbers: "count[int]" = field(default_factory=lambda: count(1))
    seeds: dict[str, bytes] = field(default_factory=dict)
    link: ClientConnection | None = None
    how: dict[str, Any] = field(default_factory=dict)

    @property
    def owner(self) -> str:
        """How the server knows this device."""
        return hashlib.sha256(self.token.encode()).hexdigest()

    @asynccontextmanager
    async def here(self, **how: Any) -> AsyncIterator["Guest"]:
        """Be there for a while; the socket is opened on entering a room."""
        self.how = how
        try:
            yield self
        finally:
            await self.leave()

    async def leave(self) -> None:
        """Hang up."""
        if self.link is not None:
            await self.link.close()

    @property
    def line(self) -> ClientConnection:
        """The open socket."""
        assert self.link is not None
        return self.link

    async def post(self, path: str, body: object, **headers: str) -> Answer:
        """Post something from one of the server's own pages."""
        return await asyncio.to_thread(post, self.port, path, body, self.token, self.address, **headers)

    async def send(self, message: object) -> None:
        """Send a message, as a value or as it stands."""
        ready = message if isinstance(message, str | bytes) else msgspec.json.encode(message).decode()
        await self.line.send(ready)

    async def hear(self) -> Json:
        """Hear the next message."""
        async with asyncio.timeout(PATIENCE):
            text = await self.line.recv()
        assert isinstance(text, str)
        self.heard.append(text)
        message: Json = msgspec.json.decode(text)
        if message["is"] == "room":
            self.room = message["view"]
        if message["is"] == "position":
            self.position = message["view"]
        return message

    async def until(self, fits: Callable[[Json], bool]) -> Json:
        """Hear messages until one fits."""
        while True:
            message = await self.hear()
            if fits(message):
                return message

    async def told(self, message: object, id_: str | None = None) -> Json:
        """Send a message and wait for its answer: done or refused."""
        await self.send(message)
        return await self.until(lambda one: one["is"] in ("done", "refused") and one["id"] == id_)

    async def want(self, intent: Json) -> Json:
        """Want something in the room, and wait for the answer."""
        name = f"w{next(self.numbers)}.{self.owner[:6]}"
        return await self.told({"do": "want", "id": name, "intent": intent}, name)

    async def open(self, *names: str, **settings: object) -> str:
        """Open a room, with people of this device in it, and enter it."""
        room = await self.open_only(*names, **settings)
        await self.enter(room)
        return room

    async def open_only(self, *names: str, **settings: object) -> str:
        """Open a room without entering it."""
        seats = [{"want": "sit", "name": one} for one in names]
        agreed = {"edition": EDITION, "pace": 0.0, **settings}
        name = f"o{next(self.numbers)}.{self.owner[:6]}"
        answer = await self.post("/api/rooms", {"id": name, "settings": agreed, "seats": seats})
        assert answer.status == 200, answer.body
        return str(msgspec.json.decode(answer.body)["room"])

    async def bring(self, house_rules: str) -> str:
        """Bring in a house-rule file, and give its fingerprint."""
        answer = await self.post("/api/house-rules", house_rules.encode())
        assert answer.status == 200, answer.body
        return str(msgspec.json.decode(answer.body)["fingerprint"])

    async def call(self, room: str) -> None:
        """Open a socket to a room."""
        await self.leave()
        self.link = await called(self.port, self.token, self.address, room=room, **self.how)

    async def enter(self, room: str) -> Json:
        """Enter a room, and wait until it is shown."""
        await self.call(room)
        await self.until(lambda one: one["is"] == "room" and one["view"]["id"] == room)
        return self.room

    async def seal(self) -> None:
        """Promise a seed for the coming game."""
        game = self.room["next_game"]
        seat = next(place for place, seat in enumerate(self.room["seats"]) if seat["yours"])
        seed = self.seeds.setdefault(game, secrets.token_bytes(32))
        done = await self.want({"want": "seal", "game": game, "seal": fair.commit_client_seed(game, seat, seed).hex()})
        assert done["is"] == "done", done

    async def reveal(self) -> None:
        """Show the seed of the game that runs."""
        await self.seen(lambda view: bool(view["waiting"]))
        done = await self.want({"want": "reveal", "seed": self.seeds[self.position["game"]].hex()})
        assert done["is"] == "done", done

    async def seen(self, fits: Callable[[Json], bool]) -> None:
        """Wait until the position is so."""
        while not self.position or not fits(self.position):
            await self.hear()


def post(port: int, path: str, body: object, token: str, address: str = "127.0.0.1", **headers: str) -> Answer:
    """Post something from one of the server's own pages: a file as it is, a value as JSON."""
    content = body if isinstance(body, bytes) else msgspec.json.encode(body)
    link = HTTPConnection("127.0.0.1", port, timeout=PATIENCE, source_address=(address, 0))
    here = f"localhost:{port}"
    given = {"Host": here, "Origin": f"http://{here}", "Cookie": f"knobel={token}", **headers}
    try:
        link.request("POST", path, content, given)
        answer = link.getresponse()
        return Answer(answer.status, {key.lower(): value for key, value in answer.getheaders()}, answer.read())
    finally:
        link.close()


def called(
    port: int,
    token: str | None,
    address: str = "127.0.0.1",
    origin: str | None = "",
    room: str = "nowhere",
    path: str = "",
    **how: Any,
) -> connect:
    """Call a room as a browser does, from some address; an origin that is empty is its own, None is none."""
    given = {"Cookie": f"knobel={token}"} if token is not None else {}
    way = {} if "sock" in how else {"host": "127.0.0.1", "port": port, "local_addr": (address, 0)}
    return connect(
        f"ws://localhost:{port}{path or f'/ws/{WIRE_VERSION}/{room}'}?lang=en",
        origin=f"http://localhost:{port}" if origin == "" else origin,  # type: ignore[arg-type]
        additional_headers={**given, **how.pop("headers", {})},
        **{
            **way,
            "compression": None,
            "ping_interval": None,
            "open_timeout": PATIENCE,
            "close_timeout": 2,
            "max_queue": None,
            "proxy": None,
            **how,
        },
    )


async def laid(ann: Guest, ben: Guest) -> str:
    """Let Ann open a room, both sit down, and a game begin in which Ann rolls first."""
    room = await ann.open("Ann")
    await ben.enter(room)
    assert (await ben.want({"want": "sit", "name": "Ben"}))["is"] == "done"
    await ann.until(lambda one: one["is"] == "room" and len(one["view"]["seats"]) == 2)
    await ann.seal()
    await ben.seal()
    assert (await ann.want({"want": "begin"}))["is"] == "done"
    await ann.reveal()
    await ben.reveal()
    await ann.seen(lambda view: not view["waiting"])
    return room


def intent(want: str, room: Json) -> Json:
    """Give an intent of every kind, made for this room."""
    return {"want": want, **INTENTS[want], **({"game": room["next_game"]} if want == "seal" else {})}


def stored(house: Place, room: str) -> object:
    """Give everything the database holds of a room and its games."""
    found = rows(house.database)
    games = {row[0] for row in found["games"] if room in row}
    return [row for table in sorted(found) for row in found[table] if room in row or games & set(row)]
