"""A stretch of network for the tests that breaks on demand: cut in mid-frame, stalled, or dead without being closed."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")
CHUNK = 64 * 1024
NEVER = 1 << 60


@dataclass(eq=False)
class Pipe:
    """One connection: both ends, and whether it swallows everything for ever."""

    ends: list[asyncio.StreamWriter] = field(default_factory=list)
    dead: bool = False

    def abort(self) -> None:
        """Break it at both ends, without a word."""
        for end in self.ends:
            end.transport.abort()


class Link:
    """Passes bytes on between clients and a house, in a thread of its own, until it is broken."""

    def __init__(self, port: int) -> None:
        self.behind = port
        self.port = 0
        self.pipes: set[Pipe] = set()
        self.refusing = False
        self.bite = NEVER
        self.cuts = 0
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.tasks: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """The address of the house at the other end."""
        return f"http://localhost:{self.port}"

    def __enter__(self) -> "Link":
        self.thread.start()
        self.wait(self.listen())
        return self

    def __exit__(self, *_: object) -> None:
        self.wait(self.close())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something in the link's own thread."""
        future: Future[T] = asyncio.run_coroutine_threadsafe(work, self.loop)
        return future.result(10)

    async def listen(self) -> None:
        """Take a port."""
        self.gate = asyncio.Event()
        self.gate.set()
        self.server = await asyncio.start_server(self.connected, "127.0.0.1", 0)
        self.port = int(self.server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """Let go of everything."""
        self.server.close()
        self.refusing = True
        self.gate.set()
        self.abort_all()
        await asyncio.gather(*self.tasks)

    # Breaking and mending.

    def cut(self) -> None:
        """Break every connection now, and refuse new ones until it is mended."""
        self.wait(self.broken())

    def cut_within(self, size: int) -> None:
        """Let so many bytes of the next longer message from the house pass, then break everything."""
        self.bite = size

    def stall(self) -> None:
        """Hold everything back, as in a tunnel."""
        self.wait(self.held())

    def lose(self) -> None:
        """Let all connections be dead without being closed; what new ones say is held back until it is mended."""
        self.wait(self.held(dead=True))

    def mend(self) -> None:
        """Pass everything on again; what is dead stays dead."""
        self.wait(self.mended())

    async def broken(self) -> None:
        """Break everything."""
        self.refusing = True
        self.cuts += 1
        self.abort_all()

    async def held(self, dead: bool = False) -> None:
        """Hold back, and let what is there die."""
        self.gate.clear()
        for pipe in self.pipes:
            pipe.dead = pipe.dead or dead

    async def mended(self) -> None:
        """Be whole."""
        self.refusing, self.bite = False, NEVER
        self.gate.set()

    def abort_all(self) -> None:
        """Break every connection."""
        for pipe in tuple(self.pipes):
            pipe.abort()

    # Passing on.

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Connect somebody with the house."""
        task = asyncio.current_task()
        if task is not None:
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
        pipe = Pipe([writer])
        self.pipes.add(pipe)
        try:
            await self.gate.wait()
            if self.refusing:
                return
            there, back = await asyncio.open_connection("127.0.0.1", self.behind)
            pipe.ends.append(back)
            if writer.transport.is_closing():
                return
            async with asyncio.TaskGroup() as both:
                both.create_task(self.pass_on(pipe, reader, back))
                both.create_task(self.pass_on(pipe, there, writer, self.bitten))
        except* (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            pipe.abort()
            self.pipes.discard(pipe)

    async def pass_on(
        self,
        pipe: Pipe,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        cut: Callable[[bytes, asyncio.StreamWriter], bool] = lambda *_: False,
    ) -> None:
        """Pass on what comes from one end; an end that hangs up takes the other with it, unless the pipe is dead."""
        while data := await reader.read(CHUNK):
            await self.gate.wait()
            if pipe.dead or cut(data, writer):
                continue
            writer.write(data)
            await writer.drain()
        if not pipe.dead:
            with contextlib.suppress(OSError):
                writer.write_eof()

    def bitten(self, data: bytes, writer: asyncio.StreamWriter) -> bool:
        """Let a part of a message pass, then break everything; tells whether it did."""
        if len(data) <= self.bite:
            return False
        writer.write(data[: self.bite])
        self.bite = NEVER
        self.loop.call_later(0.02, lambda: asyncio.ensure_future(self.broken(), loop=self.loop))
        return True
