"""How each family of games makes puzzles: how a game starts, what moves are worth, which one is tempting, and why."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from knobel.coach.advice import find_ledger_kind, rank_by_percent
from knobel.coach.ledger import PERCENT, POINTS
from knobel.coach.moves import describe_move
from knobel.coach.plans import list_planned_moves
from knobel.coach.round_reasons import find_round_reasons
from knobel.coach.sheet import MoveValue, SheetCoach
from knobel.coach.sheet_review import describe_sheet_move, explain_loss
from knobel.game import Game, Move
from knobel.games.round_state import FOLLOW, RoundState
from knobel.games.rounds import RoundsGame
from knobel.games.sheet import SheetGame, SheetState
from knobel.learning.lesson import Lesson
from knobel.learning.round_lessons import ROUND_LESSONS
from knobel.learning.sheet_lessons import SHEET_LESSONS
from knobel.learning.themes import (
    AIM,
    KEEP,
    STOP,
    THEMES,
    find_plain_theme,
    find_sheet_theme,
    has_sheet_theme,
    may_be_sheet_theme,
)
from knobel.notation import write_action
from knobel.phrase import Phrase, phrase
from knobel.rules.families import ROUNDS, SHEET

ROUND_PLAYERS = 2
"""How many play the games of rounds that puzzles are taken from: with two the whole game is solved."""

DIGITS = 6
"""Values are compared after rounding to so many digits."""
WHOLE_PLAN = 1.0
"""How natural a plan is; a slip is less."""


@dataclass(frozen=True, slots=True)
class LearningFamily:
    """One family of games; `find_tempting` gives a move that people choose, if it costs at least so much."""

    unit: str
    themes: tuple[str, ...]
    start: Callable[[Any], Any]
    rank: Callable[[Any, Any, Any], list[MoveValue]]
    find_tempting: Callable[[Any, Any, Any, Sequence[MoveValue], float], MoveValue | None]
    find_theme: Callable[[Any, Any, Move, Move], str]
    describe: Callable[[Any, Any, Move], Phrase]
    explain: Callable[[Any, Any, Any, MoveValue, MoveValue], tuple[Phrase, ...]]
    ask: Callable[[Any, Any], Phrase]
    may_be_theme: Callable[[str, Any, Any, Move], bool]
    has_theme: Callable[[Any, str], bool] = lambda _rules, _theme: True
    lessons: Sequence[Lesson] = ()
    has_game_of_day: bool = False


def find_family(game: Game[Any]) -> LearningFamily:
    return FAMILIES[game.rules.family]


def list_themes(game: Game[Any]) -> list[str]:
    """List the themes that can come up by the rules of a game."""
    family = find_family(game)
    return [theme for theme in family.themes if family.has_theme(game.rules, theme)]


def start_sheet(game: SheetGame) -> SheetState:
    return game.start(1, 0)


def rank_sheet(game: SheetGame, state: SheetState, coach: SheetCoach) -> list[MoveValue]:
    return coach.rank_moves(game, state)


def is_at_least(loss: float, least: float) -> bool:
    """Tell whether a move costs at least so much; the last bits of a solved book decide nothing."""
    return round(loss, DIGITS) >= least


def find_tempting_plan(
    game: SheetGame,
    state: SheetState,
    coach: SheetCoach,
    ranked: Sequence[MoveValue],  # noqa: ARG001
    least: float,
) -> MoveValue | None:
    """Find the most natural plan that costs something but is no slip; of equal ones the one that costs least."""
    found = list_planned_moves(coach, game, state)
    whole = [one for one in found if one.plan is not None and one.weight >= WHOLE_PLAN]
    planned = [one for one in whole if is_at_least(one.loss, least)]
    if not planned:
        return None
    best = min(
        planned, key=lambda one: (-one.weight, round(one.loss, DIGITS), write_action(state, one.move, game.rules.dice))
    )
    return MoveValue(best.move, 0.0, best.loss)


def explain_on_sheet(
    game: SheetGame, state: SheetState, coach: SheetCoach, played: MoveValue, best: MoveValue
) -> tuple[Phrase, ...]:
    return explain_loss(coach, game, state, (played.move, best.move), played.loss)[0]


def ask_on_sheet(game: SheetGame, state: SheetState) -> Phrase:
    """Ask for what is to be chosen now."""
    if not state.dice:
        return phrase("coach.puzzle.ask_announce")
    left = game.rules.rolls - state.rolls_used
    return phrase("coach.puzzle.ask_keep", n=left) if left else phrase("coach.puzzle.ask_box")


def start_rounds(game: RoundsGame) -> RoundState:
    return game.start(ROUND_PLAYERS, 0)


def rank_rounds(game: RoundsGame, state: RoundState, coach: None) -> list[MoveValue]:  # noqa: ARG001
    return rank_by_percent(game, state) if state.dice else []


def find_tempting_roll(
    game: RoundsGame,  # noqa: ARG001
    state: RoundState,  # noqa: ARG001
    coach: None,  # noqa: ARG001
    ranked: Sequence[MoveValue],
    least: float,
) -> MoveValue | None:
    """Find the move that comes nearest to the best one, but costs something."""
    return next((one for one in ranked if is_at_least(one.loss, least)), None)


def find_round_theme(game: RoundsGame, state: RoundState, best: Move, other: Move) -> str:  # noqa: ARG001
    return find_plain_theme(best, other)


def describe_round_move(game: RoundsGame, state: RoundState, move: Move) -> Phrase:  # noqa: ARG001
    return describe_move(state.dice, move)


def explain_round(
    game: RoundsGame,
    state: RoundState,
    coach: None,  # noqa: ARG001
    played: MoveValue,
    best: MoveValue,
) -> tuple[Phrase, ...]:
    chances = [played.value / 100, best.value / 100]
    return find_round_reasons(game, state, played.move, best.move, chances, find_ledger_kind(state))


def ask_in_round(game: RoundsGame, state: RoundState) -> Phrase:
    """Ask whether to stand; a follower is told the total to beat, and an opener without rolls has to choose an aim."""
    left = game.max_rolls(state) - state.rolls_used
    if not left:
        return phrase("coach.puzzle.ask_aim")
    if state.phase != FOLLOW:
        return phrase("coach.puzzle.ask_stand", n=left)
    return phrase(f"coach.puzzle.ask_{state.aim}", n=left, target=state.target)


def may_be_any_theme(theme: str, game: RoundsGame, state: RoundState, best: Move) -> bool:  # noqa: ARG001
    return True


FAMILIES: dict[str, LearningFamily] = {
    SHEET: LearningFamily(
        POINTS,
        tuple(theme for theme in THEMES if theme != AIM),
        start_sheet,
        rank_sheet,
        find_tempting_plan,
        find_sheet_theme,
        describe_sheet_move,
        explain_on_sheet,
        ask_on_sheet,
        may_be_sheet_theme,
        has_sheet_theme,
        SHEET_LESSONS,
        has_game_of_day=True,
    ),
    ROUNDS: LearningFamily(
        PERCENT,
        (AIM, STOP, KEEP),
        start_rounds,
        rank_rounds,
        find_tempting_roll,
        find_round_theme,
        describe_round_move,
        explain_round,
        ask_in_round,
        may_be_any_theme,
        lessons=ROUND_LESSONS,
    ),
}
