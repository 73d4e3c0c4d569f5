"""Reviews a game of rounds: one player's rolls and decisions, in percentage points of the chance of not losing.

Where the whole game is solved that is the chance in the game: 100 for the first place, 0 for the last, places between
and shared ones in proportion; with two players simply the chance of not losing. Elsewhere each round has a ledger of
its own: 100 for not losing it. When a player leaves, the ledgers of all others stop there.
"""

from dataclasses import dataclass, field

from knobel.coach.grades import FINE, PERCENT_SCALE, grade_decision, grade_luck
from knobel.coach.ledger import (
    DICE,
    OTHERS,
    ROUNDING_TOLERANCE,
    SINGLE_ROUND,
    UNSEEN,
    WHOLE_GAME,
    Decision,
    LuckEvent,
    Review,
    ReviewPart,
    TurnSummary,
    describe_occasion,
    sum_turn,
)
from knobel.coach.ledger import PERCENT as UNIT
from knobel.coach.moves import describe_move
from knobel.coach.random_play import find_round_rate, is_real
from knobel.coach.round_reasons import find_round_reasons
from knobel.coach.rounds import (
    WHOLE_GAME_PLAYERS,
    count_players,
    is_whole_game_solved,
    rank_moves,
    value_before_round,
    value_before_turn,
)
from knobel.game import EnterDice, Land, Leave, Move, Roll, Stand
from knobel.games.round_state import OPEN, START, RoundState
from knobel.games.rounds import RoundsGame
from knobel.phrase import Phrase, phrase
from knobel.record.track import GameTrack, Step

COLUMNS = ("round", "then")


@dataclass
class OpenLedger:
    """A ledger that is still counted; `placed_before` is how many had finished before it was opened."""

    kind: str
    turn: int
    players: int
    placed_before: int
    par: float
    value: float
    luck: float = 0.0
    lost: float = 0.0

    def percent_not_losing(self, value: float, state: RoundState) -> float:
        """Turn a solved value into the chance of not losing, in percent."""
        if self.kind == SINGLE_ROUND:
            return 100.0 * (1.0 - value)
        return self.percent_of_place(value + count_placed(state) - self.placed_before)

    def percent_of_place(self, place: float) -> float:
        """Turn a place into a percentage: 0 for the last, 100 for the first."""
        return 100.0 * (self.players - place) / (self.players - 1)


