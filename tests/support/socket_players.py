"""Players for the tests: a server in a process of its own, players on real sockets who note what they are promised."""

import asyncio
import hashlib
import os
import secrets
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import IO, Any, TypeAlias

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from knobel import fair
from knobel.host.integrity import build_table
from knobel.web.wire import WIRE_VERSION
from tests.support.ports import free_port
from tests.support.promises import Acknowledgement, DatabaseContents, PendingCommand
from tests.support.proofs import derive_secret, proof_protocols
from tests.support.waiting import HANG_SECONDS, wait_until

Json: TypeAlias = dict[str, Any]

SERVE_COMMAND = (sys.executable, "-m", "knobel", "serve", "--no-open")
CONNECTION_ERRORS = (OSError, WebSocketException, EOFError, TimeoutError)
PLAYERS_PER_ROOM = 3
SEND_BURST, SEND_REFILL = 34.0, 3.5
"""A little less than the server lets a socket say."""
IDLE_CHECK, RESEND_AFTER = 0.3, 3.0
LOBBY = {"sit", "take", "sit_bot", "get_up", "swap", "settle", "real_dice", "hand_over", "lock", "seal", "begin"}
"""What is wanted of a room; everything else is wanted of a game, and names it."""
EDITION = "tactic-xl-yatzy"


class ServerProcess:
    """A server in a process of its own that can be killed and started again, on the same port and database."""

    def __init__(self, database: str, command: Sequence[str] = SERVE_COMMAND, port: int | None = None) -> None:
        self.database = database
        self.command = command
        self.port = port or free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.stderr: IO[bytes] | None = None

    async def start(self) -> None:
        """Start it, and wait until it serves its first page."""
        arguments = [*self.command, "--port", str(self.port), "--database", self.database]
        self.process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=self.stderr)
        await wait_until(self.is_serving)

    async def is_serving(self) -> bool:
        """Tell whether it serves its page."""
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            writer.write(f"GET / HTTP/1.1\r\nHost: localhost:{self.port}\r\nConnection: close\r\n\r\n".encode())
            line = await reader.readline()
            writer.close()
        except OSError:
            if self.process is not None and self.process.poll() is not None:
                raise RuntimeError(self.process.returncode) from None
            return False
        return b" 200 " in line

    def list_processes(self) -> list[int]:
        """List the processes it serves with."""
        return [self.process.pid] if self.process is not None else []

    def read_cpu_seconds(self) -> float:
        """Say how many seconds of a processor it has had."""
        return sum(map(read_cpu_seconds, self.list_processes()))

    def kill(self) -> None:
        """Kill it without warning."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def read_cpu_seconds(pid: int) -> float:
    """Say how many seconds of a processor a process has had."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass
class PlayerGroup:
    """Three players who meet in one room; the first of them opens it."""

    number: int
    has_bot: bool
    room: str | None = None
    opened: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Behaviour:
    """How players behave: how often somebody sends a command twice at once, and how long they think."""

    duplicate_chance: float = 0.15
    think_seconds: float = 0.0


