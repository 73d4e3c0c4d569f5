"""`python -m knobel.solver`: reads resolved rules from standard input, keeps what is asked for, writes progress."""

import json
import sys

from knobel.rules.fields import Place
from knobel.rules.schema import read_rules
from knobel.solver.book import build, read_values
from knobel.solver.position import Book
from knobel.solver.prospects import KIND, build_prospects
from knobel.solver.tables import tables


def tell(done: float) -> None:
    """Write how much is done."""
    sys.stdout.write(f"{done:.4f}\n")
    sys.stdout.flush()


rules = read_rules(json.load(sys.stdin), Place("stdin"))
found = read_values(rules, None)
if sys.argv[1:] != [KIND] or found is None:
    build(rules, tell)
    found = read_values(rules, None)
if sys.argv[1:] == [KIND] and found is not None:
    build_prospects(Book(tables(rules), found[0]), tell)
