"""What the coach says before a move: the best moves here, their expected values, and what the others cost."""

from dataclasses import dataclass

from knobel.coach import round_review, sheet_review
from knobel.coach.grades import grade_decision
from knobel.coach.ledger import SINGLE_ROUND, WHOLE_GAME
from knobel.coach.moves import describe_move
from knobel.coach.round_review import count_placed
from knobel.coach.rounds import count_players, is_whole_game_solved, rank_moves
from knobel.coach.sheet import MoveValue, SheetCoach
from knobel.coach.winning import find_win_changes
from knobel.games.round_state import RoundState
from knobel.games.rounds import RoundsGame
from knobel.games.sheet import SheetGame, SheetState
from knobel.notation import write_action
from knobel.phrase import Phrase

MAX_MOVES = 5


@dataclass(frozen=True, slots=True)
class Advice:
    """A move in words and as an action, with its expected value and what it costs against the best one."""

    action: str
    text: Phrase
    value: float
    loss: float
    grade: str
    win_change: float | None = None
    """How much more likely it wins than the best move for points, if that is known."""


def advise_sheet(game: SheetGame, state: SheetState, coach: SheetCoach) -> tuple[Advice, ...]:
    """Rank the moves on a score sheet, best first; keeps of equal dice are one move."""
    if state.rolloff:
        return ()
    changes = find_win_changes(game, state)
    found: dict[Phrase, Advice] = {}
    for one in coach.rank_moves(game, state):
        text = sheet_review.describe_sheet_move(game, state, one.move)
        action = write_action(state, one.move, game.rules.dice)
        change = changes.get(one.move)
        found.setdefault(text, Advice(action, text, one.value, one.loss, grade_decision(one.loss), change))
    moves = list(found.values())
    likeliest = max(moves, key=lambda one: one.win_change or 0.0)
    return (*moves[:MAX_MOVES], *([likeliest] if likeliest not in moves[:MAX_MOVES] else []))


def advise_round(game: RoundsGame, state: RoundState, coach: None = None) -> tuple[Advice, ...]:  # noqa: ARG001
    """Rank the moves of a round by the chance of not losing, best first; no book is needed."""
    if state.rolloff or not state.dice:
        return ()
    found: dict[Phrase, Advice] = {}
    for one in rank_by_percent(game, state):
        text, action = describe_move(state.dice, one.move), write_action(state, one.move, game.rules.dice)
        found.setdefault(text, Advice(action, text, one.value, one.loss, grade_decision(one.loss)))
    return tuple(found.values())[:MAX_MOVES]


def rank_by_percent(game: RoundsGame, state: RoundState) -> list[MoveValue]:
    """Rank the moves of a round, best first, each with the chance of not losing in percent and what it costs of it."""
    ledger = round_review.OpenLedger(find_ledger_kind(state), 1, count_players(state), count_placed(state), 0.0, 0.0)
    percents = [(one.move, ledger.percent_not_losing(one.value, state)) for one in rank_moves(game, state)]
    return [MoveValue(move, percent, max(0.0, percents[0][1] - percent)) for move, percent in percents]


def find_ledger_kind(state: RoundState) -> str:
    """Say whether moves are valued by the whole game or by the round."""
    return WHOLE_GAME if is_whole_game_solved(state) else SINGLE_ROUND