class SocketPlayer:
    """One device with one seat: plays legal random moves, and keeps its own list of all it was promised."""

    def __init__(self, pool: "PlayerPool", group: PlayerGroup, index: int, ports: Sequence[int]) -> None:
        self.pool = pool
        self.group = group
        self.index = index
        self.ports = ports
        self.token = secrets.token_hex(32)
        self.name = f"P{group.number}x{index}"
        self.counter = count(1)
        self.seeds: defaultdict[str, bytes] = defaultdict(lambda: secrets.token_bytes(32))
        self.room: Json | None = None
        self.position: Json | None = None
        self.pending: PendingCommand | None = None
        self.acknowledgements: dict[str, Acknowledgement] = {}
        self.refusals: dict[str, str] = {}
        self.refusal_log: list[tuple[float, str, str]] = []
        self.seen_heads: dict[tuple[str, int], str] = {}
        self.contradictions: list[str] = []
        self.sockets: list[ClientConnection] = []
        self.is_current = False
        self.resends = 0
        self.budget, self.refilled_at, self.resend_at = 0.0, 0.0, 0.0
        self.open_command = ""

    @property
    def device_id(self) -> str:
        """How the server knows this device."""
        return hashlib.sha256(self.token.encode()).hexdigest()

    async def run(self) -> None:
        """Be there, for ever: whatever happens to the server, connect again."""
        if self.index:
            await self.group.opened.wait()
        while True:
            try:
                async with AsyncExitStack() as stack:
                    await self.open_room()
                    room = self.group.room or ""
                    calls = [connect_to_room(port, self.token, room) for port in self.ports]
                    await self.exchange_messages([await stack.enter_async_context(call) for call in calls])
            except* CONNECTION_ERRORS:
                self.sockets = []
            await asyncio.sleep(self.pool.random.uniform(0.05, 0.25))

    async def exchange_messages(self, sockets: list[ClientConnection]) -> None:
        """Repeat what has no answer yet, and talk until the link breaks."""
        self.room = self.position = None
        self.is_current, self.budget, self.refilled_at = False, SEND_BURST, time.monotonic()
        self.sockets = sockets
        if self.pending is not None:
            self.resends += 1
            await self.send(self.pending.message)
        async with asyncio.TaskGroup() as together:
            for number, link in enumerate(sockets):
                together.create_task(self.listen(link, first=number == 0))

    async def open_room(self) -> None:
        """Open the room, once; a request that broke is repeated with the same id, perhaps at another server."""
        if self.group.room is not None:
            return
        self.open_command = self.open_command or f"{self.name}-{next(self.counter)}"
        body = {"id": self.open_command, **build_room_request(self.group.has_bot)}
        times = 1 + (self.pool.random.random() < self.pool.behaviour.duplicate_chance)
        ports = self.ports if self.pool.random.random() < 0.3 else self.ports[:1]
        requests = [post_json(port, "/api/rooms", body, self.token) for port in [*ports] * times]
        rooms = {str(answer["room"]) for answer in await asyncio.gather(*requests)}
        if len(rooms) > 1:
            self.contradictions.append(f"{self.open_command} opened {len(rooms)} rooms")
        self.group.room = rooms.pop()
        self.acknowledgements[self.open_command] = Acknowledgement(
            self.group.room, self.open_command, "open", None, None
        )
        self.group.opened.set()

    async def send(self, message: str, everywhere: bool = False) -> None:
        """Send a message, or a copy of it to every server."""
        self.budget -= 1
        self.resend_at = time.monotonic() + RESEND_AFTER
        for link in self.sockets if everywhere else self.sockets[:1]:
            await link.send(message)

    async def listen(self, link: ClientConnection, first: bool) -> None:
        """Hear one server; on the first one, go on playing."""
        while True:
            try:
                async with asyncio.timeout(IDLE_CHECK):
                    message = await link.recv()
            except TimeoutError:
                self.is_current = True
            else:
                self.receive(msgspec.json.decode(message))
            if first:
                await self.send_next()

    def receive(self, message: Json) -> None:
        """Take notice of what a server says."""
        match message["is"]:
            case "room":
                self.room, self.is_current = message["view"], True
            case "position":
                self.note_position(message["view"])
            case "done":
                acknowledgement = Acknowledgement(
                    self.group.room or "", message["id"], "", message["count"], message["head"]
                )
                self.note_reply(message["id"], acknowledgement, None)
            case "refused":
                self.refusal_log.append((time.monotonic(), message["code"], message["text"]))
                if message["id"] is None or message["code"].startswith("database"):
                    self.resend_at = time.monotonic() + IDLE_CHECK
                else:
                    self.note_reply(message["id"], None, message["code"])

    def note_position(self, view: Json) -> None:
        """Note where the game stands; nobody may see what is not on disk."""
        at = view["game"], view["count"]
        if self.seen_heads.setdefault(at, view["head"]) != view["head"]:
            self.contradictions.append(f"{at} has two heads")
        if self.position is None or self.position["game"] != view["game"] or view["count"] >= self.position["count"]:
            self.position, self.is_current = view, True

    def note_reply(self, command: str, acknowledgement: Acknowledgement | None, code: str | None) -> None:
        """Note the answer to a command; a second answer must be as the first was."""
        if self.pending is not None and self.pending.id == command:
            intent, self.pending = self.pending.intent, None
            if acknowledgement is not None:
                self.acknowledgements[command] = Acknowledgement(
                    acknowledgement.room, command, intent, acknowledgement.count, acknowledgement.head
                )
            else:
                self.refusals[command] = code or ""
                if intent == "seal":
                    self.seeds.clear()
        elif acknowledgement is None:
            if command in self.acknowledgements and code != "message_rate":
                self.contradictions.append(f"{command} was done, then refused: {code}")
        elif (first := self.acknowledgements.get(command)) is None:
            self.contradictions.append(f"{command} was refused, then done")
        elif (first.count, first.head) != (acknowledgement.count, acknowledgement.head):
            self.contradictions.append(f"{command} was answered in two ways")

    async def send_next(self) -> None:
        """Ask for the next thing, if there is one and nothing is waiting."""
        if self.pending is not None and time.monotonic() > self.resend_at and self.has_send_budget():
            await self.send(self.pending.message)
        if self.pending is not None or not self.is_current or not self.has_send_budget():
            return
        if self.pool.behaviour.think_seconds:
            await asyncio.sleep(self.pool.random.uniform(0, 2 * self.pool.behaviour.think_seconds))
        # Chosen after thinking, as meanwhile everybody may have been asked to begin nothing new.
        intent = self.choose_intent()
        if intent is None:
            return
        self.is_current = False
        name = f"{self.name}-{next(self.counter)}"
        message = {"do": "want", "id": name, "intent": intent, **self.meant(intent)}
        self.pending = PendingCommand(name, intent["want"], encode_message(message))
        everywhere = len(self.sockets) > 1 and self.pool.random.random() < 0.3
        await self.send(self.pending.message, everywhere)
        if self.pool.random.random() < self.pool.behaviour.duplicate_chance:
            await self.send(encode_message(message), everywhere)

    def meant(self, wanted: Json) -> Json:
        """Name the game a wish is meant for, if it is not for the room."""
        return {} if wanted["want"] in LOBBY or not self.position else {"game": self.position["game"]}

    def has_send_budget(self) -> bool:
        """Stay within what the server allows."""
        now = time.monotonic()
        self.budget = min(SEND_BURST, self.budget + (now - self.refilled_at) * SEND_REFILL)
        self.refilled_at = now
        return self.budget >= 2

    def choose_intent(self) -> Json | None:
        """Say what this player wants now."""
        if self.room is None:
            return None
        if not self.room["running"]:
            return None if self.pool.is_stopping else self.choose_lobby_intent()
        if self.position is None or self.position["game"] != self.room["game"]:
            return None
        return self.choose_game_intent(self.position)

    def choose_lobby_intent(self) -> Json | None:
        """Say what this player wants before a game: a seat, a seal, and the host that it begins."""
        assert self.room is not None
        people = [seat for seat in self.room["seats"] if seat["bot"] is None]
        own_seats = self.own_seats
        if not own_seats:
            sat = any(acknowledgement.intent == "sit" for acknowledgement in self.acknowledgements.values())
            return None if sat else {"want": "sit", "name": self.name}
        if len(people) < PLAYERS_PER_ROOM:
            return None
        game = self.room["next_game"]
        if not self.room["sealed"]:
            if game in self.seeds:
                return None
            return {
                "want": "seal",
                "game": game,
                "seal": fair.commit_client_seed(game, own_seats[0], self.seeds[game]).hex(),
            }
        if self.room["host"] and all(seat["sealed"] for seat in people):
            return {"want": "begin"}
        return None

    @property
    def own_seats(self) -> list[int]:
        """The seats of this device."""
        return [place for place, seat in enumerate((self.room or {"seats": ()})["seats"]) if seat["yours"]]

    def choose_game_intent(self, view: Json) -> Json | None:
        """Say what this player wants in a game: show the seed, act when it is time, confirm the end."""
        own_seats = self.own_seats
        if view["waiting"]:
            here = set(own_seats) & set(view["waiting"])
            return {"want": "reveal", "seed": self.seeds[view["game"]].hex()} if here else None
        if view["closed"]:
            return None
        if view["places"] is not None:
            return {"want": "go_on", "ply": view["ply"]}
        tray = view["trays"][0]
        if tray["seat"] in own_seats and not self.pool.is_stopping:
            return {"want": "act", "seat": tray["seat"], "ply": view["ply"], "action": self.choose_move(tray)}
        if view["seats"][tray["seat"]]["bot"] is not None and not tray["dice"] and own_seats and own_seats[0] == 0:
            return {"want": "go_on", "ply": view["ply"]}
        return None

    @property
    def is_idle(self) -> bool:
        """Whether nothing happens until this player or another person wants something."""
        if self.pending is not None or self.room is None:
            return False
        if not self.room["running"]:
            return True
        view = self.position
        if view is None or view["game"] != self.room["game"] or view["waiting"] or view["places"] is not None:
            return False
        return view["seats"][view["trays"][0]["seat"]]["bot"] is None

    def choose_move(self, tray: Json) -> str:
        """Choose a legal move at random."""
        random = self.pool.random
        fitting = [option["box"] for option in tray["options"] if option["refusal"] is None]
        if tray["roll_refusal"] is None and (not fitting or not tray["dice"] or random.random() < 0.5):
            kept = [die if random.random() < 0.5 else 0 for die in tray["dice"]] or [0] * 5
            return "".join(str(die or ".") for die in (kept if 0 in kept else [0] * len(kept)))
        return str(random.choice(fitting))


