"""The win chart as part of an HTML page: a line for each player, the same numbers as a table, and what stands out."""

from collections.abc import Sequence
from html import escape

from knobel.coach.serialize import Translate
from knobel.coach.win_chart import Shares, WinChart
from knobel.coach.win_story import (
    describe_method,
    describe_win_ledger,
    format_chance,
    list_highlights,
    list_rounds,
    sum_win_ledger,
)
from knobel.phrase import Phrase, phrase

WIDTH, HEIGHT, MARGIN, TOP = 720, 240, 44, 10
GUIDES = (0.0, 0.25, 0.5, 0.75, 1.0)
INKS = 8
"""How many inks the style sheet knows."""


def render_win_chart(chart: WinChart, seat: int, names: Sequence[str], say: Translate) -> str:
    """Render the chances of all players after each turn."""

    def render(text: Phrase) -> str:
        return escape(say(text), quote=False)

    title, ledger = render(phrase("coach.win.title")), render(describe_win_ledger(sum_win_ledger(chart, seat)))
    said = [ledger, *map(render, list_highlights(chart, seat, names)), *map(render, describe_method(chart))]
    return (
        f"<h2>{title}</h2><figure>{draw_lines(chart, names, title, say)}"
        f"{render_legend(names)}<figcaption>{''.join(f'<p>{one}</p>' for one in said)}</figcaption></figure>"
        f"{render_table(chart, names, say)}"
    )


def draw_lines(chart: WinChart, names: Sequence[str], title: str, say: Translate) -> str:
    courses = [chart.start, *(turn.shares for turn in chart.turns)]
    step = (WIDTH - MARGIN - 10) / max(1, len(courses) - 1)

    def scale_y(share: float) -> float:
        return TOP + (HEIGHT - 30 - TOP) * (1 - share)

    guides = "".join(
        f'<path class="axis" d="M{MARGIN} {scale_y(one):.1f}H{WIDTH - 10}"/>'
        f'<text class="most" x="{MARGIN - 6}" y="{scale_y(one) + 4:.1f}">{say_chance(one, say)}</text>'
        for one in GUIDES
    )
    labels = "".join(
        f'<text x="{MARGIN + step * place:.1f}" y="{HEIGHT - 8}">{turn.turn}</text>'
        for place, turn in enumerate(chart.turns, 1)
        if turn.event_number == max(one.event_number for one in chart.turns if one.turn == turn.turn)
    )
    lines = "".join(
        f'<g><title>{escape(name)}</title><polyline class="win ink-{seat % INKS}" points="'
        + " ".join(f"{MARGIN + step * place:.1f},{scale_y(one[seat]):.1f}" for place, one in enumerate(courses))
        + '"/></g>'
        for seat, name in enumerate(names)
    )
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title}">{guides}{labels}{lines}</svg>'


def say_chance(share: float, say: Translate) -> str:
    return escape(say(phrase("coach.report.figure", figure=format_chance(share))), quote=False)


def render_legend(names: Sequence[str]) -> str:
    entries = (f'<li class="ink-{seat % INKS}">{escape(name)}</li>' for seat, name in enumerate(names))
    return f'<ul class="legend">{"".join(entries)}</ul>'


def render_table(chart: WinChart, names: Sequence[str], say: Translate) -> str:
    def render_row(label: str, shares: Shares, exact: bool) -> str:
        mark = "" if exact else "~"
        cells = "".join(f'<td class="number">{mark}{say_chance(share, say)}</td>' for share in shares)
        return f'<tr><th scope="row">{label}</th>{cells}</tr>'

    head = "".join(f'<th scope="col" class="number">{escape(name)}</th>' for name in names)
    rows = [
        render_row(escape(say(phrase("coach.win.start"))), chart.start, chart.start_exact),
        *(render_row(str(number), shares, exact) for number, shares, exact in list_rounds(chart)),
    ]
    turn = escape(say(phrase("coach.report.turn")))
    return (
        f'<details><summary>{escape(say(phrase("web.review.as_table")))}</summary><table class="wins"><thead><tr>'
        f'<th scope="col">{turn}</th>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></details>'
    )
