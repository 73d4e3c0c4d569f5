"""Simulated processes, each with a host of its own, and the connections of players to them."""

import asyncio
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from knobel.errors import KnobelError
from knobel.host import Host
from knobel.host.session import CommandReply, RoomSession, SessionUpdate
from knobel.record.replay import Replay
from knobel.rooms.intents import AnyIntent, ChangeSettings, Sit, SitBot
from knobel.rooms.room import Room
from tests.simulated.shared_database import SharedDatabase, SimulatedStore
from tests.simulated.virtual_loop import LoopOwner, VirtualLoop

if TYPE_CHECKING:
    from tests.simulated.players import SimulatedPlayer

WAY_SECONDS = 0.02
"""How long a message is on its way, on average."""
ABSENCE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class OpenRoom:
    """Asks for a new room."""

    id: str
    settings: ChangeSettings
    seats: tuple[Sit | SitBot, ...]


@dataclass(frozen=True, slots=True)
class SendCommand:
    """Asks for something in a room."""

    id: str
    intent: AnyIntent
    body: bytes
    game: str | None


@dataclass(frozen=True, slots=True)
class SayWhatWasSeen:
    """Says how far somebody has seen a game, after connecting again."""

    game: str
    count: int
    head: str


@dataclass(frozen=True, slots=True)
class EnterRoom:
    """Asks to be shown the room from now on."""


Request: TypeAlias = OpenRoom | SendCommand | SayWhatWasSeen | EnterRoom


@dataclass(frozen=True, slots=True)
class TrackView:
    """A game at the table, as it stood at a ply; states never change."""

    game: Any
    state: Any
    ply: int
    seat: int | None
    last_actor: int | None
    """Whose entry could be undone."""


@dataclass(frozen=True, slots=True)
class RoomView:
    """What a player is shown: the room, and how its game stands."""

    room: Room
    version: int
    game: str | None = None
    count: int = 0
    head: str = ""
    ply: int = 0
    tracks: tuple[TrackView, ...] = ()
    pending_seeds: tuple[int, ...] = ()
    away: frozenset[int] = frozenset()
    stand_ins: tuple[int, ...] = ()
    is_over: bool = False
    is_closed: bool = False


def view_session(session: RoomSession) -> RoomView:
    """Take a picture of a room that does not change when the room does."""
    table = session.table
    if table is None:
        return RoomView(session.room, session.version)
    replay = table.replay
    return RoomView(
        session.room,
        session.version,
        table.header.game,
        replay.count,
        table.head,
        replay.ply,
        view_tracks(replay),
        tuple(replay.attendance.pending_seeds),
        frozenset(replay.attendance.away),
        tuple(sorted(replay.attendance.stand_ins)),
        replay.is_over,
        replay.closed is not None,
    )


def view_tracks(replay: Replay) -> tuple[TrackView, ...]:
    return tuple(
        TrackView(
            track.game,
            track.state,
            track.ply,
            track.seat,
            getattr(track.last_undoable.event, "seat", None) if track.last_undoable else None,
        )
        for track in replay.tracks
    )


class SimulatedProcess:
    """A process that serves rooms; killed, it loses everything but what the database holds."""

    def __init__(self, loop: VirtualLoop, database: SharedDatabase, name: str) -> None:
        self.loop, self.database, self.name = loop, database, name
        self.random: Random = loop.random
        self.clock_offset = 0.0
        self.connections: list[ServerConnection] = []
        self.owner = LoopOwner(name)
        self.start()

    def start(self) -> None:
        """Begin with nothing in memory."""
        self.owner = LoopOwner(self.name)
        self.context = self.owner.make_context()
        self.connections = []
        self.context.run(self._open)

    def _open(self) -> None:
        self.store = SimulatedStore(self.database, self.name)
        self.host = Host(self.store, clock=self.read_clock)
        self.host.tasks.spawn(self.host.registry.sweep())

    def read_clock(self) -> float:
        return 1_700_000_000.0 + self.loop.now + self.clock_offset

    def kill(self) -> None:
        """Die at once; whoever is connected notices after a while."""
        self.owner.is_dead = True
        if self.store in self.database.stores:
            self.database.stores.remove(self.store)
        for connection in tuple(self.connections):
            connection.break_off()

    def connect(self, player: "SimulatedPlayer") -> "ServerConnection":
        connection = ServerConnection(self, player)
        self.connections.append(connection)
        return connection

    def is_present(self, device: str) -> bool:
        return any(one.player.device_id == device for one in self.connections if not one.is_broken)


