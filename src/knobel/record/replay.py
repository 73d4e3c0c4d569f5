"""Plays a record again, checking every event against the rules."""

from operator import attrgetter
from typing import Any

from msgspec import UNSET

from knobel.errors import IllegalAction, KnobelError, NotationError, RecordIllegalEvent
from knobel.game import Action, Game, Land, Leave, Outcome, PendingRoll, play
from knobel.games.families import build_game
from knobel.notation import read_action, read_exact_action
from knobel.phrase import Phrase, phrase
from knobel.record.attendance import Attendance
from knobel.record.correction import correct_turns
from knobel.record.events import Acted, Closed, Corrected, Drawn, Event, Header, Landed, Record, Undone
from knobel.record.track import GameTrack, Step
from knobel.rules.fields import abbreviate

RANDOM = "random"
ROLL_OFF = "roll_off"
"""How the start can be settled, besides by the rules or by agreement."""
FIRST_EVENT_LINE = {1: 2, 2: 3, 3: 3}
"""The line of a file with the first event, by format."""


class Replay:
    """A record played so far: its games, who is there, and every step that still stands."""

    def __init__(self, header: Header, file: str = "") -> None:
        self.header = header
        self.tracks = build_tracks(header)
        self.attendance = Attendance(header)
        self.real_dice = tuple(seat.real_dice for seat in header.seats)
        self.file = file
        self.first_event_line = FIRST_EVENT_LINE.get(header.knobel, 0)
        self.count = 0
        self.drawn: int | None = None
        """The seat that drew the start, where lots are drawn."""
        self.closed: Closed | None = None
        self.corrections: dict[int, Any] = {}
        """The state before the first turn each correction changed, by the number of the correction.

        The steps of the turns it plays again carry that number.
        """

    @property
    def game(self) -> Game[Any]:
        return self.tracks[0].game

    @property
    def state(self) -> Any:
        """Where the game stands; at a free table, that of the first seat."""
        return self.tracks[0].state

    @property
    def steps(self) -> list[Step]:
        return self.tracks[0].steps

    @property
    def ply(self) -> int:
        """How often the games have changed."""
        return sum([track.ply for track in self.tracks])

    @property
    def is_over(self) -> bool:
        return not [track for track in self.tracks if track.state.seat is not None]

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, once it has."""
        if not self.is_over:
            return None
        return combine_outcomes(self.tracks) if self.header.free else self.game.outcome(self.state)

    def track(self, seat: int) -> GameTrack:
        """Find the game a seat plays in."""
        return self.tracks[seat if self.header.free and seat < len(self.tracks) else 0]

    def find_last_undoable(self, seat: int | None = None) -> Step | None:
        """Find the last step that can still be undone: at the table, or in the game of a seat."""
        tracks = self.tracks if seat is None else [self.track(seat)]
        found = [step for track in tracks if (step := track.last_undoable)]
        return max(found, key=attrgetter("number"), default=None)

    def apply_event(self, event: Event) -> Step:
        """Check one more event, and carry it out."""
        try:
            step = self.plan_event(event)
        except KnobelError as error:
            why = error.values["why"] if isinstance(error, IllegalAction) else error.phrase
            raise RecordIllegalEvent(file=self.file, line=self.first_event_line + self.count, why=why) from None
        return self.take_step(step)

    def plan_event(self, event: Event) -> Step:
        """Work out what an event does, or refuse it; nothing changes."""
        check_open(self)
        match event:
            case Acted() | Landed():
                return self.plan_play(event)
            case Undone(number):
                state = find_undone(self.tracks, number).steps[-1].before
                return Step(self.count + 1, event, None, state, state)
            case Corrected():
                return self.plan_correction(event)
            case Drawn():
                return plan_lot(self, event)
            case Closed():
                check_close(self, event)
            case _:
                self.attendance.check(event)
        return Step(self.count + 1, event, None, self.state, self.state)

    def plan_play(self, event: Acted | Landed) -> Step:
        check_seat(self, event.seat)
        check_dice(self, event)
        track = self.track(event.seat)
        action, after = play_event(track, event)
        return Step(self.count + 1, event, action, track.state, after)

    def plan_correction(self, event: Corrected) -> Step:
        """Play turns of a game again with other actions, and everything after them as it was."""
        check_real_dice(self, event.seat)
        if event.other is not UNSET and event.other.turn == event.turn:
            raise IllegalAction(why=phrase("rules.refusal.whole_turn"))
        names = tuple(seat.name for seat in self.header.seats)
        steps = correct_turns(self.track(event.seat), event.seat, event.turns, self.count + 1, names)
        return self.build_correction(event, steps)

    def build_correction(self, event: Corrected, steps: list[Step]) -> Step:
        return Step(self.count + 1, event, None, self.track(event.seat).state, steps[-1].after, tuple(steps))

    def take_step(self, step: Step) -> Step:
        """Carry out a step that was planned here; an undo drops the step it names."""
        match step.event:
            case Acted(seat=seat) | Landed(seat=seat):
                self.track(seat).append(step)
            case Undone(number):
                find_undone(self.tracks, number).undo()
            case Corrected(seat=seat):
                self.track(seat).replace_steps(step.corrected)
                first = next(one for one in step.corrected if one.number == step.number)
                self.corrections[step.number] = first.before
            case Drawn(seat):
                self.drawn = seat
                if not self.header.free:
                    self.tracks[0].restart(step.after)
            case Closed() as event:
                self.closed = event
            case event:
                self.attendance.apply(event)
        self.count += 1
        return step


def find_undone(tracks: list[GameTrack], number: int) -> GameTrack:
    """Find the game whose last step is that one; dice that landed since cannot be undone."""
    for track in tracks:
        if track.last_undoable is not None and track.last_undoable.number == number:
            return track
    raise IllegalAction(why=phrase("rules.refusal.no_undo"))


def combine_outcomes(tracks: list[GameTrack]) -> Outcome:
    """Rank the games of a free table against each other; players who left come last."""
    outcomes = [track.game.outcome(track.state) for track in tracks]
    totals = tuple(outcome.totals[0] for outcome in outcomes if outcome is not None)
    ranks = [(not track.state.left, total) for track, total in zip(tracks, totals, strict=True)]
    places = [tuple(seat for seat, own in enumerate(ranks) if own == rank) for rank in sorted(set(ranks), reverse=True)]
    return Outcome(tuple(places), totals)


def check_open(replay: Replay) -> None:
    if replay.closed:
        raise IllegalAction(why=phrase("rules.refusal.over"))


def check_close(replay: Replay, event: Closed) -> None:
    """Let a game end before its end only with a reason, and only with the seeds that were revealed."""
    if (event.why == "over") != replay.is_over:
        raise IllegalAction(why=phrase("rules.refusal.over" if replay.is_over else "rules.refusal.not_over"))
    if replay.header.knobel > 1 and event.seeds.clients != replay.attendance.client_seeds:
        raise IllegalAction(why=phrase("rules.refusal.seed_wrong"))


def check_seat(replay: Replay, seat: int) -> None:
    """Refuse unknown seats, and everything before all seeds are revealed."""
    seats = len(replay.header.seats)
    if not 0 <= seat < seats:
        raise IllegalAction(why=phrase("rules.refusal.no_seat", seat=seat + 1, n=seats))
    if replay.attendance.pending_seeds:
        raise IllegalAction(why=phrase("rules.refusal.seeds"))
    if awaits_lot(replay):
        raise IllegalAction(why=phrase("rules.refusal.lot_first"))


def awaits_lot(replay: Replay) -> bool:
    """Tell whether lots must be drawn for the start before anything is played."""
    return replay.header.start == RANDOM and replay.drawn is None


def plan_lot(replay: Replay, event: Drawn) -> Step:
    """Let the seat that drew the start begin, or refuse lots that nobody agreed on or that come too early."""
    if not awaits_lot(replay) or event.seat >= len(replay.header.seats):
        raise IllegalAction(why=phrase("rules.refusal.no_lot"))
    if replay.attendance.pending_seeds:
        raise IllegalAction(why=phrase("rules.refusal.seeds"))
    return build_lot(replay, event, replay.count + 1)


def build_lot(replay: Replay, event: Drawn, number: int) -> Step:
    """Give the step after which a seat starts; at a free table nobody has to wait for it."""
    seats = len(replay.header.seats)
    state = replay.state if replay.header.free else replay.game.start(seats, event.seat)
    return Step(number, event, None, replay.state, state)


def check_real_dice(replay: Replay, seat: int) -> None:
    """Refuse seats without real dice: only those can have been entered wrongly."""
    check_seat(replay, seat)
    if not replay.real_dice[seat]:
        raise IllegalAction(why=phrase("rules.refusal.not_real_dice"))


def check_dice(replay: Replay, event: Acted | Landed) -> None:
    """Refuse real dice, and points without dice, for seats that do not roll real dice."""
    match event:
        case Landed(seat=seat, real=real) if real != replay.real_dice[seat]:
            raise IllegalAction(why=phrase("rules.refusal.wrong_fall"))
        case Acted(seat=seat, action=text) if ("=" in text or text[:1] == "~") and not replay.real_dice[seat]:
            raise IllegalAction(why=phrase("rules.refusal.not_real_dice"))


def build_tracks(header: Header) -> list[GameTrack]:
    """Set up what a header describes: one game, or at a free table one for each seat."""
    if not header.free:
        return [GameTrack(*set_up_game(header))]
    tracks = []
    for place, seat in enumerate(header.seats):
        game = build_game(header.rules, frozenset({0} if seat.beginner else ()), True, header.game)
        tracks.append(GameTrack(game, game.start(1, 0), place))
    return tracks


def set_up_game(header: Header) -> tuple[Game[Any], Any]:
    """Set up the game a header describes, at the position it begins with."""
    beginners = frozenset(place for place, seat in enumerate(header.seats) if seat.beginner)
    game = build_game(header.rules, beginners, header.practice, header.game)
    first = 0 if header.start == RANDOM else header.first
    state = game.start(len(header.seats), first, header.start == ROLL_OFF)
    for text in header.quoted.actions if header.quoted else ():
        state = play(game, state, read_action(state, text))
    return game, state


def replay_record(record: Record, file: str = "") -> Replay:
    """Play the whole record again."""
    replay = Replay(record.header, file)
    for event in record.events:
        replay.apply_event(event)
    return replay


def play_event(track: GameTrack, event: Acted | Landed) -> tuple[Action, Any]:
    """Give the action of an event and the state after it, or refuse it."""
    game, state, seat = track.game, track.state, track.local_seat(event.seat)
    action: Action
    if isinstance(event, Landed):
        if (wrong := refuse_landing(game.pending_roll(state), seat, event, game.rules.faces)) is not None:
            raise IllegalAction(why=wrong)
        action = Land(event.dice)
    else:
        action = read_exact_action(state, event.action, game.rules.dice)
        if isinstance(action, Land):
            raise NotationError(text=abbreviate(event.action))
        acting = action.seat if isinstance(action, Leave) else state.seat
        if seat != acting:
            raise IllegalAction(why=phrase("rules.refusal.not_your_turn"))
    return action, play(game, state, action)


def refuse_landing(pending: PendingRoll | None, seat: int, event: Landed, faces: int) -> Phrase | None:
    """Say whether dice landed that nobody rolled, or elsewhere than they were rolled."""
    if pending is None:
        return phrase("rules.refusal.not_rolled")
    here = (seat, event.turn, event.roll, event.positions, event.faces)
    there = (pending.seat, pending.turn, pending.roll_number, pending.positions, faces)
    return phrase("rules.refusal.wrong_fall") if here != there else None
