"""One running game: `decide` says what an intent would do, `apply` does it; only a table changes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

from knobel import fair
from knobel.errors import IllegalAction, StaleRequest
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
    Drawn,
    Event,
    Header,
    Landed,
    Record,
    Revealed,
    Seeds,
    StartedWithout,
    Undone,
)
from knobel.record.file import restore_names
from knobel.record.replay import Replay, awaits_lot, build_lot, check_open, check_real_dice, check_seat
from knobel.record.track import GameTrack, Step

StepListener = Callable[[Step], None]


class TableDecision(NamedTuple):
    """What would happen: the steps a table would take, one for each event of its log."""

    steps: tuple[Step, ...] = ()

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple([step.event for step in self.steps])


NOTHING = TableDecision()
NO_SEEDS: Mapping[int, str] = {}


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
        self.dice = FairDice(self.replay, server_seed)
        self.apply_events(events)

    @property
    def game(self) -> Game[Any]:
        return self.replay.game

    @property
    def state(self) -> Any:
        return self.replay.state

    @property
    def head(self) -> str:
        """The hash of the last line, which stands for all of them."""
        return self.heads[-1]

    @property
    def record(self) -> Record:
        return Record(self.header, tuple(self.events))

    def find_bot(self, seat: int) -> str | None:
        """Name the bot that plays a seat now, its own or a stand-in; `None` for a person."""
        return self.replay.attendance.stand_ins.get(seat) or self.header.seats[seat].bot

    def decide(
        self, seat: int, action: Action, text: str | None = None, earlier: TableDecision = NOTHING
    ) -> TableDecision:
        """Say what an action does, and which dice land; `text` is the action as it was written, if it was."""
        check_open(self.replay)
        check_seat(self.replay, seat)
        track, real_dice = self.replay.track(seat), self.header.seats[seat].real_dice
        state, number = track.state, self.replay.count + len(earlier.steps) + 1
        if isinstance(action, Land):
            event = describe_real_roll(track, seat, action, real_dice)
            return TableDecision((*earlier.steps, Step(number, event, action, state, track.game.apply(state, action))))
        check_action(track, seat, action, real_dice)
        plain = drop_needless_anyway(track.game, state, action)
        if text is None or plain is not action:
            text = write_action(state, plain, track.game.rules.dice)
        acted = Step(number, Acted(seat, text), plain, state, track.game.apply(state, plain))
        if real_dice or not isinstance(action, Roll):
            return TableDecision((*earlier.steps, acted))
        landed = self.dice.draw(track, acted.after)
        land = Land(landed.dice)
        after = track.game.apply(acted.after, land)
        return TableDecision((*earlier.steps, acted, Step(number + 1, landed, land, acted.after, after)))

    def decide_undo(self, seat: int | None = None) -> TableDecision:
        """Say what undoing the last entry or announcement does; a seat undoes only its own."""
        last = self.replay.find_last_undoable(seat)
        if last is None or (seat is not None and isinstance(last.event, Acted) and last.event.seat != seat):
            raise IllegalAction(why=phrase("rules.refusal.no_undo"))
        return self.decide_event(Undone(last.number))

    def decide_correction(self, seat: int, box: str, actions: tuple[str, ...]) -> TableDecision:
        """Say what other actions in place of a finished turn do, or refuse them."""
        check_real_dice(self.replay, seat)
        return self.decide_event(Corrected(seat, find_turn(self.replay.track(seat), seat, box), actions))

    def decide_swap(self, seat: int, box: str, other: str) -> TableDecision:
        """Say what entering two scores each in the other one's box does, or refuse it."""
        check_open(self.replay)
        check_real_dice(self.replay, seat)
        turns, steps = swap_entries(self.replay.track(seat), seat, box, other, self.replay.count + 1)
        (turn, actions), (second, others) = turns.items()
        event = Corrected(seat, turn, actions, CorrectedTurn(second, others))
        return TableDecision((self.replay.build_correction(event, steps),))

    def decide_event(self, event: Event) -> TableDecision:
        """Say what an event does, such as a player coming or going, or refuse it.

        With the last seed the dice are settled: where the start is random, lots are drawn at once.
        """
        step = self.replay.plan_event(event)
        if not isinstance(event, Revealed | StartedWithout) or self.replay.attendance.pending_seeds != [event.seat]:
            return TableDecision((step,))
        shown = {event.seat: event.seed} if isinstance(event, Revealed) else {}
        return TableDecision((step, *decide_lot(self, shown, step.number + 1).steps))

    def decide_end(self, why: Literal["stopped", "expired"] = "stopped") -> TableDecision:
        """Say what ending the game does: all seeds are revealed; `why` is the reason where it is not over yet."""
        seeds = Seeds(self.server_seed, self.replay.attendance.client_seeds)
        return self.decide_event(Closed(seeds, "over" if self.replay.is_over else why))

    def apply(self, decision: TableDecision, heads: Sequence[str] = ()) -> tuple[Step, ...]:
        """Apply a decision made on this very state; a caller who linked the events to the log passes the heads."""
        if decision.steps and decision.steps[0].number != self.replay.count + 1:
            raise StaleRequest
        return self._log(decision.events, map(self.replay.take_step, decision.steps), heads)

    def apply_events(self, events: tuple[Event, ...], heads: Sequence[str] = ()) -> tuple[Step, ...]:
        """Replay events of the log, each checked against the rules."""
        return self._log(events, map(self.replay.apply_event, events), heads)

    def _log(self, events: tuple[Event, ...], steps: Iterable[Step], heads: Sequence[str]) -> tuple[Step, ...]:
        taken = []
        heads = heads or list_heads(*link_events(self.head, events, self.header.knobel))
        for step, head in zip(steps, heads, strict=True):
            self.events.append(step.event)
            self.heads.append(head)
            taken.append(step)
        for listener in self.listeners:
            for step in taken:
                listener(step)
        return tuple(taken)


