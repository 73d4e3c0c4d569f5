"""What the parent and a worker say to each other, over a pair of Unix sockets.

The parent sends single bytes, a connection together with its file descriptor; a worker answers in lines.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

CONNECTION = b"c"
METRICS, STATE, PING = "metrics", "state", "ping"
"""What the parent asks, by the first letter; the answer begins with the word."""
TAKEN, READY, LEAVING = "taken", "ready", "leaving"
Answers: TypeAlias = Mapping[str, Callable[[], Awaitable[str]]]
MAX_READ = 64 * 1024


class LineReader:
    """Puts lines together from what a worker sends."""

    def __init__(self, channel: socket.socket) -> None:
        self.channel = channel
        self.rest = b""

    def read(self) -> tuple[list[str], bool]:
        """Read the lines that are there; tell, too, whether more may come."""
        while True:
            try:
                content = self.channel.recv(MAX_READ)
            except (BlockingIOError, InterruptedError):
                return self.split(), True
            except OSError:
                content = b""
            if not content:
                return self.split(), False
            self.rest += content

    def split(self) -> list[str]:
        *lines, self.rest = self.rest.split(b"\n")
        return [line.decode() for line in lines]


class WorkerChannel:
    """The worker's end: takes connections, answers questions, and notices when the parent is gone."""

    def __init__(
        self,
        channel: socket.socket,
        take: Callable[[socket.socket], None],
        answers: Answers,
        on_lost: Callable[[], None],
    ) -> None:
        self.channel, self.take, self.answers, self.on_lost = channel, take, answers, on_lost
        self.unsent = b""
        self.tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        self.channel.setblocking(False)
        asyncio.get_running_loop().add_reader(self.channel.fileno(), self.receive)
        self.say(READY)

    def leave(self) -> None:
        """Take nothing more, and say so: what the parent has not heard of being taken, it passes on to another."""
        asyncio.get_running_loop().remove_reader(self.channel.fileno())
        self.say(LEAVING)

    def receive(self) -> None:
        """Take everything that has come, a byte at a time: each may bring a connection of its own."""
        while True:
            try:
                kind, descriptors, _, _ = socket.recv_fds(self.channel, 1, 1)
            except (BlockingIOError, InterruptedError):
                return
            except OSError:
                kind, descriptors = b"", []
            if kind == CONNECTION and descriptors:
                # The parent keeps its copy until it hears of this, and passes it on if this process dies before.
                self.say(TAKEN)
                self.take(socket.socket(fileno=descriptors[0]))
            elif kind:
                task = asyncio.get_running_loop().create_task(self.answer(kind.decode()))
                self.tasks.add(task)
                task.add_done_callback(self.tasks.discard)
            else:
                asyncio.get_running_loop().remove_reader(self.channel.fileno())
                self.on_lost()
                return

    async def answer(self, letter: str) -> None:
        word = next(word for word in self.answers if word.startswith(letter))
        self.say(f"{word} {await self.answers[word]()}")

    def say(self, line: str) -> None:
        self.unsent += f"{line}\n".encode()
        self.flush()

    def flush(self) -> None:
        """Send what waits; what the parent does not read yet is sent later."""
        loop = asyncio.get_running_loop()
        try:
            self.unsent = self.unsent[self.channel.send(self.unsent) :]
        except (BlockingIOError, InterruptedError):
            pass
        except OSError:
            self.unsent = b""
        if self.unsent:
            loop.add_writer(self.channel.fileno(), self.flush)
        else:
            loop.remove_writer(self.channel.fileno())