class PlayerPool:
    """Many groups at one or more servers."""

    def __init__(
        self, ports: Sequence[int], groups: int, seed: int, *, behaviour: Behaviour | None = None, bots: int = 5
    ) -> None:
        self.random = Random(seed)
        self.behaviour = behaviour or Behaviour()
        self.is_stopping = False
        self.groups = [PlayerGroup(number, has_bot=number % bots == 0) for number in range(groups)]
        self.players = [
            SocketPlayer(self, group, index, rotate(ports, group.number + index))
            for group in self.groups
            for index in range(PLAYERS_PER_ROOM)
        ]
        self.tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Let everybody come."""
        self.tasks = [asyncio.create_task(player.run()) for player in self.players]

    async def wait_until_idle(self) -> None:
        """Let nobody begin anything new, and wait until everybody has an answer and every bot has moved."""
        self.is_stopping = True
        await wait_until(lambda: all(player.is_idle for player in self.players))

    async def stop(self) -> None:
        """Let everybody go."""
        for task in self.tasks:
            task.cancel()
        for result in await asyncio.gather(*self.tasks, return_exceptions=True):
            if isinstance(result, Exception):
                raise result

    @property
    def acknowledgements(self) -> Iterator[Acknowledgement]:
        """Everything anybody was promised."""
        return (acknowledgement for player in self.players for acknowledgement in player.acknowledgements.values())

    @property
    def acknowledged_count(self) -> int:
        """How many commands were promised."""
        return sum(len(player.acknowledgements) for player in self.players)

    @property
    def is_waiting(self) -> bool:
        """Whether somebody waits for an answer."""
        return any(player.pending for player in self.players)

    @property
    def resend_count(self) -> int:
        """How often a command was sent again after a link broke."""
        return sum(player.resends for player in self.players)

    def refusals_with(self, code: str) -> list[tuple[float, str]]:
        """When, and in which words, somebody was refused for this reason."""
        return sorted((at, text) for player in self.players for at, found, text in player.refusal_log if found == code)


def rotate(ports: Sequence[int], by: int) -> list[int]:
    """Spread players over servers: each has another one as the first."""
    by %= len(ports)
    return [*ports[by:], *ports[:by]]


async def post_json(port: int, path: str, body: Mapping[str, object], token: str, address: str = "127.0.0.1") -> Json:
    """Post a request as a browser does, and give its answer; any trouble is a broken link."""
    content, here = msgspec.json.encode(body), f"localhost:{port}"
    async with asyncio.timeout(HANG_SECONDS):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
        try:
            writer.write(
                f"POST {path} HTTP/1.1\r\nHost: {here}\r\nOrigin: http://{here}\r\nCookie: knobel={token}\r\n"
                f"Knobel-Secret: {derive_secret(token)}\r\n"
                f"Content-Length: {len(content)}\r\nConnection: close\r\n\r\n".encode()
                + content
            )
            head, _, answer = (await reader.read()).partition(b"\r\n\r\n")
        finally:
            writer.close()
    if b" 200 " not in head.partition(b"\r\n")[0]:
        raise ConnectionError(answer.decode(errors="replace"))
    try:
        found: Json = msgspec.json.decode(answer)
    except msgspec.DecodeError as broken:  # The server was killed while it answered.
        raise ConnectionError(answer.decode(errors="replace")) from broken
    return found


def connect_to_room(port: int, token: str, room: str) -> connect:
    """Call a room as a browser does; the server's number is known, as looking it up for each call is work."""
    return connect(
        f"ws://localhost:{port}/ws/{WIRE_VERSION}/{room}?lang=en",
        host="127.0.0.1",
        port=port,
        origin=f"http://localhost:{port}",  # type: ignore[arg-type]
        additional_headers={"Cookie": f"knobel={token}"},
        subprotocols=proof_protocols(token),  # type: ignore[arg-type]
        compression=None,
        ping_interval=None,
        open_timeout=HANG_SECONDS,
        close_timeout=0.1,
        max_queue=None,
        proxy=None,
    )


