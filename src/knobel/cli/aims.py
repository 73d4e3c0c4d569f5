"""The greatest chance to reach each total: computed, kept beside the book, and shown with the odds of perfect play."""

from typing import Any

import numpy as np

from knobel.cli.progress import ProgressBar
from knobel.cli.screen import say, say_columns, say_paragraph
from knobel.cli.selection import Selection
from knobel.phrase import FormattedNumber
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.arrays import Floats
from knobel.solver.book_cache import read_note, write_note
from knobel.solver.odds import Odds
from knobel.solver.position import ColumnKey
from knobel.solver.tables import build_tables
from knobel.solver.total_values import AIM, compute_total_values

NOTE_KIND = "aims"
EMPTY_COLUMN = ColumnKey(0, 0, 0)
SHOWN_CHANCES = (0.999, 0.001)
"""Totals that perfect play reaches more or less often than this are not listed."""
LINES = 16
"""How many totals are listed, about."""


def load_aims(rules: SheetRules) -> Floats:
    """Load the greatest chance to reach each total from an empty sheet, or compute and keep it."""
    note: dict[str, Any] | None = read_note(rules, NOTE_KIND)
    if note is not None:
        return np.array(note["chances"])
    bar = ProgressBar()
    try:
        chances = compute_total_values(build_tables(rules), EMPTY_COLUMN, AIM, bar).list_aims()
    finally:
        bar.clear()
    write_note(rules, NOTE_KIND, {"chances": chances.tolist()})
    return chances


def read_aim(aims: Floats, total: int) -> float:
    """Give the greatest chance to reach a total; one that is never reached has none."""
    return float(aims[max(total, 0)]) if total < aims.size else 0.0


def show_aims(selection: Selection, odds: Odds, aims: Floats, least: int | None) -> None:
    """Show for several totals how often perfect play reaches them, and play for just that total."""
    words = selection.words
    totals = list_shown_totals(odds) if least is None else [least]
    if least is not None and least >= aims.size and not odds.chance_at_least(least):
        return
    say()
    say_paragraph(words("interface.odds.aims"))
    say_columns(
        [
            f"  {total}",
            f"{words.format_number(FormattedNumber(odds.chance_at_least(total), 2, percent=True)):>7}",
            f"{words.format_number(FormattedNumber(read_aim(aims, total), 2, percent=True)):>7}",
        ]
        for total in totals
    )


def list_shown_totals(odds: Odds) -> list[int]:
    """List round totals from those nearly always reached to those nearly never."""
    first, last = (odds.quantile(1 - chance) for chance in SHOWN_CHANCES)
    step = next((one for one in (1, 2, 5, 10, 20, 25, 50, 100) if (last - first) / one <= LINES), 100)
    return list(range(-(-first // step) * step, last + 1, step))
