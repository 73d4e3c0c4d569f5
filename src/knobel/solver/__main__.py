"""`python -m knobel.solver`: reads resolved rules from standard input, keeps what is asked for, writes progress."""

import json
import sys

from knobel.rules.fields import KeyPath
from knobel.rules.schema import read_sheet_rules
from knobel.solver.book_cache import build_book, read_values
from knobel.solver.expected_scores import CACHE_KIND, build_expected_scores
from knobel.solver.position import Book
from knobel.solver.tables import build_tables


def report_progress(share_done: float) -> None:
    """Write how much is done."""
    sys.stdout.write(f"{share_done:.4f}\n")
    sys.stdout.flush()


rules = read_sheet_rules(json.load(sys.stdin), KeyPath("stdin"))
found = read_values(rules, None)
if sys.argv[1:] != [CACHE_KIND] or found is None:
    build_book(rules, report_progress)
    found = read_values(rules, None)
if sys.argv[1:] == [CACHE_KIND] and found is not None:
    build_expected_scores(Book(build_tables(rules), found[0]), report_progress)
