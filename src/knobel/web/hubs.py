"""Which clients are connected to which room: everything that happens there is sent to each of them, in order."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from knobel.errors import KnobelError, SeatNotYours
from knobel.host import Host
from knobel.host.coach_service import CoachService
from knobel.host.session import RoomSession, SessionUpdate, SolveProgress
from knobel.lang import Translator
from knobel.record.track import Step
from knobel.table import Table
from knobel.web.messages import encode_game, encode_message, encode_position, encode_room, encode_solving
from knobel.web.wire import RefusedMessage, RemarkMessage

MAX_QUEUED = 64
AWAY_SECONDS = 15.0
BURST_MESSAGES, MESSAGES_PER_SECOND = 40.0, 4.0
"""How many messages a client may send at once, and how many a second: more than fingers send, less than a flood."""


@dataclass(eq=False)
class Client:
    """One socket: its device and language, what waits to be sent, and how many messages it may still send."""

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
    shown: bool = False
    """Whether it was shown the room; what changes before that is part of what it is shown."""

    def send(self, message: str) -> None:
        """Send a message or queue it; a client that reads too slowly is closed, and gets everything on coming back."""
        if not self.shown:
            return
        if not self.sending and self.queue.empty() and self.try_send(message):
            return
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.slow = True
            self.on_overrun()

    def refuse(self, command_id: str | None, error: KnobelError) -> None:
        self.send(encode_refusal(command_id, error, self.lang))

    def throttle(self) -> float:
        """Say how many seconds a message must wait before it is handled; none is lost."""
        now = time.monotonic()
        self.tokens = min(BURST_MESSAGES, self.tokens + (now - self.last_message_at) * MESSAGES_PER_SECOND) - 1
        self.last_message_at = now
        return max(0.0, -self.tokens / MESSAGES_PER_SECOND)


def encode_refusal(command_id: str | None, error: KnobelError, lang: str) -> str:
    return encode_message(RefusedMessage(command_id, error.code, Translator(lang).describe_error(error)))


class RoomHub:
    """One room and the clients connected to it."""

    def __init__(self, session: RoomSession) -> None:
        self.session = session
        self.clients: list[Client] = []
        self.sent_table: Table | None = None

    @property
    def present(self) -> frozenset[str]:
        """The devices that are connected."""
        return frozenset(client.device for client in self.clients)

    def broadcast(self, news: SessionUpdate) -> None:
        """Send every client what changed."""
        if news.progress:
            self.send_solving(self.clients, news.progress)
            return
        if news.steps:
            self.send_position(self.clients, news.steps)
            if self.session.table is not None and self.session.table.replay.closed:
                self.send_room(self.clients)
            return
        self.send_room(self.clients)
        if self.sent_table is not self.session.table:
            self.sent_table = self.session.table
            self.send_game(self.clients)

    def send_room(self, clients: Sequence[Client]) -> None:
        present = self.present
        for client in clients:
            client.send(encode_room(self.session, client.device, client.lang, present))

    def send_game(self, clients: Sequence[Client]) -> None:
        """Send what is printed about the game, and its position."""
        table = self.session.table
        if table is not None:
            send_by_language(clients, lambda lang: encode_game(table, lang))
            self.send_position(clients)

    def send_position(self, clients: Sequence[Client], steps: tuple[Step, ...] = ()) -> None:
        table = self.session.table
        if table is not None:
            send_by_language(clients, lambda lang: encode_position(table, lang, steps))

    def send_solving(self, clients: Sequence[Client], progress: SolveProgress) -> None:
        send_by_language(clients, lambda lang: encode_solving(progress, lang))


def send_by_language(clients: Sequence[Client], encode: Callable[[str], str]) -> None:
    """Send each client a message in its language; it is made once for each language, however many read it."""
    encoded = {lang: encode(lang) for lang in {client.lang for client in clients}}
    for client in clients:
        client.send(encoded[client.lang])


class RoomHubs:
    """All rooms with connected clients."""

    def __init__(self, host: Host, away_seconds: float = AWAY_SECONDS) -> None:
        self.host = host
        self.away_seconds = away_seconds
        self.hubs: dict[str, RoomHub] = {}
        self.coaching = CoachService(host)

    async def enter(self, client: Client, room_id: str) -> None:
        """Connect a client to a room, and show it everything there is to see."""
        hub = self.hubs.get(room_id)
        if hub is None:
            session = await self.host.find_session(room_id)
            hub = self.hubs.get(room_id) or RoomHub(session)
        client.hub = hub
        hub.clients.append(client)
        if room_id not in self.hubs:
            self.hubs[room_id] = hub
            hub.session = await self.host.watch(room_id, hub.broadcast)
        await self.host.record_attendance(room_id, hub.session.room.seats_of(client.device), present=True)
        hub.send_room([other for other in hub.clients if other is not client])
        self.show(client)

    def show(self, client: Client) -> None:
        """Send a client everything there is to see, in its language."""
        if (hub := client.hub) is None:
            return
        client.shown = True
        hub.send_room([client])
        hub.send_game([client])
        hub.send_solving([client], self.host.waiting_rooms.progress_of(hub.session.room.id))

    def leave(self, client: Client) -> None:
        """Disconnect a client; a device that does not come back is marked as away."""
        hub, client.hub = client.hub, None
        if hub is None:
            return
        hub.clients.remove(client)
        room_id = hub.session.room.id
        if client.device not in hub.present:
            asyncio.get_running_loop().call_later(self.away_seconds, self.check_absence, room_id, client.device)
            hub.send_room(hub.clients)
        if not hub.clients:
            self.hubs.pop(room_id, None)
            self.host.unwatch(hub.session, hub.broadcast)

    def check_absence(self, room_id: str, device: str) -> None:
        """Record that a device did not come back, if others are connected."""
        hub = self.hubs.get(room_id)
        if hub is not None and device not in hub.present:
            self.host.tasks.spawn(self.mark_away(hub, device))

    async def mark_away(self, hub: RoomHub, device: str) -> None:
        """Mark the seats of a device as away, and pass the host's role on."""
        room_id = hub.session.room.id
        await self.host.pass_host(room_id, hub.present)
        await self.host.record_attendance(room_id, hub.session.room.seats_of(device), present=False)
        hub.send_room(hub.clients)

    def send_remark(self, client: Client, seat: int, remark: str) -> None:
        """Pass a remark on, if it comes from the device of that seat."""
        if (hub := client.hub) is None or seat not in hub.session.room.seats_of(client.device):
            raise SeatNotYours
        message = encode_message(RemarkMessage(seat, remark))
        for other in hub.clients:
            other.send(message)
