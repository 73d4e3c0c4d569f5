"""Reviews a score-sheet game: one player's rolls and decisions, in points."""

from dataclasses import dataclass, field, replace

from knobel.coach.figures import format_number
from knobel.coach.grades import FINE, compute_luck_scale, grade_decision, grade_luck
from knobel.coach.ledger import (
    AGAINST_RULES,
    DICE,
    POINTS,
    ROUNDING_TOLERANCE,
    UNSEEN,
    Decision,
    LuckEvent,
    MoveComparison,
    Review,
    TurnSummary,
    describe_occasion,
    sum_turn,
)
from knobel.coach.moves import describe_move
from knobel.coach.plans import find_plan
from knobel.coach.random_play import find_sheet_rate, is_real
from knobel.coach.reasons import find_reasons
from knobel.coach.sheet import MoveValue, SheetCoach, add_points_so_far
from knobel.game import Announce, EnterDice, EnterPoints, Land, Leave, Move, Roll, Score, is_against_rules
from knobel.games.sheet import SheetGame, SheetState
from knobel.phrase import BoxName, Phrase, phrase
from knobel.record.track import GameTrack, Step
from knobel.rules.column import tally

COLUMNS = ("turn", "entry", "points")


@dataclass
class SheetReviewer:
    """Follows the steps of one seat; `value` is the expected total of the seat after the last step.

    Entries against the rules can lead to a sheet that is not in the book; until it is again, `value` does not change.
    """

    game: SheetGame
    seat: int
    coach: SheetCoach
    value: float
    luck_scale: float
    random_rate: float
    turn: int = 1
    move_values: list[MoveValue] | None = None
    decisions: list[Decision] = field(default_factory=list)
    luck_events: list[LuckEvent] = field(default_factory=list)
    turn_summaries: list[TurnSummary] = field(default_factory=list)

    def review_step(self, step: Step) -> None:
        match step.action:
            case Score() | EnterPoints() if is_against_rules(step.action):
                self.note_entry_luck(step, AGAINST_RULES)
            case EnterPoints():
                self.note_entry_luck(step, UNSEEN)
            case Score() if self.is_out_of_book(step):
                self.note_entry_luck(step, UNSEEN)
            case Land() if not self.is_out_of_book(step):
                self.note_roll_luck(step, DICE)
            case EnterDice() if not self.is_out_of_book(step):
                self.note_roll_luck(step, UNSEEN)
            case Roll() | Announce() | Score() if not self.is_out_of_book(step):
                self.note_decision(step, step.action)
        if isinstance(step.action, Score | EnterPoints):
            self.end_turn(step, step.action.box)

    def is_out_of_book(self, step: Step) -> bool:
        return not self.coach.has_column(step.before.columns[self.seat])

    def note_roll_luck(self, step: Step, kind: str) -> None:
        """Note the luck of a roll, or of a turn of which only the last dice were shown."""
        self.move_values = self.coach.rank_moves(self.game, step.after)
        luck = self.move_values[0].value - self.value
        self.value += luck
        self.add_luck_event(kind, step, luck, step.after.rolls_used if kind == DICE else 0, step.after.dice)

    def note_entry_luck(self, step: Step, kind: str) -> None:
        """Note a turn whose dice are unknown, or an entry against the rules: luck and choices in one."""
        self.move_values = None
        column = step.after.columns[self.seat]
        luck = self.coach.expected_total(self.game.rules, column) - self.value if self.coach.has_column(column) else 0.0
        self.value += luck
        self.add_luck_event(kind, step, luck, 0, ())

    def add_luck_event(self, kind: str, step: Step, luck: float, roll_number: int, dice: tuple[int, ...]) -> None:
        self.luck_events.append(
            LuckEvent(kind, step.number, self.turn, roll_number, dice, luck, grade_luck(luck, self.luck_scale))
        )

    def note_decision(self, step: Step, move: Move) -> None:
        """Note what a decision cost, unless there was only one choice."""
        state: SheetState = step.before
        ranked = self.move_values or self.coach.rank_moves(self.game, state)
        self.move_values = None
        best = ranked[0]
        value = add_points_so_far(self.game.rules, state.column) + self.coach.value_move(self.game, state, move)
        loss = best.value - value
        self.value = value
        if len(ranked) == 1 and abs(loss) < ROUNDING_TOLERANCE:
            return
        loss = 0.0 if abs(loss) < ROUNDING_TOLERANCE else loss
        advised = best.move if loss else move
        grade = grade_decision(loss)
        explained = explain_loss(self.coach, self.game, state, (move, advised), loss) if grade != FINE else ((), None)
        self.decisions.append(
            Decision(
                **describe_occasion(step, self.turn, self.game.rules.dice, move, advised),
                played=describe_sheet_move(self.game, state, move),
                best=describe_sheet_move(self.game, state, advised),
                value=best.value,
                loss=loss,
                grade=grade,
                reasons=explained[0],
                comparison=explained[1],
                plan=find_plan(self.coach, self.game, state, move) if grade != FINE else None,
                random_loss=self.random_rate if is_real([one.loss for one in ranked]) else 0.0,
            )
        )

    def end_turn(self, step: Step, box: str) -> None:
        luck, lost = sum_turn(self.turn, self.luck_events, self.decisions)
        points = step.after.columns[self.seat].entries[self.game.rules.index[box]]
        self.turn_summaries.append(TurnSummary(self.turn, luck, lost, self.value, box, points))
        self.turn += 1


