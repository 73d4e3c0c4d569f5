"""A crowd for the tests: a server in a process of its own, players on real sockets who note what they are promised."""

import asyncio
import hashlib
import secrets
import socket
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from knobel.errors import RecordUnfinished
from knobel.host.room_store import read_room
from knobel.host.session import build_table
from knobel.record.chain import encode_link, hash_line
from knobel.record.file import encode_log
from knobel.record.verify import verify
from knobel.rooms.room import Room
from knobel.store import EventRow, StoredGame
from knobel.store.address import open_store
from knobel.web.wire import WIRE_VERSION

Json: TypeAlias = dict[str, Any]
Faults: TypeAlias = dict[str, list[str]]

KNOBEL = (sys.executable, "-m", "knobel", "serve", "--no-open")
BROKEN = (OSError, WebSocketException, EOFError, TimeoutError)
SEATS = 3
BURST, REFILL = 34.0, 3.5
"""A little less than the server lets a socket say."""
LOOK_AGAIN, PATIENCE = 0.3, 3.0
EDITION = "tactic-xl-yatzy"


def free_port() -> int:
    """Find a port nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class House:
    """A server in a process of its own that can be killed and started again, on the same port and database."""

    def __init__(self, database: str, words: Sequence[str] = KNOBEL, port: int | None = None) -> None:
        self.database = database
        self.words = words
        self.port = port or free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.complaints: IO[bytes] | None = None
        self.starts: list[float] = []

    async def start(self) -> float:
        """Start it, and say after how many seconds the first page was served."""
        begin = time.perf_counter()
        words = [*self.words, "--port", str(self.port), "--database", self.database]
        self.process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=self.complaints)
        while not await self.answers():
            if self.process.poll() is not None:
                raise RuntimeError(self.process.returncode)
            await asyncio.sleep(0.01)
        self.starts.append(time.perf_counter() - begin)
        return self.starts[-1]

    async def answers(self) -> bool:
        """Tell whether it serves its page."""
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            writer.write(f"GET / HTTP/1.1\r\nHost: localhost:{self.port}\r\nConnection: close\r\n\r\n".encode())
            line = await reader.readline()
            writer.close()
        except OSError:
            return False
        return b" 200 " in line

    def kill(self) -> None:
        """Kill it without warning."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@dataclass(frozen=True)
class Promise:
    """A command the server said it had carried out, and where the log stood then."""

    room: str
    command: str
    want: str
    count: int | None
    head: str | None


@dataclass(frozen=True)
class Asked:
    """A command that waits for its answer; it is sent again, with the same id, until there is one."""

    id: str
    want: str
    message: str


@dataclass
class Party:
    """Three players who meet in one room; the first of them opens it."""

    number: int
    bot: bool
    room: str | None = None
    opened: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Manners:
    """How a crowd behaves: how often somebody sends a command twice at once, and how long he thinks."""

    impatience: float = 0.15
    pause: float = 0.0


