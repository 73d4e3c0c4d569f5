"""Goes through a game of rounds with the coach: one player's rolls and decisions, in percentage points.

What is counted is the chance to get away. Where the whole game is solved it is that of the game: 100 for the first
place, 0 for the last, places between and shared ones in proportion; with two players simply not to lose. Elsewhere each
round has a ledger of its own: 100 for not losing it. Whoever quits breaks a ledger off where it stands.
"""

from dataclasses import dataclass, field

from knobel.game import Land, Leave, Move, Show, Stand, Throw
from knobel.games.round_state import FOLLOW, OPEN, START, RoundState
from knobel.games.rounds import Rounds
from knobel.notation import write
from knobel.phrase import Phrase, phrase
from knobel.record.lane import Lane, Step
from knobel.review.grades import FINE, PERCENT, decision_grade, luck_grade
from knobel.review.ledger import DICE, OTHERS, UNSEEN, Decision, Part, Review, Roll, TurnLine
from knobel.review.ledger import PERCENT as UNIT
from knobel.review.reasons import percents
from knobel.round_coach import FEW, before_round, before_turn, chance_to_beat, is_whole, judge, playing, to_beat

WHOLE, ROUND = "game", "round"
TINY = 1e-9


@dataclass
class Account:
    """A ledger that is open: what kind it is, how many play, how many had a place before, and what it stands at."""

    kind: str
    turn: int
    players: int
    placed: int
    par: float
    value: float
    luck: float = 0.0
    lost: float = 0.0

    def safe(self, value: float, state: RoundState) -> float:
        """Turn a solved value into a chance to get away, in percent."""
        if self.kind == ROUND:
            return 100.0 * (1.0 - value)
        return self.ranked(value + placed(state) - self.placed)

    def ranked(self, place: float) -> float:
        """Turn a place into a part of the way from the last to the first, in percent."""
        return 100.0 * (self.players - place) / (self.players - 1)


@dataclass
class Walk:
    """A walk along the steps of a game, for one seat."""

    game: Rounds
    seat: int
    turn: int = 1
    account: Account | None = None
    decisions: list[Decision] = field(default_factory=list)
    rolls: list[Roll] = field(default_factory=list)
    turns: list[TurnLine] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)

    def begin(self, state: RoundState) -> None:
        """Begin where the game begins; a throw for the start is luck, for everybody may win it."""
        if state.tied and state.tied.kind == START:
            if len(state.inside) in FEW:
                self.account = Account(WHOLE, self.turn, len(state.inside), 0, 50.0, 50.0)
        elif is_fresh(state):
            self.open(state)

    def open(self, state: RoundState) -> None:
        """Open a ledger before a round, if the seat plays in it."""
        if self.seat in state.inside:
            self.open_at(state, before_round(self.game, state, self.seat))

    def open_at(self, state: RoundState, value: float) -> None:
        """Open a ledger with a solved value."""
        kind = WHOLE if is_whole(state) else ROUND
        self.account = Account(kind, self.turn, playing(state), placed(state), 0.0, 0.0)
        self.account.par = self.account.value = self.account.safe(value, state)

    def close(self, whole: bool = True) -> None:
        """Close the ledger: at its end, or where somebody quit."""
        if (own := self.account) is not None:
            self.parts.append(
                Part(own.kind, own.turn, own.players, own.par, own.luck, own.lost, own.value, closed=whole)
            )
        self.account = None

    def step(self, step: Step) -> None:
        """Take one step of anybody."""
        if isinstance(step.action, Leave):
            self.close(whole=False)
        elif step.before.player == self.seat and step.before.tied is None:
            self.act(step)
        if step.after.rounds != step.before.rounds or step.after.seat is None:
            self.end_round(step)
        if self.account is None and is_fresh(step.after):
            self.open(step.after)

    def act(self, step: Step) -> None:
        """Take a step of one's own."""
        state: RoundState = step.before
        match step.action:
            case Throw() if not state.dice:
                self.arrive(step, before_turn(self.game, state), state, OTHERS)
            case Land():
                self.arrive(step, judge(self.game, step.after)[0].value, step.after, DICE)
            case Show():
                self.arrive(step, before_turn(self.game, state), state, OTHERS)
                self.arrive(step, judge(self.game, step.after)[0].value, step.after, UNSEEN)
            case Throw() | Stand():
                self.decide(step, step.action)

    def arrive(self, step: Step, value: float, state: RoundState, kind: str) -> None:
        """Come to a value by luck: that of one's own dice, or of whatever the others did."""
        if self.account is None:
            self.open_at(state, value)
            return
        self.settle(step, self.account.safe(value, state), kind, state)

    def settle(self, step: Step, value: float, kind: str, state: RoundState) -> None:
        """Note the luck between where the ledger stood and a value."""
        if (own := self.account) is None:
            return
        luck, own.value = value - own.value, value
        own.luck += luck
        if kind != OTHERS or abs(luck) > TINY:
            throw, dice = (0, ()) if kind == OTHERS else (state.thrown, state.dice)
            self.rolls.append(Roll(kind, step.number, self.turn, throw, dice, luck, luck_grade(luck, PERCENT)))

    def decide(self, step: Step, move: Move) -> None:
        """Note what a decision cost."""
        state: RoundState = step.before
        judged = judge(self.game, state)
        if self.account is None:
            self.open_at(state, judged[0].value)
        own, best = self.account, judged[0]
        if own is None:
            return
        value = next(one.value for one in judged if kept(state, one.move) == kept(state, move))
        loss = own.safe(best.value, state) - own.safe(value, state)
        loss = 0.0 if loss < TINY else loss
        own.value, own.lost = own.value - loss, own.lost + loss
        if len(judged) == 1:
            return
        advised, grade = best.move if loss else move, decision_grade(loss)
        shown = [own.safe(one, state) / 100 for one in (value, best.value)]
        self.decisions.append(
            Decision(
                number=step.number,
                turn=self.turn,
                throw=state.thrown,
                dice=state.dice,
                played=said(state, move),
                best=said(state, advised),
                action=write(state, move, self.game.rules.dice),
                best_action=write(state, advised, self.game.rules.dice),
                value=own.safe(best.value, state),
                loss=loss,
                grade=grade,
                why=() if grade == FINE else why(self.game, state, move, advised, shown, own.kind),
            )
        )

    def end_round(self, step: Step) -> None:
        """Settle a round for one seat, and draw the line under it; a throw for the start is part of the first one."""
        after: RoundState = step.after
        if (own := self.account) is not None:
            place = place_of(self.game, after, self.seat)
            if own.kind == ROUND:
                lost = after.told is not None and after.told.loser == self.seat
                value = 0.0 if lost else 100.0
            elif place is not None:
                value = own.ranked(place - own.placed)
            else:
                value = own.safe(before_round(self.game, after, self.seat), after)
            self.settle(step, value, OTHERS, after)
        if step.before.tied and step.before.tied.kind == START:
            return
        if own is not None:
            self.line(own.value)
            if own.kind == ROUND or place is not None:
                self.close()
        self.turn += 1

    def line(self, value: float) -> None:
        """Draw the line under a round."""
        luck = sum(roll.luck for roll in self.rolls if roll.turn == self.turn)
        lost = sum(decision.loss for decision in self.decisions if decision.turn == self.turn)
        self.turns.append(TurnLine(self.turn, luck, lost, value))


