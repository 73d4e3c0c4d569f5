"""Which clients look at which room: everything that happens there is told to each of them, in order."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from knobel.errors import KnobelError, RoomNotFound, SeatNotYours
from knobel.host import Host
from knobel.host.coach_service import CoachService
from knobel.host.session import RoomSession, SessionUpdate, SolveProgress
from knobel.lang import Translator
from knobel.record.track import Step
from knobel.table import Table
from knobel.web.messages import encode_message, encode_position, encode_room, encode_setup, mark_own_seats
from knobel.web.solving_messages import encode_solving
from knobel.web.wire import RefusedMessage, RemarkMessage

MAX_QUEUED = 64
AWAY_SECONDS = 15.0
BURST_MESSAGES, MESSAGES_PER_SECOND = 40.0, 4.0
"""So many messages at once, and so many a second: more than fingers send, less than a flood."""


@dataclass(eq=False)
class Client:
    """One socket: whose it is, its language, what waits to be sent, and how much it may still say."""

    device: str
    lang: str
    queue: asyncio.Queue[str] = field(default_factory=lambda: asyncio.Queue(MAX_QUEUED))
    hub: "RoomHub | None" = None
    tokens: float = BURST_MESSAGES
    last_message_at: float = field(default_factory=time.monotonic)
    slow: bool = False
    on_overrun: Callable[[], object] = lambda: None
    try_send: Callable[[str], bool] = lambda _: False
    sending: bool = False

    def send(self, message: str) -> None:
        """Send a message, or queue it; who reads too slowly is let go, and finds everything again on coming back."""
        if not self.sending and self.queue.empty() and self.try_send(message):
            return
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.slow = True
            self.on_overrun()

    def refuse(self, command_id: str | None, error: KnobelError) -> None:
        """Say why something is not done."""
        self.send(encode_message(RefusedMessage(command_id, error.code, Translator(self.lang).describe_error(error))))

    def throttle(self) -> float:
        """Say how many seconds a client must wait before its message is heard; nothing it says is lost."""
        now = time.monotonic()
        self.tokens = min(BURST_MESSAGES, self.tokens + (now - self.last_message_at) * MESSAGES_PER_SECOND) - 1
        self.last_message_at = now
        return max(0.0, -self.tokens / MESSAGES_PER_SECOND)


class RoomHub:
    """One room and the clients that look at it."""

    def __init__(self, session: RoomSession) -> None:
        self.session = session
        self.clients: list[Client] = []
        self.sent_table: Table | None = None

    @property
    def present(self) -> frozenset[str]:
        """The devices that are here."""
        return frozenset(client.device for client in self.clients)

    def broadcast(self, news: SessionUpdate) -> None:
        """Tell every client what changed."""
        if news.progress:
            self.send_solving(self.clients, news.progress)
            return
        if news.steps:
            self.send_position(self.clients, news.steps)
            if self.session.table is not None and self.session.table.replay.closed:
                self.send_room()
            return
        self.send_room()
        if self.sent_table is not self.session.table:
            self.sent_table = self.session.table
            self.send_setup(self.clients)

    def send_room(self) -> None:
        """Tell everybody about the room."""
        present = self.present
        for client in self.clients:
            client.send(encode_room(self.session, client.device, client.lang, present))

    def send_position(self, clients: list[Client], steps: tuple[Step, ...] = ()) -> None:
        """Tell clients where the game stands; in each language it is drawn once."""
        table = self.session.table
        if table is None:
            return
        seen = {lang: encode_position(self.session.room, table, lang, steps) for lang in {one.lang for one in clients}}
        for client in clients:
            client.send(mark_own_seats(seen[client.lang], table, self.session.room, client.device))

    def send_solving(self, clients: list[Client], solving: SolveProgress) -> None:
        """Tell clients how far the rules are worked out."""
        for client in clients:
            client.send(encode_solving(self.session.room.id, solving, client.lang))

    def send_setup(self, clients: list[Client]) -> None:
        """Lay the block before clients, and the position on it."""
        table = self.session.table
        if table is None:
            return
        for client in clients:
            client.send(encode_setup(table, client.lang))
        self.send_position(clients)


class RoomHubs:
    """All rooms somebody looks at."""

    def __init__(self, host: Host, away_seconds: float = AWAY_SECONDS) -> None:
        self.host = host
        self.away_seconds = away_seconds
        self.hubs: dict[str, RoomHub] = {}
        self.coaching = CoachService(host)

    async def enter(self, client: Client, room: str) -> None:
        """Let a client look at a room from now on."""
        hub = self.hubs.get(room)
        if hub is None:
            desk = await self.host.find_session(room)
            hub = self.hubs.get(room) or RoomHub(desk)
        if client.hub is not hub:
            self.leave(client)
            client.hub = hub
            hub.clients.append(client)
            if room not in self.hubs:
                self.hubs[room] = hub
                hub.session = await self.host.watch(room, hub.broadcast)
        await self.host.record_attendance(room, hub.session.room.seats_of(client.device), present=True)
        hub.send_room()
        hub.send_setup([client])
        hub.send_solving([client], self.host.waiting_rooms.progress_of(room))

    def leave(self, client: Client) -> None:
        """Let a client look no more; a device that stays away is away."""
        hub, client.hub = client.hub, None
        if hub is None:
            return
        hub.clients.remove(client)
        room = hub.session.room.id
        if client.device not in hub.present:
            asyncio.get_running_loop().call_later(self.away_seconds, self.check_absence, room, client.device)
            hub.send_room()
        if not hub.clients:
            self.hubs.pop(room, None)
            self.host.unwatch(hub.session, hub.broadcast)

    def check_absence(self, room: str, device: str) -> None:
        """Note that a device did not come back, while somebody waits for it."""
        hub = self.hubs.get(room)
        if hub is not None and device not in hub.present:
            self.host.spawn(self.mark_away(hub, device))

    async def mark_away(self, hub: RoomHub, device: str) -> None:
        """Mark the seats of a device as away, and let somebody else be host."""
        room = hub.session.room.id
        await self.host.pass_host(room, hub.present)
        await self.host.record_attendance(room, hub.session.room.seats_of(device), present=False)
        hub.send_room()

    def send_remark(self, client: Client, room: str, seat: int, remark: str) -> None:
        """Pass a remark on, if it comes from the device of that seat."""
        hub = client.hub
        if hub is None or hub.session.room.id != room:
            raise RoomNotFound
        if seat not in hub.session.room.seats_of(client.device):
            raise SeatNotYours
        for other in hub.clients:
            other.send(encode_message(RemarkMessage(hub.session.room.id, seat, remark)))