class Player:
    """One device with one seat: plays legal random moves, and keeps its own list of all it was promised."""

    def __init__(self, crowd: "Crowd", party: Party, place: int, ports: Sequence[int]) -> None:
        self.crowd = crowd
        self.party = party
        self.place = place
        self.ports = ports
        self.token = secrets.token_hex(32)
        self.name = f"P{party.number}x{place}"
        self.numbers = count(1)
        self.seeds: defaultdict[str, bytes] = defaultdict(lambda: secrets.token_bytes(32))
        self.room: Json | None = None
        self.position: Json | None = None
        self.asked: Asked | None = None
        self.promises: dict[str, Promise] = {}
        self.refusals: dict[str, str] = {}
        self.complaints: list[tuple[float, str, str]] = []
        self.seen: dict[tuple[str, int], str] = {}
        self.odd: list[str] = []
        self.sockets: list[ClientConnection] = []
        self.looked = False
        self.resent = 0
        self.budget, self.spoke, self.again = 0.0, 0.0, 0.0
        self.opening = ""

    @property
    def owner(self) -> str:
        """How the server knows this device."""
        return hashlib.sha256(self.token.encode()).hexdigest()

    async def live(self) -> None:
        """Be there, for ever: whatever happens to the server, connect again."""
        if self.place:
            await self.party.opened.wait()
        while True:
            try:
                async with AsyncExitStack() as stack:
                    await self.open_room()
                    room = self.party.room or ""
                    calls = [dial(port, self.token, room) for port in self.ports]
                    await self.meet([await stack.enter_async_context(call) for call in calls])
            except* BROKEN:
                self.sockets = []
            await asyncio.sleep(self.crowd.chance.uniform(0.05, 0.25))

    async def meet(self, sockets: list[ClientConnection]) -> None:
        """Repeat what has no answer yet, and talk until the link breaks."""
        self.room = self.position = None
        self.looked, self.budget, self.spoke = False, BURST, time.monotonic()
        self.sockets = sockets
        if self.asked is not None:
            self.resent += 1
            await self.send(self.asked.message)
        async with asyncio.TaskGroup() as together:
            for number, link in enumerate(sockets):
                together.create_task(self.listen(link, first=number == 0))

    async def open_room(self) -> None:
        """Open the room, once; a request that broke is repeated with the same id, perhaps at another server."""
        if self.party.room is not None:
            return
        self.opening = self.opening or f"{self.name}-{next(self.numbers)}"
        body = {"id": self.opening, **opening(self.party.bot)}
        times = 1 + (self.crowd.chance.random() < self.crowd.manners.impatience)
        ports = self.ports if self.crowd.chance.random() < 0.3 else self.ports[:1]
        asked = [post_json(port, "/api/rooms", body, self.token) for port in [*ports] * times]
        rooms = {str(answer["room"]) for answer in await asyncio.gather(*asked)}
        if len(rooms) > 1:
            self.odd.append(f"{self.opening} opened {len(rooms)} rooms")
        self.party.room = rooms.pop()
        self.promises[self.opening] = Promise(self.party.room, self.opening, "open", None, None)
        self.party.opened.set()

    async def send(self, message: str, everywhere: bool = False) -> None:
        """Send a message, or a copy of it to every server."""
        self.budget -= 1
        self.again = time.monotonic() + PATIENCE
        for link in self.sockets if everywhere else self.sockets[:1]:
            await link.send(message)

    async def listen(self, link: ClientConnection, first: bool) -> None:
        """Hear one server; on the first one, go on playing."""
        while True:
            try:
                async with asyncio.timeout(LOOK_AGAIN):
                    message = await link.recv()
            except TimeoutError:
                self.looked = True
            else:
                self.hear(msgspec.json.decode(message))
            if first:
                await self.go_on()

    def hear(self, message: Json) -> None:
        """Take notice of what a server says."""
        match message["is"]:
            case "room":
                self.room, self.looked = message["view"], True
            case "position":
                self.see(message["view"])
            case "done":
                promise = Promise(self.party.room or "", message["id"], "", message["count"], message["head"])
                self.settle(message["id"], promise, None)
            case "refused":
                self.complaints.append((time.monotonic(), message["code"], message["text"]))
                if message["id"] is None or message["code"].startswith("database"):
                    self.again = time.monotonic() + LOOK_AGAIN
                else:
                    self.settle(message["id"], None, message["code"])

    def see(self, view: Json) -> None:
        """Note where the game stands; nobody may see what is not on disk."""
        at = view["game"], view["count"]
        if self.seen.setdefault(at, view["head"]) != view["head"]:
            self.odd.append(f"{at} has two heads")
        if self.position is None or self.position["game"] != view["game"] or view["count"] >= self.position["count"]:
            self.position, self.looked = view, True

    def settle(self, command: str, promise: Promise | None, code: str | None) -> None:
        """Note the answer to a command; a second answer must be as the first was."""
        if self.asked is not None and self.asked.id == command:
            want, self.asked = self.asked.want, None
            if promise is not None:
                self.promises[command] = Promise(promise.room, command, want, promise.count, promise.head)
            else:
                self.refusals[command] = code or ""
                if want == "seal":
                    self.seeds.clear()
        elif promise is None:
            if command in self.promises and code != "message_rate":
                self.odd.append(f"{command} was done, then refused: {code}")
        elif (kept := self.promises.get(command)) is None:
            self.odd.append(f"{command} was refused, then done")
        elif (kept.count, kept.head) != (promise.count, promise.head):
            self.odd.append(f"{command} was answered in two ways")

    async def go_on(self) -> None:
        """Ask for the next thing, if there is one and nothing is waiting."""
        if self.asked is not None and time.monotonic() > self.again and self.may_speak():
            await self.send(self.asked.message)
        if self.asked is not None or not self.looked or not self.may_speak():
            return
        wanted = self.wish()
        if wanted is None:
            return
        if self.crowd.manners.pause:
            await asyncio.sleep(self.crowd.chance.uniform(0, 2 * self.crowd.manners.pause))
        self.looked = False
        name = f"{self.name}-{next(self.numbers)}"
        message = {"do": "want", "id": name, "intent": wanted}
        self.asked = Asked(name, wanted["want"], encoded(message))
        everywhere = len(self.sockets) > 1 and self.crowd.chance.random() < 0.3
        await self.send(self.asked.message, everywhere)
        if self.crowd.chance.random() < self.crowd.manners.impatience:
            await self.send(encoded(message), everywhere)

    def may_speak(self) -> bool:
        """Stay within what the server allows."""
        now = time.monotonic()
        self.budget = min(BURST, self.budget + (now - self.spoke) * REFILL)
        self.spoke = now
        return self.budget >= 2

    def wish(self) -> Json | None:
        """Say what this player wants now."""
        if self.room is None:
            return None
        if not self.room["running"]:
            return None if self.crowd.closing else self.wish_before()
        if self.position is None or self.position["game"] != self.room["game"]:
            return None
        return self.wish_within(self.position)

    def wish_before(self) -> Json | None:
        """Say what this player wants before a game: a chair, a seal, and the host that it begins."""
        assert self.room is not None
        people = [seat for seat in self.room["seats"] if seat["bot"] is None]
        mine = self.mine
        if not mine:
            sat = any(promise.want == "sit" for promise in self.promises.values())
            return None if sat else {"want": "sit", "name": self.name}
        if len(people) < SEATS:
            return None
        game = self.room["next_game"]
        if not self.room["sealed"]:
            if game in self.seeds:
                return None
            return {
                "want": "seal",
                "game": game,
                "seal": fair.commit_client_seed(game, mine[0], self.seeds[game]).hex(),
            }
        if self.room["host"] and all(seat["sealed"] for seat in people):
            return {"want": "begin"}
        return None

    @property
    def mine(self) -> list[int]:
        """The seats of this device."""
        return [place for place, seat in enumerate((self.room or {"seats": ()})["seats"]) if seat["yours"]]

    def wish_within(self, view: Json) -> Json | None:
        """Say what this player wants in a game: show the seed, act when it is time, confirm the end."""
        mine = self.mine
        if view["waiting"]:
            here = set(mine) & set(view["waiting"])
            return {"want": "reveal", "seed": self.seeds[view["game"]].hex()} if here else None
        if view["closed"]:
            return None
        if view["places"] is not None:
            return {"want": "go_on", "ply": view["ply"]}
        tray = view["trays"][0]
        if tray["seat"] in mine and not self.crowd.closing:
            return {"want": "act", "seat": tray["seat"], "ply": view["ply"], "action": self.move(tray)}
        if view["seats"][tray["seat"]]["bot"] is not None and not tray["dice"] and mine and mine[0] == 0:
            return {"want": "go_on", "ply": view["ply"]}
        return None

    @property
    def quiet(self) -> bool:
        """Whether nothing happens until this player or another person wants something."""
        if self.asked is not None or self.room is None:
            return False
        if not self.room["running"]:
            return True
        view = self.position
        if view is None or view["game"] != self.room["game"] or view["waiting"] or view["places"] is not None:
            return False
        return view["seats"][view["trays"][0]["seat"]]["bot"] is None

    def move(self, tray: Json) -> str:
        """Choose a legal move at random."""
        chance = self.crowd.chance
        fitting = [option["box"] for option in tray["options"] if option["refusal"] is None]
        if tray["roll_refusal"] is None and (not fitting or not tray["dice"] or chance.random() < 0.5):
            kept = [die if chance.random() < 0.5 else 0 for die in tray["dice"]] or [0] * 5
            return "".join(str(die or ".") for die in (kept if 0 in kept else [0] * len(kept)))
        return str(chance.choice(fitting))


