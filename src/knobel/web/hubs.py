"""Which clients are connected to which room: everything that happens there is sent to each of them, in order."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from knobel.errors import KnobelError, SeatNotYours
from knobel.host import Host
from knobel.host.chance_teller import ChanceTeller
from knobel.host.coach_service import CoachService
from knobel.host.late_moves import compute_seconds_left
from knobel.host.session import CommandReply, RoomSession, SessionUpdate, SolveProgress
from knobel.host.win_charts import WinChartService
from knobel.lang import Translator
from knobel.record.duplicate import hides_turns
from knobel.record.track import Step
from knobel.rooms.room import find_room_edition
from knobel.rules import Edition
from knobel.table import Table
from knobel.view.duplicate import SeenTurns, find_seen, list_affected_viewers, list_told_steps, show_table
from knobel.web.message_budget import MessageBudget, MessageBudgets
from knobel.web.messages import (
    RoomWords,
    describe_to_player,
    encode_game,
    encode_message,
    encode_position,
    encode_room,
    encode_shown_position,
    encode_solving,
    find_room_words,
)
from knobel.web.meters import ServerMeters
from knobel.web.outbox import Outbox
from knobel.web.presence import SharedPresence
from knobel.web.wire import DoneMessage, RefusedMessage, RemarkMessage

AWAY_SECONDS = 15.0
DRAIN_POLL_SECONDS = 0.02
BURST_ROOMS, ROOMS_PER_SECOND = 8.0, 4.0
"""How often everybody is shown the room at once, and how often a second: each time it is drawn for everybody."""


@dataclass(eq=False)
class Client:
    """One socket: its device and language, what waits to be sent, and how many messages its device may still send."""

    device: str
    lang: str
    outbox: Outbox = field(default_factory=Outbox)
    hub: "RoomHub | None" = None
    budget: MessageBudget = field(default_factory=MessageBudget)
    is_screen: bool = False
    """Whether it shows a big screen, on which everybody sees the same, whosever device it is."""
    seen: SeenTurns | None = None
    """What of a duplicate game it has been shown."""
    shown: bool = False
    """Whether it was shown the room; what changes before that is part of what it is shown."""

    farewell: KnobelError | None = None
    """Why the server ends the connection, if it does."""

    def send(self, message: bytes) -> None:
        if self.shown:
            self.outbox.put(message)

    def refuse(self, command_id: str | None, error: KnobelError) -> None:
        room = self.hub.session.room if self.hub else None
        self.send(encode_refusal(command_id, error, self.lang, find_room_edition(room) if room else None))


def encode_refusal(command_id: str | None, error: KnobelError, lang: str, edition: Edition | None = None) -> bytes:
    """Say why not, with the names that the edition prints if it happened in a room."""
    return encode_message(RefusedMessage(command_id, error.code, describe_to_player(error, Translator(lang, edition))))


class RoomHub:
    """One room and the clients connected to it."""

    def __init__(self, session: RoomSession, others: Callable[[], frozenset[str]] = frozenset) -> None:
        self.session = session
        self.others = others
        self.tokens, self.refilled_at = BURST_ROOMS, 0.0
        self.timer: asyncio.TimerHandle | None = None
        self.clients: list[Client] = []
        self.sent_table: Table | None = None

    @property
    def present(self) -> frozenset[str]:
        """The devices that are connected, through whatever process."""
        return self.local | self.others()

    @property
    def local(self) -> frozenset[str]:
        """The devices that are connected through this process."""
        return frozenset([client.device for client in self.clients])

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
        if self.sent_table is self.session.table:
            self.request_room()
            if news.is_renamed:
                self.send_position(self.clients)
            return
        self.sent_table = self.session.table
        self.send_room(self.clients)
        self.send_game(self.clients)

    def request_room(self) -> None:
        """Send everybody the room: at once, unless that was asked for many times just now; then once for all."""
        if self.timer is not None:
            return
        now = time.monotonic()
        self.tokens = min(BURST_ROOMS, self.tokens + (now - self.refilled_at) * ROOMS_PER_SECOND)
        self.refilled_at = now
        if self.tokens >= 1:
            self.tokens -= 1
            self.send_room(self.clients)
        else:
            self.timer = asyncio.get_running_loop().call_later(1 / ROOMS_PER_SECOND, self.send_delayed_room)

    def send_delayed_room(self) -> None:
        self.timer = None
        self.send_room(self.clients)

    def send_room(self, clients: Sequence[Client]) -> None:
        present, words = self.present, dict[str, RoomWords]()
        for client in clients:
            if client.lang not in words:
                words[client.lang] = find_room_words(self.session, client.lang)
            client.send(encode_room(self.session, client.device, words[client.lang], present))

    def send_game(self, clients: Sequence[Client]) -> None:
        """Send what is printed about the game, and its position."""
        table = self.session.table
        if table is not None:
            send_by_language(clients, lambda lang: encode_game(table, lang))
            self.send_position(clients)

    def send_position(self, clients: Sequence[Client], steps: tuple[Step, ...] = ()) -> None:
        table = self.session.table
        if table is None:
            return
        if hides_turns(table.replay):
            affected = list_affected_viewers(table, steps)
            for client in clients:
                if affected is None or self.find_viewer(client) in affected:
                    self.send_shown_position(client, table, steps)
            return
        left = compute_seconds_left(self.session)
        send_by_language(clients, lambda lang: encode_position(table, lang, steps, left))

    def send_shown_position(self, client: Client, table: Table, steps: tuple[Step, ...]) -> None:
        """Send a client a duplicate table as far as it may see it; nothing if what just happened is hidden from it."""
        viewer = self.find_viewer(client)
        shown = show_table(table, viewer)
        before, client.seen = client.seen, find_seen(shown)
        if not steps or client.seen != before:
            told = list_told_steps(table, viewer, before, client.seen, steps)
            client.send(encode_shown_position(table, shown, client.lang, told))

    def find_viewer(self, client: Client) -> int | None:
        """Find the seat whose turns a client sees as they are played; none for a spectator."""
        return None if client.is_screen else next(iter(self.session.room.seats_of(client.device)), None)

    def build_done(self, client: Client, command_id: str, reply: CommandReply) -> DoneMessage:
        """Say that a command is on disk; in duplicate, by what its client can see."""
        table = self.session.table
        if reply.count is None or table is None or not hides_turns(table.replay):
            return DoneMessage(command_id, reply.count, reply.head)
        return DoneMessage(command_id, show_table(table, self.find_viewer(client)).replay.count)

    def send_solving(self, clients: Sequence[Client], progress: SolveProgress) -> None:
        send_by_language(clients, lambda lang: encode_solving(progress, lang))


def build_done(client: Client, command_id: str, reply: CommandReply) -> DoneMessage:
    """Say that a command is on disk."""
    if client.hub is None:
        return DoneMessage(command_id)
    return client.hub.build_done(client, command_id, reply)


def send_by_language(clients: Sequence[Client], encode: Callable[[str], bytes]) -> None:
    """Send each client a message in its language; it is made once for each language, however many read it."""
    encoded = {lang: encode(lang) for lang in {client.lang for client in clients}}
    for client in clients:
        client.send(encoded[client.lang])


class RoomHubs:
    """All rooms with connected clients."""

    def __init__(self, host: Host, away_seconds: float = AWAY_SECONDS, exact_chances: bool = False) -> None:
        self.host = host
        self.away_seconds = away_seconds
        self.hubs: dict[str, RoomHub] = {}
        self.budgets = MessageBudgets()
        self.meters = ServerMeters()
        host.store.on_commit = self.meters.commit_sizes.observe
        self.coaching = CoachService(host)
        self.chances = ChanceTeller(host, exact_chances)
        self.win_charts = WinChartService(self.coaching, self.chances.service)
        self.presence = SharedPresence(host.store, self.handle_presence)
        self.receive_about_no_room: Callable[[str], None] = lambda _: None
        host.store.subscribe_messages(self.receive_message)

    def start(self) -> None:
        """Follow who is connected through other processes."""
        self.host.tasks.spawn(self.presence.run(self.list_connected))

    def list_connected(self) -> list[tuple[str, str]]:
        return [(room_id, device) for room_id, hub in self.hubs.items() for device in hub.local]

    def handle_presence(self, room_id: str, gone: frozenset[str]) -> None:
        """Show who came and went elsewhere; whoever does not come back anywhere is marked as away."""
        if (hub := self.hubs.get(room_id)) is not None:
            hub.request_room()
            for device in gone - hub.present:
                self.schedule_absence(room_id, device)

    def schedule_absence(self, room_id: str, device: str) -> None:
        asyncio.get_running_loop().call_later(self.away_seconds, self.check_absence, room_id, device)

    async def enter(self, client: Client, room_id: str) -> None:
        """Connect a client to a room, and show it everything there is to see."""
        hub = self.hubs.get(room_id)
        if hub is None:
            session = await self.host.find_session(room_id)
            hub = self.hubs.get(room_id) or RoomHub(session, lambda: self.presence.find(room_id))
        is_new = client.device not in hub.present
        client.hub = hub
        hub.clients.append(client)
        if room_id not in self.hubs:
            self.hubs[room_id] = hub
            hub.session = await self.host.watch(room_id, hub.broadcast)
            for device in hub.session.room.devices:
                self.schedule_absence(room_id, device)
        if client.device in hub.local:
            await self.presence.arrive(room_id, client.device)
        room = hub.session.room
        await self.host.record_attendance(room_id, room.seats_of(client.device), present=True)
        if room.acting_host is not None and client.device == room.host:
            await self.host.update_acting_host(room_id, hub.present)
        if is_new:
            hub.request_room()
        self.show(client)

    def show(self, client: Client) -> None:
        """Send a client everything there is to see, in its language."""
        if (hub := client.hub) is None:
            return
        client.shown = True
        hub.send_room([client])
        hub.send_game([client])
        if hub.session.damage is not None:
            client.refuse(None, hub.session.damage)
        hub.send_solving([client], self.host.waiting_rooms.progress_of(hub.session.room.id))

    def leave(self, client: Client) -> None:
        """Disconnect a client; a device that does not come back is marked as away."""
        hub, client.hub = client.hub, None
        if hub is None:
            return
        hub.clients.remove(client)
        room_id = hub.session.room.id
        if client.device not in hub.local:
            self.host.tasks.spawn(self.presence.depart(room_id, client.device))
        if client.device not in hub.present:
            self.schedule_absence(room_id, client.device)
            hub.request_room()
        if not hub.clients:
            self.hubs.pop(room_id, None)
            self.host.unwatch(hub.session, hub.broadcast)

    def disconnect(self, devices: Collection[str]) -> None:
        """Close the sockets of devices whose seats were moved: on coming back each shows what it has now."""
        for hub in tuple(self.hubs.values()):
            for client in [client for client in hub.clients if client.device in devices]:
                client.outbox.end()

    async def drain(self, reason: KnobelError) -> None:
        """Let every client finish what it asked for, tell it to come back, and wait until all have left."""
        for hub in tuple(self.hubs.values()):
            for client in tuple(hub.clients):
                client.farewell = reason
                client.outbox.end()
        while self.hubs:
            await asyncio.sleep(DRAIN_POLL_SECONDS)

    def check_absence(self, room_id: str, device: str) -> None:
        """Record that a device did not come back, if others are connected."""
        hub = self.hubs.get(room_id)
        if hub is not None and device not in hub.present:
            self.host.tasks.spawn(self.mark_away(hub, device))

    async def mark_away(self, hub: RoomHub, device: str) -> None:
        """Mark the seats of a device as away, and let somebody act for an absent host; unless it is elsewhere."""
        room_id = hub.session.room.id
        await self.presence.look()
        if device in hub.present:
            return
        await self.host.update_acting_host(room_id, hub.present)
        await self.host.record_attendance(room_id, hub.session.room.seats_of(device), present=False)
        hub.request_room()

    def send_remark(self, client: Client, seat: int, remark: str) -> None:
        """Pass a remark on, if it comes from the device of that seat."""
        if (hub := client.hub) is None or not hub.session.room.has_seat(client.device, seat):
            raise SeatNotYours
        message = encode_message(RemarkMessage(seat, remark))
        for other in hub.clients:
            other.send(message)
        if hub.others():
            self.host.tasks.spawn(self.publish_remark(hub.session.room.id, message.decode()))

    async def publish_remark(self, room_id: str, message: str) -> None:
        """Pass a remark on to other processes; it is only a remark, so it may be lost."""
        with contextlib.suppress(KnobelError):
            await self.host.store.publish(room_id, message)

    def receive_message(self, room_id: str, message: str) -> None:
        """Pass on a remark that was made in another process, or what was said there about no room."""
        if not room_id:
            self.receive_about_no_room(message)
        elif (hub := self.hubs.get(room_id)) is not None:
            for client in hub.clients:
                client.send(message.encode())
