"""`python -m knobel.solver`: reads resolved rules from standard input, keeps their book, writes progress lines."""

import json
import sys

from knobel.rules.fields import Place
from knobel.rules.schema import read_rules
from knobel.solver.book import build


def tell(done: float) -> None:
    """Write how much is done."""
    sys.stdout.write(f"{done:.4f}\n")
    sys.stdout.flush()


build(read_rules(json.load(sys.stdin), Place("stdin")), tell)