class Crowd:
    """Many parties at one or more servers."""

    def __init__(
        self, ports: Sequence[int], parties: int, seed: int, *, manners: Manners | None = None, bots: int = 5
    ) -> None:
        self.chance = Random(seed)
        self.manners = manners or Manners()
        self.closing = False
        self.parties = [Party(number, bot=number % bots == 0) for number in range(parties)]
        self.players = [
            Player(self, party, place, turned(ports, party.number + place))
            for party in self.parties
            for place in range(SEATS)
        ]
        self.tasks: list[asyncio.Task[None]] = []

    def come(self) -> None:
        """Let everybody come."""
        self.tasks = [asyncio.create_task(player.live()) for player in self.players]

    async def settle(self, seconds: float = 30.0) -> None:
        """Let nobody begin anything new, and wait until everybody has an answer and every bot has moved."""
        self.closing = True
        await until(lambda: all(player.quiet for player in self.players), seconds)

    async def leave(self) -> None:
        """Let everybody go."""
        for task in self.tasks:
            task.cancel()
        for result in await asyncio.gather(*self.tasks, return_exceptions=True):
            if isinstance(result, Exception):
                raise result

    @property
    def promises(self) -> Iterator[Promise]:
        """Everything anybody was promised."""
        return (promise for player in self.players for promise in player.promises.values())

    @property
    def promised(self) -> int:
        """How many commands were promised."""
        return sum(len(player.promises) for player in self.players)

    @property
    def resent(self) -> int:
        """How often a command was sent again after a link broke."""
        return sum(player.resent for player in self.players)

    def complaints(self, code: str) -> list[tuple[float, str]]:
        """When, and in which words, somebody was refused for this reason."""
        return sorted((at, text) for player in self.players for at, found, text in player.complaints if found == code)


