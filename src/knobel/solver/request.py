"""A request to solve something, and its form on the wire to the worker."""

import json
from dataclasses import dataclass

from knobel.rules.fields import KeyPath
from knobel.rules.schema import read_sheet_rules
from knobel.rules.sheet_rules import SheetRules

BOOK = "book"
EXPECTED_SCORES = "expected_scores"
LEVEL = "level"


@dataclass(frozen=True, slots=True)
class SolveRequest:
    """The book of some rules, and perhaps one thing beside it.

    `what` is the book alone, the expected scores of each box, or how a human bot errs; `level` is how many points such
    a bot loses a game.
    """

    rules: SheetRules
    what: str = BOOK
    level: int = 0

    @property
    def key(self) -> str:
        """Requests with equal keys are met by the same work."""
        return f"{self.rules.fingerprint}:{self.what}:{self.level}"

    def encode(self) -> bytes:
        return json.dumps({"rules": self.rules.as_dict, "what": self.what, "level": self.level}).encode() + b"\n"


def decode_request(line: str) -> SolveRequest:
    table = json.loads(line)
    return SolveRequest(read_sheet_rules(table["rules"], KeyPath("stdin")), table["what"], table["level"])
