"""Lessons on a terminal: the list, and one of them step by step with numbered choices."""

import sys
from collections.abc import Iterator, Sequence

from knobel.cli.parser import Given
from knobel.cli.puzzle_session import Practice, open_practice, show_puzzle
from knobel.cli.screen import say, say_json, say_paragraph
from knobel.cli.typed_lines import read_lines
from knobel.cli.typed_words import fold, list_words
from knobel.coach.serialize import REASON_SEPARATOR
from knobel.coach.sheet import MoveValue
from knobel.errors import KnobelError
from knobel.lang import Translator, format_sentence
from knobel.learning.families import find_family
from knobel.learning.lesson import BuiltLesson, Lesson, LessonStep
from knobel.learning.lesson_builder import ListedLesson, build_lesson, build_step_puzzle, find_lesson, list_lessons
from knobel.learning.puzzle import GradedAnswer, grade_answer
from knobel.phrase import FormattedNumber

LESSON = "lesson"
PIPS = {1: "    ●    ", 2: "●       ●", 3: "●   ●   ●", 4: "● ●   ● ●", 5: "● ● ● ● ●", 6: "● ●● ●● ●"}
"""The three lines of a face, one after the other."""


def run_lesson(given: Given) -> None:
    """List the lessons, or go through one."""
    practice = open_practice(given)
    listed = list_lessons(practice.game, practice.coach)
    finished = {one.name for one in practice.list_answers(LESSON)}
    name = given.read_value("lesson")
    if name is None:
        report_list(practice, listed, finished) if given.has("json") else show_list(practice.words, listed, finished)
        return
    lesson, simple = find_lesson(listed, name), given.has("simple")
    built = build_lesson(practice.game, practice.coach, lesson, simple)
    if given.has("json"):
        say_json(describe_lesson(practice, built))
    elif ask_steps(practice, built, simple, read_lines()):
        practice.keep(LESSON, lesson.key, "", 0, {})
        say(practice.words("interface.lesson.finished"))


def show_list(words: Translator, listed: Sequence[ListedLesson], finished: set[str]) -> None:
    """Show which lessons there are, which are finished, and why others are missing."""
    for one in listed:
        title = name_lesson(words, one.lesson)
        if one.number:
            say(f"{one.number:>3} {'✓' if one.lesson.key in finished else ' '} {title}")
    missing = [one for one in listed if one.missing]
    if missing:
        say()
    for one in missing:
        say_paragraph(f"    – {name_lesson(words, one.lesson)}: {words(f'coach.lesson.without.{one.missing}')}")


def report_list(practice: Practice, listed: Sequence[ListedLesson], finished: set[str]) -> None:
    """Report the lessons for programs."""
    words = practice.words
    say_json(
        {
            "edition": practice.selection.edition.id,
            "lang": words.lang,
            "fingerprint": practice.game.rules.fingerprint,
            "lessons": [
                {
                    "key": one.lesson.key,
                    "number": one.number,
                    "title": name_lesson(words, one.lesson),
                    "finished": one.lesson.key in finished,
                    "missing": words(f"coach.lesson.without.{one.missing}") if one.missing else None,
                }
                for one in listed
            ],
        }
    )


def name_lesson(words: Translator, lesson: Lesson) -> str:
    title = words.translate(lesson.title)
    return title[:1].upper() + title[1:]


def ask_steps(practice: Practice, built: BuiltLesson, simple: bool, lines: Iterator[str]) -> bool:
    """Ask every step; tell whether somebody went through to the end."""
    words = practice.words
    say(name_lesson(words, built.lesson))
    for step in built.steps:
        say()
        show_step(practice, built.lesson, step, simple)
        chosen = read_choice(practice, built.lesson, step, lines)
        if chosen is None:
            return False
        show_values(practice, built.lesson, step, chosen, simple)
    return True


def show_step(practice: Practice, lesson: Lesson, step: LessonStep, simple: bool) -> None:
    """Show the sentence, the position and the choices; for children the dice alone, drawn."""
    words, puzzle = practice.words, build_step_puzzle(lesson, step)
    if step.text:
        say_paragraph(words.translate(step.text))
        say()
    if simple and puzzle.dice and max(puzzle.dice) in PIPS:
        say(draw_dice(puzzle.dice))
        say_paragraph(words.translate(puzzle.question))
    else:
        show_puzzle(words, puzzle)
    for number, (_, one) in enumerate(step.shown_choices, 1):
        say(f"  {number}  {describe_choice(practice, step, one)}")