def encode_message(message: Mapping[str, object]) -> str:
    """Write a message."""
    return msgspec.json.encode(message).decode()


def build_room_request(has_bot: bool) -> Json:
    """Say which room is opened, with a bot in it or without."""
    bots = [{"want": "sit_bot", "bot": "random", "name": "Robot"}] if has_bot else []
    return {"settings": {"edition": EDITION, "pace": 0.0}, "seats": bots}


async def find_wrongly_served_rooms(port: int, stored: DatabaseContents) -> list[str]:
    """Replay every room's game from the database, and compare it with what the server shows to somebody new."""
    wrong = []
    for room in stored.rooms.values():
        if room.game is None:
            continue
        async with connect_to_room(port, secrets.token_hex(32), room.id) as link:
            view = await receive_position(link)
        log = stored.logs[room.game]
        # A server that commits late may have written between the two reads.
        table = build_table(log.game, log.rows[: log.game.event_count])
        ours = table.header.game, table.replay.count, table.replay.ply, table.head
        columns = [list(column.entries) for column in table.state.columns]
        theirs = view["game"], view["count"], view["ply"], view["head"]
        if ours != theirs or columns != [seat["entries"] for seat in view["seats"]]:
            wrong.append(f"{room.id}: {ours} is served as {theirs}")
    return wrong


async def receive_position(link: ClientConnection) -> Json:
    """Wait until the game of a room is shown."""
    async with asyncio.timeout(HANG_SECONDS):
        while True:
            message = msgspec.json.decode(await link.recv())
            if message["is"] == "position":
                return dict(message["view"])
