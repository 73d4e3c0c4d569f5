"""Plays a record again, checking every event against the rules."""

from typing import Any, TypeAlias

from msgspec import UNSET
from msgspec.structs import replace

from knobel import fair
from knobel.errors import IllegalAction, KnobelError, NotationError, RecordIllegalEvent
from knobel.game import Action, Game, Land, Leave, Outcome, PendingRoll, Stand, play
from knobel.games.families import build_game
from knobel.notation import read_action, write_action
from knobel.phrase import Phrase, phrase
from knobel.record.correction import correct_turns, list_entries
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
    StartedWithout,
    Undone,
)
from knobel.record.track import GameTrack, Step
from knobel.rules.fields import abbreviate

AttendanceEvent: TypeAlias = Revealed | StartedWithout | Away | StandIn | Back | Assisted
"""Who is there, whose seed is shown, who has asked the coach."""
FIRST_EVENT_LINE = {1: 2, 2: 3, 3: 3}
"""On which line of a file the first event stands, by format."""


class Replay:
    """A record being played again: the game, who is there, and every step that still stands."""

    def __init__(self, header: Header, file: str = "") -> None:
        self.header = header
        self.tracks = build_tracks(header)
        self.real_dice = tuple(seat.real_dice for seat in header.seats)
        self.file = file
        self.first_event_line = FIRST_EVENT_LINE.get(header.knobel, 0)
        self.count = 0
        self.closed: Closed | None = None
        self.seeds: dict[int, str] = {}
        self.without_seed: set[int] = set()
        self.away: set[int] = set()
        self.stand_ins: dict[int, str] = {}
        self.assisted: set[int] = set()
        self.corrections: dict[int, Any] = {}
        """The numbers of corrections, with the state before what they mend: steps played again have that number."""
        self.precomputed: tuple[Step, ...] = ()
        """Steps that a decision has taken in thought: the same events at the same states need no second look."""

    @property
    def game(self) -> Game[Any]:
        """The game that is played."""
        return self.tracks[0].game

    @property
    def state(self) -> Any:
        """Where the game stands; at a free table, that of the first column."""
        return self.tracks[0].state

    @property
    def steps(self) -> list[Step]:
        """Every step that still stands."""
        return self.tracks[0].steps

    @property
    def ply(self) -> int:
        """How often the game has changed."""
        return sum([lane.ply for lane in self.tracks])

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left to play."""
        return all(lane.state.seat is None for lane in self.tracks)

    @property
    def pending_seeds(self) -> list[int]:
        """The seats whose seed is still behind its seal; until they show it, no die can fall."""
        return [seat for seat in self.header.dice.seals if seat not in self.seeds and seat not in self.without_seed]

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, once it has."""
        if not self.is_over:
            return None
        if not self.header.free:
            return self.game.outcome(self.state)
        totals = tuple(lane.game.outcome(lane.state).totals[0] for lane in self.tracks)  # type: ignore[union-attr]
        ranks = [(not lane.state.left, total) for lane, total in zip(self.tracks, totals, strict=True)]
        return Outcome(
            tuple(tuple(seat for seat, own in enumerate(ranks) if own == rank) for rank in sorted(set(ranks))[::-1]),
            totals,
        )

    def track(self, seat: int) -> GameTrack:
        """Find the game a seat plays in."""
        return self.tracks[seat if self.header.free and seat < len(self.tracks) else 0]

    def list_marked_boxes(self, seat: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """List the boxes of a seat that were written although the rules forbid it, and those that were corrected."""
        if not self.real_dice[seat]:
            return (), ()
        entries = list_entries(self.track(seat), seat)
        bent = tuple(entry.box for _, entry in entries if entry.anyway)
        return bent, tuple(entry.box for number, entry in entries if number in self.corrections)

    def list_corrected_turns(self) -> set[tuple[int, int]]:
        """List the turns of a game of rounds that were corrected: the round, and whose turn it was."""
        mended = [step for step in self.steps if step.number in self.corrections and isinstance(step.action, Stand)]
        return {(step.before.rounds, step.before.player) for step in mended}

    def find_last_undoable(self, seat: int | None = None) -> Step | None:
        """Find the last thing done that can still be taken back: by anybody, or in the game of a seat."""
        found = [
            lane.last_undoable
            for lane in ([self.track(seat)] if seat is not None else self.tracks)
            if lane.last_undoable
        ]
        return max(found, key=step_number, default=None)

    def apply_event(self, event: Event) -> Step:
        """Carry out one more event; an undo drops the step it takes back."""
        try:
            step = self.dispatch_event(event)
        except IllegalAction as error:
            raise RecordIllegalEvent(
                file=self.file, line=self.first_event_line + self.count, why=error.values["why"]
            ) from None
        except KnobelError as error:
            raise RecordIllegalEvent(
                file=self.file, line=self.first_event_line + self.count, why=error.phrase
            ) from None
        self.count += 1
        return step

    def dispatch_event(self, event: Event) -> Step:
        """Carry out an event, or refuse it."""
        if self.closed:
            raise IllegalAction(why=phrase("rules.refusal.over"))
        match event:
            case Acted() | Landed():
                return self.apply_play(event)
            case Undone(number):
                lane = self.undo(number)
                lane.ply += 1
                return Step(self.count + 1, event, None, lane.state, lane.state)
            case Corrected():
                return self.correct(event)
            case Closed():
                self.close(event)
            case _:
                self.apply_attendance(event)
        return Step(self.count + 1, event, None, self.state, self.state)

    def apply_play(self, event: Acted | Landed) -> Step:
        """Carry out what somebody did, or the dice that fell."""
        for step in self.precomputed:
            if step.event is event and step.number == self.count + 1 and step.before is self.track(event.seat).state:
                return self.append_step(step)
        self.check_seat(event.seat)
        self.check_dice(event)
        lane = self.track(event.seat)
        before = lane.state
        action, after = play_event(lane.game, before, replace(event, seat=lane.local_seat(event.seat)))
        return self.append_step(Step(self.count + 1, event, action, before, after))

    def append_step(self, step: Step) -> Step:
        """Take a step in the game it belongs to."""
        lane = self.track(step.event.seat)  # type: ignore[union-attr]
        lane.steps.append(step)
        lane.ply += 1
        return step

    def correct(self, event: Corrected) -> Step:
        """Play a turn again with other actions, and what came after it."""
        lane = self.track(event.seat)
        before, number = lane.state, self.count + 1
        lane.steps = self.build_correction(event)
        lane.ply += 1
        self.corrections[number] = next(step.before for step in lane.steps if step.number == number)
        return Step(self.count + 1, event, None, before, lane.state)

    def build_correction(self, event: Corrected) -> list[Step]:
        """Give the steps of a game after a correction."""
        self.check_real_dice(event.seat)
        if event.other is not UNSET and event.other.turn == event.turn:
            raise IllegalAction(why=phrase("rules.refusal.whole_turn"))
        names = tuple(seat.name for seat in self.header.seats)
        return correct_turns(self.track(event.seat), event.seat, event.turns, self.count + 1, names)

    def check_real_dice(self, seat: int) -> None:
        """Want real dice: only who throws them can have entered them wrongly."""
        self.check_seat(seat)
        if not self.real_dice[seat]:
            raise IllegalAction(why=phrase("rules.refusal.not_own"))

    def check_seat(self, seat: int) -> None:
        """Want a seat of this table, and all seeds before anything is played."""
        if seat >= len(self.real_dice):
            raise IllegalAction(why=phrase("rules.refusal.no_seat", seat=seat + 1, n=len(self.real_dice)))
        if self.pending_seeds:
            raise IllegalAction(why=phrase("rules.refusal.seeds"))

    def check_dice(self, event: Acted | Landed) -> None:
        """Take real dice, and points of dice we did not see, only from seats that throw their own."""
        match event:
            case Landed(seat=seat, real=own) if own != self.real_dice[seat]:
                raise IllegalAction(why=phrase("rules.refusal.wrong_fall"))
            case Acted(seat=seat, action=text) if ("=" in text or text[:1] == "~") and not self.real_dice[seat]:
                raise IllegalAction(why=phrase("rules.refusal.not_own"))

    def undo(self, number: int) -> GameTrack:
        """Drop the last step of a game, if it is that one and no dice have fallen since."""
        for lane in self.tracks:
            if lane.last_undoable is not None and lane.last_undoable.number == number:
                lane.steps.pop()
                return lane
        raise IllegalAction(why=phrase("rules.refusal.no_undo"))

    def close(self, event: Closed) -> None:
        """End it; before the end of the game only with a reason."""
        if (event.why == "over") != self.is_over:
            raise IllegalAction(why=phrase("rules.refusal.over" if self.is_over else "rules.refusal.not_over"))
        if self.header.knobel > 1 and event.seeds.clients != self.client_seeds:
            raise IllegalAction(why=phrase("rules.refusal.seed_wrong"))
        self.closed = event

    @property
    def client_seeds(self) -> tuple[str, ...]:
        """The seeds that were shown, in the order of the seats."""
        return tuple(self.seeds[seat] for seat in sorted(self.seeds))

    def apply_attendance(self, event: AttendanceEvent) -> None:
        """Note who is there, and which seeds are shown."""
        seat = event.seat
        if why := self.refuse_attendance(event):
            raise IllegalAction(why=phrase(f"rules.refusal.{why}"))
        match event:
            case Revealed(seed=seed):
                self.seeds[seat] = seed
            case StartedWithout():
                self.without_seed.add(seat)
            case Away():
                self.away.add(seat)
            case StandIn(bot=bot):
                self.stand_ins[seat] = bot
            case Assisted():
                self.assisted.add(seat)
            case Back():
                self.away.discard(seat)
                self.stand_ins.pop(seat, None)

    def refuse_attendance(self, event: AttendanceEvent) -> str | None:
        """Say why somebody cannot come, go or be replaced just now."""
        seat, seats = event.seat, self.header.seats
        match event:
            case Revealed(seed=seed):
                if seat not in self.pending_seeds:
                    return "seed_late"
                sealed = fair.commit_client_seed(self.header.game, seat, bytes.fromhex(seed)).hex()
                return "seed_wrong" if sealed != self.header.dice.seals[seat] else None
            case StartedWithout():
                return "seed_late" if seat not in self.pending_seeds else None
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


def step_number(step: Step) -> int:
    """Give the number of a step."""
    return step.number


def build_tracks(header: Header) -> list[GameTrack]:
    """Set up what a header describes: one game, or at a free table one for each seat."""
    if not header.free:
        return [GameTrack(*set_up_game(header))]
    lanes = []
    for place, seat in enumerate(header.seats):
        game = build_game(header.rules, frozenset({0} if seat.beginner else ()), True, header.game)
        lanes.append(GameTrack(game, game.start(1, 0), place))
    return lanes


def set_up_game(header: Header) -> tuple[Game[Any], Any]:
    """Set up the game a header describes."""
    beginners = frozenset(place for place, seat in enumerate(header.seats) if seat.beginner)
    game = build_game(header.rules, beginners, header.practice, header.game)
    state = game.start(len(header.seats), header.first)
    for text in header.quoted.actions if header.quoted else ():
        state = play(game, state, read_action(state, text))
    return game, state


def replay_record(record: Record, file: str = "") -> Replay:
    """Play the whole record again."""
    replay = Replay(record.header, file)
    for event in record.events:
        replay.apply_event(event)
    return replay


def play_event(game: Game[Any], state: Any, event: Acted | Landed) -> tuple[Action, Any]:
    """Do what an event says."""
    match event:
        case Acted(seat, text):
            action = read_action(state, text)
            if isinstance(action, Land) or write_action(state, action, game.rules.dice) != text:
                raise NotationError(text=abbreviate(text))
            acting = action.seat if isinstance(action, Leave) else state.seat
            if seat != acting:
                raise IllegalAction(why=phrase("rules.refusal.not_your_turn"))
            return action, play(game, state, action)
        case Landed():
            if (wrong := refuse_landing(game.pending_roll(state), event, game.rules.faces)) is not None:
                raise IllegalAction(why=wrong)
            return Land(event.dice), play(game, state, Land(event.dice))


def refuse_landing(pending: PendingRoll | None, event: Landed, faces: int) -> Phrase | None:
    """Say whether dice landed that nobody threw, or elsewhere than they were thrown."""
    if pending is None:
        return phrase("rules.refusal.not_thrown")
    here = (event.seat, event.turn, event.roll, event.positions, event.faces)
    there = (pending.seat, pending.turn, pending.roll_number, pending.positions, faces)
    return phrase("rules.refusal.wrong_fall") if here != there else None
