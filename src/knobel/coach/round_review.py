"""Goes through a game of rounds with the coach: one player's rolls and decisions, in percentage points.

What is counted is the chance to get away. Where the whole game is solved it is that of the game: 100 for the first
place, 0 for the last, places between and shared ones in proportion; with two players simply not to lose. Elsewhere each
round has a ledger of its own: 100 for not losing it. Whoever quits breaks a ledger off where it stands.
"""

from dataclasses import dataclass, field

from knobel.coach.grades import FINE, PERCENT_SCALE, grade_decision, grade_luck
from knobel.coach.ledger import DICE, OTHERS, UNSEEN, Decision, LuckEvent, Review, ReviewPart, TurnSummary
from knobel.coach.ledger import PERCENT as UNIT
from knobel.coach.reasons import format_percents
from knobel.coach.rounds import (
    WHOLE_GAME_PLAYERS,
    compute_chance_to_beat,
    count_players,
    find_total_to_beat,
    is_whole_game_solved,
    rank_moves,
    value_before_round,
    value_before_turn,
)
from knobel.game import EnterDice, Land, Leave, Move, Roll, Stand
from knobel.games.round_state import FOLLOW, OPEN, START, RoundState
from knobel.games.rounds import RoundsGame
from knobel.notation import write_action
from knobel.phrase import Phrase, phrase
from knobel.record.track import GameTrack, Step

WHOLE_GAME, SINGLE_ROUND = "game", "round"
ROUNDING_TOLERANCE = 1e-9


@dataclass
class OpenLedger:
    """A ledger that is open: what kind it is, how many play, how many had a place before, and what it stands at."""

    kind: str
    turn: int
    players: int
    placed_before: int
    par: float
    value: float
    luck: float = 0.0
    lost: float = 0.0

    def percent_not_losing(self, value: float, state: RoundState) -> float:
        """Turn a solved value into a chance to get away, in percent."""
        if self.kind == SINGLE_ROUND:
            return 100.0 * (1.0 - value)
        return self.percent_of_place(value + count_placed(state) - self.placed_before)

    def percent_of_place(self, place: float) -> float:
        """Turn a place into a part of the way from the last to the first, in percent."""
        return 100.0 * (self.players - place) / (self.players - 1)


@dataclass
class RoundReviewer:
    """A walk along the steps of a game, for one seat."""

    game: RoundsGame
    seat: int
    turn: int = 1
    ledger: OpenLedger | None = None
    decisions: list[Decision] = field(default_factory=list)
    luck_events: list[LuckEvent] = field(default_factory=list)
    turn_summaries: list[TurnSummary] = field(default_factory=list)
    parts: list[ReviewPart] = field(default_factory=list)

    def start(self, state: RoundState) -> None:
        """Begin where the game begins; a throw for the start is luck, for everybody may win it."""
        if state.rolloff and state.rolloff.kind == START:
            if len(state.active) in WHOLE_GAME_PLAYERS:
                self.ledger = OpenLedger(WHOLE_GAME, self.turn, len(state.active), 0, 50.0, 50.0)
        elif is_round_start(state):
            self.open_ledger(state)

    def open_ledger(self, state: RoundState) -> None:
        """Open a ledger before a round, if the seat plays in it."""
        if self.seat in state.active:
            self.open_ledger_at(state, value_before_round(self.game, state, self.seat))

    def open_ledger_at(self, state: RoundState, value: float) -> None:
        """Open a ledger with a solved value."""
        kind = WHOLE_GAME if is_whole_game_solved(state) else SINGLE_ROUND
        self.ledger = OpenLedger(kind, self.turn, count_players(state), count_placed(state), 0.0, 0.0)
        self.ledger.par = self.ledger.value = self.ledger.percent_not_losing(value, state)

    def close_ledger(self, complete: bool = True) -> None:
        """Close the ledger: at its end, or where somebody quit."""
        if (own := self.ledger) is not None:
            self.parts.append(
                ReviewPart(own.kind, own.turn, own.players, own.par, own.luck, own.lost, own.value, closed=complete)
            )
        self.ledger = None

    def review_step(self, step: Step) -> None:
        """Take one step of anybody."""
        if isinstance(step.action, Leave):
            self.close_ledger(complete=False)
        elif step.before.player == self.seat and step.before.rolloff is None:
            self.review_own_step(step)
        if step.after.rounds != step.before.rounds or step.after.seat is None:
            self.end_round(step)
        if self.ledger is None and is_round_start(step.after):
            self.open_ledger(step.after)

    def review_own_step(self, step: Step) -> None:
        """Take a step of one's own."""
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
        """Come to a value by luck: that of one's own dice, or of whatever the others did."""
        if self.ledger is None:
            self.open_ledger_at(state, value)
            return
        self.note_luck(step, self.ledger.percent_not_losing(value, state), kind, state)

    def note_luck(self, step: Step, value: float, kind: str, state: RoundState) -> None:
        """Note the luck between where the ledger stood and a value."""
        if (own := self.ledger) is None:
            return
        luck, own.value = value - own.value, value
        own.luck += luck
        if kind != OTHERS or abs(luck) > ROUNDING_TOLERANCE:
            throw, dice = (0, ()) if kind == OTHERS else (state.rolls_used, state.dice)
            self.luck_events.append(
                LuckEvent(kind, step.number, self.turn, throw, dice, luck, grade_luck(luck, PERCENT_SCALE))
            )

    def note_decision(self, step: Step, move: Move) -> None:
        """Note what a decision cost."""
        state: RoundState = step.before
        judged = rank_moves(self.game, state)
        if self.ledger is None:
            self.open_ledger_at(state, judged[0].value)
        own, best = self.ledger, judged[0]
        if own is None:
            return
        value = next(one.value for one in judged if build_move_key(state, one.move) == build_move_key(state, move))
        loss = own.percent_not_losing(best.value, state) - own.percent_not_losing(value, state)
        loss = 0.0 if loss < ROUNDING_TOLERANCE else loss
        own.value, own.lost = own.value - loss, own.lost + loss
        if len(judged) == 1:
            return
        advised, grade = best.move if loss else move, grade_decision(loss)
        shown = [own.percent_not_losing(one, state) / 100 for one in (value, best.value)]
        self.decisions.append(
            Decision(
                event_number=step.number,
                turn=self.turn,
                roll_number=state.rolls_used,
                dice=state.dice,
                played=describe_move(state, move),
                best=describe_move(state, advised),
                action=write_action(state, move, self.game.rules.dice),
                best_action=write_action(state, advised, self.game.rules.dice),
                value=own.percent_not_losing(best.value, state),
                loss=loss,
                grade=grade,
                reasons=() if grade == FINE else explain_loss(self.game, state, move, advised, shown, own.kind),
            )
        )

    def end_round(self, step: Step) -> None:
        """Settle a round for one seat, and draw the line under it; a throw for the start is part of the first one."""
        after: RoundState = step.after
        if (own := self.ledger) is not None:
            place = find_place(self.game, after, self.seat)
            if own.kind == SINGLE_ROUND:
                lost = after.result is not None and after.result.loser == self.seat
                value = 0.0 if lost else 100.0
            elif place is not None:
                value = own.percent_of_place(place - own.placed_before)
            else:
                value = own.percent_not_losing(value_before_round(self.game, after, self.seat), after)
            self.note_luck(step, value, OTHERS, after)
        if step.before.rolloff and step.before.rolloff.kind == START:
            return
        if own is not None:
            self.add_turn_summary(own.value)
            if own.kind == SINGLE_ROUND or place is not None:
                self.close_ledger()
        self.turn += 1

    def add_turn_summary(self, value: float) -> None:
        """Draw the line under a round."""
        luck = sum(roll.luck for roll in self.luck_events if roll.turn == self.turn)
        lost = sum(decision.loss for decision in self.decisions if decision.turn == self.turn)
        self.turn_summaries.append(TurnSummary(self.turn, luck, lost, value))


