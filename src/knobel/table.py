"""One running game: `decide` says what an intent would make happen, `apply` makes it happen; only a table changes."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from knobel import fair
from knobel.errors import IllegalAction
from knobel.game import Action, EnterPoints, Game, Land, Leave, Roll, Score, needs_real_dice
from knobel.notation import write_action
from knobel.phrase import phrase
from knobel.record.chain import encode_header, hash_line, link_events, list_heads
from knobel.record.correction import find_turn, swap_entries
from knobel.record.events import (
    Acted,
    Closed,
    Corrected,
    CorrectedTurn,
    Event,
    Header,
    Landed,
    Record,
    Seeds,
    Undone,
)
from knobel.record.replay import AttendanceEvent, Replay
from knobel.record.track import GameTrack, Step

StepListener = Callable[[Step], None]


class Table:
    """A game in progress, with everything that happened so far; `heads` are the hashes of the lines of its log."""

    def __init__(
        self,
        header: Header,
        server_seed: str,
        events: tuple[Event, ...] = (),
        file: str = "",
        header_line: str | None = None,
    ) -> None:
        self.header = header
        self.server_seed = server_seed
        self.replay = Replay(header, file)
        self.heads = [hash_line(header_line or encode_header(header))]
        self.events: list[Event] = []
        self.listeners: list[StepListener] = []
        self._dice_key: bytes | None = None
        self.apply(events)

    @property
    def game(self) -> Game[Any]:
        """The game that is played."""
        return self.replay.game

    @property
    def state(self) -> Any:
        """Where it stands."""
        return self.replay.state

    @property
    def head(self) -> str:
        """The hash of the last line, which stands for all of them."""
        return self.heads[-1]

    @property
    def record(self) -> Record:
        """Everything so far."""
        return Record(self.header, tuple(self.events))

    @property
    def dice_key(self) -> bytes:
        """What all our dice follow from, once every seed is shown."""
        if self._dice_key is None:
            header, clients = self.header, map(bytes.fromhex, self.replay.client_seeds)
            rules_hash = bytes.fromhex(header.fingerprint)
            self._dice_key = fair.derive_dice_key(
                header.game, rules_hash, bytes.fromhex(self.server_seed), list(clients)
            )
        return self._dice_key

    def find_bot(self, seat: int) -> str | None:
        """Say which bot plays a seat now, its own or a stand-in; nobody: a person."""
        return self.replay.stand_ins.get(seat) or self.header.seats[seat].bot

    def decide(self, seat: int, action: Action) -> tuple[Event, ...]:
        """Say what an intent makes happen: the act itself, and the dice that land; or refuse it."""
        if self.replay.pending_seeds:
            raise IllegalAction(why=phrase("rules.refusal.seeds"))
        if not 0 <= seat < len(self.header.seats):
            raise IllegalAction(why=phrase("rules.refusal.no_seat", seat=seat + 1, n=len(self.header.seats)))
        lane = self.replay.track(seat)
        state = lane.state
        if isinstance(action, Land):
            return (self.decide_landing(lane, seat, action),)
        acting = action.seat if isinstance(action, Leave) else state.player
        if state.seat is not None and lane.local_seat(seat) != acting:
            raise IllegalAction(why=phrase("rules.refusal.not_your_turn"))
        own = self.header.seats[seat].real_dice
        if needs_real_dice(action) and not own:
            raise IllegalAction(why=phrase("rules.refusal.not_own"))
        if refusal := lane.game.refusal(state, action):
            raise IllegalAction(why=refusal)
        action = normalize_anyway(lane.game, state, action)
        acted = Acted(seat, write_action(state, action, lane.game.rules.dice))
        after, number = lane.game.apply(state, action), self.replay.count + 1
        self.replay.precomputed = (Step(number, acted, action, state, after),)
        if not isinstance(action, Roll) or own:
            return (acted,)
        fallen = self.draw_dice(lane, after)
        land = Land(fallen.dice)
        self.replay.precomputed += (Step(number + 1, fallen, land, after, lane.game.apply(after, land)),)
        return acted, fallen

    def decide_landing(self, track: GameTrack, seat: int, action: Land) -> Landed:
        """Let a person say what real dice show."""
        fall = track.game.pending_roll(track.state)
        if fall is None or fall.seat != track.local_seat(seat):
            raise IllegalAction(why=phrase("rules.refusal.not_thrown"))
        if not self.header.seats[seat].real_dice:
            raise IllegalAction(why=phrase("rules.refusal.not_own"))
        if refusal := track.game.refusal(track.state, action):
            raise IllegalAction(why=refusal)
        return Landed(seat, fall.turn, fall.roll_number, track.game.rules.faces, fall.positions, action.dice, real=True)

    def draw_dice(self, track: GameTrack, state: Any) -> Landed:
        """Draw our dice for what is falling."""
        fall = track.game.pending_roll(state)
        if fall is None:
            raise IllegalAction(why=phrase("rules.refusal.not_thrown"))
        rules = track.game.rules
        seat = fall.seat if track.seat is None else track.seat
        values = fair.roll(self.dice_key, seat, fall.turn, fall.roll_number, rules.dice, rules.faces)
        dice = tuple(values[place] for place in fall.positions)
        return Landed(seat, fall.turn, fall.roll_number, rules.faces, fall.positions, dice)

    def decide_undo(self, seat: int | None = None) -> tuple[Event, ...]:
        """Say what taking back the last entry or announcement makes happen; a seat takes back only its own."""
        last = self.replay.find_last_undoable(seat)
        if last is None or (seat is not None and isinstance(last.event, Acted) and last.event.seat != seat):
            raise IllegalAction(why=phrase("rules.refusal.no_undo"))
        return (Undone(last.number),)

    def decide_correction(self, seat: int, box: str, actions: tuple[str, ...]) -> tuple[Event, ...]:
        """Say what writing something else in place of an entry makes happen, or refuse it."""
        self.replay.check_real_dice(seat)
        event = Corrected(seat, find_turn(self.replay.track(seat), seat, box), actions)
        self.replay.build_correction(event)
        return (event,)

    def decide_swap(self, seat: int, box: str, other: str) -> tuple[Event, ...]:
        """Say what writing two entries each in the other one's box makes happen, or refuse it."""
        self.replay.check_real_dice(seat)
        (turn, actions), (second, others) = swap_entries(self.replay.track(seat), seat, box, other)[0].items()
        return (Corrected(seat, turn, actions, CorrectedTurn(second, others)),)

    def decide_attendance(self, event: AttendanceEvent) -> tuple[Event, ...]:
        """Say what coming, going, standing in or showing a seed makes happen."""
        if why := self.replay.refuse_attendance(event):
            raise IllegalAction(why=phrase(f"rules.refusal.{why}"))
        return (event,)

    def decide_close(self) -> tuple[Event, ...]:
        """Say what confirming the end makes happen: the seeds are shown."""
        return (Closed(Seeds(self.server_seed, self.replay.client_seeds)),)

    def decide_stop(self, expired: bool = False) -> tuple[Event, ...]:
        """Say what stopping before the end makes happen: the seeds are shown all the same."""
        return (Closed(Seeds(self.server_seed, self.replay.client_seeds), "expired" if expired else "stopped"),)

    def apply(self, events: tuple[Event, ...], heads: tuple[str, ...] = ()) -> tuple[Step, ...]:
        """Make it happen, and tell whoever listens; whoever has linked the events to the log knows its new heads."""
        steps = []
        heads = heads or list_heads(*link_events(self.head, events, self.header.knobel))
        for event, head in zip(events, heads, strict=True):
            steps.append(self.replay.apply_event(event))
            self.events.append(event)
            self.heads.append(head)
        for listener in self.listeners:
            for step in steps:
                listener(step)
        return tuple(steps)


def normalize_anyway(game: Game[Any], state: Any, action: Action) -> Action:
    """Take an entry that the rules allow as it is, though somebody said “anyway”: only what bends them is marked."""
    if not isinstance(action, Score | EnterPoints) or not action.anyway:
        return action
    plain = replace(action, anyway=False)
    allowed = game.refusal(state, plain) is None and game.apply(state, plain) == game.apply(state, action)
    return plain if allowed else action
