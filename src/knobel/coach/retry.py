"""Try a decision of a game again: what could be chosen there, and what another choice would have cost, and why."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from knobel.coach.families import find_family
from knobel.coach.ledger import Decision
from knobel.coach.moves import describe_move
from knobel.coach.review import FindCoach, find_book_rules
from knobel.coach.sheet import open_coach
from knobel.coach.sheet_review import describe_sheet_move
from knobel.coach.win_chance import EXACT_OPEN_BOXES, compute_win_chances, list_positions
from knobel.errors import IllegalAction, NoSuchDecision
from knobel.game import Announce, Game, Move, Roll, Score, Stand
from knobel.games.sheet import SheetGame
from knobel.notation import read_exact_action, write_action
from knobel.phrase import Phrase
from knobel.record.replay import Replay
from knobel.record.track import GameTrack, Step


@dataclass(frozen=True, slots=True)
class RetryChoice:
    """A choice other than rolling again, as an action and in words."""

    action: str
    text: Phrase


@dataclass(frozen=True, slots=True)
class RetryPosition:
    """What can be chosen at a decision: dice to keep, if there are rolls left, or one of the other choices."""

    dice: tuple[int, ...]
    locked: tuple[int, ...]
    can_roll: bool
    choices: tuple[RetryChoice, ...]


def describe_retry(replay: Replay, seat: int, event_number: int) -> RetryPosition:
    """Say what could be chosen at a decision of a seat."""
    track, step = find_decision(replay, seat, event_number)
    game, state = track.game, step.before
    moves = list(game.legal_moves(state))
    choices = [
        RetryChoice(write_action(state, move, game.rules.dice), describe_choice(game, state, move))
        for move in moves
        if not isinstance(move, Roll)
    ]
    can_roll = any(isinstance(move, Roll) for move in moves)
    return RetryPosition(state.dice, getattr(state, "locked", ()), can_roll, tuple(choices))


def describe_choice(game: Game[Any], state: Any, move: Move) -> Phrase:
    if isinstance(move, Score):
        return describe_sheet_move(cast("SheetGame", game), state, move)
    return describe_move(state.dice, move)


def judge_choice(
    replay: Replay, seat: int, event_number: int, action: str, find_coach: FindCoach = open_coach
) -> Decision | None:
    """Judge another choice at a decision of a seat as the review would have; nothing where there was no choice."""
    track, step = find_decision(replay, seat, event_number)
    game, state = track.game, step.before
    move = read_exact_action(state, action, game.rules.dice)
    if refusal := game.refusal(state, move):
        raise IllegalAction(why=refusal)
    place = track.steps.index(step)
    again = Step(step.number, step.event, move, state, game.apply(state, move))
    other = replace(track, steps=[*track.steps[:place], again])
    rules = find_book_rules(replay, seat)
    review = find_family(game).review(game, other, seat, find_coach(rules) if rules else None)
    return next((one for one in reversed(review.decisions) if one.event_number == event_number), None)


def find_win_change(replay: Replay, seat: int, event_number: int, action: str) -> float | None:
    """Give what a choice would change the chance to win by, where that is exact at once."""
    track, step = find_decision(replay, seat, event_number)
    if find_family(track.game).chart_wins is None or len(track.start.columns) < 2:
        return None
    game = cast("SheetGame", track.game)
    after = game.apply(step.before, read_exact_action(step.before, action, game.rules.dice))
    both = [list_positions(game, state) for state in (step.before, after)]
    if any(one.position.open_boxes > EXACT_OPEN_BOXES for positions in both for one in positions):
        return None
    before, now = (compute_win_chances(positions).players[seat].share for positions in both)
    return now - before


def find_decision(replay: Replay, seat: int, event_number: int) -> tuple[GameTrack, Step]:
    """Find the step of a seat that was a choice."""
    track = replay.track(seat)
    for step in track.steps:
        if step.number == event_number and is_choice_of(step, track.local_seat(seat)):
            return track, step
    raise NoSuchDecision(n=event_number)


def is_choice_of(step: Step, seat: int) -> bool:
    return isinstance(step.action, Roll | Score | Announce | Stand) and step.before.player == seat


def list_letters(choices: Sequence[RetryChoice]) -> dict[str, RetryChoice]:
    """Give each choice a letter, for those who type."""
    return {chr(ord("a") + place): choice for place, choice in enumerate(choices)}
