"""Devices for the tests, invited or not: a server whose complaints are kept, devices on sockets, plain requests."""

import asyncio
import hashlib
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from knobel import fair
from knobel.web.wire import WIRE_VERSION
from tests.support.proofs import proof_headers, proof_protocols
from tests.support.socket_players import LOBBY, SERVE_COMMAND, Json, ServerProcess
from tests.support.stored_games import dump_tables
from tests.support.waiting import HANG_SECONDS

EDITION = "tactic-xl-yatzy"
ZERO_HASH = "0" * 64
SAMPLE_INTENTS: dict[str, Json] = {
    "sit": {"name": "Eve"},
    "take": {"seat": 0},
    "sit_bot": {"bot": "random", "name": "Robot"},
    "rename": {"seat": 0, "name": "Eve"},
    "get_up": {"seat": 0},
    "swap": {"seat": 1},
    "handicap": {"seat": 0, "points": 5},
    "restart": {},
    "settle": {"edition": "mb-yahtzee"},
    "real_dice": {"seat": 0, "real": True},
    "hand_over": {"seat": 1},
    "lock": {"locked": True},
    "seal": {"game": "{next_game}", "seal": ZERO_HASH},
    "begin": {"anyway": True},
    "reveal": {"seed": ZERO_HASH},
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
class HttpResponse:
    """What came back over plain HTTP."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass
class RunningServer:
    """A running server: its port, its database, what it complained about."""

    process: ServerProcess
    stderr_file: Path
    database: Path

    @property
    def port(self) -> int:
        """Where it is open."""
        return self.process.port

    @property
    def stderr(self) -> str:
        """What it wrote to stderr."""
        return self.stderr_file.read_text(encoding="utf-8")

    @property
    def memory_bytes(self) -> int:
        """How many bytes it has in memory."""
        assert self.process.process is not None
        status = Path(f"/proc/{self.process.process.pid}/status").read_text(encoding="utf-8")
        return int(status.partition("VmRSS:")[2].split()[0]) * 1024

    @property
    def connection_count(self) -> int:
        """How many sockets it has open."""
        assert self.process.process is not None
        found = 0
        for file in Path(f"/proc/{self.process.process.pid}/fd").iterdir():
            with suppress(OSError):
                found += str(file.readlink()).startswith("socket:")
        return found

    def get_as(self, token: str, path: str) -> HttpResponse:
        """Ask for something as a device, with all that proves it."""
        return self.request(path, "GET", None, **proof_headers(token))

    def request(self, path: str, method: str = "GET", body: bytes | None = None, **headers: str | None) -> HttpResponse:
        """Ask for something over plain HTTP; a header that is None is left out."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=HANG_SECONDS)
        sent_headers = {"host": f"localhost:{self.port}", **headers}
        try:
            connection.putrequest(method, path, skip_host=True)
            for name, value in sent_headers.items():
                if value is not None:
                    connection.putheader(name, value)
            if body is not None:
                connection.putheader("content-length", str(len(body)))
            connection.endheaders(body)
            response = connection.getresponse()
            return HttpResponse(
                response.status, {key.lower(): value for key, value in response.getheaders()}, response.read()
            )
        finally:
            connection.close()


@contextmanager
def run_server(folder: Path, *arguments: str, command: Sequence[str] = SERVE_COMMAND) -> Iterator[RunningServer]:
    """Start a server in a process of its own; it may not have complained about anything."""
    database, file = folder / "knobel.db", folder / "complaints.txt"
    process = ServerProcess(f"sqlite:///{database}", (*command, *arguments))
    with file.open("wb") as stderr:
        process.stderr = stderr
        asyncio.run(process.start())
        server = RunningServer(process, file, database)
        try:
            yield server
        finally:
            process.kill()
    if server.stderr:
        raise AssertionError(server.stderr)


@dataclass
class Device:
    """One device with one socket; it remembers the room and the position it was shown last, and all it ever heard."""

    port: int
    token: str = field(default_factory=lambda: secrets.token_hex(32))
    address: str = "127.0.0.1"
    room: Json = field(default_factory=dict)
    position: Json = field(default_factory=dict)
    received: list[str] = field(default_factory=list)
    counter: "count[int]" = field(default_factory=lambda: count(1))
    seeds: dict[str, bytes] = field(default_factory=dict)
    connection: ClientConnection | None = None
    connect_options: dict[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """How the server knows this device."""
        return hashlib.sha256(self.token.encode()).hexdigest()

    @asynccontextmanager
    async def session(self, **options: Any) -> AsyncIterator["Device"]:
        """Be there for a while; the socket is opened on entering a room."""
        self.connect_options = options
        try:
            yield self
        finally:
            await self.disconnect()

    async def disconnect(self) -> None:
        """Hang up."""
        if self.connection is not None:
            await self.connection.close()

    @property
    def socket(self) -> ClientConnection:
        """The open socket."""
        assert self.connection is not None
        return self.connection

    async def post(self, path: str, body: object, **headers: str) -> HttpResponse:
        """Post something from one of the server's own pages."""
        return await asyncio.to_thread(post_json, self.port, path, body, self.token, self.address, **headers)

    async def send(self, message: object) -> None:
        """Send a message, as a value or as it stands."""
        ready = message if isinstance(message, str | bytes) else msgspec.json.encode(message).decode()
        await self.socket.send(ready)

    async def receive(self) -> Json:
        """Hear the next message."""
        async with asyncio.timeout(HANG_SECONDS):
            text = await self.socket.recv()
        assert isinstance(text, str)
        self.received.append(text)
        message: Json = msgspec.json.decode(text)
        if message["is"] == "room":
            self.room = message["view"]
        if message["is"] == "position":
            self.position = message["view"]
        return message

    async def receive_until(self, fits: Callable[[Json], bool]) -> Json:
        """Hear messages until one fits."""
        while True:
            message = await self.receive()
            if fits(message):
                return message

    async def send_and_wait(self, message: object, id_: str | None = None) -> Json:
        """Send a message and wait for its answer: done or refused."""
        await self.send(message)
        return await self.receive_until(lambda one: one["is"] in ("done", "refused") and one["id"] == id_)

    async def send_intent(self, intent: Json) -> Json:
        """Want something in the room or its game, and wait for the answer."""
        name = f"w{next(self.counter)}.{self.id[:6]}"
        return await self.send_and_wait(command(name, intent, self.room), name)

    async def open_room(self, *names: str, **settings: object) -> str:
        """Open a room, with people of this device in it, and enter it."""
        room = await self.create_room(*names, **settings)
        await self.enter_room(room)
        return room

    async def create_room(self, *names: str, **settings: object) -> str:
        """Open a room without entering it."""
        seats = [{"want": "sit", "name": one} for one in names]
        agreed = {"edition": EDITION, "pace": 0.0, **settings}
        name = f"o{next(self.counter)}.{self.id[:6]}"
        answer = await self.post("/api/rooms", {"id": name, "settings": agreed, "seats": seats})
        assert answer.status == 200, answer.body
        return str(msgspec.json.decode(answer.body)["room"])

    async def upload_house_rules(self, house_rules: str) -> str:
        """Upload a house-rule file, and give its fingerprint."""
        answer = await self.post("/api/house-rules", house_rules.encode())
        assert answer.status == 200, answer.body
        return str(msgspec.json.decode(answer.body)["fingerprint"])

    async def connect(self, room: str) -> None:
        """Open a socket to a room."""
        await self.disconnect()
        self.connection = await connect_socket(self.port, self.token, self.address, room=room, **self.connect_options)

    async def enter_room(self, room: str) -> Json:
        """Enter a room, and wait until it is shown."""
        await self.connect(room)
        await self.receive_until(lambda one: one["is"] == "room" and one["view"]["id"] == room)
        return self.room

    async def seal_seed(self) -> None:
        """Promise a seed for the coming game."""
        game = self.room["next_game"]
        seat = next(place for place, seat in enumerate(self.room["seats"]) if seat["yours"])
        seed = self.seeds.setdefault(game, secrets.token_bytes(32))
        done = await self.send_intent(
            {"want": "seal", "game": game, "seal": fair.commit_client_seed(game, seat, seed).hex()}
        )
        assert done["is"] == "done", done

    async def reveal_seed(self) -> None:
        """Show the seed of the game that runs."""
        await self.wait_for_position(lambda view: bool(view["waiting"]))
        done = await self.send_intent({"want": "reveal", "seed": self.seeds[self.position["game"]].hex()})
        assert done["is"] == "done", done

    async def wait_for_position(self, fits: Callable[[Json], bool]) -> None:
        """Wait until the position is so."""
        while not self.position or not fits(self.position):
            await self.receive()


def post_json(
    port: int, path: str, body: object, token: str, address: str = "127.0.0.1", **headers: str
) -> HttpResponse:
    """Post something from one of the server's own pages: a file as it is, a value as JSON."""
    content = body if isinstance(body, bytes) else msgspec.json.encode(body)
    connection = HTTPConnection("127.0.0.1", port, timeout=HANG_SECONDS, source_address=(address, 0))
    here = f"localhost:{port}"
    sent_headers = {"Host": here, "Origin": f"http://{here}", **proof_headers(token), **headers}
    try:
        connection.request("POST", path, content, sent_headers)
        response = connection.getresponse()
        return HttpResponse(
            response.status, {key.lower(): value for key, value in response.getheaders()}, response.read()
        )
    finally:
        connection.close()


def connect_socket(
    port: int,
    token: str | None,
    address: str = "127.0.0.1",
    origin: str | None = "",
    room: str = "nowhere",
    path: str = "",
    **options: Any,
) -> connect:
    """Call a room as a browser does, from some address; an origin that is empty is its own, None is none."""
    cookies = {} if token is None else {"Cookie": f"knobel={token}"}
    target = {} if "sock" in options else {"host": "127.0.0.1", "port": port, "local_addr": (address, 0)}
    return connect(
        f"ws://localhost:{port}{path or f'/ws/{WIRE_VERSION}/{room}'}?lang=en",
        origin=f"http://localhost:{port}" if origin == "" else origin,  # type: ignore[arg-type]
        additional_headers={**cookies, **options.pop("headers", {})},
        **{
            **target,
            "compression": None,
            "ping_interval": None,
            "open_timeout": HANG_SECONDS,
            "close_timeout": 2,
            "max_queue": None,
            "proxy": None,
            "subprotocols": proof_protocols(token),
            **options,
        },
    )


def command(name: str, intent: Json, room: Json) -> Json:
    """Write a command, for the game of a room unless it is about the room itself."""
    meant = {} if intent["want"] in LOBBY else {"game": room.get("game") or "none"}
    return {"do": "want", "id": name, "intent": intent, **meant}


async def start_game(ann: Device, ben: Device) -> str:
    """Let Ann open a room, both sit down, and a game begin in which Ann rolls first."""
    room = await ann.open_room("Ann")
    await ben.enter_room(room)
    assert (await ben.send_intent({"want": "sit", "name": "Ben"}))["is"] == "done"
    await ann.receive_until(lambda one: one["is"] == "room" and len(one["view"]["seats"]) == 2)
    await ann.seal_seed()
    await ben.seal_seed()
    assert (await ann.send_intent({"want": "begin"}))["is"] == "done"
    await ann.reveal_seed()
    await ben.reveal_seed()
    await ann.wait_for_position(lambda view: not view["waiting"])
    return room


def build_intent(want: str, room: Json) -> Json:
    """Give an intent of every kind, made for this room."""
    return {"want": want, **SAMPLE_INTENTS[want], **({"game": room["next_game"]} if want == "seal" else {})}


def read_stored_room(server: RunningServer, room: str) -> object:
    """Give everything the database holds of a room and its games."""
    found = dump_tables(server.database)
    games = {row[0] for row in found["games"] if room in row}
    return [row for table in sorted(found) for row in found[table] if room in row or games & set(row)]