@dataclass
class RoundReviewer:
    """Follows the steps of a game, for one seat."""

    game: RoundsGame
    seat: int
    turn: int = 1
    ledger: OpenLedger | None = None
    decisions: list[Decision] = field(default_factory=list)
    luck_events: list[LuckEvent] = field(default_factory=list)
    turn_summaries: list[TurnSummary] = field(default_factory=list)
    parts: list[ReviewPart] = field(default_factory=list)

    def start(self, state: RoundState) -> None:
        """Open the first ledger; rolling to see who starts is luck, as everybody can win it."""
        if state.rolloff and state.rolloff.kind == START:
            if len(state.active) in WHOLE_GAME_PLAYERS:
                self.ledger = OpenLedger(WHOLE_GAME, self.turn, len(state.active), 0, 50.0, 50.0)
        elif is_round_start(state):
            self.open_ledger(state)

    def open_ledger(self, state: RoundState) -> None:
        """Open a ledger before a round in which the seat plays."""
        if self.seat in state.active:
            self.open_ledger_at(state, value_before_round(self.game, state, self.seat))

    def open_ledger_at(self, state: RoundState, value: float) -> None:
        kind = WHOLE_GAME if is_whole_game_solved(state) else SINGLE_ROUND
        self.ledger = OpenLedger(kind, self.turn, count_players(state), count_placed(state), 0.0, 0.0)
        self.ledger.par = self.ledger.value = self.ledger.percent_not_losing(value, state)

    def close_ledger(self, complete: bool = True) -> None:
        """Close the ledger, at its end or where a player left."""
        if self.ledger is not None:
            self.parts.append(build_part(self.ledger, complete))
        self.ledger = None

    def review_step(self, step: Step) -> None:
        """Follow one step of anybody."""
        if isinstance(step.action, Leave):
            self.close_ledger(complete=False)
        elif step.before.player == self.seat and step.before.rolloff is None:
            self.review_own_step(step)
        if step.after.rounds != step.before.rounds or step.after.seat is None:
            self.end_round(step)
        if self.ledger is None and is_round_start(step.after):
            self.open_ledger(step.after)

    def review_own_step(self, step: Step) -> None:
        state: RoundState = step.before
        match step.action:
            case Roll() if not state.dice:
                self.note_luck_to_value(step, value_before_turn(self.game, state), state, OTHERS)
            case Land():
                self.note_luck_to_value(step, rank_moves(self.game, step.after)[0].value, step.after, DICE)
            case EnterDice():
                self.note_luck_to_value(step, value_before_turn(self.game, state), state, OTHERS)
                self.note_luck_to_value(step, rank_moves(self.game, step.after)[0].value, step.after, UNSEEN)
            case Roll() | Stand():
                self.note_decision(step, step.action)

    def note_luck_to_value(self, step: Step, value: float, state: RoundState, kind: str) -> None:
        """Note the luck that led to a value: that of the seat's own dice, or what the others did."""
        if self.ledger is None:
            self.open_ledger_at(state, value)
            return
        self.note_luck(step, self.ledger.percent_not_losing(value, state), kind, state)

    def note_luck(self, step: Step, value: float, kind: str, state: RoundState) -> None:
        """Note the luck between the value of the ledger and a new one."""
        if (ledger := self.ledger) is None:
            return
        luck, ledger.value = value - ledger.value, value
        ledger.luck += luck
        if kind != OTHERS or abs(luck) > ROUNDING_TOLERANCE:
            roll_number, dice = (0, ()) if kind == OTHERS else (state.rolls_used, state.dice)
            grade = grade_luck(luck, PERCENT_SCALE)
            self.luck_events.append(LuckEvent(kind, step.number, self.turn, roll_number, dice, luck, grade))

    def note_decision(self, step: Step, move: Move) -> None:
        """Note what a decision cost."""
        state: RoundState = step.before
        ranked = rank_moves(self.game, state)
        if self.ledger is None:
            self.open_ledger_at(state, ranked[0].value)
        ledger, best = self.ledger, ranked[0]
        if ledger is None:
            return
        value = next(one.value for one in ranked if build_move_key(state, one.move) == build_move_key(state, move))
        percents = [ledger.percent_not_losing(one, state) for one in (value, best.value)]
        loss = percents[1] - percents[0]
        loss = 0.0 if loss < ROUNDING_TOLERANCE else loss
        ledger.value, ledger.lost = ledger.value - loss, ledger.lost + loss
        if len(ranked) == 1:
            return
        advised, grade = best.move if loss else move, grade_decision(loss)
        random_rate = find_round_rate(self.game, ledger.players)
        self.decisions.append(
            Decision(
                **describe_occasion(step, self.turn, self.game.rules.dice, move, advised),
                played=describe_move(state.dice, move),
                best=describe_move(state.dice, advised),
                value=percents[1],
                loss=loss,
                grade=grade,
                reasons=self.explain(ledger, state, move, advised, percents) if grade != FINE else (),
                random_loss=random_rate if is_real([one.loss for one in ranked]) else 0.0,
            )
        )

    def explain(
        self, ledger: OpenLedger, state: RoundState, played: Move, best: Move, percents: list[float]
    ) -> tuple[Phrase, ...]:
        """Find why a move is worse."""
        chances = [percent / 100 for percent in percents]
        return find_round_reasons(self.game, state, played, best, chances, ledger.kind)

    def end_round(self, step: Step) -> None:
        """Settle a round for the seat; rolling to see who starts is part of the first one."""
        after: RoundState = step.after
        place = find_place(self.game, after, self.seat)
        if (ledger := self.ledger) is not None:
            self.note_luck(step, self.settle_value(ledger, after, place), OTHERS, after)
        if step.before.rolloff and step.before.rolloff.kind == START:
            return
        if ledger is not None:
            self.add_turn_summary(ledger.value)
            if ledger.kind == SINGLE_ROUND or place is not None:
                self.close_ledger()
        self.turn += 1

    def settle_value(self, ledger: OpenLedger, after: RoundState, place: float | None) -> float:
        """Value the end of a round: lost or not, the place in the game, or what is expected of the next round."""
        if ledger.kind == SINGLE_ROUND:
            return 0.0 if after.result is not None and after.result.loser == self.seat else 100.0
        if place is not None:
            return ledger.percent_of_place(place - ledger.placed_before)
        return ledger.percent_not_losing(value_before_round(self.game, after, self.seat), after)

    def add_turn_summary(self, value: float) -> None:
        luck, lost = sum_turn(self.turn, self.luck_events, self.decisions)
        self.turn_summaries.append(TurnSummary(self.turn, luck, lost, value))


