"""A socket that comes back: it notices a dead connection and reconnects, as a page does."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import msgspec
from websockets.asyncio.client import ClientConnection as Socket
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.typing import Origin, Subprotocol

from knobel.client.device_file import KnownServer
from knobel.client.messages import PING, News, read_message
from knobel.client.requests import COOKIE
from knobel.errors import ServerRefused, ServerUnreachable
from knobel.rules.fields import clean_text

IDLE_SECONDS, ANSWER_SECONDS, OPEN_SECONDS = 3.0, 4.0, 12.0
"""How long a connection may be silent before it is asked, may take to answer, and may take to open."""
FIRST_DELAY, MAX_DELAY = 0.15, 1.0
REFUSED_CODES = 4000
"""From this close code on the server has said no, and trying again would not help."""
MAX_MESSAGE = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class SocketEvents:
    """What a socket reports: that it is open, what it hears, and whether a server is there and says something."""

    on_open: Callable[[], None]
    on_news: Callable[[News], Awaitable[None]]
    on_state: Callable[[bool], None]


class RoomSocket:
    """One room at one server, for as long as `run` runs."""

    def __init__(self, url: str, origin: str, known: KnownServer, events: SocketEvents) -> None:
        self.url = url
        self.origin = origin
        self.known = known
        self.events = events
        self.outbox = asyncio.Queue[str]()
        self.is_open = False

    def send(self, message: str) -> None:
        """Send a message if there is a connection; what must not be lost is sent again when there is one."""
        if self.is_open:
            self.outbox.put_nowait(message)

    async def run(self) -> None:
        """Stay connected; end only by an error, when the server does not want us."""
        delay = FIRST_DELAY
        while True:
            if await self.connect_once():
                delay = FIRST_DELAY
            await asyncio.sleep(delay)
            delay = min(MAX_DELAY, 2 * delay)

    async def connect_once(self) -> bool:
        """Connect, and talk until the connection is lost; tell whether there was one."""
        was_open = False
        try:
            async with self.call() as socket:
                was_open = True
                await self.talk(socket)
        except InvalidStatus as error:
            if error.response.status_code < 500:
                raise ServerRefused(text=f"{self.origin}: {error.response.status_code}") from None
        except ConnectionClosed as error:
            closed = error.rcvd
            if closed is not None and closed.code >= REFUSED_CODES:
                raise ServerRefused(text=clean_text(closed.reason or str(closed.code))) from None
        except (OSError, WebSocketException, EOFError, TimeoutError, ServerUnreachable):
            pass  # the next connection may succeed
        if self.is_open:
            self.is_open = False
            self.events.on_state(False)
        return was_open

    def call(self) -> connect:
        return connect(
            self.url,
            origin=Origin(self.origin),
            additional_headers={"Cookie": f"{COOKIE}={self.known.cookie}"},
            subprotocols=[Subprotocol("knobel"), Subprotocol(f"secret.{self.known.secret}")],
            compression=None,
            ping_interval=None,
            open_timeout=OPEN_SECONDS,
            close_timeout=0.5,
            max_size=MAX_MESSAGE,
        )

    async def talk(self, socket: Socket) -> None:
        """Send what waits and hear what comes, until one of them fails."""
        self.outbox, self.is_open = asyncio.Queue[str](), True
        self.events.on_open()
        writer = asyncio.create_task(self.write(socket))
        try:
            await self.hear(socket)
        finally:
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError, WebSocketException, OSError):
                await writer

    async def write(self, socket: Socket) -> None:
        while True:
            await socket.send(await self.outbox.get())

    async def hear(self, socket: Socket) -> None:
        """Hear messages; a connection that stays silent although it was asked is dead, whatever the socket says."""
        is_asked = is_heard = False
        while True:
            try:
                async with asyncio.timeout(ANSWER_SECONDS if is_asked else IDLE_SECONDS):
                    text = await socket.recv()
            except TimeoutError:
                if is_asked:
                    raise
                is_asked = True
                self.send(PING)
                continue
            is_asked = False
            if not is_heard:
                # Not before: a server whose database is gone takes every connection, and says nothing.
                is_heard = True
                self.events.on_state(True)
            try:
                news = read_message(text)
            except msgspec.MsgspecError as error:
                raise ServerRefused(text=clean_text(str(error))) from None
            if news is not None:
                await self.events.on_news(news)
