"""Simulated players: each has a device, plays from what it was shown, and notes what it was promised."""

import hashlib
from collections.abc import Sequence
from contextvars import Context
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from knobel import fair
from knobel.bots import load_bot
from knobel.game import CHANCE
from knobel.host.session import encode_intent
from knobel.notation import write_action
from knobel.rooms.intents import (
    Act,
    Advance,
    AnyIntent,
    AskCoach,
    BeginGame,
    ChangeSettings,
    GameIntent,
    HandOverHost,
    LeaveGame,
    RenameSeat,
    ReturnToSeat,
    RevealSeed,
    SealSeed,
    Sit,
    SitBot,
    StartWithout,
    StopGame,
    SubstituteBot,
    Undo,
)
from knobel.rooms.room import Room
from tests.simulated.processes import (
    Done,
    EnterRoom,
    OpenRoom,
    Refusal,
    Request,
    RoomOpened,
    RoomView,
    SayWhatWasSeen,
    SendCommand,
    ServerConnection,
    TrackView,
)
from tests.support.promises import Acknowledgement, PendingCommand

if TYPE_CHECKING:
    from tests.simulated.world import SimulatedWorld

THINK_SECONDS = 0.25
RESEND_SECONDS = 4.0
STAND_INS = ("random", "greedy")


@dataclass
class SimulatedGroup:
    """Players who meet in one room, what they play, and for how many commands."""

    number: int
    settings: ChangeSettings
    people: int
    bots: int
    budget: int
    room: str | None = None
    commands: int = 0
    is_begun: bool = False

    @property
    def is_tired(self) -> bool:
        return self.commands >= self.budget


