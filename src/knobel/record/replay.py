"""Plays a record again, checking every event against the rules."""

from typing import Any, TypeAlias

from msgspec import UNSET
from msgspec.structs import replace

from knobel import fair
from knobel.errors import IllegalAction, KnobelError, NotationError, RecordIllegal
from knobel.game import Action, Fall, Game, Land, Leave, Outcome, Stand, play
from knobel.games.catalog import game_of
from knobel.notation import read, write
from knobel.phrase import Phrase, phrase
from knobel.record.correcting import corrected, entries_of
from knobel.record.events import (
    Acted,
    Assisted,
    Away,
    Back,
    Closed,
    Corrected,
    Event,
    Header,
    Landed,
    Record,
    Revealed,
    StandIn,
    Undone,
    Without,
)
from knobel.record.lane import Lane, Step
from knobel.rules.fields import shown

Attending: TypeAlias = Revealed | Without | Away | StandIn | Back | Assisted
"""Who is there, whose seed is shown, who has asked the coach."""
LINES_BEFORE = {1: 2, 2: 3}
"""On which line of a file the first event stands, by format."""


class Replay:
    """A record being played again: the game, who is there, and every step that still stands."""

    def __init__(self, header: Header, file: str = "") -> None:
        self.header = header
        self.lanes = lanes_of(header)
        self.own = tuple(seat.own_dice for seat in header.seats)
        self.file = file
        self.line = LINES_BEFORE.get(header.knobel, 0)
        self.count = 0
        self.closed: Closed | None = None
        self.seeds: dict[int, str] = {}
        self.without: set[int] = set()
        self.away: set[int] = set()
        self.stand_ins: dict[int, str] = {}
        self.assisted: set[int] = set()
        self.mended: dict[int, Any] = {}
        """The numbers of corrections, with the state before what they mend: steps played again have that number."""
        self.foreseen: tuple[Step, ...] = ()
        """Steps that a decision has taken in thought: the same events at the same states need no second look."""

    @property
    def game(self) -> Game[Any]:
        """The game that is played."""
        return self.lanes[0].game

    @property
    def state(self) -> Any:
        """Where the game stands; at a free table, that of the first column."""
        return self.lanes[0].state

    @property
    def steps(self) -> list[Step]:
        """Every step that still stands."""
        return self.lanes[0].steps

    @property
    def ply(self) -> int:
        """How often the game has changed."""
        return sum([lane.ply for lane in self.lanes])

    @property
    def over(self) -> bool:
        """Whether there is nothing left to play."""
        return all(lane.state.seat is None for lane in self.lanes)

    @property
    def pending(self) -> list[int]:
        """The seats whose seed is still behind its seal; until they show it, no die can fall."""
        return [seat for seat in self.header.dice.seals if seat not in self.seeds and seat not in self.without]

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, once it has."""
        if not self.over:
            return None
        if not self.header.free:
            return self.game.outcome(self.state)
        totals = tuple(lane.game.outcome(lane.state).totals[0] for lane in self.lanes)  # type: ignore[union-attr]
        ranks = [(not lane.state.left, total) for lane, total in zip(self.lanes, totals, strict=True)]
        return Outcome(
            tuple(tuple(seat for seat, own in enumerate(ranks) if own == rank) for rank in sorted(set(ranks))[::-1]),
            totals,
        )

    def lane(self, seat: int) -> Lane:
        """Find the game a seat plays in."""
        return self.lanes[seat if self.header.free and seat < len(self.lanes) else 0]

    def by_hand(self, seat: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """List the boxes of a seat that were written although the rules forbid it, and those that were corrected."""
        if not self.own[seat]:
            return (), ()
        entries = entries_of(self.lane(seat), seat)
        bent = tuple(entry.box for _, entry in entries if entry.anyway)
        return bent, tuple(entry.box for number, entry in entries if number in self.mended)

    def told_twice(self) -> set[tuple[int, int]]:
        """List the turns of a game of rounds that were corrected: the round, and whose turn it was."""
        mended = [step for step in self.steps if step.number in self.mended and isinstance(step.action, Stand)]
        return {(step.before.rounds, step.before.player) for step in mended}

    def last(self, seat: int | None = None) -> Step | None:
        """Find the last thing done that can still be taken back: by anybody, or in the game of a seat."""
        found = [lane.last for lane in ([self.lane(seat)] if seat is not None else self.lanes) if lane.last]
        return max(found, key=number_of, default=None)

    def then(self, event: Event) -> Step:
        """Carry out one more event; an undo drops the step it takes back."""
        try:
            step = self.carried(event)
        except IllegalAction as error:
            raise RecordIllegal(file=self.file, line=self.line + self.count, why=error.values["why"]) from None
        except KnobelError as error:
            raise RecordIllegal(file=self.file, line=self.line + self.count, why=error.phrase) from None
        self.count += 1
        return step

    def carried(self, event: Event) -> Step:
        """Carry out an event, or refuse it."""
        if self.closed:
            raise IllegalAction(why=phrase("rules.refusal.over"))
        match event:
            case Acted() | Landed():
                return self.played(event)
            case Undone(number):
                lane = self.take_back(number)
                lane.ply += 1
                return Step(self.count + 1, event, None, lane.state, lane.state)
            case Corrected():
                return self.correct(event)
            case Closed():
                self.close(event)
            case _:
                self.attend(event)
        return Step(self.count + 1, event, None, self.state, self.state)

    def played(self, event: Acted | Landed) -> Step:
        """Carry out what somebody did, or the dice that fell."""
        for step in self.foreseen:
            if step.event is event and step.number == self.count + 1 and step.before is self.lane(event.seat).state:
                return self.taken(step)
        self.check_seat(event.seat)
        self.check_dice(event)
        lane = self.lane(event.seat)
        before = lane.state
        action, after = carried_out(lane.game, before, replace(event, seat=lane.within(event.seat)))
        return self.taken(Step(self.count + 1, event, action, before, after))

    def taken(self, step: Step) -> Step:
        """Take a step in the game it belongs to."""
        lane = self.lane(step.event.seat)  # type: ignore[union-attr]
        lane.steps.append(step)
        lane.ply += 1
        return step

    def correct(self, event: Corrected) -> Step:
        """Play a turn again with other actions, and what came after it."""
        lane = self.lane(event.seat)
        before, number = lane.state, self.count + 1
        lane.steps = self.correction(event)
        lane.ply += 1
        self.mended[number] = next(step.before for step in lane.steps if step.number == number)
        return Step(self.count + 1, event, None, before, lane.state)

    def correction(self, event: Corrected) -> list[Step]:
        """Give the steps of a game after a correction."""
        self.check_own(event.seat)
        if event.other is not UNSET and event.other.turn == event.turn:
            raise IllegalAction(why=phrase("rules.refusal.whole_turn"))
        names = tuple(seat.name for seat in self.header.seats)
        return corrected(self.lane(event.seat), event.seat, event.turns, self.count + 1, names)

    def check_own(self, seat: int) -> None:
        """Want real dice: only who throws them can have entered them wrongly."""
        self.check_seat(seat)
        if not self.own[seat]:
            raise IllegalAction(why=phrase("rules.refusal.not_own"))

    def check_seat(self, seat: int) -> None:
        """Want a seat of this table, and all seeds before anything is played."""
        if seat >= len(self.own):
            raise IllegalAction(why=phrase("rules.refusal.no_seat", seat=seat + 1, n=len(self.own)))
        if self.pending:
            raise IllegalAction(why=phrase("rules.refusal.seeds"))

    def check_dice(self, event: Acted | Landed) -> None:
        """Take real dice, and points of dice we did not see, only from seats that throw their own."""
        match event:
            case Landed(seat=seat, own=own) if own != self.own[seat]:
                raise IllegalAction(why=phrase("rules.refusal.wrong_fall"))
            case Acted(seat=seat, action=text) if ("=" in text or text[:1] == "~") and not self.own[seat]:
                raise IllegalAction(why=phrase("rules.refusal.not_own"))

    def take_back(self, number: int) -> Lane:
        """Drop the last step of a game, if it is that one and no dice have fallen since."""
        for lane in self.lanes:
            if lane.last is not None and lane.last.number == number:
                lane.steps.pop()
                return lane
        raise IllegalAction(why=phrase("rules.refusal.no_undo"))

    def close(self, event: Closed) -> None:
        """End it; before the end of the game only with a reason."""
        if (event.why == "over") != self.over:
            raise IllegalAction(why=phrase("rules.refusal.over" if self.over else "rules.refusal.not_over"))
        if self.header.knobel > 1 and event.seeds.clients != self.clients:
            raise IllegalAction(why=phrase("rules.refusal.seed_wrong"))
        self.closed = event

    @property
    def clients(self) -> tuple[str, ...]:
        """The seeds that were shown, in the order of the seats."""
        return tuple(self.seeds[seat] for seat in sorted(self.seeds))

    def attend(self, event: Attending) -> None:
        """Note who is there, and which seeds are shown."""
        seat = event.seat
        if why := self.refuse_attending(event):
            raise IllegalAction(why=phrase(f"rules.refusal.{why}"))
        match event:
            case Revealed(seed=seed):
                self.seeds[seat] = seed
            case Without():
                self.without.add(seat)
            case Away():
                self.away.add(seat)
            case StandIn(bot=bot):
                self.stand_ins[seat] = bot
            case Assisted():
                self.assisted.add(seat)
            case Back():
                self.away.discard(seat)
                self.stand_ins.pop(seat, None)

    def refuse_attending(self, event: Attending) -> str | None:
        """Say why somebody cannot come, go or be replaced just now."""
        seat, seats = event.seat, self.header.seats
        match event:
            case Revealed(seed=seed):
                if seat not in self.pending:
                    return "seed_late"
                sealed = fair.seal(self.header.game, seat, bytes.fromhex(seed)).hex()
                return "seed_wrong" if sealed != self.header.dice.seals[seat] else None
            case Without():
                return "seed_late" if seat not in self.pending else None
        if seat >= len(seats) or seats[seat].bot is not None:
            return "no_person"
        match event:
            case Away():
                return "away_already" if seat in self.away else None
            case Assisted():
                return "assisted" if seat in self.assisted else None
            case StandIn():
                return "standing_in" if seat in self.stand_ins else None
        return None if seat in self.away or seat in self.stand_ins else "not_away"


def number_of(step: Step) -> int:
    """Give the number of a step."""
    return step.number


def lanes_of(header: Header) -> list[Lane]:
    """Set up what a header describes: one game, or at a free table one for each seat."""
    if not header.free:
        return [Lane(*opened(header))]
    lanes = []
    for place, seat in enumerate(header.seats):
        game = game_of(header.rules, frozenset({0} if seat.beginner else ()), True, header.game)
        lanes.append(Lane(game, game.start(1, 0), place))
    return lanes


def opened(header: Header) -> tuple[Game[Any], Any]:
    """Set up the game a header describes."""
    beginners = frozenset(place for place, seat in enumerate(header.seats) if seat.beginner)
    game = game_of(header.rules, beginners, header.practice, header.game)
    state = game.start(len(header.seats), header.first)
    for text in header.quoted.actions if header.quoted else ():
        state = play(game, state, read(state, text))
    return game, state


def replayed(record: Record, file: str = "") -> Replay:
    """Play the whole record again."""
    replay = Replay(record.header, file)
    for event in record.events:
        replay.then(event)
    return replay


def carried_out(game: Game[Any], state: Any, event: Acted | Landed) -> tuple[Action, Any]:
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


def misfall(fall: Fall | None, event: Landed, faces: int) -> Phrase | None:
    """Say whether dice landed that nobody threw, or elsewhere than they were thrown."""
    if fall is None:
        return phrase("rules.refusal.not_thrown")
    here = (event.seat, event.turn, event.throw, event.positions, event.faces)
    there = (fall.seat, fall.turn, fall.throw, fall.positions, faces)
    return phrase("rules.refusal.wrong_fall") if here != there else None
