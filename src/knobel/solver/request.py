"""A request to solve something, and its form on the wire to the worker."""

import json
from dataclasses import dataclass

from knobel.rules.fields import KeyPath
from knobel.rules.schema import read_sheet_rules
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.column_position import ColumnPosition, decode_position

BOOK = "book"
EXPECTED_SCORES = "expected_scores"
LEVEL = "level"
MOMENTS = "moments"
TOTALS = "totals"
DAY = "day"


@dataclass(frozen=True, slots=True)
class SolveRequest:
    """The book of some rules, and perhaps one thing beside it.

    `what` is the book alone, the expected scores of each box, how a human bot errs, the spread of the points to come
    from every position, their exact distribution from one, or what the dice of a day are worth; `level` is how many
    points such a bot loses a game, `position` the one that is asked about, `day` the date.
    """

    rules: SheetRules
    what: str = BOOK
    level: int = 0
    position: ColumnPosition | None = None
    day: str = ""

    @property
    def key(self) -> str:
        """Requests with equal keys are met by the same work."""
        plain = f"{self.rules.fingerprint}:{self.what}:{self.day or self.level}"
        return f"{plain}:{self.position_key}" if self.position else plain

    @property
    def position_key(self) -> str:
        """The position as text; positions with equal points to come may have different ones."""
        return json.dumps(self.position.encode() if self.position else None, separators=(",", ":"))

    def encode(self) -> bytes:
        position = self.position.encode() if self.position else None
        table = {"rules": self.rules.as_dict, "what": self.what, "level": self.level, "position": position}
        table |= {"day": self.day}
        return json.dumps(table).encode() + b"\n"


def decode_request(line: str) -> SolveRequest:
    table = json.loads(line)
    position = table["position"]
    return SolveRequest(
        read_sheet_rules(table["rules"], KeyPath("stdin")),
        table["what"],
        table["level"],
        None if position is None else decode_position(position),
        table["day"],
    )