def turned(ports: Sequence[int], turn: int) -> list[int]:
    """Spread players over servers: each has another one as the first."""
    turn %= len(ports)
    return [*ports[turn:], *ports[:turn]]


async def post_json(port: int, path: str, body: Mapping[str, object], token: str, address: str = "127.0.0.1") -> Json:
    """Post a request as a browser does, and give its answer; any trouble is a broken link."""
    content, here = msgspec.json.encode(body), f"localhost:{port}"
    async with asyncio.timeout(10):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
        try:
            writer.write(
                f"POST {path} HTTP/1.1\r\nHost: {here}\r\nOrigin: http://{here}\r\nCookie: knobel={token}\r\n"
                f"Content-Length: {len(content)}\r\nConnection: close\r\n\r\n".encode()
                + content
            )
            head, _, answer = (await reader.read()).partition(b"\r\n\r\n")
        finally:
            writer.close()
    if b" 200 " not in head.partition(b"\r\n")[0]:
        raise ConnectionError(answer.decode(errors="replace"))
    found: Json = msgspec.json.decode(answer)
    return found


def dial(port: int, token: str, room: str) -> connect:
    """Call a room as a browser does; the server's number is known, as looking it up for each call is work."""
    return connect(
        f"ws://localhost:{port}/ws/{WIRE_VERSION}/{room}?lang=en",
        host="127.0.0.1",
        port=port,
        origin=f"http://localhost:{port}",  # type: ignore[arg-type]
        additional_headers={"Cookie": f"knobel={token}"},
        compression=None,
        ping_interval=None,
        open_timeout=5,
        close_timeout=0.1,
        max_queue=None,
        proxy=None,
    )