def build_part(ledger: OpenLedger, complete: bool) -> ReviewPart:
    return ReviewPart(
        kind=ledger.kind,
        turn=ledger.turn,
        players=ledger.players,
        par=ledger.par,
        luck=ledger.luck,
        lost=ledger.lost,
        final=ledger.value,
        closed=complete,
    )


def is_round_start(state: RoundState) -> bool:
    """Tell whether a round is about to start."""
    return state.phase == OPEN and state.seat == state.opener and not state.dice and state.rolloff is None


def count_placed(state: RoundState) -> int:
    """Count the players who have finished."""
    return sum(map(len, state.places))


def find_place(game: RoundsGame, state: RoundState, seat: int) -> float | None:
    """Give the place of a seat that has finished, a shared one averaged; None while it plays."""
    outcome = game.outcome(state)
    before = 0
    for group in outcome.places if outcome else state.places:
        if seat in group:
            return before + (len(group) + 1) / 2
        before += len(group)
    return None


def build_move_key(state: RoundState, move: Move) -> tuple[object, ...]:
    """Build a key that is equal for moves that keep equal dice, wherever those lie."""
    if isinstance(move, Roll):
        return Roll, *sorted(state.dice[place] for place in move.keep)
    return Stand, getattr(move, "aim", None)


def review_rounds(game: RoundsGame, track: GameTrack, seat: int, coach: None = None) -> Review:  # noqa: ARG001
    """Review one seat of a game of rounds; no book is needed."""
    reviewer = RoundReviewer(game, seat)
    reviewer.start(track.start)
    for step in track.steps:
        reviewer.review_step(step)
    reviewer.close_ledger(complete=False)
    parts = tuple(reviewer.parts)
    finished = track.state.seat is None and all(part.closed for part in parts)
    return Review(
        seat=seat,
        unit=UNIT,
        par=sum(part.par for part in parts),
        final=sum(part.final for part in parts),
        scored=sum(part.final for part in parts if part.closed),
        finished=finished,
        decisions=tuple(reviewer.decisions),
        luck_events=tuple(reviewer.luck_events),
        turn_summaries=tuple(reviewer.turn_summaries),
        parts=parts,
        columns=COLUMNS,
        remarks=list_round_remarks(parts, finished),
    )


def list_round_remarks(parts: tuple[ReviewPart, ...], finished: bool) -> tuple[Phrase, ...]:
    """List what is counted in which part, and whether the game stopped before its end."""
    remarks = []
    if any(part.kind == WHOLE_GAME and part.players > 2 for part in parts):
        remarks.append(phrase("coach.report.whole"))
    if rounds := sum(part.kind == SINGLE_ROUND for part in parts):
        remarks.append(phrase("coach.report.rounds", n=rounds))
    if not finished:
        remarks.append(phrase("coach.report.broken_off"))
    return tuple(remarks)
