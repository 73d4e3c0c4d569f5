"""What the coach says during a game: the best moves now, and the running tally."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from knobel.lang import Translator, format_sentence
from knobel.phrase import FormattedNumber, phrase
from knobel.tui.questions import Question

if TYPE_CHECKING:
    from knobel.coach.advice import Advice
    from knobel.coach.ledger import Review


def ask_for_coach(words: Translator, what: str) -> Question:
    """Ask before the record says that somebody used the coach: for a `hint`, or for the `ledger`."""
    return Question(
        words(f"web.hint.may.{what}"),
        words("web.hint.may.text"),
        words(f"web.hint.may.{what}_yes"),
        words("web.hint.may.no"),
    )


def describe_hint(words: Translator, unit: str, moves: "Sequence[Advice]") -> list[str]:
    """Say what is best now and what the next best moves cost."""
    if not moves:
        return []
    best, *others = moves
    value = FormattedNumber(best.value, 1)
    lines = [words(f"web.hint.best_{unit}", move=format_sentence(words.translate(best.text)), value=value)]
    return lines + [
        "  ".join(
            [
                words.format_number(FormattedNumber(-move.loss, 1, signed=True)),
                words.translate(move.text),
                *describe_win_change(words, move.win_change),
            ]
        )
        for move in others
    ]


def describe_win_change(words: Translator, change: float | None) -> list[str]:
    from knobel.coach.win_story import describe_choice_change

    told = describe_choice_change(change)
    return [words.translate(told)] if told else []


def describe_tally(words: Translator, review: "Review") -> str:
    """Say how a player is doing so far: par, luck and points lost."""
    from knobel.coach.ledger import ROUNDS

    line = review.headlines[-1]
    unit = ROUNDS if line.kind == ROUNDS else review.unit
    return words.translate(
        phrase(
            f"web.hint.ledger_{unit}",
            par=FormattedNumber(line.par, 1),
            luck=FormattedNumber(line.luck, 1, signed=True),
            lost=FormattedNumber(line.lost, 1),
        )
    )