def encoded(message: Mapping[str, object]) -> str:
    """Write a message."""
    return msgspec.json.encode(message).decode()


def opening(bot: bool) -> Json:
    """Say which room is opened, with a bot in it or without."""
    robots = [{"want": "sit_bot", "bot": "random", "name": "Robot"}] if bot else []
    return {"settings": {"edition": EDITION, "pace": 0.0}, "seats": robots}


async def until(done: Callable[[], bool], seconds: float) -> float:
    """Wait until something is so, and say how long that took."""
    begin = time.monotonic()
    while not done():
        if time.monotonic() > begin + seconds:
            raise TimeoutError
        await asyncio.sleep(0.02)
    return time.monotonic() - begin


@dataclass(frozen=True)
class Log:
    """The log of a game as it is stored, and the hash after each of its events."""

    game: StoredGame
    rows: Sequence[EventRow]
    heads: tuple[str, ...]


@dataclass(frozen=True)
class Kept:
    """Everything a database holds."""

    rooms: Mapping[str, Room]
    logs: Mapping[str, Log]


async def kept_in(database: str) -> Kept:
    """Read a database, and hash every chain again."""
    store = await open_store(database, Path())
    try:
        rooms = {stored.id: await read_room(store, stored) for stored in await store.list_rooms()}
        logs = {}
        for game in await store.list_games(limit=1_000_000):
            rows = await store.list_events(game.id)
            heads = hash_line(game.header), *(hash_line(encode_link(row.previous, row.body)) for row in rows)
            logs[game.id] = Log(game, rows, heads)
        return Kept(rooms, logs)
    finally:
        await store.close()


def faults(crowd: Crowd, kept: Kept) -> Faults:
    """Compare what was promised with what is stored: what is lost, done twice, missing, forked or contradictory."""
    found: Faults = {"lost": [], "duplicated": [], "gaps": [], "forked": [], "contradicted": []}
    by_room: defaultdict[str, list[Log]] = defaultdict(list)
    for log in kept.logs.values():
        by_room[log.game.room_id].append(log)
        check_log(log, found)
    for player in crowd.players:
        found["contradicted"] += player.odd
        check_seen(player, kept, found)
        check_chairs(player, kept, found)
    for party in crowd.parties:
        check_room(crowd, party, by_room[party.room or ""], found)
    if len(kept.rooms) > len(crowd.parties):
        found["duplicated"].append(f"{len(kept.rooms)} rooms of {len(crowd.parties)} parties")
    return found


def check_log(log: Log, found: Faults) -> None:
    """Find gaps in a log, and links that do not hold; bots move under the number of their first event."""
    name = log.game.id
    if [row.seq for row in log.rows] != list(range(1, len(log.rows) + 1)) or log.game.event_count != len(log.rows):
        found["gaps"].append(f"{name}: {log.game.event_count} events, {len(log.rows)} rows")
    for row, head in zip(log.rows, log.heads, strict=False):
        if row.previous != head:
            found["forked"].append(f"{name}/{row.seq}")
        kind, _, number = own_id(row.command or "").partition(":")
        if kind == "bot" and int(number) != row.seq:
            found["duplicated"].append(f"{name}/{row.seq}: {row.command}")