def describe_choice(practice: Practice, step: LessonStep, one: MoveValue) -> str:
    family = find_family(practice.game)
    return practice.words.translate(family.describe(practice.game, step.scene.state, one.move))


def draw_dice(dice: Sequence[int]) -> str:
    """Draw dice beside each other."""
    rows = [["┌───────┐"] * len(dice)]
    rows += [[f"│ {' '.join(PIPS[die][3 * row : 3 * row + 3])} │" for die in dice] for row in range(3)]
    rows.append(["└───────┘"] * len(dice))
    return "\n".join(" ".join(row) for row in rows)


def read_choice(practice: Practice, lesson: Lesson, step: LessonStep, lines: Iterator[str]) -> MoveValue | None:
    """Read the number of a choice, or a move that is one of them; nothing if somebody stops."""
    words, choices = practice.words, [one for _, one in step.shown_choices]
    if sys.stdin is not None and sys.stdin.isatty():
        say(words("interface.lesson.how", most=len(choices)))
    for line in lines:
        typed = fold(line)
        if typed == "q" or typed in list_words(words, "quit"):
            return None
        if typed.isdecimal() and len(typed) < 3 and 1 <= int(typed) <= len(choices):
            return choices[int(typed) - 1]
        if typed:
            try:
                said = words.translate(grade(practice, lesson, step, line).played)
            except KnobelError:
                said = ""
            found = next((one for one in choices if describe_choice(practice, step, one) == said), None)
            if found:
                return found
            say(words("interface.lesson.how", most=len(choices)))
    return None


def grade(practice: Practice, lesson: Lesson, step: LessonStep, typed: str) -> GradedAnswer:
    puzzle = build_step_puzzle(lesson, step)
    return grade_answer(puzzle, practice.read_answer(puzzle, typed), practice.coach)


def show_values(practice: Practice, lesson: Lesson, step: LessonStep, chosen: MoveValue, simple: bool) -> None:
    """Show what each choice is worth, the best first, and why the chosen one is worse."""
    words, puzzle = practice.words, build_step_puzzle(lesson, step)
    graded = grade_answer(puzzle, chosen.move, practice.coach)
    say()
    if simple:
        best = describe_choice(practice, step, step.best)
        say_paragraph(words("interface.puzzle.best", move=best) if chosen is step.best else f"★ {best}")
        return
    say(words(f"web.practice.worth_{find_family(practice.game).unit}"))
    for one in step.choices:
        mark = ">" if one is chosen else " "
        value, loss = (words.format_number(FormattedNumber(part, 2)) for part in (one.value, -one.loss))
        say(f"{mark} {value:>8} {loss if one.loss else '':>7}  {describe_choice(practice, step, one)}")
    if graded.reasons:
        why = words.translate(REASON_SEPARATOR).join(map(words.translate, graded.reasons))
        say_paragraph(format_sentence(why))


def describe_lesson(practice: Practice, built: BuiltLesson) -> dict[str, object]:
    """Describe a lesson for programs, with everything it says."""
    words = practice.words
    return {
        "edition": practice.selection.edition.id,
        "lang": words.lang,
        "fingerprint": practice.game.rules.fingerprint,
        "key": built.lesson.key,
        "title": name_lesson(words, built.lesson),
        "steps": [describe_step(practice, built.lesson, step) for step in built.steps],
    }


def describe_step(practice: Practice, lesson: Lesson, step: LessonStep) -> dict[str, object]:
    words, puzzle = practice.words, build_step_puzzle(lesson, step)
    choices = []
    for action, one in step.shown_choices:
        graded = grade_answer(puzzle, one.move, practice.coach)
        why = words.translate(REASON_SEPARATOR).join(map(words.translate, graded.reasons))
        choices.append(
            {
                "action": action,
                "move": describe_choice(practice, step, one),
                "value": one.value,
                "loss": graded.loss,
                "why": why,
            }
        )
    return {
        "text": words.translate(step.text) if step.text else None,
        "question": words.translate(puzzle.question),
        "dice": puzzle.dice,
        "rolls_used": step.scene.state.rolls_used,
        "actions": step.scene.actions,
        "choices": choices,
    }
