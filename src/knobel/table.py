"""One running game: `decide` says what an intent would make happen, `apply` makes it happen; only a table changes."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from knobel import fair
from knobel.errors import IllegalAction
from knobel.game import Action, Fill, Game, Land, Leave, Throw, Write, needs_own_dice
from knobel.notation import write
from knobel.phrase import phrase
from knobel.record.chain import chained, first_line, hashed, heads_of
from knobel.record.correcting import swapped, turn_with
from knobel.record.events import (
    Acted,
    Closed,
    Corrected,
    Event,
    Header,
    Landed,
    Mended,
    Record,
    Seeds,
    Undone,
)
from knobel.record.lane import Lane, Step
from knobel.record.replay import Attending, Replay

Listener = Callable[[Step], None]


class Table:
    """A game in progress, with everything that happened so far; `heads` are the hashes of the lines of its log."""

    def __init__(
        self, header: Header, seed: str, events: tuple[Event, ...] = (), file: str = "", first: str | None = None
    ) -> None:
        self.header = header
        self.seed = seed
        self.replay = Replay(header, file)
        self.heads = [hashed(first or first_line(header))]
        self.events: list[Event] = []
        self.listeners: list[Listener] = []
        self._key: bytes | None = None
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
    def key(self) -> bytes:
        """What all our dice follow from, once every seed is shown."""
        if self._key is None:
            header, clients = self.header, map(bytes.fromhex, self.replay.clients)
            rules_hash = bytes.fromhex(header.fingerprint)
            self._key = fair.key(header.game, rules_hash, bytes.fromhex(self.seed), list(clients))
        return self._key

    def player_of(self, seat: int) -> str | None:
        """Say which bot plays a seat now, its own or a stand-in; nobody: a person."""
        return self.replay.stand_ins.get(seat) or self.header.seats[seat].bot

    def decide(self, seat: int, action: Action) -> tuple[Event, ...]:
        """Say what an intent makes happen: the act itself, and the dice that land; or refuse it."""
        if self.replay.pending:
            raise IllegalAction(why=phrase("rules.refusal.seeds"))
        if not 0 <= seat < len(self.header.seats):
            raise IllegalAction(why=phrase("rules.refusal.no_seat", seat=seat + 1, n=len(self.header.seats)))
        lane = self.replay.lane(seat)
        state = lane.state
        if isinstance(action, Land):
            return (self.landing(lane, seat, action),)
        acting = action.seat if isinstance(action, Leave) else state.player
        if state.seat is not None and lane.within(seat) != acting:
            raise IllegalAction(why=phrase("rules.refusal.not_your_turn"))
        own = self.header.seats[seat].own_dice
        if needs_own_dice(action) and not own:
            raise IllegalAction(why=phrase("rules.refusal.not_own"))
        if refusal := lane.game.refusal(state, action):
            raise IllegalAction(why=refusal)
        action = unbent(lane.game, state, action)
        acted = Acted(seat, write(state, action, lane.game.rules.dice))
        after, number = lane.game.after(state, action), self.replay.count + 1
        self.replay.foreseen = (Step(number, acted, action, state, after),)
        if not isinstance(action, Throw) or own:
            return (acted,)
        fallen = self.fallen(lane, after)
        land = Land(fallen.dice)
        self.replay.foreseen += (Step(number + 1, fallen, land, after, lane.game.after(after, land)),)
        return acted, fallen

    def landing(self, lane: Lane, seat: int, action: Land) -> Landed:
        """Let a person say what real dice show."""
        fall = lane.game.falling(lane.state)
        if fall is None or fall.seat != lane.within(seat):
            raise IllegalAction(why=phrase("rules.refusal.not_thrown"))
        if not self.header.seats[seat].own_dice:
            raise IllegalAction(why=phrase("rules.refusal.not_own"))
        if refusal := lane.game.refusal(lane.state, action):
            raise IllegalAction(why=refusal)
        return Landed(seat, fall.turn, fall.throw, lane.game.rules.faces, fall.positions, action.dice, own=True)

    def fallen(self, lane: Lane, state: Any) -> Landed:
        """Draw our dice for what is falling."""
        fall = lane.game.falling(state)
        if fall is None:
            raise IllegalAction(why=phrase("rules.refusal.not_thrown"))
        rules = lane.game.rules
        seat = fall.seat if lane.seat is None else lane.seat
        values = fair.throw(self.key, seat, fall.turn, fall.throw, rules.dice, rules.faces)
        dice = tuple(values[place] for place in fall.positions)
        return Landed(seat, fall.turn, fall.throw, rules.faces, fall.positions, dice)

    def undo(self, seat: int | None = None) -> tuple[Event, ...]:
        """Say what taking back the last entry or announcement makes happen; a seat takes back only its own."""
        last = self.replay.last(seat)
        if last is None or (seat is not None and isinstance(last.event, Acted) and last.event.seat != seat):
            raise IllegalAction(why=phrase("rules.refusal.no_undo"))
        return (Undone(last.number),)

    def correct(self, seat: int, box: str, actions: tuple[str, ...]) -> tuple[Event, ...]:
        """Say what writing something else in place of an entry makes happen, or refuse it."""
        self.replay.check_own(seat)
        event = Corrected(seat, turn_with(self.replay.lane(seat), seat, box), actions)
        self.replay.correction(event)
        return (event,)

    def swap(self, seat: int, box: str, other: str) -> tuple[Event, ...]:
        """Say what writing two entries each in the other one's box makes happen, or refuse it."""
        self.replay.check_own(seat)
        (turn, actions), (second, others) = swapped(self.replay.lane(seat), seat, box, other)[0].items()
        return (Corrected(seat, turn, actions, Mended(second, others)),)

    def attend(self, event: Attending) -> tuple[Event, ...]:
        """Say what coming, going, standing in or showing a seed makes happen."""
        if why := self.replay.refuse_attending(event):
            raise IllegalAction(why=phrase(f"rules.refusal.{why}"))
        return (event,)

    def close(self) -> tuple[Event, ...]:
        """Say what confirming the end makes happen: the seeds are shown."""
        return (Closed(Seeds(self.seed, self.replay.clients)),)

    def stop(self, expired: bool = False) -> tuple[Event, ...]:
        """Say what stopping before the end makes happen: the seeds are shown all the same."""
        return (Closed(Seeds(self.seed, self.replay.clients), "expired" if expired else "stopped"),)

    def apply(self, events: tuple[Event, ...], heads: tuple[str, ...] = ()) -> tuple[Step, ...]:
        """Make it happen, and tell whoever listens; whoever has linked the events to the log knows its new heads."""
        steps = []
        for event, head in zip(events, heads or heads_of(*chained(self.head, events)), strict=True):
            steps.append(self.replay.then(event))
            self.events.append(event)
            self.heads.append(head)
        for listener in self.listeners:
            for step in steps:
                listener(step)
        return tuple(steps)


def unbent(game: Game[Any], state: Any, action: Action) -> Action:
    """Take an entry that the rules allow as it is, though somebody said “anyway”: only what bends them is marked."""
    if not isinstance(action, Fill | Write) or not action.anyway:
        return action
    plain = replace(action, anyway=False)
    allowed = game.refusal(state, plain) is None and game.after(state, plain) == game.after(state, action)
    return plain if allowed else action
