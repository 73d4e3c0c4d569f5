"""Opens the book of the chosen rules for a command: says what it will take, shows progress, tells of a damaged one."""

import sys

from knobel.cli.chosen import Chosen
from knobel.cli.progress import Bar
from knobel.phrase import Phrase
from knobel.solver.book import open_book
from knobel.solver.position import Book
from knobel.solver.solve import Estimate, check_size

LONG = 3.0


def opened(chosen: Chosen) -> Book:
    """Open the book, written first if need be."""
    bar = Bar()
    try:
        return open_book(chosen.rules, lambda said: warn(chosen, said), bar)
    finally:
        bar.done()


def warn(chosen: Chosen, said: Phrase) -> None:
    """Say something beside the answer."""
    sys.stderr.write(f"{chosen.words.say(said)}\n")


def announce_cost(chosen: Chosen) -> Estimate:
    """Say before a long run what it will take; refuse one that is too large."""
    cost = check_size(chosen.rules)
    if cost.seconds > LONG:
        values = {"n": round(cost.seconds), "states": cost.states, "memory": cost.memory // 1024**2}
        sys.stderr.write(f"{chosen.words('interface.solve.estimate', **values)}\n")
    return cost
