"""Which clients look at which room: everything that happens there is told to each of them, in order."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from knobel.errors import KnobelError, NotYours, RoomUnknown
from knobel.host import Host
from knobel.host.coaching import Coaching
from knobel.host.desk import Desk, News, Solving
from knobel.lang import Words
from knobel.record.lane import Step
from knobel.table import Table
from knobel.web.told import block_news, owned_news, position_news, room_news, written
from knobel.web.wire import Refused, Said
from knobel.web.working import solving_news

QUEUE = 64
AWAY_SECONDS = 15.0
BURST, REFILL = 40.0, 4.0
"""So many messages at once, and so many a second: more than fingers send, less than a flood."""


@dataclass(eq=False)
class Client:
    """One socket: whose it is, its language, what waits to be sent, and how much it may still say."""

    owner: str
    lang: str
    waiting: asyncio.Queue[str] = field(default_factory=lambda: asyncio.Queue(QUEUE))
    hub: "Hub | None" = None
    budget: float = BURST
    spoke: float = field(default_factory=time.monotonic)
    slow: bool = False
    overrun: Callable[[], object] = lambda: None
    tell: Callable[[str], bool] = lambda _: False
    sending: bool = False

    def send(self, message: str) -> None:
        """Send a message, or queue it; who reads too slowly is let go, and finds everything again on coming back."""
        if not self.sending and self.waiting.empty() and self.tell(message):
            return
        try:
            self.waiting.put_nowait(message)
        except asyncio.QueueFull:
            self.slow = True
            self.overrun()

    def refuse(self, command: str | None, error: KnobelError) -> None:
        """Say why something is not done."""
        self.send(written(Refused(command, error.code, Words(self.lang).error(error))))

    def too_fast(self) -> float:
        """Say how many seconds a client must wait before its message is heard; nothing it says is lost."""
        now = time.monotonic()
        self.budget = min(BURST, self.budget + (now - self.spoke) * REFILL) - 1
        self.spoke = now
        return max(0.0, -self.budget / REFILL)


class Hub:
    """One room and the clients that look at it."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.clients: list[Client] = []
        self.laid: Table | None = None

    @property
    def present(self) -> frozenset[str]:
        """The devices that are here."""
        return frozenset(client.owner for client in self.clients)

    def hear(self, news: News) -> None:
        """Tell every client what changed."""
        if news.solving:
            self.tell_solving(self.clients, news.solving)
            return
        if news.steps:
            self.tell_position(self.clients, news.steps)
            if self.desk.table is not None and self.desk.table.replay.closed:
                self.tell_room()
            return
        self.tell_room()
        if self.laid is not self.desk.table:
            self.laid = self.desk.table
            self.tell_table(self.clients)

    def tell_room(self) -> None:
        """Tell everybody about the room."""
        present = self.present
        for client in self.clients:
            client.send(room_news(self.desk, client.owner, client.lang, present))

    def tell_position(self, clients: list[Client], steps: tuple[Step, ...] = ()) -> None:
        """Tell clients where the game stands; in each language it is drawn once."""
        table = self.desk.table
        if table is None:
            return
        seen = {lang: position_news(self.desk.room, table, lang, steps) for lang in {one.lang for one in clients}}
        for client in clients:
            client.send(owned_news(seen[client.lang], table, self.desk.room, client.owner))

    def tell_solving(self, clients: list[Client], solving: Solving) -> None:
        """Tell clients how far the rules are worked out."""
        for client in clients:
            client.send(solving_news(self.desk.room.room, solving, client.lang))

    def tell_table(self, clients: list[Client]) -> None:
        """Lay the block before clients, and the position on it."""
        table = self.desk.table
        if table is None:
            return
        for client in clients:
            client.send(block_news(table, client.lang))
        self.tell_position(clients)


class Rooms:
    """All rooms somebody looks at."""

    def __init__(self, host: Host, away_seconds: float = AWAY_SECONDS) -> None:
        self.host = host
        self.away_seconds = away_seconds
        self.hubs: dict[str, Hub] = {}
        self.coaching = Coaching(host)

    async def enter(self, client: Client, room: str) -> None:
        """Let a client look at a room from now on."""
        hub = self.hubs.get(room)
        if hub is None:
            desk = await self.host.desk(room)
            hub = self.hubs.get(room) or Hub(desk)
        if client.hub is not hub:
            self.leave(client)
            client.hub = hub
            hub.clients.append(client)
            if room not in self.hubs:
                self.hubs[room] = hub
                hub.desk = await self.host.watch(room, hub.hear)
        await self.host.attend(room, hub.desk.room.seats_of(client.owner), there=True)
        hub.tell_room()
        hub.tell_table([client])
        hub.tell_solving([client], self.host.study.state_of(room))

    def leave(self, client: Client) -> None:
        """Let a client look no more; a device that stays away is away."""
        hub, client.hub = client.hub, None
        if hub is None:
            return
        hub.clients.remove(client)
        room = hub.desk.room.room
        if client.owner not in hub.present:
            asyncio.get_running_loop().call_later(self.away_seconds, self.miss, room, client.owner)
            hub.tell_room()
        if not hub.clients:
            self.hubs.pop(room, None)
            self.host.unwatch(hub.desk, hub.hear)

    def miss(self, room: str, owner: str) -> None:
        """Note that a device did not come back, while somebody waits for it."""
        hub = self.hubs.get(room)
        if hub is not None and owner not in hub.present:
            self.host.spawn(self.missed(hub, owner))

    async def missed(self, hub: Hub, owner: str) -> None:
        """Mark the seats of a device as away, and let somebody else be host."""
        room = hub.desk.room.room
        await self.host.pass_on(room, hub.present)
        await self.host.attend(room, hub.desk.room.seats_of(owner), there=False)
        hub.tell_room()

    def say(self, client: Client, room: str, seat: int, remark: str) -> None:
        """Pass a remark on, if it comes from the device of that seat."""
        hub = client.hub
        if hub is None or hub.desk.room.room != room:
            raise RoomUnknown
        if seat not in hub.desk.room.seats_of(client.owner):
            raise NotYours
        for other in hub.clients:
            other.send(written(Said(hub.desk.room.room, seat, remark)))
