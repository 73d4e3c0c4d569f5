"""A room of a server as a device sees it: its seats, its running game replayed here, and everything it can ask for.

Every event is replayed by the rules and linked to the chain, so a server that made something up would be noticed at
once. Nothing is printed: whoever shows the room listens to `on_change`.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from knobel.client.address import RoomAddress
from knobel.client.device_duties import DeviceDuties
from knobel.client.device_file import DeviceFile
from knobel.client.fair_check import FairCheck, check_fair_dice
from knobel.client.messages import (
    WIRE_VERSION,
    DoneNews,
    News,
    PositionNews,
    RefusedNews,
    RemarkNews,
    RoomNews,
    SolvingNews,
    write_seen,
)
from knobel.client.mirror import TableMirror
from knobel.client.pending_commands import PendingCommands
from knobel.client.requests import ServerRequests
from knobel.client.room_socket import RoomSocket, SocketEvents
from knobel.errors import ServerRefused
from knobel.rooms.intents import AnyIntent, GameIntent
from knobel.table import Table
from knobel.view.lobby import RoomView

RESEND_SECONDS = 1.0


@dataclass
class RoomListeners:
    """Who is told what happens; each may be replaced."""

    on_change: Callable[[], None] = lambda: None
    """The room or its game is not what it was."""
    on_connection: Callable[[bool], None] = lambda _: None
    on_remark: Callable[[RemarkNews], None] = lambda _: None
    on_solving: Callable[[SolvingNews], None] = lambda _: None
    on_refusal: Callable[[str], None] = lambda _: None
    """The server said something that answers no command."""


@dataclass
class RemoteRoom:
    """A room that is entered with `open` and stays connected until `close`."""

    address: RoomAddress
    device: DeviceFile
    lang: str
    listeners: RoomListeners = field(default_factory=RoomListeners)

    def __post_init__(self) -> None:
        self.requests = ServerRequests(self.address.origin, self.lang)
        self.commands = PendingCommands()
        self.mirror = TableMirror(
            self.requests.fetch_record,
            lambda game: self.requests.fetch_visible(game, self.device.find_server(self.address.origin)),
        )
        self.view: RoomView | None = None
        self.socket: RoomSocket | None = None
        self.connection: asyncio.Task[None] | None = None
        self.duties = DeviceDuties(self.address.origin, self.device, self.try_to_want)
        self.changed = asyncio.Condition()

    @property
    def table(self) -> Table | None:
        """The game that is played now or was played last, replayed here."""
        return self.mirror.table

    @property
    def own_seats(self) -> list[int]:
        return [place for place, seat in enumerate(self.view.seats) if seat.yours] if self.view else []

    async def open(self) -> None:
        """Find the room, enter it, and stay connected; fail if the server does not want that."""
        known = self.device.find_server(self.address.origin)
        if known is None:
            known = self.device.remember_server(self.address.origin, await self.requests.fetch_cookie())
        if self.address.room is None:
            room = await self.requests.find_room(self.address.code or "", known)
            self.address = RoomAddress(self.address.origin, room)
        events = SocketEvents(self.handle_open, self.handle_news, self.listeners.on_connection)
        url = self.address.build_socket_url(WIRE_VERSION, self.lang)
        self.socket = RoomSocket(url, self.address.origin, known, events)
        self.connection = asyncio.create_task(self.stay_connected(self.socket))
        await self.wait_until(lambda: self.view is not None)

    async def stay_connected(self, socket: RoomSocket) -> None:
        """Stay connected; whoever waits hears of an end for good."""
        try:
            await socket.run()
        finally:
            asyncio.get_running_loop().call_soon(lambda: asyncio.ensure_future(self.announce_change()))

    async def close(self) -> None:
        """Go; the seats stay where they are."""
        tasks = [task for task in (self.connection, *self.duties.tasks) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def want(self, intent: AnyIntent) -> None:
        """Ask for something, and wait until it is done and seen here; it is sent again until there is an answer."""
        game = self.view.game if self.view and isinstance(intent, GameIntent) else None
        pending = self.commands.add(intent, game)
        self.send(pending.message)
        await self.wait_until(pending.answer.done)
        done = pending.answer.result()
        if done.count is not None and self.table is not None:
            await self.wait_until(lambda: self.mirror.has_seen(game, done.count or 0))

    async def wait_until(self, is_so: Callable[[], bool]) -> None:
        """Wait until something is so; a connection that ended for good is an error."""
        async with self.changed:
            while not is_so():
                if self.connection is not None and self.connection.done():
                    self.connection.result()
                await self.changed.wait()

    async def check_dice(self) -> FairCheck:
        """Verify the game that is over, as it is on the server now."""
        game = self.mirror.game or ""
        content = await self.requests.fetch_record(game)
        return check_fair_dice(content, game, self.device.find_seed(self.address.origin, game))

    def send(self, message: str) -> None:
        if self.socket is not None:
            self.socket.send(message)

    def handle_open(self) -> None:
        """After a new connection, say what was seen, and send again what was not answered under its old id."""
        self.duties.reset()
        if self.table is not None and self.mirror.shown_count is None:
            self.send(write_seen(self.table.header.game, self.table.replay.count, self.table.head))
        for message in self.commands.list_messages():
            self.send(message)

    async def handle_news(self, news: News) -> None:
        """Take notice of a message, then tell everybody who waits."""
        match news:
            case RoomNews(view):
                self.view = view
                self.duties.seal(view)
            case PositionNews():
                await self.mirror.follow(news)
                if self.table is not None:
                    self.duties.take_part(self.table, self.own_seats)
            case DoneNews():
                self.commands.resolve(news)
            case RefusedNews():
                self.handle_refusal(news)
            case RemarkNews():
                self.listeners.on_remark(news)
            case SolvingNews():
                self.listeners.on_solving(news)
        await self.announce_change()

    async def announce_change(self) -> None:
        self.listeners.on_change()
        async with self.changed:
            self.changed.notify_all()

    def handle_refusal(self, refused: RefusedNews) -> None:
        known = refused.id is not None and refused.id in self.commands.waiting
        again = self.commands.refuse(refused)
        if again is not None:
            asyncio.get_running_loop().call_later(RESEND_SECONDS, self.send, again)
        elif not known and self.view is None:
            raise ServerRefused(text=refused.text)
        elif not known:
            self.listeners.on_refusal(refused.text)

    async def try_to_want(self, intent: AnyIntent) -> None:
        """Ask for something that nobody typed; a refusal is said and changes nothing else."""
        try:
            await self.want(intent)
        except ServerRefused as refusal:
            self.listeners.on_refusal(str(refusal.values["text"]))
