"""One running game: `decide` says what an intent would make happen, `apply` makes it happen; only a table changes."""

from collections.abc import Callable
from typing import Any

from knobel import fair
from knobel.errors import IllegalAction
from knobel.game import Action, Game, Land, Leave, Throw, Write
from knobel.notation import write
from knobel.phrase import phrase
from knobel.record.events import Acted, Closed, Event, Header, Landed, Record, Seeds, Undone
from knobel.record.replay import TAKEN_BACK, Replay, Step

Listener = Callable[[Step], None]


class Table:
    """A game in progress, with everything that happened so far."""

    def __init__(self, header: Header, seeds: Seeds, events: tuple[Event, ...] = (), file: str = "") -> None:
        self.header = header
        self.seeds = seeds
        self.key = fair.key(
            header.game,
            bytes.fromhex(header.fingerprint),
            bytes.fromhex(seeds.server),
            [bytes.fromhex(client) for client in seeds.clients],
        )
        self.replay = Replay(header, file)
        self.events: list[Event] = []
        self.listeners: list[Listener] = []
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
    def record(self) -> Record:
        """Everything so far."""
        return Record(self.header, tuple(self.events))

    def decide(self, seat: int, action: Action) -> tuple[Event, ...]:
        """Say what an intent makes happen: the act itself, and the dice that land; or refuse it."""
        state = self.state
        if isinstance(action, Land):
            return (self.landing(state, seat, action),)
        acting = action.seat if isinstance(action, Leave) else state.player
        if state.seat is not None and seat != acting:
            raise IllegalAction(why=phrase("rules.refusal.not_your_turn"))
        if isinstance(action, Write) and not self.header.seats[seat].own_dice:
            raise IllegalAction(why=phrase("rules.refusal.not_own"))
        if refusal := self.game.refusal(state, action):
            raise IllegalAction(why=refusal)
        acted = Acted(seat, write(state, action, self.game.rules.dice))
        if not isinstance(action, Throw) or self.header.seats[seat].own_dice:
            return (acted,)
        return acted, self.fallen(self.game.after(state, action))

    def landing(self, state: Any, seat: int, action: Land) -> Landed:
        """Let a person say what real dice show."""
        fall = self.game.falling(state)
        if fall is None or fall.seat != seat:
            raise IllegalAction(why=phrase("rules.refusal.not_thrown"))
        if not self.header.seats[seat].own_dice:
            raise IllegalAction(why=phrase("rules.refusal.not_own"))
        if refusal := self.game.refusal(state, action):
            raise IllegalAction(why=refusal)
        faces = self.game.rules.faces
        return Landed(seat, fall.turn, fall.throw, faces, fall.positions, action.dice, own=True)

    def fallen(self, state: Any) -> Landed:
        """Draw our dice for what is falling."""
        fall = self.game.falling(state)
        if fall is None:
            raise IllegalAction(why=phrase("rules.refusal.not_thrown"))
        rules = self.game.rules
        values = fair.throw(self.key, fall.seat, fall.turn, fall.throw, rules.dice, rules.faces)
        dice = tuple(values[place] for place in fall.positions)
        return Landed(fall.seat, fall.turn, fall.throw, rules.faces, fall.positions, dice)

    def undo(self) -> tuple[Event, ...]:
        """Say what taking back the last entry or announcement makes happen."""
        last = self.replay.last
        if last is None or not isinstance(last.action, TAKEN_BACK):
            raise IllegalAction(why=phrase("rules.refusal.no_undo"))
        return (Undone(last.number),)

    def close(self) -> tuple[Event, ...]:
        """Say what confirming the end makes happen: the seeds are shown."""
        return (Closed(self.seeds),)

    def apply(self, events: tuple[Event, ...]) -> None:
        """Make it happen, and tell whoever listens."""
        steps = []
        for event in events:
            steps.append(self.replay.then(event))
            self.events.append(event)
        for listener in self.listeners:
            for step in steps:
                listener(step)
