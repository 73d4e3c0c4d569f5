"""The win chart as part of an HTML page: a line for each player, the same numbers as a table, and what stands out."""

from collections.abc import Sequence
from html import escape
from math import ceil

from knobel.coach.serialize import Translate
from knobel.coach.win_chart import Shares, WinChart
from knobel.coach.win_story import (
    describe_method,
    describe_win_ledger,
    find_turning_points,
    format_chance,
    list_highlights,
    list_rounds,
    sum_win_ledger,
)
from knobel.phrase import Phrase, phrase

GUIDES = (1.0, 0.75, 0.5, 0.25, 0.0)
MOST_LABELS = 15
INKS = 8
"""How many inks the style sheet knows."""
MARK_WIDTH, MARK_HEIGHT = 0.06, 0.1
"""How close two marks may come, in parts of the drawing: closer ones would hide each other."""


def render_win_chart(chart: WinChart, seat: int, names: Sequence[str], say: Translate) -> str:
    """Render the chances of all players after each turn."""

    def render(text: Phrase) -> str:
        return escape(say(text), quote=False)

    title, ledger = render(phrase("coach.win.title")), render(describe_win_ledger(sum_win_ledger(chart, seat)))
    points, highlights = len(find_turning_points(chart, seat)), list_highlights(chart, seat, names)
    stories = [
        f"{render_mark(seat, number)} {render(one)}" if number <= points else render(one)
        for number, one in enumerate(highlights, 1)
    ]
    lines = [ledger, *stories, *map(render, describe_method(chart))]
    return (
        f'<h2>{title}</h2><figure class="wins">{render_legend(names)}{draw_chart(chart, seat, names, say)}'
        f"<figcaption>{''.join(f'<p>{one}</p>' for one in lines)}</figcaption></figure>"
        f"{render_table(chart, seat, names, say)}"
    )


def draw_chart(chart: WinChart, seat: int, names: Sequence[str], say: Translate) -> str:
    """Draw the lines as wide as there is room: everything is placed by parts of width and height."""
    title, said = escape(say(phrase("coach.win.title"))), [say(one) for one in list_highlights(chart, seat, names)]
    axis = "".join(f"<span>{say_chance(one, say)}</span>" for one in GUIDES)
    return (
        f'<div class="plot"><div class="scale" aria-hidden="true">{axis}</div>'
        f'<div class="area">{draw_lines(chart, seat, names, title)}{place_marks(chart, seat, said)}</div>'
        f'<div class="rounds" aria-hidden="true">{place_rounds(chart)}</div></div>'
    )


def draw_lines(chart: WinChart, seat: int, names: Sequence[str], title: str) -> str:
    """Draw the line of each player, that of the reviewed one above the others."""
    courses, last = [chart.start, *(turn.shares for turn in chart.turns)], max(1, len(chart.turns))
    guides = "".join(f"M0 {1 - one}H{last}" for one in GUIDES)
    guides += "".join(f"M{end} 0V1" for _, end in find_rounds(chart).values())
    lines = "".join(
        f"<g{' class=mine' * (one == seat)}><title>{escape(names[one])}</title>"
        f'<polyline class="win ink-{one % INKS}" points="'
        + " ".join(f"{place},{1 - shares[one]:.4f}" for place, shares in enumerate(courses))
        + '"/></g>'
        for one in sorted(range(len(names)), key=lambda one: one == seat)
    )
    return (
        f'<svg viewBox="0 0 {last} 1" preserveAspectRatio="none" role="img" aria-label="{title}">'
        f'<path class="axis" d="{guides}"/>{lines}</svg>'
    )


def find_rounds(chart: WinChart) -> dict[int, tuple[int, int]]:
    """Find where each round begins and ends, counted in turns."""
    found = dict[int, tuple[int, int]]()
    for place, turn in enumerate(chart.turns):
        first, _ = found.get(turn.turn, (place, place))
        found[turn.turn] = first, place + 1
    return found


def place_rounds(chart: WinChart) -> str:
    """Write the number of a round below its middle, so many as there is room for on a phone."""
    rounds, last = find_rounds(chart), max(1, len(chart.turns))
    every = max(1, ceil(len(rounds) / MOST_LABELS))
    return "".join(
        f'<span style="left:{50 * (begin + end) / last:.2f}%">{number}</span>'
        for place, (number, (begin, end)) in enumerate(rounds.items())
        if place % every == 0
    )


def place_marks(chart: WinChart, seat: int, said: Sequence[str]) -> str:
    """Mark the turning points on the curve with their numbers; one that would lie on another goes beside it."""
    taken, marks = list[tuple[float, float]](), list[str]()
    for number, (turn, _) in enumerate(find_turning_points(chart, seat), 1):
        x, y = (chart.turns.index(turn) + 1) / len(chart.turns), 1 - turn.shares[seat]
        away = MARK_HEIGHT if y < 0.5 else -MARK_HEIGHT
        while any(abs(x - other) < MARK_WIDTH and abs(y - above) < MARK_HEIGHT for other, above in taken):
            y += away
        taken.append((x, y))
        place = f' style="left:{100 * x:.2f}%;top:{100 * y:.2f}%" title="{escape(said[number - 1])}" aria-hidden="true"'
        marks.append(render_mark(seat, number, place))
    return "".join(marks)


def render_mark(seat: int, number: int, attributes: str = "") -> str:
    """Render the number of a turning point, as it stands on the curve."""
    return f'<b class="mark ink-{seat % INKS}"{attributes}>{number}</b>'


def say_chance(share: float, say: Translate) -> str:
    return escape(say(phrase("coach.report.figure", figure=format_chance(share))), quote=False)


def render_legend(names: Sequence[str]) -> str:
    entries = (
        f'<li class="ink-{seat % INKS}"><svg viewBox="0 0 26 4" aria-hidden="true">'
        f'<path class="win ink-{seat % INKS}" d="M0 2H26"/></svg>{escape(name)}</li>'
        for seat, name in enumerate(names)
    )
    return f'<ul class="legend">{"".join(entries)}</ul>'


def render_table(chart: WinChart, seat: int, names: Sequence[str], say: Translate) -> str:
    """Render the chances after each round, with the numbers of the turning points in it."""
    rounds = [turn.turn for turn, _ in find_turning_points(chart, seat)]

    def render_row(label: str, shares: Shares, exact: bool, played: int = 0) -> str:
        mark = "" if exact else "~"
        cells = "".join(f'<td class="number">{mark}{say_chance(share, say)}</td>' for share in shares)
        points = ", ".join(str(number) for number, one in enumerate(rounds, 1) if one == played)
        last = f'<td class="number">{points}</td>' if rounds else ""
        return f'<tr><th scope="row">{label}</th>{cells}{last}</tr>'

    head = "".join(f'<th scope="col" class="number">{escape(name)}</th>' for name in names)
    if rounds:
        label = escape(say(phrase("coach.win.turning_point_label")))
        head += f'<th scope="col" class="number">{label}</th>'
    rows = [
        render_row(escape(say(phrase("coach.win.start"))), chart.start, chart.start_exact),
        *(render_row(str(number), shares, exact, number) for number, shares, exact in list_rounds(chart)),
    ]
    turn = escape(say(phrase("coach.report.turn")))
    return (
        f'<details><summary>{escape(say(phrase("web.review.as_table")))}</summary><table class="wins"><thead><tr>'
        f'<th scope="col">{turn}</th>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></details>'
    )
