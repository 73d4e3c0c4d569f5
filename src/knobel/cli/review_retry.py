"""Retry the mistakes of a game in a terminal: choose again at each of them, and hear what the choice costs."""

from collections.abc import Iterator
from typing import Any

from knobel.cli.families import FAMILIES
from knobel.cli.screen import say, say_paragraph
from knobel.cli.typed_lines import read_lines
from knobel.coach.ledger import Decision, Review
from knobel.coach.report import describe_position
from knobel.coach.retry import RetryPosition, describe_retry, find_decision, find_win_change, judge_choice, list_letters
from knobel.coach.serialize import REASON_SEPARATOR
from knobel.coach.win_story import describe_choice_change
from knobel.errors import KnobelError, UnknownChoice
from knobel.game import Roll
from knobel.lang import Translator
from knobel.notation import write_action
from knobel.phrase import FormattedNumber
from knobel.record.replay import Replay
from knobel.rules.fields import abbreviate


def retry_mistakes(replay: Replay, review: Review, names: list[str], words: Translator) -> None:
    """Show the position of each mistake, read a choice and judge it, as often as wanted; an empty line goes on."""
    lines = iter(read_lines())
    for decision in review.flawed_decisions:
        show_position(replay, review, decision, names, words)
        if not retry_decision(replay, review, decision, lines, words):
            return


def show_position(replay: Replay, review: Review, decision: Decision, names: list[str], words: Translator) -> None:
    track, step = find_decision(replay, review.seat, decision.event_number)
    position = describe_retry(replay, review.seat, decision.event_number)
    shown = [names[review.seat]] if track.seat is not None else names
    say()
    FAMILIES[track.game.rules.family].show_board(words, track.game, step.before, shown)
    say()
    say_paragraph(words.translate(describe_position(review, decision)))
    for letter, choice in list_letters(position.choices).items():
        say(f"  {letter}  {words.translate(choice.text)}")
    say_paragraph(words("interface.retry.how_roll" if position.can_roll and position.dice else "interface.retry.how"))


def retry_decision(replay: Replay, review: Review, decision: Decision, lines: Iterator[str], words: Translator) -> bool:
    """Judge what is typed until an empty line; tells whether there may be more to read."""
    for line in lines:
        if not line.strip():
            return True
        try:
            action = read_choice(replay, review.seat, decision.event_number, line.strip())
            say_judgement(replay, review, decision.event_number, action, words)
        except KnobelError as error:
            say_paragraph(words.describe_error(error))
    return False


def read_choice(replay: Replay, seat: int, event_number: int, typed: str) -> str:
    """Read a choice: the letter of one, or the dice to keep, 0 for none."""
    track, step = find_decision(replay, seat, event_number)
    position = describe_retry(replay, seat, event_number)
    if (choice := list_letters(position.choices).get(typed.lower())) is not None:
        return choice.action
    digits = typed.replace(" ", "").replace(",", "")
    places = find_kept(position, digits) if digits.isdecimal() and position.can_roll else None
    if places is None:
        raise UnknownChoice(value=abbreviate(typed))
    return write_action(step.before, Roll(places), track.game.rules.dice)


def find_kept(position: RetryPosition, digits: str) -> tuple[int, ...] | None:
    """Find the places of dice to keep, locked ones first; nothing where they do not lie there."""
    free: list[int | None] = list(position.dice)
    order: list[Any] = sorted(range(len(free)), key=lambda place: place not in position.locked)
    kept = []
    for digit in digits if set(digits) != {"0"} else "":
        place = next((one for one in order if free[one] == int(digit)), None)
        if place is None:
            return None
        free[place] = None
        kept.append(place)
    return tuple(sorted(kept)) if len(kept) < len(free) else None


def say_judgement(replay: Replay, review: Review, event_number: int, action: str, words: Translator) -> None:
    """Say what a choice costs against the best one, and why."""
    found = judge_choice(replay, review.seat, event_number, action)
    change = describe_choice_change(find_win_change(replay, review.seat, event_number, action))
    to_win = f" ({words.translate(change)})" if change else ""
    if found is None or not found.loss:
        say_paragraph(f"{words('web.review.retry_best')}{to_win}")
        return
    cost, grade = words.format_number(FormattedNumber(-found.loss, 2)), words(f"coach.grade.{found.grade}")
    played, best = words.translate(found.played), words.translate(found.best)
    say_paragraph(f"{cost}{to_win} {grade}. {words('interface.retry.judged', played=played, best=best)}", "  ")
    if found.reasons:
        say_paragraph(words.translate(REASON_SEPARATOR).join(map(words.translate, found.reasons)), "      ")