class ServerConnection:
    """One connection of a player to a process: messages come in the order they were sent, or the connection breaks."""

    def __init__(self, process: SimulatedProcess, player: "SimulatedPlayer") -> None:
        self.process, self.player = process, player
        self.loop = process.loop
        self.is_broken = False
        self.session: RoomSession | None = None
        self._sent_at = self._told_at = 0.0
        self._inbox: asyncio.Queue[Request | None] = asyncio.Queue()
        process.context.run(process.host.tasks.spawn, self._serve())

    # The player's side.

    def send(self, request: Request) -> None:
        """Send a request; on a connection that breaks meanwhile it may still arrive."""
        self._sent_at = max(self._sent_at, self.loop.now) + self.draw_way()
        self.loop.call_at(self._sent_at, self._inbox.put_nowait, request, context=self.process.context.copy())

    def break_off(self) -> None:
        """Break; both sides notice after a while."""
        if self.is_broken:
            return
        self.is_broken = True
        if self in self.process.connections:
            self.process.connections.remove(self)
        self.loop.call_later(self.draw_way(), self.player.lose, self, context=self.player.context)
        self.loop.call_later(self.draw_way(), self._inbox.put_nowait, None, context=self.process.context.copy())

    def draw_way(self) -> float:
        return self.loop.random.expovariate(1.0 / WAY_SECONDS)

    # The side of the process.

    def tell(self, message: object) -> None:
        """Tell the player something, in order, unless the connection is broken by then."""
        self._told_at = max(self._told_at, self.loop.now) + self.draw_way()
        self.loop.call_at(self._told_at, self._arrive, message, context=self.player.context)

    def _arrive(self, message: object) -> None:
        if not self.is_broken:
            self.player.receive(message)

    async def _serve(self) -> None:
        host = self.process.host
        try:
            while (request := await self._inbox.get()) is not None:
                try:
                    await self._enter()
                except KnobelError:
                    self.break_off()
                    return
                try:
                    await self._handle(request)
                except KnobelError as error:
                    self.tell(Refusal(getattr(request, "id", None), error.code))
        finally:
            if self.session is not None:
                host.unwatch(self.session, self._show)
                self._schedule_absence()

    async def _handle(self, request: Request) -> None:
        host, device = self.process.host, self.player.device_id
        room_id = self.player.group.room or ""
        match request:
            case OpenRoom(command, settings, seats):
                room = await host.open_room(device, command, settings, seats)
                self.tell(RoomOpened(command, room.id))
            case SendCommand(command, intent, body, game):
                reply = await host.execute(room_id, device, command, intent, body, game)
                self.tell(Done(command, reply))
            case SayWhatWasSeen(game, count, head):
                await host.check_seen(room_id, game, count, head)

    async def _enter(self) -> None:
        """Watch the room from now on, as soon as it is known."""
        room_id, host = self.player.group.room, self.process.host
        if room_id is None or self.session is not None:
            return
        self.session = await host.watch(room_id, self._show)
        self.tell(view_session(self.session))
        room = self.session.room
        await host.record_attendance(room_id, room.seats_of(self.player.device_id), present=True)
        if room.acting_host is not None and room.host == self.player.device_id:
            await host.update_acting_host(room_id, frozenset({self.player.device_id}))

    def _show(self, update: SessionUpdate) -> None:
        self.tell(view_session(update.session))

    def _schedule_absence(self) -> None:
        self.loop.call_later(ABSENCE_SECONDS, self._note_absence)

    def _note_absence(self) -> None:
        """Say that a player did not come back, as far as this process knows."""
        if not self.process.is_present(self.player.device_id) and not self.player.is_connected:
            self.process.host.tasks.spawn(self._record_absence())

    async def _record_absence(self) -> None:
        host, session = self.process.host, self.session
        if session is not None:
            seats = session.room.seats_of(self.player.device_id)
            present = frozenset(one.player.device_id for one in self.process.connections)
            await host.update_acting_host(session.room.id, present)
            await host.record_attendance(session.room.id, seats, present=False)


@dataclass(frozen=True, slots=True)
class RoomOpened:
    id: str
    room: str


@dataclass(frozen=True, slots=True)
class Done:
    id: str
    reply: CommandReply


@dataclass(frozen=True, slots=True)
class Refusal:
    id: str | None
    code: str
