"""A worker as its parent sees it: a process, the channel to it, and the connections it has not taken yet."""

import asyncio
import contextlib
import signal
import socket
import sys
import time
from collections import deque
from collections.abc import Callable
from typing import TypeAlias

import msgspec
from msgspec import Struct

from knobel.web.options import ServerOptions
from knobel.web.worker_channel import CONNECTION, LEAVING, PING, READY, TAKEN, LineReader

COMMAND = (sys.executable, "-m", "knobel.web.worker")
ANSWER_SECONDS = 4.0
"""How long a worker may take to answer a question; longer than it waits for its database."""
RoomConnection: TypeAlias = tuple[socket.socket, str | None]
"""A connection, and the room it asks for."""


class WorkerStart(Struct, frozen=True):
    """What a worker is told when it starts; not on its command line, where everybody could read the password."""

    slot: int
    channel: int
    database: str
    options: ServerOptions


class WorkerProcess:
    """One worker; `on_leave` hears what it will not take any more."""

    def __init__(self, slot: int, on_leave: Callable[[list[RoomConnection]], None]) -> None:
        self.slot = slot
        self.on_leave = on_leave
        self.untaken: deque[RoomConnection] = deque()
        self.ready = asyncio.Event()
        self.is_leaving = False
        self.ready_at: float | None = None
        self.heard_at = time.monotonic()
        self.ended = asyncio.Event()
        self.questions: dict[str, list[asyncio.Future[str]]] = {}
        self.channel, self.other_end = socket.socketpair()
        self.reader = LineReader(self.channel)
        self.process: asyncio.subprocess.Process | None = None

    @property
    def accepts(self) -> bool:
        return self.ready.is_set() and not self.is_leaving

    async def start(self, options: ServerOptions, database: str) -> None:
        self.channel.setblocking(False)
        descriptor = self.other_end.fileno()
        self.process = await asyncio.create_subprocess_exec(
            # A session of its own: Ctrl+C is for the parent, which lets the workers end in order.
            *COMMAND,
            stdin=asyncio.subprocess.PIPE,
            pass_fds=(descriptor,),
            start_new_session=True,
        )
        self.other_end.close()
        asyncio.get_running_loop().add_reader(self.channel.fileno(), self.receive)
        if self.process.stdin is not None:
            self.process.stdin.write(msgspec.json.encode(WorkerStart(self.slot, descriptor, database, options)))
            self.process.stdin.close()

    def hand_over(self, connection: RoomConnection) -> bool:
        """Give a connection to the worker; tell whether it could be sent. It is kept until it is taken."""
        try:
            socket.send_fds(self.channel, [CONNECTION], [connection[0].fileno()])
        except OSError:  # it is busy, or gone
            return False
        self.untaken.append(connection)
        return True

    def receive(self) -> None:
        """Hear what the worker says."""
        lines, is_open = self.reader.read()
        for line in lines:
            self.handle(line)
        if not is_open:
            asyncio.get_running_loop().remove_reader(self.channel.fileno())

    def handle(self, line: str) -> None:
        self.heard_at = time.monotonic()
        if line == TAKEN:
            self.untaken.popleft()[0].close()
        elif line == READY:
            self.ready_at = time.monotonic()
            self.ready.set()
        elif line == LEAVING:
            self.give_back()
        else:
            kind, _, text = line.partition(" ")
            for question in self.questions.pop(kind, ()):
                if not question.done():
                    question.set_result(text)

    def give_back(self) -> None:
        """Let the others have what this worker did not take."""
        self.is_leaving = True
        left = list(self.untaken)
        self.untaken.clear()
        self.on_leave(left)

    async def ask(self, kind: str) -> str | None:
        """Ask something, by its first letter; a worker that does not answer in time has no answer."""
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.questions.setdefault(kind, []).append(answer)
        self.send(kind[:1].encode())
        with contextlib.suppress(TimeoutError):
            return await asyncio.wait_for(answer, ANSWER_SECONDS)
        return None

    def ping(self) -> None:
        self.send(PING[:1].encode())

    def send(self, kind: bytes) -> None:
        with contextlib.suppress(OSError):
            self.channel.send(kind)

    def end(self, sign: signal.Signals = signal.SIGTERM) -> None:
        """Let it end: in order, or at once."""
        self.is_leaving = True
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                self.process.send_signal(sign)

    async def end_within(self, seconds: float) -> None:
        """Let it end in order, and kill it if it takes too long."""
        self.end()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.ended.wait(), seconds)
        if not self.ended.is_set():
            self.end(signal.SIGKILL)
            await self.ended.wait()

    async def wait_until_ready(self) -> bool:
        """Wait until it serves; tell whether it ever did."""
        waits = [asyncio.ensure_future(one.wait()) for one in (self.ready, self.ended)]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for one in waits:
            one.cancel()
        return self.ready.is_set() and not self.ended.is_set()

    async def wait(self) -> int:
        """Wait for its end; then what it never took is given back. What it did take is gone with it."""
        code = await self.process.wait() if self.process is not None else 0
        loop = asyncio.get_running_loop()
        self.receive()
        loop.remove_reader(self.channel.fileno())
        self.give_back()
        self.channel.close()
        self.ended.set()
        return code
