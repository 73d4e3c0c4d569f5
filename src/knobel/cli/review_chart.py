"""The win chart of a review in a terminal: everybody's chance to win after each round, and what stands out."""

from collections.abc import Sequence

from knobel.cli.aligned_rows import align_rows
from knobel.cli.progress import ProgressBar
from knobel.cli.screen import count_cells, say_paragraph, say_row, screen_width
from knobel.coach.families import find_chart_maker
from knobel.coach.win_chart import Shares, WinChart
from knobel.coach.win_story import (
    describe_method,
    describe_win_ledger,
    format_chance,
    list_highlights,
    list_rounds,
    sum_win_ledger,
)
from knobel.errors import KnobelError
from knobel.lang import Translator
from knobel.record.replay import Replay

ABOUT = "~"
LEAST_CELLS = 5
"""How much of a name is shown at least: as much as a chance needs."""


def chart_game(replay: Replay) -> WinChart | None:
    """Follow everybody's chance to win through a game, with a progress bar; nothing where it is not known."""
    chart_wins = find_chart_maker(replay)
    if chart_wins is None:
        return None
    bar = ProgressBar()
    try:
        return chart_wins(replay, bar)
    except KnobelError:
        return None  # a sheet that is in no book, or rules that are too large
    finally:
        bar.clear()


def show_win_chart(chart: WinChart, seat: int, names: Sequence[str], words: Translator) -> None:
    """Print a row for each round, and what there is to say about it."""
    say_paragraph(words("coach.win.title"))
    cells = max(LEAST_CELLS, (screen_width() - 2) // (len(names) + 1) - 2)
    rows = [
        [words("coach.report.turn"), *(cut_name(name, cells) for name in names)],
        format_round(words("coach.win.start"), chart.start, chart.start_exact, words),
        *(format_round(str(number), shares, exact, words) for number, shares, exact in list_rounds(chart)),
    ]
    for line in align_rows(rows, left=-1):
        say_row(line)
    said = (describe_win_ledger(sum_win_ledger(chart, seat)), *list_highlights(chart, seat, names))
    for one in (*said, *describe_method(chart)):
        say_paragraph(words.translate(one))


def cut_name(name: str, cells: int) -> str:
    while count_cells(name) > cells:
        name = name[:-1]
    return name


def format_round(label: str, shares: Shares, exact: bool, words: Translator) -> list[str]:
    mark = "" if exact else ABOUT
    return [label, *(f"{mark}{words.format_number(format_chance(share))}" for share in shares)]
