"""What the coach says before a move: the best moves here, what they may expect, what the others cost."""

from dataclasses import dataclass

from knobel.coach import round_review, sheet_review
from knobel.coach.grades import grade_decision
from knobel.coach.ledger import PERCENT, POINTS
from knobel.coach.rounds import count_players, is_whole_game_solved, rank_moves
from knobel.coach.sheet import SheetCoach
from knobel.games.round_state import RoundState
from knobel.games.rounds import RoundsGame
from knobel.games.sheet import SheetGame, SheetState
from knobel.notation import write_action
from knobel.phrase import Phrase
from knobel.record.track import GameTrack

MAX_MOVES = 5


@dataclass(frozen=True, slots=True)
class Advice:
    """A move, in words and as an action: what it may expect, what it costs against the best one."""

    action: str
    text: Phrase
    value: float
    loss: float
    grade: str


def advise(track: GameTrack, coach: SheetCoach | None) -> tuple[str, tuple[Advice, ...]]:
    """Judge the moves of whoever's turn it is, best first: in points, or in a game of rounds in percentage points."""
    if isinstance(track.game, RoundsGame):
        return PERCENT, advise_round(track.game, track.state)
    if coach is None:
        return POINTS, ()
    return POINTS, advise_sheet(track.game, track.state, coach)  # type: ignore[arg-type]


def advise_sheet(game: SheetGame, state: SheetState, coach: SheetCoach) -> tuple[Advice, ...]:
    """Judge the moves on a score sheet; keeps of equal dice are one move."""
    found: dict[Phrase, Advice] = {}
    for one in coach.rank_moves(game, state):
        words, action = (
            sheet_review.describe_move(game, state, one.move),
            write_action(state, one.move, game.rules.dice),
        )
        found.setdefault(words, Advice(action, words, one.value, one.loss, grade_decision(one.loss)))
    return tuple(found.values())[:MAX_MOVES]


def advise_round(game: RoundsGame, state: RoundState) -> tuple[Advice, ...]:
    """Judge the moves of a round, as chances to get away."""
    if state.rolloff or not state.dice:
        return ()
    kind = round_review.WHOLE_GAME if is_whole_game_solved(state) else round_review.SINGLE_ROUND
    account = round_review.OpenLedger(kind, 1, count_players(state), round_review.count_placed(state), 0.0, 0.0)
    judged = rank_moves(game, state)
    best = account.percent_not_losing(judged[0].value, state)
    found: dict[Phrase, Advice] = {}
    for one in judged:
        value, words = account.percent_not_losing(one.value, state), round_review.describe_move(state, one.move)
        loss = max(0.0, best - value)
        action = write_action(state, one.move, game.rules.dice)
        found.setdefault(words, Advice(action, words, value, loss, grade_decision(loss)))
    return tuple(found.values())[:MAX_MOVES]