class SimulatedPlayer:
    """One device with one seat, connected to one process or to two."""

    def __init__(self, world: "SimulatedWorld", group: SimulatedGroup, index: int, context: Context) -> None:
        self.world, self.group, self.index, self.context = world, group, index, context
        self.loop = world.loop
        self.random: Random = world.loop.random
        self.name = f"P{group.number}x{index}"
        self.device_id = f"{self.name} device"
        self.connections: list[ServerConnection] = []
        self.view: RoomView | None = None
        self.pending: PendingCommand | None = None
        self.request: Request | None = None
        self.sent_at = 0.0
        self.counter = 0
        self.acknowledgements: dict[str, Acknowledgement] = {}
        self.refusals: dict[str, str] = {}
        self.seen_heads: dict[tuple[str, int], str] = {}
        self.last_seen: SayWhatWasSeen | None = None
        self.contradictions: list[str] = []

    @property
    def is_connected(self) -> bool:
        return bool(self.connections)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is asked for that has no answer, and something was shown."""
        return self.pending is None and self.is_connected and self.view is not None

    def start(self) -> None:
        self.loop.call_later(self.random.random(), self.tick, context=self.context)

    def tick(self) -> None:
        """Look around: connect, ask again for what has no answer, or ask for the next thing."""
        if not self.connections:
            self.connect()
        elif self.pending is not None:
            if self.loop.now > self.sent_at + RESEND_SECONDS:
                self.send_again()
        elif (request := self.choose_request()) is not None:
            self.send_new(request)
        if not self.world.is_over:
            self.loop.call_later(self.random.expovariate(1.0 / THINK_SECONDS), self.tick)

    # Connections.

    def connect(self) -> None:
        """Connect to a process, or to two; say what was seen, and ask again for what has no answer."""
        if self.index and self.group.room is None:
            return
        processes = self.world.list_running()
        count = 1 if self.world.is_calm or self.random.random() < 0.7 else 2
        for process in self.random.sample(processes, min(count, len(processes))):
            connection = process.connect(self)
            self.connections.append(connection)
            if self.group.room is not None and self.last_seen is not None:
                connection.send(self.last_seen)
            elif self.group.room is not None:
                connection.send(EnterRoom())
        if self.pending is not None and self.connections:
            self.send_again()

    def lose(self, connection: ServerConnection) -> None:
        if connection in self.connections:
            self.connections.remove(connection)
            self.world.note(f"{self.name} loses {connection.process.name}")

    # Asking.

    def send_new(self, request: OpenRoom | SendCommand) -> None:
        """Ask for something: once, twice, or everywhere at once."""
        kind = "open" if isinstance(request, OpenRoom) else str(request.intent.__struct_config__.tag)
        self.pending, self.request = PendingCommand(request.id, kind, ""), request
        self.group.commands += 1
        self.world.note(f"{self.name} asks {request.id} {getattr(request, 'intent', '')}")
        self.send_again()

    def send_again(self) -> None:
        assert self.request is not None
        self.sent_at = self.loop.now
        chance = 1.0 if self.world.is_calm else self.random.random()
        targets = self.connections if chance < 0.3 else [self.random.choice(self.connections)]
        for connection in targets:
            connection.send(self.request)
            if chance < 0.15:
                connection.send(self.request)

    # Hearing.

    def receive(self, message: object) -> None:
        match message:
            case RoomView():
                self.note_view(message)
            case RoomOpened(command, room):
                if self.group.room not in (None, room):
                    self.contradictions.append(f"{command} opened two rooms")
                self.group.room = room
                self.note_reply(command, Acknowledgement(room, command, "open", None, None), None)
                for one in self.connections:
                    one.send(EnterRoom())
            case Done(command, reply):
                self.note_reply(command, Acknowledgement(reply.room_id, command, "", reply.count, reply.head), None)
            case Refusal(None, "rolled_back") if self.last_seen is not None:
                self.contradictions.append(f"{self.last_seen.game}/{self.last_seen.count} was shown and is gone")
            case Refusal(str(command), code) if not self.is_temporary(code):
                self.note_reply(command, None, code)

    def is_temporary(self, code: str) -> bool:
        """Tell whether the same command is asked for again: later it may be carried out, by a late copy of it, too."""
        is_seat = self.pending is not None and self.pending.intent == "sit"
        return code.startswith("database") or code == "seeds_early" or (code == "stale" and is_seat)

    def note_view(self, view: RoomView) -> None:
        """Note where the game stands; nobody may see what is not stored."""
        if view.game is not None:
            head = self.seen_heads.setdefault((view.game, view.count), view.head)
            if head != view.head:
                self.contradictions.append(f"{view.game}/{view.count} has two heads")
            if self.last_seen is None or self.last_seen.game != view.game or self.last_seen.count <= view.count:
                self.last_seen = SayWhatWasSeen(view.game, view.count, view.head)
        if self.view is None or (self.view.version, self.view.count) <= (view.version, view.count):
            self.view = view

    def note_reply(self, command: str, acknowledgement: Acknowledgement | None, code: str | None) -> None:
        """Note the answer to a command; a second answer must be as the first was."""
        self.world.note(f"{self.name} hears of {command}: {code or acknowledgement}")
        if self.pending is not None and self.pending.id == command:
            intent, self.pending = self.pending.intent, None
            if acknowledgement is None:
                self.refusals[command] = code or ""
            else:
                self.acknowledgements[command] = Acknowledgement(
                    acknowledgement.room, command, intent, acknowledgement.count, acknowledgement.head
                )
        elif acknowledgement is None:
            if command in self.acknowledgements:
                self.contradictions.append(f"{command} was done, then refused: {code}")
        elif (first := self.acknowledgements.get(command)) is None:
            # What changes the room may be allowed by the time a late copy comes; a move names its ply.
            if acknowledgement.count is not None:
                self.contradictions.append(f"{command} was refused, then done")
        elif (first.count, first.head) != (acknowledgement.count, acknowledgement.head):
            self.contradictions.append(f"{command} was answered in two ways")

    # Choosing.

    def choose_request(self) -> OpenRoom | SendCommand | None:
        """Say what this player asks for now."""
        if self.group.room is None:
            if self.index or self.world.is_calm:
                return None
            bots = tuple(SitBot("random", f"Bot {number}") for number in range(self.group.bots))
            return OpenRoom(self.name_command(), self.group.settings, bots)
        if self.view is None:
            return None
        intent = self.choose_game_intent(self.view) if self.view.room.running else self.choose_lobby_intent(self.view)
        if intent is None:
            return None
        game = self.view.room.game if isinstance(intent, GameIntent) else None
        return SendCommand(self.name_command(), intent, encode_intent(intent), game)

    def name_command(self) -> str:
        self.counter += 1
        return f"{self.name}-{self.counter}"

    def choose_lobby_intent(self, view: RoomView) -> AnyIntent | None:
        """Say what this player wants before a game: a seat, a seal, and whoever leads that it begins."""
        room = view.room
        own = room.seats_of(self.device_id)
        if self.world.is_calm or self.group.is_tired:
            return None
        if not own:
            # A seat that was promised must be there, sooner or later.
            has_sat = any(one.intent == "sit" for one in self.acknowledgements.values())
            return None if has_sat else Sit(self.name)
        if self.random.random() < 0.05:
            return self.choose_room_change(room, own[0])
        if self.device_id in room.unsealed_devices:
            game = room.coming.game
            return SealSeed(game, fair.commit_client_seed(game, min(own), self.derive_seed(game)).hex())
        is_ready = not room.unsealed_devices or self.random.random() < 0.1
        if is_ready and room.is_led_by(self.device_id) and len(room.devices) == self.group.people:
            return BeginGame(anyway=bool(room.unsealed_devices))
        return None

    def choose_room_change(self, room: Room, seat: int) -> AnyIntent:
        """Change something that no game waits for."""
        if room.host == self.device_id and self.random.random() < 0.3:
            return HandOverHost(self.random.randrange(len(room.seats)))
        return RenameSeat(seat, f"{self.name} {self.random.randrange(100)}")

    def derive_seed(self, game: str) -> bytes:
        return hashlib.sha256(f"{self.device_id} {game}".encode()).digest()

    def choose_game_intent(self, view: RoomView) -> AnyIntent | None:
        """Say what this player wants in a game."""
        own = view.room.seats_of(self.device_id)
        if view.game != view.room.game or not own:
            return None
        seat, leads = own[0], view.room.is_led_by(self.device_id)
        if view.pending_seeds:
            if seat in view.pending_seeds:
                return RevealSeed(self.derive_seed(view.game or "").hex())
            return StartWithout(view.pending_seeds[0]) if leads and self.random.random() < 0.05 else None
        if view.room.host == self.device_id and self.group.is_tired:
            return StopGame()
        if seat in view.stand_ins:
            return ReturnToSeat(seat)
        if self.world.is_calm:
            return None
        if view.is_over:
            return Advance(view.ply) if self.random.random() < 0.5 else None
        return self.choose_move(view, seat) or self.choose_remark(view, seat)

    def choose_move(self, view: RoomView, seat: int) -> AnyIntent | None:
        """Choose a legal move, if this seat is on the move."""
        track = find_track(view.tracks, seat)
        state = track.state
        if state.seat in (None, CHANCE) or (track.seat is None and state.seat != seat):
            return None
        if self.random.random() < 0.01:
            return LeaveGame(seat)
        bot = load_bot("random" if self.random.random() < 0.8 else "greedy", track.game.rules.family)
        move = bot(track.game, state, self.random)
        return Act(seat, track.ply, write_action(state, move, track.game.rules.dice))

    def choose_remark(self, view: RoomView, seat: int) -> AnyIntent | None:
        """Choose something that is wanted out of turn, now and then."""
        chance, track = self.random.random(), find_track(view.tracks, seat)
        if track.last_actor == seat and chance < 0.3:
            return Undo(seat, track.ply)
        if view.away - set(view.stand_ins) and chance < 0.1:
            return SubstituteBot(min(view.away - set(view.stand_ins)), self.random.choice(STAND_INS))
        if chance < 0.02:
            return self.choose_room_change(view.room, seat)
        return AskCoach(seat) if chance < 0.03 else None


def find_track(tracks: Sequence[TrackView], seat: int) -> TrackView:
    """Find the game of a seat."""
    return next(track for track in tracks if track.seat in (None, seat))