def explain_loss(
    coach: SheetCoach, game: SheetGame, state: SheetState, moves: tuple[Move, Move], loss: float
) -> tuple[tuple[Phrase, ...], MoveComparison]:
    """Find why the first of two moves is worse than the second, the best one, and the numbers behind that."""
    played, best = moves
    comparison = MoveComparison(*(coach.compute_outlook(game, state, move) for move in (best, played)))
    return find_reasons(game.rules_for(state.player), played, best, comparison, loss, state.announced), comparison


def describe_sheet_move(game: SheetGame, state: SheetState, move: Move) -> Phrase:
    """Describe a move in players' words, a score with its points."""
    if not isinstance(move, Score):
        return describe_move(state.dice, move)
    points = game.apply(state, move).columns[state.player].entries[game.rules.index[move.box]]
    return phrase("coach.move.score", box=BoxName(move.box), points=points or 0)


def find_expected_total(game: SheetGame, state: SheetState, seat: int, coach: SheetCoach) -> float:
    """Give the expected total of a seat where a game starts, which may be in the middle of its turn."""
    if state.rolloff is None and state.player == seat and (state.dice or state.announced):
        return coach.rank_moves(game, state)[0].value
    return coach.expected_total(game.rules_for(seat), state.columns[seat])


def review_column(game: SheetGame, track: GameTrack, seat: int, coach: SheetCoach) -> Review:
    """Review one seat of a score-sheet game."""
    local_seat = track.local_seat(seat)
    rules = game.rules_for(local_seat)
    par = find_expected_total(game, track.start, local_seat, coach)
    luck_scale = compute_luck_scale(coach.book.par, len(rules.boxes))
    reviewer = SheetReviewer(game, local_seat, coach, par, luck_scale, find_sheet_rate(coach))
    for step in track.steps:
        if isinstance(step.action, Leave):
            if step.action.seat == local_seat:
                break
        elif step.before.rolloff is None and step.before.player == local_seat:
            reviewer.review_step(step)
    column = track.state.columns[local_seat]
    review = Review(
        seat=seat,
        unit=POINTS,
        par=par,
        final=reviewer.value,
        scored=tally(rules, column).total,
        finished=column.is_full,
        decisions=tuple(reviewer.decisions),
        luck_events=tuple(reviewer.luck_events),
        turn_summaries=tuple(reviewer.turn_summaries),
        has_expected_scores=coach.expected_scores is not None,
        entries=tuple((box.id, points) for box, points in zip(rules.boxes, column.entries, strict=True)),
        in_book=coach.has_column(column),
        columns=COLUMNS,
    )
    return replace(review, remarks=list_sheet_remarks(review))


def list_sheet_remarks(review: Review) -> tuple[Phrase, ...]:
    """List why the numbers of a game are not final."""
    if not review.in_book:
        return (phrase("coach.report.out_of_book"),)
    if review.finished:
        return ()
    written, rest = format_number(review.scored, 0), format_number(review.still_expected, 1)
    return (phrase("coach.report.unfinished", written=written, rest=rest),)
