"""Goes through a score-sheet game with the coach: one player's rolls and decisions, in points."""

from dataclasses import dataclass, field

from knobel.coach import Coach, Judged, points_so_far
from knobel.game import Announce, Fill, Land, Leave, Move, Show, Throw, Write, bends
from knobel.games.sheet import Sheet, SheetState
from knobel.notation import write
from knobel.phrase import BoxName, Phrase, phrase
from knobel.record.lane import Lane, Step
from knobel.review.grades import FINE, decision_grade, luck_grade, scale_of
from knobel.review.ledger import BENT, DICE, POINTS, UNSEEN, Compared, Decision, Review, Roll, TurnLine
from knobel.review.reasons import reasons
from knobel.rules.column import tally

TINY = 1e-9
"""Whatever is smaller is rounding."""


@dataclass
class Walk:
    """A walk along the steps of one seat; `value` is what the seat may expect where the walk stands.

    Entries played anyway can lead where no book goes; until the sheet is in order again, `value` stays as it was.
    """

    game: Sheet
    seat: int
    coach: Coach
    value: float
    scale: float
    turn: int = 1
    judged: list[Judged] | None = None
    decisions: list[Decision] = field(default_factory=list)
    rolls: list[Roll] = field(default_factory=list)
    turns: list[TurnLine] = field(default_factory=list)

    def step(self, step: Step) -> None:
        """Take one step."""
        match step.action:
            case Fill() | Write() if bends(step.action):
                self.write(step, BENT)
            case Write():
                self.write(step, UNSEEN)
            case Fill() if self.is_lost(step):
                self.write(step, UNSEEN)
            case Land() if not self.is_lost(step):
                self.land(step, DICE)
            case Show() if not self.is_lost(step):
                self.land(step, UNSEEN)
            case Throw() | Announce() | Fill() if not self.is_lost(step):
                self.decide(step, step.action)
        if isinstance(step.action, Fill | Write):
            self.end_turn(step, step.action.box)

    def is_lost(self, step: Step) -> bool:
        """Tell whether a step is taken where no book goes."""
        return not self.coach.knows(step.before.columns[self.seat])

    def land(self, step: Step, kind: str) -> None:
        """Note how lucky a roll was, or a turn of which only the last dice were shown."""
        self.judged = self.coach.judge(self.game, step.after)
        luck = self.judged[0].value - self.value
        self.value += luck
        self.roll(kind, step, luck, step.after.thrown if kind == DICE else 0, step.after.dice)

    def write(self, step: Step, kind: str) -> None:
        """Note a turn nobody saw, or an entry that no rules can judge: luck and choices in one."""
        self.judged = None
        column = step.after.columns[self.seat]
        luck = self.coach.worth(self.game.rules, column) - self.value if self.coach.knows(column) else 0.0
        self.value += luck
        self.roll(kind, step, luck, 0, ())

    def roll(self, kind: str, step: Step, luck: float, throw: int, dice: tuple[int, ...]) -> None:
        """Note some luck."""
        self.rolls.append(Roll(kind, step.number, self.turn, throw, dice, luck, luck_grade(luck, self.scale)))

    def decide(self, step: Step, move: Move) -> None:
        """Note what a decision cost, if there was anything to decide."""
        state: SheetState = step.before
        judged = self.judged or self.coach.judge(self.game, state)
        self.judged = None
        best = judged[0]
        value = points_so_far(self.game.rules, state.column) + self.coach.value(self.game, state, move)
        loss = best.value - value
        self.value = value
        if len(judged) == 1 and abs(loss) < TINY:
            return
        loss = 0.0 if abs(loss) < TINY else loss
        advised = best.move if loss else move
        grade = decision_grade(loss)
        why, compared = self.explain(state, move, advised, loss) if grade != FINE else ((), None)
        self.decisions.append(
            Decision(
                number=step.number,
                turn=self.turn,
                throw=state.thrown,
                dice=state.dice,
                played=said(self.game, state, move),
                best=said(self.game, state, advised),
                action=write(state, move, self.game.rules.dice),
                best_action=write(state, advised, self.game.rules.dice),
                value=best.value,
                loss=loss,
                grade=grade,
                why=why,
                compared=compared,
            )
        )

    def explain(self, state: SheetState, played: Move, best: Move, loss: float) -> tuple[tuple[Phrase, ...], Compared]:
        """Say why a move is worse, with the numbers."""
        numbers = Compared(*(self.coach.outlook(self.game, state, move) for move in (best, played)))
        return reasons(self.game.rules_of(self.seat), played, best, numbers, loss), numbers

    def end_turn(self, step: Step, box: str) -> None:
        """Draw the line under a turn."""
        here = self.turn
        luck = sum(roll.luck for roll in self.rolls if roll.turn == here)
        lost = sum(decision.loss for decision in self.decisions if decision.turn == here)
        points = step.after.columns[self.seat].entries[self.game.rules.index[box]]
        self.turns.append(TurnLine(here, luck, lost, self.value, box, points))
        self.turn += 1


def said(game: Sheet, state: SheetState, move: Move) -> Phrase:
    """Say a move in players' words."""
    match move:
        case Throw(()):
            return phrase("interface.advise.throw_all")
        case Throw(keep):
            return phrase("interface.advise.keep", dice=" ".join(map(str, sorted(state.dice[place] for place in keep))))
        case Announce(box):
            return phrase("interface.advise.announce", box=BoxName(box))
        case Fill(box):
            points = game.after(state, move).columns[state.player].entries[game.rules.index[box]]
            return phrase("coach.move.write", box=BoxName(box), points=points or 0)
    raise TypeError(move)


def expected(game: Sheet, state: SheetState, seat: int, coach: Coach) -> float:
    """Say what a seat may expect where a game begins, be it in the middle of its turn."""
    if state.rolloff is None and state.player == seat and (state.dice or state.announced):
        return coach.judge(game, state)[0].value
    return coach.worth(game.rules_of(seat), state.columns[seat])


def review_column(lane: Lane, seat: int, coach: Coach) -> Review:
    """Review one seat of a score-sheet game."""
    game: Sheet = lane.game  # type: ignore[assignment]
    within = lane.within(seat)
    rules = game.rules_of(within)
    par = expected(game, lane.start, within, coach)
    walk = Walk(game, within, coach, par, scale_of(coach.book.par, len(rules.boxes)))
    for step in lane.steps:
        if isinstance(step.action, Leave):
            if step.action.seat == within:
                break
        elif step.before.rolloff is None and step.before.player == within:
            walk.step(step)
    column = lane.state.columns[within]
    return Review(
        seat=seat,
        unit=POINTS,
        par=par,
        final=walk.value,
        written=tally(rules, column).total,
        over=column.full,
        decisions=tuple(walk.decisions),
        rolls=tuple(walk.rolls),
        turns=tuple(walk.turns),
        told_apart=coach.prospects is not None,
        sheet=tuple((box.id, points) for box, points in zip(rules.boxes, column.entries, strict=True)),
        in_book=coach.knows(column),
    )