def is_fresh(state: RoundState) -> bool:
    """Tell whether a round is about to begin."""
    return state.phase == OPEN and state.seat == state.opener and not state.dice and state.tied is None


def placed(state: RoundState) -> int:
    """Count who left with a place."""
    return sum(map(len, state.places))


def place_of(game: Rounds, state: RoundState, seat: int) -> float | None:
    """Give the place of a seat that left or saw the end, a shared one averaged; none while it plays."""
    outcome = game.outcome(state)
    before = 0
    for group in outcome.places if outcome else state.places:
        if seat in group:
            return before + (len(group) + 1) / 2
        before += len(group)
    return None


def kept(state: RoundState, move: Move) -> tuple[object, ...]:
    """Tell moves apart by the dice they keep, wherever those lie."""
    if isinstance(move, Throw):
        return Throw, *sorted(state.dice[place] for place in move.keep)
    return Stand, getattr(move, "aim", None)


def said(state: RoundState, move: Move) -> Phrase:
    """Say a move in players' words."""
    match move:
        case Throw(()):
            return phrase("interface.advise.throw_all")
        case Throw(keep):
            return phrase("interface.advise.keep", dice=" ".join(map(str, sorted(state.dice[place] for place in keep))))
        case Stand(None):
            return phrase("interface.advise.stand")
        case Stand(aim):
            return phrase(f"interface.advise.stand_{aim}")
    raise TypeError(move)


def why(
    game: Rounds, state: RoundState, played: Move, best: Move, chances: list[float], kind: str
) -> tuple[Phrase, ...]:
    """Say why a move is worse: how often a follower does better than he must, and the chance itself."""
    shown = percents(*chances)
    found = [phrase(f"coach.why.away_{kind}", played=shown[0], best=shown[1])]
    if state.phase == FOLLOW:
        beats = [chance_to_beat(game, state, move) for move in (played, best)]
        if beats[0] < beats[1]:
            shown = percents(*beats)
            found.insert(0, phrase("coach.why.beats", total=to_beat(game, state), played=shown[0], best=shown[1]))
    return tuple(found)


def review_rounds(lane: Lane, seat: int) -> Review:
    """Review one seat of a game of rounds."""
    game: Rounds = lane.game  # type: ignore[assignment]
    walk = Walk(game, seat)
    walk.begin(lane.start)
    for step in lane.steps:
        walk.step(step)
    if walk.account is not None:
        walk.close(whole=False)
    return Review(
        seat=seat,
        unit=UNIT,
        par=sum(part.par for part in walk.parts),
        final=sum(part.final for part in walk.parts),
        written=sum(part.final for part in walk.parts if part.closed),
        over=lane.state.seat is None and all(part.closed for part in walk.parts),
        decisions=tuple(walk.decisions),
        rolls=tuple(walk.rolls),
        turns=tuple(walk.turns),
        parts=tuple(walk.parts),
    )
