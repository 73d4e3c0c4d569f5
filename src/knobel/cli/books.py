"""Open the book of the selected rules, with a progress bar while it is solved and a warning if it was damaged."""

import sys
from typing import TYPE_CHECKING

from knobel.cli.progress import ProgressBar
from knobel.cli.selection import Selection
from knobel.extras import SOLVER, find_missing
from knobel.lang import Translator
from knobel.phrase import FormattedNumber, Phrase

if TYPE_CHECKING:
    from knobel.solver.position import BookValues
    from knobel.solver.solve import CostEstimate

LONG_SECONDS = 3.0


def load_selected_book(selection: Selection) -> "BookValues":
    """Open the book; solve it first if it is missing."""
    from knobel.solver.book_cache import open_book

    bar = ProgressBar()
    try:
        return open_book(selection.sheet_rules, lambda notice: warn(selection, notice), bar)
    finally:
        bar.clear()
        warn_if_unsaved(selection.words)


def warn_if_unsaved(words: Translator) -> None:
    """Warn, once, if solved values could not be saved: in which folder, why, and what to do."""
    if find_missing(SOLVER):
        return
    from knobel.solver.book_cache import take_problem

    if problem := take_problem():
        sys.stderr.write(f"{words.translate(problem)}\n")


def warn(selection: Selection, message: Phrase) -> None:
    sys.stderr.write(f"{selection.words.translate(message)}\n")


def report_cost(selection: Selection) -> "CostEstimate":
    """Print the cost of a long solve; refuse one that is too large."""
    from knobel.solver.solve import check_size

    cost = check_size(selection.sheet_rules)
    if cost.seconds > LONG_SECONDS:
        states, memory = FormattedNumber(cost.states), FormattedNumber(cost.memory_bytes // 1024**2)
        said = selection.words("interface.solve.estimate", n=round(cost.seconds), states=states, memory=memory)
        sys.stderr.write(f"{said}\n")
    return cost