class FairDice:
    """Our dice: drawn from the seeds of the server and of everybody who plays."""

    def __init__(self, replay: Replay, server_seed: str) -> None:
        self.replay = replay
        self.server_seed = server_seed

    @cached_property
    def key(self) -> bytes:
        """The key of all rolls; it is asked for once every seed is revealed."""
        return self.derive_key(NO_SEEDS)

    def derive_key(self, shown: Mapping[int, str]) -> bytes:
        """Derive the key from all seeds that were revealed, and those that are shown now."""
        header, seeds = self.replay.header, {**self.replay.attendance.seeds, **shown}
        clients = [bytes.fromhex(seeds[seat]) for seat in sorted(seeds)]
        return fair.derive_dice_key(
            header.game, bytes.fromhex(header.fingerprint), bytes.fromhex(self.server_seed), clients
        )

    def draw(self, track: GameTrack, state: Any) -> Landed:
        """Draw the dice that were just rolled."""
        roll = track.game.pending_roll(state)
        if roll is None:
            raise IllegalAction(why=phrase("rules.refusal.not_rolled"))
        rules = track.game.rules
        seat = roll.seat if track.seat is None else track.seat
        scheme = self.replay.header.dice.scheme
        values = fair.roll_by_scheme(scheme, self.key, seat, roll.turn, roll.roll_number, rules.dice, rules.faces)
        dice = tuple([values[place] for place in roll.positions])
        return Landed(seat, roll.turn, roll.roll_number, rules.faces, roll.positions, dice)


def rename_players(table: Table, names: Sequence[str]) -> bool:
    """Give the players these names, and tell whether one is new; the chain leaves them out, so nothing else changes."""
    if [seat.name for seat in table.header.seats] == list(names):
        return False
    header = restore_names(table.header, names)
    table.header = table.replay.header = table.replay.attendance.header = header
    return True


def decide_lot(table: Table, shown: Mapping[int, str] = NO_SEEDS, number: int = 1) -> TableDecision:
    """Say whom the lot lets start, where lots are drawn; `shown` are seeds that are shown with it."""
    if not awaits_lot(table.replay):
        return NOTHING
    seat = fair.draw_lot(table.dice.derive_key(shown), len(table.header.seats))
    return TableDecision((build_lot(table.replay, Drawn(seat), number),))


def check_action(track: GameTrack, seat: int, action: Action, real_dice: bool) -> None:
    """Refuse an action out of turn, against the rules, or of dice the seat does not have."""
    state = track.state
    acting = action.seat if isinstance(action, Leave) else state.player
    if state.seat is not None and track.local_seat(seat) != acting:
        raise IllegalAction(why=phrase("rules.refusal.not_your_turn"))
    if needs_real_dice(action) and not real_dice:
        raise IllegalAction(why=phrase("rules.refusal.not_real_dice"))
    if refusal := track.game.refusal(state, action):
        raise IllegalAction(why=refusal)


def describe_real_roll(track: GameTrack, seat: int, action: Land, real_dice: bool) -> Landed:
    """Give the event of real dice that landed, or refuse it."""
    roll = track.game.pending_roll(track.state)
    if roll is None or roll.seat != track.local_seat(seat):
        raise IllegalAction(why=phrase("rules.refusal.not_rolled"))
    if not real_dice:
        raise IllegalAction(why=phrase("rules.refusal.not_real_dice"))
    if refusal := track.game.refusal(track.state, action):
        raise IllegalAction(why=refusal)
    return Landed(seat, roll.turn, roll.roll_number, track.game.rules.faces, roll.positions, action.dice, real=True)


def drop_needless_anyway(game: Game[Any], state: Any, action: Action) -> Action:
    """Drop a needless “anyway” from an entry the rules allow: only entries that break them are marked."""
    if not isinstance(action, Score | EnterPoints) or not action.anyway:
        return action
    plain = replace(action, anyway=False)
    allowed = game.refusal(state, plain) is None and game.apply(state, plain) == game.apply(state, action)
    return plain if allowed else action