def check_seen(player: Player, kept: Kept, found: Faults) -> None:
    """Find positions that were shown and are not stored."""
    for (game, number), head in player.seen.items():
        log = kept.logs.get(game)
        if log is None or number >= len(log.heads):
            found["lost"].append(f"{player.name} saw {game}/{number}")
        elif log.heads[number] != head:
            found["forked"].append(f"{player.name} saw another {game}/{number}")


def check_chairs(player: Player, kept: Kept, found: Faults) -> None:
    """Find chairs that were promised and are gone, or that somebody has twice."""
    sat = any(promise.want == "sit" for promise in player.promises.values())
    room = kept.rooms.get(player.party.room or "")
    chairs = len(room.seats_of(player.owner)) if room else 0
    if chairs < sat:
        found["lost"].append(f"{player.name} has no chair")
    if chairs > 1:
        found["duplicated"].append(f"{player.name} has {chairs} chairs")


def check_room(crowd: Crowd, party: Party, logs: list[Log], found: Faults) -> None:
    """Compare the promises of a room with its logs: each is there once, where it was promised to be."""
    players = [player for player in crowd.players if player.party is party]
    carried_out = Counter(
        own_id(row.command) if ":" not in row.command else f"{log.game.id}/{own_id(row.command)}"  # the house's own
        for log in logs
        for row in log.rows
        if row.command is not None
    )
    ends = {own_id(row.command): (log, row.last_seq) for log in logs for row in log.rows if row.command is not None}
    found["duplicated"] += [command for command, times in carried_out.items() if times > 1]
    for player in players:
        for promise in player.promises.values():
            if promise.count is not None:
                log, end = ends.get(promise.command, (None, None))
                if log is None or end != promise.count or log.heads[end] != promise.head:
                    found["lost"].append(promise.command)
        for command, code in player.refusals.items():
            if command in carried_out:
                found["contradicted"].append(f"{command} was carried out, and refused: {code}")
    begun = sum(promise.want == "begin" for player in players for promise in player.promises.values())
    waiting = sum(player.asked is not None and player.asked.want == "begin" for player in players)
    if len(logs) < begun:
        found["lost"].append(f"{begun - len(logs)} games of {party.room}")
    if len(logs) > begun + waiting:
        found["duplicated"].append(f"{len(logs) - begun} games of {party.room}")


def own_id(command: str) -> str:
    """Give the id as the player chose it; a server that forgets ids had to add something to it."""
    return command.partition("#")[0]


def wrong_records(kept: Kept) -> list[str]:
    """Verify every game as a stranger would: the finished ones wholly, the others by their chain."""
    wrong = []
    for name, log in kept.logs.items():
        content = encode_log(log.game.header, log.game.names, [(row.previous, row.body) for row in log.rows])
        try:
            verdict = verify(content, name)
        except RecordUnfinished:
            if log.game.is_closed:
                wrong.append(f"{name} is closed, and unfinished")
        else:
            wrong += [] if verdict.is_verified and verdict.head == log.heads[-1] else [f"{name}: {verdict.why}"]
    return wrong


async def wrongly_served(port: int, kept: Kept) -> list[str]:
    """Replay every room's game from the database, and compare it with what the server shows to somebody new."""
    wrong = []
    for room in kept.rooms.values():
        if room.game is None:
            continue
        async with dial(port, secrets.token_hex(32), room.id) as link:
            view = await shown(link)
        log = kept.logs[room.game]
        table = build_table(log.game, log.rows)
        ours = table.header.game, table.replay.count, table.replay.ply, table.head
        columns = [list(column.entries) for column in table.state.columns]
        theirs = view["game"], view["count"], view["ply"], view["head"]
        if ours != theirs or columns != [seat["entries"] for seat in view["seats"]]:
            wrong.append(f"{room.id}: {ours} is served as {theirs}")
    return wrong


async def shown(link: ClientConnection) -> Json:
    """Wait until the game of a room is shown."""
    async with asyncio.timeout(10):
        while True:
            message = msgspec.json.decode(await link.recv())
            if message["is"] == "position":
                return dict(message["view"])
