"""Measures what clients that are slow cost everybody else: half-sent requests, slow uploads, answers nobody reads.

python -m benchmarks.slow_clients             every kind, each against a server of its own
python -m benchmarks.slow_clients uploads     one kind
python -m benchmarks.slow_clients --server ../other/.venv/bin/knobel --wire 3    another version of the server

While they are connected, one player pings again and again. For each kind: how long the longest ping took, the memory
of the server before, at most, and after the clients are gone, and how many of the connections it still held when their
time was over.
"""

import asyncio
import contextlib
import json
import secrets
import socket
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.devices import RunningServer
from tests.support.socket_players import SERVE_COMMAND, ServerProcess
from websockets.asyncio.client import ClientConnection, connect

from knobel.web.wire import WIRE_VERSION

CLIENTS = 200
SECONDS = 40.0
"""How long slow clients stay, if the server lets them."""
PING_PAUSE = 0.25
SEATS = 90
PAGES = 20
CHANGES = 3
MIB = 1024 * 1024


@dataclass
class Visit:
    """One server with slow clients, and one player who is not slow."""

    server: RunningServer
    wire: int
    token: str = field(default_factory=lambda: secrets.token_hex(32))
    connections: list[socket.socket] = field(default_factory=list)

    @property
    def host(self) -> str:
        return f"localhost:{self.server.port}"

    def head(self, token: str) -> str:
        """Give the header lines by which a device is known."""
        return (
            f"Host: {self.host}\r\nOrigin: http://{self.host}\r\nCookie: knobel={token}\r\nKnobel-Secret: {token}\r\n"
        )

    def open(self, sent: bytes) -> socket.socket:
        """Open a connection that takes in very little before it is read, and send something."""
        link = socket.socket()
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        link.settimeout(SECONDS)
        link.connect(("127.0.0.1", self.server.port))
        link.sendall(sent)
        link.setblocking(False)
        self.connections.append(link)
        return link

    async def post(self, path: str, body: object) -> dict[str, str]:
        content = json.dumps(body)
        reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        writer.write(
            f"POST {path} HTTP/1.1\r\n{self.head(self.token)}Connection: close\r\n"
            f"Content-Length: {len(content)}\r\n\r\n{content}".encode()
        )
        answer = await reader.read()
        writer.close()
        found: dict[str, str] = json.loads(answer.partition(b"\r\n\r\n")[2])
        return found

    async def open_room(self) -> str:
        seats = [{"want": "sit", "name": f"P{number}"} for number in range(SEATS)]
        settings = {"edition": "tactic-xl-yatzy"}
        body = {"id": secrets.token_hex(8), "settings": settings, "seats": seats}
        return (await self.post("/api/rooms", body))["room"]

    def connect(self, room: str) -> connect:
        return connect(
            f"ws://{self.host}/ws/{self.wire}/{room}",
            host="127.0.0.1",
            port=self.server.port,
            origin=f"http://{self.host}",  # type: ignore[arg-type]
            additional_headers={"Cookie": f"knobel={self.token}"},
            subprotocols=["knobel", f"secret.{self.token}"],  # type: ignore[list-item]
            proxy=None,
            compression=None,
        )

    def watch(self, room: str) -> socket.socket:
        """Open a socket of another device by hand, and read nothing."""
        token = secrets.token_hex(32)
        return self.open(
            f"GET /ws/{self.wire}/{room} HTTP/1.1\r\n{self.head(token)}Upgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Protocol: knobel, secret.{token}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {'A' * 22}==\r\n\r\n".encode()
        )


SlowClients = Callable[[Visit, str, ClientConnection], Awaitable[None]]


async def send_slowly(visit: Visit, begin: Callable[[str], str], rest: bytes) -> None:
    """Send the beginning of a request for many devices, and of the rest one byte a second each."""
    for _ in range(CLIENTS):
        visit.open(begin(secrets.token_hex(32)).encode())
        await asyncio.sleep(0)
    for number in range(int(SECONDS)):
        await asyncio.sleep(1)
        for link in visit.connections:
            with contextlib.suppress(OSError):
                link.send(rest[number : number + 1])


async def send_half_requests(visit: Visit, _room: str, _player: ClientConnection) -> None:
    await send_slowly(visit, lambda token: f"GET / HTTP/1.1\r\n{visit.head(token)}X-Slow: ", b"a" * int(SECONDS))


async def upload_slowly(visit: Visit, _room: str, _player: ClientConnection) -> None:
    def begin(token: str) -> str:
        return f"POST /api/house-rules HTTP/1.1\r\n{visit.head(token)}Content-Length: 30000\r\n\r\n"

    await send_slowly(visit, begin, b"#" * int(SECONDS))


