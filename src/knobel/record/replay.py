"""Plays a record again, checking every event against the rules."""

from dataclasses import dataclass
from typing import Any

from knobel.errors import IllegalAction, KnobelError, NotationError, RecordIllegal
from knobel.game import Action, Announce, Fall, Fill, Game, Land, Leave, Stand, Write, play
from knobel.games.catalog import game_of
from knobel.notation import read, write
from knobel.phrase import Phrase, phrase
from knobel.record.events import Acted, Closed, Event, Header, Landed, Record, Undone
from knobel.rules.fields import shown

TAKEN_BACK = (Announce, Fill, Stand, Write)


@dataclass(frozen=True, slots=True)
class Step:
    """One event of a replay: its number, what was done, and the states before and after it."""

    number: int
    event: Event
    action: Action | None
    before: Any
    after: Any


class Replay:
    """A record being played again: the game, and every step that still stands."""

    def __init__(self, header: Header, file: str = "") -> None:
        self.game, self.start = opened(header)
        self.own = tuple(seat.own_dice for seat in header.seats)
        self.file = file
        self.steps: list[Step] = []
        self.count = 0

    @property
    def state(self) -> Any:
        """Where the game stands."""
        return self.steps[-1].after if self.steps else self.start

    @property
    def closed(self) -> bool:
        """Whether the end was confirmed."""
        return bool(self.steps) and isinstance(self.steps[-1].event, Closed)

    @property
    def last(self) -> Step | None:
        """The last thing done, if it can still be taken back."""
        last = self.steps[-1] if self.steps else None
        return last if last and isinstance(last.action, TAKEN_BACK) else None

    def then(self, event: Event) -> Step:
        """Carry out one more event; an undo drops the step it takes back."""
        line = self.count + 2
        before = self.state
        try:
            if self.closed:
                raise IllegalAction(why=phrase("rules.refusal.over"))
            if isinstance(event, Undone):
                self.take_back(event.number)
                step = Step(self.count + 1, event, None, before, self.state)
            else:
                self.check_dice(event)
                action, after = carried_out(self.game, before, event)
                step = Step(self.count + 1, event, action, before, after)
                self.steps.append(step)
        except IllegalAction as error:
            raise RecordIllegal(file=self.file, line=line, why=error.values["why"]) from None
        except KnobelError as error:
            raise RecordIllegal(file=self.file, line=line, why=error.phrase) from None
        self.count += 1
        return step

    def check_dice(self, event: Event) -> None:
        """Take real dice, and points of dice we did not see, only from seats that throw their own."""
        match event:
            case Landed(seat=seat, own=own) if seat < len(self.own) and own != self.own[seat]:
                raise IllegalAction(why=phrase("rules.refusal.wrong_fall"))
            case Acted(seat=seat, action=text) if "=" in text and seat < len(self.own) and not self.own[seat]:
                raise IllegalAction(why=phrase("rules.refusal.not_own"))

    def take_back(self, number: int) -> None:
        """Drop the last step, if it is that one and no dice have fallen since."""
        if self.last is None or self.last.number != number:
            raise IllegalAction(why=phrase("rules.refusal.no_undo"))
        self.steps.pop()


def opened(header: Header) -> tuple[Game[Any], Any]:
    """Set up the game a header describes."""
    beginners = frozenset(place for place, seat in enumerate(header.seats) if seat.beginner)
    game = game_of(header.rules, beginners, header.practice, header.game)
    return game, game.start(len(header.seats), header.first)


def replayed(record: Record, file: str = "") -> Replay:
    """Play the whole record again."""
    replay = Replay(record.header, file)
    for event in record.events:
        replay.then(event)
    return replay


def carried_out(game: Game[Any], state: Any, event: Event) -> tuple[Action | None, Any]:
    """Do what an event says."""
    match event:
        case Acted(seat, text):
            action = read(state, text)
            if isinstance(action, Land) or write(state, action, game.rules.dice) != text:
                raise NotationError(text=shown(text))
            acting = action.seat if isinstance(action, Leave) else state.seat
            if seat != acting:
                raise IllegalAction(why=phrase("rules.refusal.not_your_turn"))
            return action, play(game, state, action)
        case Landed():
            if (wrong := misfall(game.falling(state), event, game.rules.faces)) is not None:
                raise IllegalAction(why=wrong)
            return Land(event.dice), play(game, state, Land(event.dice))
        case Closed() if state.seat is None:
            return None, state
    raise IllegalAction(why=phrase("rules.refusal.not_over"))


def misfall(fall: Fall | None, event: Landed, faces: int) -> Phrase | None:
    """Say whether dice landed that nobody threw, or elsewhere than they were thrown."""
    if fall is None:
        return phrase("rules.refusal.not_thrown")
    here = (event.seat, event.turn, event.throw, event.positions, event.faces)
    there = (fall.seat, fall.turn, fall.throw, fall.positions, faces)
    return phrase("rules.refusal.wrong_fall") if here != there else None
