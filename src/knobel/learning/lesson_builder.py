"""Builds lessons for the rules at hand: which there are, why others are missing, and which positions they show."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from knobel.coach.sheet import MoveValue
from knobel.errors import LessonMissing, UnknownLesson
from knobel.game import Game, Move
from knobel.learning.families import DIGITS, LearningFamily, find_family
from knobel.learning.generator import CLEAR_GAP, choose_best
from knobel.learning.lesson import FIRST, NOTHING, SECOND, SIMPLE, BuiltLesson, Lesson, LessonStep, TwoFigures
from knobel.learning.puzzle import Puzzle
from knobel.learning.scenes import Scene
from knobel.learning.themes import KEEP
from knobel.notation import write_action
from knobel.phrase import Phrase, phrase
from knobel.rules.fields import abbreviate

MAX_CHOICES = 4
IDEAL_GAP = 2.0
"""What a wrong choice costs at best, in points or percent: enough to matter, too little to see at once."""
SIMPLE_GAP = 6.0
"""The same for children."""


@dataclass(frozen=True, slots=True)
class ListedLesson:
    """A lesson and its number among those that these rules have; without one, what they lack for it."""

    lesson: Lesson
    number: int | None
    missing: str | None


def list_lessons(game: Game[Any], coach: Any) -> list[ListedLesson]:
    """List the lessons of a family by the rules at hand, those that are missing with the reason."""
    listed, number, family = list[ListedLesson](), 0, find_family(game)
    for lesson in family.lessons:
        missing = lesson.find_missing(game.rules)
        if missing is None and not any(list_choices(family, coach, scene) for scene in lesson.list_scenes(game)):
            missing = NOTHING
        number += missing is None
        listed.append(ListedLesson(lesson, None if missing else number, missing))
    return listed


def find_lesson(listed: Sequence[ListedLesson], name: str) -> Lesson:
    """Find a lesson by its number or its key."""
    found = next((one for one in listed if name in (one.lesson.key, str(one.number))), None)
    if found is None:
        known = tuple(one.lesson.key for one in listed if one.number)
        raise UnknownLesson(name=abbreviate(name), known=known)
    if found.missing:
        raise LessonMissing(why=phrase(f"coach.lesson.without.{found.missing}"))
    return found.lesson


def build_lesson(game: Game[Any], coach: Any, lesson: Lesson, simple: bool = False) -> BuiltLesson:
    """Find the positions of a lesson and compute its numbers; a simple one is for children."""
    family = find_family(game)
    found = find_positions(family, coach, lesson.list_scenes(game))
    if not found:
        raise LessonMissing(why=phrase(f"coach.lesson.without.{NOTHING}"))
    if simple:
        texts = (lesson.build_sentence(SIMPLE, {}), None)
        told: list[tuple[Phrase | None, Found]] = list(zip(texts, choose_simple(family, found), strict=False))
    else:
        told = choose_told(family, lesson, lesson.compute(game, coach), found)
    return BuiltLesson(lesson, game, tuple(LessonStep(text, scene, choices) for text, (scene, choices) in told))


def build_step_puzzle(lesson: Lesson, step: LessonStep) -> Puzzle:
    """Give the position of a step as a puzzle, which knows its question and grades answers."""
    return Puzzle(step.scene.game, step.scene.state, lesson.theme or KEEP, actions=step.scene.actions)


Found = tuple[Scene, tuple[MoveValue, ...]]


def find_positions(family: LearningFamily, coach: Any, scenes: Sequence[Scene]) -> list[Found]:
    """Find the positions with a clear answer."""
    return [(scene, choices) for scene in scenes if (choices := list_choices(family, coach, scene))]


def choose_told(
    family: LearningFamily, lesson: Lesson, figures: TwoFigures, found: Sequence[Found]
) -> list[tuple[Phrase | None, Found]]:
    """Choose positions for both sentences, each of which its sentence is true; one without is left out."""
    ranked = sorted(found, key=lambda one: rate_gap(one, IDEAL_GAP))
    fitting = [
        [(scene, choices) for scene, choices in ranked if claim(scene, choices[0].move, numbers)]
        for claim, numbers in zip(lesson.claims, figures, strict=True)
    ]
    texts = [lesson.build_sentence(name, numbers) for name, numbers in zip((FIRST, SECOND), figures, strict=True)]
    told: list[tuple[Phrase | None, Found]] = [
        (text, one) for text, one in zip(texts, choose_steps(family, *fitting), strict=True) if one
    ]
    return told or [(None, ranked[0])]


def choose_steps(
    family: LearningFamily, first: Sequence[Found], second: Sequence[Found]
) -> tuple[Found | None, Found | None]:
    """Choose a position where the usual move is best, and one where it is not; else another one with another answer."""
    usual = [one for one in first if is_usual_best(family, *one)]
    others = [one for one in second if not is_usual_best(family, *one)]
    if usual and others:
        return usual[0], others[0]
    if not first:
        return None, next(iter(second), None)
    return first[0], find_other(family, first[0], second)


def choose_simple(family: LearningFamily, found: Sequence[Found]) -> list[Found]:
    """Choose positions for children: the usual move is best, and the other choice is clearly worse."""
    pairs = [(scene, (choices[0], choices[-1])) for scene, choices in found]
    ranked = sorted(pairs, key=lambda one: rate_gap(one, SIMPLE_GAP))
    return choose_two(family, [one for one in ranked if is_usual_best(family, *one)] or ranked)


def choose_two(family: LearningFamily, ranked: Sequence[Found]) -> list[Found]:
    """Choose the first position and another one."""
    other = find_other(family, ranked[0], ranked)
    return [ranked[0], other] if other else [ranked[0]]


def find_other(family: LearningFamily, first: Found, ranked: Sequence[Found]) -> Found | None:
    """Find the next position with another answer than the first, or at least with other dice."""
    answer = describe(family, first[0], first[1][0].move)
    different = (one for one in ranked if describe(family, one[0], one[1][0].move) != answer)
    others = (one for one in ranked if one[0].state.dice != first[0].state.dice)
    return next(different, None) or next(others, None)


def is_usual_best(family: LearningFamily, scene: Scene, choices: tuple[MoveValue, ...]) -> bool:
    return describe(family, scene, choices[0].move) == describe(family, scene, scene.moves[0])


def rate_gap(found: Found, ideal: float) -> tuple[float, tuple[int, ...], tuple[str, ...]]:
    """Rate a position: the nearer the cost of its second best choice to the ideal one the better."""
    scene, choices = found
    return abs(round(choices[1].loss, DIGITS) - ideal), tuple(scene.state.dice), scene.actions


def list_choices(family: LearningFamily, coach: Any, scene: Scene) -> tuple[MoveValue, ...]:
    """List the best move and the offered ones with their values, the best first; none if the answer is not clear."""
    if not scene.moves:
        return ()
    ranked = family.rank(scene.game, scene.state, coach)
    best = choose_best(scene.game, scene.state, ranked)
    by_text = {describe(family, scene, one.move): one for one in reversed(ranked)}
    wanted = [describe(family, scene, move) for move in (best.move, *scene.moves)]
    chosen = [by_text[text] for text in dict.fromkeys(wanted) if text in by_text][:MAX_CHOICES]
    losses = sorted(round(one.loss, DIGITS) for one in chosen)
    if len(chosen) < 2 or losses[1] <= CLEAR_GAP:
        return ()
    return tuple(sorted(chosen, key=lambda one: (round(one.loss, DIGITS), write(scene, one.move))))


def describe(family: LearningFamily, scene: Scene, move: Move) -> Phrase:
    return family.describe(scene.game, scene.state, move)


def write(scene: Scene, move: Move) -> str:
    return write_action(scene.state, move, scene.game.rules.dice)
