"""What a review says on the screen: its headline, a note for each choice and each roll, and a chart of all turns."""

from typing import TYPE_CHECKING

from textual.content import Content

from knobel.lang import Translator, format_sentence
from knobel.phrase import FormattedNumber, Phrase

if TYPE_CHECKING:
    from knobel.coach.ledger import Decision, LuckEvent, Review

BAR_CELLS = 7
"""How many cells the longest bar of the chart has."""
HALVES = ("", "▌")
FINE = "fine"


def format_signed(words: Translator, value: float) -> str:
    return words.format_number(FormattedNumber(value, 1, signed=True))


def format_plain(words: Translator, value: float) -> str:
    return words.format_number(FormattedNumber(value, 1))


def describe_headlines(words: Translator, review: "Review") -> list[str]:
    """Say what was par, what was luck and what was lost."""
    from knobel.coach.report import LEDGER_COLUMNS, format_ledger  # numpy loads only where it is needed

    lines = [
        words(
            f"web.review.headline_{line.kind}",
            n=line.count,
            **dict(zip(LEDGER_COLUMNS, format_ledger(line, 1), strict=True)),
        )
        for line in review.headlines
    ]
    return [*lines, *(format_sentence(words.translate(remark)) for remark in review.remarks)]


def describe_decision(words: Translator, decision: "Decision") -> Content:
    """Say what was played, and if something else was better, what, why, and what it cost."""

    def say(what: Phrase) -> str:
        return format_sentence(words.translate(what))

    if decision.grade == FINE:
        return Content.assemble((f"✓ {words('web.review.was_best')}: ", "$success bold"), say(decision.played))
    loss = format_signed(words, -decision.loss)
    return Content.assemble(
        (f"✗ {words(f'coach.grade.{decision.grade}')} {loss}  ", "$error bold"),
        words("web.review.moves", played=say(decision.played), best=say(decision.best)),
        *(f"\n– {say(reason)}" for reason in decision.reasons),
    )


def describe_luck(words: Translator, event: "LuckEvent") -> Content:
    """Say how lucky a roll was."""
    luck = format_signed(words, event.luck)
    style = "$success" if event.luck > 0 else "$error"
    return Content.assemble((f"{luck}  ", f"{style} bold"), words(f"coach.luck.{event.grade}"))


def draw_chart(words: Translator, review: "Review", current: int | None) -> Content:
    """Draw a line for each turn: a bar for its luck, left if it was bad, and what was lost."""
    turns = review.turn_summaries
    scale = max((abs(turn.luck) for turn in turns), default=0.0) or 1.0
    head = f"{'':3}{words('web.review.head.luck'):^{2 * BAR_CELLS + 1}}{'':7}{words('web.review.head.lost'):>7}"
    lines = [Content.styled(words("web.review.chart"), "$primary bold"), Content.styled(head, "$faint")]
    for turn in turns:
        mark = "▸" if turn.turn == current else " "
        lost = format_plain(words, turn.lost) if turn.lost >= 0.05 else "·"
        lines.append(
            Content.assemble(
                (f"{mark}{turn.turn:>2} ", "bold" if turn.turn == current else "$faint"),
                *draw_bar(turn.luck / scale),
                f"{format_signed(words, turn.luck):>7}",
                (f"{lost:>7}", "$error" if turn.lost >= 0.5 else "$faint"),
            )
        )
    return Content("\n").join(lines)


def draw_bar(share: float) -> list[tuple[str, str]]:
    """Draw a bar from the middle: to the right if something is positive, to the left if it is negative."""
    full, half = divmod(round(abs(share) * BAR_CELLS * 2), 2)
    if share < 0:
        bar = f"{'▐' if half else ''}{'█' * full}"
        return [(bar.rjust(BAR_CELLS), "$error"), ("│", "$faint"), (" " * BAR_CELLS, "")]
    bar = f"{'█' * full}{HALVES[half]}"
    return [(" " * BAR_CELLS, ""), ("│", "$faint"), (bar.ljust(BAR_CELLS), "$success")]
