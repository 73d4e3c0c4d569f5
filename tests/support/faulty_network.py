"""A stretch of network for the tests that breaks on demand: cut in mid-frame, stalled, or dead without being closed."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tests.support.waiting import HANG_SECONDS

T = TypeVar("T")
CHUNK = 64 * 1024
NEVER = 1 << 60


@dataclass(eq=False)
class Pipe:
    """One connection: both ends, and whether it swallows everything for ever."""

    ends: list[asyncio.StreamWriter] = field(default_factory=list)
    is_dead: bool = False

    def abort(self) -> None:
        """Break it at both ends, without a word."""
        for end in self.ends:
            end.transport.abort()


class FaultyLink:
    """Passes bytes on between clients and a server, in a thread of its own, until it is broken."""

    def __init__(self, port: int) -> None:
        self.target_port = port
        self.port = 0
        self.pipes: set[Pipe] = set()
        self.is_refusing = False
        self.cut_size = NEVER
        self.cut_count = self.held_count = self.refused_count = 0
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.tasks: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """The address of the server at the other end."""
        return f"http://localhost:{self.port}"

    def __enter__(self) -> "FaultyLink":
        self.thread.start()
        self.run(self.listen())
        return self

    def __exit__(self, *_: object) -> None:
        self.run(self.close())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something in the link's own thread."""
        future: Future[T] = asyncio.run_coroutine_threadsafe(work, self.loop)
        return future.result(HANG_SECONDS)

    async def listen(self) -> None:
        """Take a port."""
        self.flowing = asyncio.Event()
        self.flowing.set()
        self.server = await asyncio.start_server(self.accept, "127.0.0.1", 0)
        self.port = int(self.server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """Let go of everything."""
        self.server.close()
        self.is_refusing = True
        self.flowing.set()
        self.abort_all()
        await asyncio.gather(*self.tasks)

    # Breaking and mending.

    def cut(self) -> None:
        """Break every connection now, and refuse new ones until it is mended."""
        self.run(self.break_connections())

    def cut_within(self, size: int) -> None:
        """Let the first bytes of the next longer message from the server pass, then break everything."""
        self.cut_size = size

    def stall(self) -> None:
        """Hold everything back, as in a tunnel."""
        self.run(self.hold_back())

    def go_dead(self) -> None:
        """Let all connections be dead without being closed; what new ones say is held back until it is mended."""
        self.run(self.hold_back(dead=True))

    def restore(self) -> None:
        """Pass everything on again; what is dead stays dead."""
        self.run(self.resume())

    def abort_dead(self) -> None:
        """Break what is dead, as a browser would use it again for the next thing it asks for."""
        self.run(self.break_dead())

    async def break_dead(self) -> None:
        for pipe in tuple(self.pipes):
            if pipe.is_dead:
                pipe.abort()

    async def break_connections(self) -> None:
        """Break everything."""
        self.is_refusing = True
        self.cut_count += 1
        self.abort_all()

    async def hold_back(self, dead: bool = False) -> None:
        """Hold back, and let what is there die."""
        self.flowing.clear()
        for pipe in self.pipes:
            pipe.is_dead = pipe.is_dead or dead

    async def resume(self) -> None:
        """Be whole."""
        self.is_refusing, self.cut_size = False, NEVER
        self.flowing.set()

    def abort_all(self) -> None:
        """Break every connection."""
        for pipe in tuple(self.pipes):
            pipe.abort()

    # Passing on.

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Connect somebody with the server."""
        task = asyncio.current_task()
        if task is not None:
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
        pipe = Pipe([writer])
        self.pipes.add(pipe)
        try:
            await self.wait_for_flow()
            if self.is_refusing:
                self.refused_count += 1
                return
            there, back = await asyncio.open_connection("127.0.0.1", self.target_port)
            pipe.ends.append(back)
            if writer.transport.is_closing():
                return
            async with asyncio.TaskGroup() as both:
                both.create_task(self.forward(pipe, reader, back))
                both.create_task(self.forward(pipe, there, writer, self.cut_message))
        except* (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            pipe.abort()
            self.pipes.discard(pipe)
            # Whatever is not closed when the loop stops would fail some later test as a leak.
            await asyncio.gather(*(end.wait_closed() for end in pipe.ends), return_exceptions=True)

    async def wait_for_flow(self) -> None:
        """Wait while everything is held back, and count what is."""
        self.held_count += not self.flowing.is_set()
        await self.flowing.wait()

    async def forward(
        self,
        pipe: Pipe,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        cut: Callable[[bytes, asyncio.StreamWriter], bool] = lambda *_: False,
    ) -> None:
        """Pass on what comes from one end; an end that hangs up takes the other with it, unless the pipe is dead."""
        while data := await reader.read(CHUNK):
            await self.wait_for_flow()
            if pipe.is_dead or cut(data, writer):
                continue
            writer.write(data)
            await writer.drain()
        if not pipe.is_dead:
            with contextlib.suppress(OSError):
                writer.write_eof()

    def cut_message(self, data: bytes, writer: asyncio.StreamWriter) -> bool:
        """Let a part of a message pass, then break everything; tells whether it did."""
        if len(data) <= self.cut_size:
            return False
        writer.write(data[: self.cut_size])
        self.cut_size = NEVER
        self.loop.call_later(0.02, lambda: asyncio.ensure_future(self.break_connections(), loop=self.loop))
        return True
