"""The win chart of a review on the screen: a bar for each round, and what stands out."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from knobel.lang import Translator

if TYPE_CHECKING:
    from knobel.coach.win_chart import WinChart

BAR_CELLS = 15
"""How many cells a certain win has: as wide as the bars of luck above."""
ABOUT = "~"
MARKS = "①②③"
"""The turning points, beside their rounds and before their sentences."""


def draw_win_chart(
    words: Translator, chart: "WinChart", seat: int, names: Sequence[str], current: int | None
) -> Content:
    """Draw a seat's chance to win after each round, and say what changed it most."""
    from knobel.coach.win_story import (  # numpy loads only where it is needed
        describe_method,
        describe_win_ledger,
        find_turning_points,
        format_chance,
        list_highlights,
        list_rounds,
        sum_win_ledger,
    )

    lines = [Content.styled(words("coach.win.title"), "$primary bold")]
    marks = list(zip(MARKS, find_turning_points(chart, seat), strict=False))
    rounds = [(0, chart.start, chart.start_exact), *list_rounds(chart)]
    for number, shares, exact in rounds:
        is_current = number == current
        lines.append(
            Content.assemble(
                (f"{'▸' if is_current else ' '}{number or '':>2} ", "bold" if is_current else "$faint"),
                *draw_share(shares[seat]),
                f" {'' if exact else ABOUT}{words.format_number(format_chance(shares[seat]))}",
                "".join(f" {mark}" for mark, (turn, _) in marks if turn.turn == number),
            )
        )
    said = [words.translate(one) for one in list_highlights(chart, seat, names)]
    said[: len(marks)] = [f"{mark} {one}" for (mark, _), one in zip(marks, said, strict=False)]
    said.append(words.translate(describe_win_ledger(sum_win_ledger(chart, seat))))
    lines += map(Content, said)
    lines += [Content.styled(words.translate(one), "$faint") for one in describe_method(chart)]
    return Content("\n").join(lines)


def draw_share(share: float) -> list[tuple[str, str]]:
    """Draw how much of a bar a chance fills."""
    full, half = divmod(round(share * BAR_CELLS * 2), 2)
    bar = f"{'█' * full}{'▌' if half else ''}"
    return [(bar, "$success"), ("·" * (BAR_CELLS - len(bar)), "$faint")]