def is_round_start(state: RoundState) -> bool:
    """Tell whether a round is about to begin."""
    return state.phase == OPEN and state.seat == state.opener and not state.dice and state.rolloff is None


def count_placed(state: RoundState) -> int:
    """Count who left with a place."""
    return sum(map(len, state.places))


def find_place(game: RoundsGame, state: RoundState, seat: int) -> float | None:
    """Give the place of a seat that left or saw the end, a shared one averaged; none while it plays."""
    outcome = game.outcome(state)
    before = 0
    for group in outcome.places if outcome else state.places:
        if seat in group:
            return before + (len(group) + 1) / 2
        before += len(group)
    return None


def build_move_key(state: RoundState, move: Move) -> tuple[object, ...]:
    """Tell moves apart by the dice they keep, wherever those lie."""
    if isinstance(move, Roll):
        return Roll, *sorted(state.dice[place] for place in move.keep)
    return Stand, getattr(move, "aim", None)


def describe_move(state: RoundState, move: Move) -> Phrase:
    """Say a move in players' words."""
    match move:
        case Roll(()):
            return phrase("interface.advise.throw_all")
        case Roll(keep):
            return phrase("interface.advise.keep", dice=" ".join(map(str, sorted(state.dice[place] for place in keep))))
        case Stand(None):
            return phrase("interface.advise.stand")
        case Stand(aim):
            return phrase(f"interface.advise.stand_{aim}")
    raise TypeError(move)


def explain_loss(
    game: RoundsGame, state: RoundState, played: Move, best: Move, chances: list[float], kind: str
) -> tuple[Phrase, ...]:
    """Say why a move is worse: how often a follower does better than he must, and the chance itself."""
    shown = format_percents(*chances)
    found = [phrase(f"coach.why.away_{kind}", played=shown[0], best=shown[1])]
    if state.phase == FOLLOW:
        beats = [compute_chance_to_beat(game, state, move) for move in (played, best)]
        if beats[0] < beats[1]:
            shown = format_percents(*beats)
            found.insert(
                0, phrase("coach.why.beats", total=find_total_to_beat(game, state), played=shown[0], best=shown[1])
            )
    return tuple(found)


def review_rounds(game: RoundsGame, track: GameTrack, seat: int, coach: None = None) -> Review:  # noqa: ARG001
    """Review one seat of a game of rounds; no book is needed."""
    walk = RoundReviewer(game, seat)
    walk.start(track.start)
    for step in track.steps:
        walk.review_step(step)
    if walk.ledger is not None:
        walk.close_ledger(complete=False)
    return Review(
        seat=seat,
        unit=UNIT,
        par=sum(part.par for part in walk.parts),
        final=sum(part.final for part in walk.parts),
        scored=sum(part.final for part in walk.parts if part.closed),
        finished=track.state.seat is None and all(part.closed for part in walk.parts),
        decisions=tuple(walk.decisions),
        luck_events=tuple(walk.luck_events),
        turn_summaries=tuple(walk.turn_summaries),
        parts=tuple(walk.parts),
    )