async def leave_pages_unread(visit: Visit, _room: str, _player: ClientConnection) -> None:
    """Ask for a page so often that the answers do not fit into what the system buffers, and read nothing."""
    for _ in range(CLIENTS):
        visit.open(f"GET /schema.json HTTP/1.1\r\nHost: {visit.host}\r\n\r\n".encode() * PAGES)
        await asyncio.sleep(0)
    await asyncio.sleep(SECONDS)


async def change_room(player: ClientConnection, second: int) -> None:
    """Let everybody in the room be shown something new for a second."""
    intent = {"want": "swap", "seat": 1}
    for number in range(CHANGES):
        await player.send(json.dumps({"do": "want", "id": f"swap{second}.{number}", "intent": intent}))
        await asyncio.sleep(1 / CHANGES)


async def never_read(visit: Visit, room: str, player: ClientConnection) -> None:
    """Watch a busy room, and read nothing."""
    for _ in range(CLIENTS):
        visit.watch(room)
        await asyncio.sleep(0)
    for number in range(int(SECONDS)):
        await change_room(player, number)


async def read_slowly(visit: Visit, room: str, player: ClientConnection) -> None:
    """Watch a busy room, and read one KiB a second."""
    for _ in range(CLIENTS):
        visit.watch(room)
        await asyncio.sleep(0)
    for number in range(int(SECONDS)):
        await change_room(player, number)
        for link in visit.connections:
            with contextlib.suppress(OSError):
                link.recv(1024)


async def wait_alone(_visit: Visit, _room: str, _player: ClientConnection) -> None:
    await asyncio.sleep(SECONDS)


KINDS: dict[str, tuple[str, SlowClients]] = {
    "nobody": ("nobody slow", wait_alone),
    "halves": (f"{CLIENTS} requests of which one byte a second comes", send_half_requests),
    "uploads": (f"{CLIENTS} uploads of which one byte a second comes", upload_slowly),
    "pages": (f"{CLIENTS} times {PAGES} pages nobody reads", leave_pages_unread),
    "unread": (f"{CLIENTS} watchers of a busy room who read nothing", never_read),
    "slow": (f"{CLIENTS} watchers of a busy room who read 1 KiB a second", read_slowly),
}


async def ping(player: ClientConnection, waited: list[float], visit: Visit, memory: list[int]) -> None:
    """Ping again and again; note how long each took, and the memory of the server."""
    while True:
        began = time.monotonic()
        await player.send('{"do":"ping"}')
        while json.loads(await player.recv())["is"] != "pong":
            pass
        waited.append(time.monotonic() - began)
        memory.append(visit.server.memory_bytes)
        await asyncio.sleep(PING_PAUSE)


async def measure(command: tuple[str, ...], wire: int, title: str, clients: SlowClients) -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "slow.db"
        process = ServerProcess(f"sqlite:///{database}", command)
        process.stderr = (Path(folder) / "stderr.txt").open("wb")
        visit = Visit(RunningServer(process, Path(process.stderr.name), database), wire)
        await process.start()
        waited: list[float] = []
        memory: list[int] = []
        try:
            busy, quiet = await visit.open_room(), await visit.open_room()
            async with visit.connect(busy) as owner, visit.connect(quiet) as player:
                memory.append(visit.server.memory_bytes)
                before = visit.server.connection_count
                reading = asyncio.create_task(read_all(owner))
                pinging = asyncio.create_task(ping(player, waited, visit, memory))
                await clients(visit, busy, owner)
                held = visit.server.connection_count - before
                pinging.cancel()
                reading.cancel()
                await asyncio.gather(pinging, reading, return_exceptions=True)
                for link in visit.connections:
                    link.close()
                await asyncio.sleep(2)
                sizes = (memory[0], max(memory), visit.server.memory_bytes)
                print(
                    f"{title:56} longest ping {max(waited, default=SECONDS) * 1000:7.0f} ms  of {len(waited):4}  "
                    f"memory {', '.join(f'{size / MIB:4.0f}' for size in sizes)} MiB  held {held}",
                    flush=True,
                )
        finally:
            process.kill()
            process.stderr.close()


async def read_all(owner: ClientConnection) -> None:
    async for _ in owner:
        pass


def main(words: list[str]) -> None:
    command: tuple[str, ...] = SERVE_COMMAND
    wire = WIRE_VERSION
    if "--server" in words:
        command = (words[words.index("--server") + 1], "serve", "--no-open")
    if "--wire" in words:
        wire = int(words[words.index("--wire") + 1])
    chosen = [name for name in KINDS if name in words] or list(KINDS)
    for name in chosen:
        asyncio.run(measure(command, wire, *KINDS[name]))


if __name__ == "__main__":
    main(sys.argv[1:])
