"""What the coach says before a move: the best moves here, what they may expect, what the others cost."""

from dataclasses import dataclass

from knobel.coach import Coach
from knobel.games.round_state import RoundState
from knobel.games.rounds import Rounds
from knobel.games.sheet import Sheet, SheetState
from knobel.notation import write
from knobel.phrase import Phrase
from knobel.record.lane import Lane
from knobel.review import columns, rounds
from knobel.review.grades import decision_grade
from knobel.review.ledger import PERCENT, POINTS
from knobel.round_coach import is_whole, judge, playing

MOST = 5


@dataclass(frozen=True, slots=True)
class Advice:
    """A move, in words and as an action: what it may expect, what it costs against the best one."""

    action: str
    said: Phrase
    value: float
    loss: float
    grade: str


def advised(lane: Lane, coach: Coach | None) -> tuple[str, tuple[Advice, ...]]:
    """Judge the moves of whoever's turn it is, best first: in points, or in a game of rounds in percentage points."""
    if isinstance(lane.game, Rounds):
        return PERCENT, in_a_round(lane.game, lane.state)
    if coach is None:
        return POINTS, ()
    return POINTS, on_a_sheet(lane.game, lane.state, coach)  # type: ignore[arg-type]


def on_a_sheet(game: Sheet, state: SheetState, coach: Coach) -> tuple[Advice, ...]:
    """Judge the moves on a score sheet; keeps of equal dice are one move."""
    found: dict[Phrase, Advice] = {}
    for one in coach.judge(game, state):
        words, action = columns.said(game, state, one.move), write(state, one.move, game.rules.dice)
        found.setdefault(words, Advice(action, words, one.value, one.loss, decision_grade(one.loss)))
    return tuple(found.values())[:MOST]


def in_a_round(game: Rounds, state: RoundState) -> tuple[Advice, ...]:
    """Judge the moves of a round, as chances to get away."""
    if state.tied or not state.dice:
        return ()
    kind = rounds.WHOLE if is_whole(state) else rounds.ROUND
    account = rounds.Account(kind, 1, playing(state), rounds.placed(state), 0.0, 0.0)
    judged = judge(game, state)
    best = account.safe(judged[0].value, state)
    found: dict[Phrase, Advice] = {}
    for one in judged:
        value, words = account.safe(one.value, state), rounds.said(state, one.move)
        loss = max(0.0, best - value)
        action = write(state, one.move, game.rules.dice)
        found.setdefault(words, Advice(action, words, value, loss, decision_grade(loss)))
    return tuple(found.values())[:MOST]
