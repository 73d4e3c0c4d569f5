"""Where one player stands, as plain data: a column, and how far its turn has got; needs no numpy."""

from dataclasses import dataclass
from typing import Any

from knobel.dice import Hand
from knobel.rules.column import Column


@dataclass(frozen=True, slots=True)
class TurnPosition:
    """Where a turn stands.

    `hand` is what lies on the table, nothing before the first roll; `rolls_left` is how many rolls may follow. While
    dice are rolling, `kept` are the others. `locked` are dice that must stay kept.
    """

    hand: Hand = ()
    rolls_left: int = 0
    kept: Hand | None = None
    locked: Hand = ()
    announced: str | None = None

    @property
    def has_begun(self) -> bool:
        """Whether anything was rolled or announced."""
        return bool(self.hand) or self.kept is not None or self.announced is not None


@dataclass(frozen=True, slots=True)
class ColumnPosition:
    """A column before a turn, or in the middle of one."""

    column: Column
    turn: TurnPosition = TurnPosition()

    @property
    def open_boxes(self) -> int:
        """How many boxes are open once the turn at hand is over."""
        return len(self.column.open_boxes) - (self.turn.has_begun and not self.column.is_full)

    def encode(self) -> dict[str, Any]:
        """Write the position as JSON holds it; what does not change the points to come is left out."""
        turn = self.turn
        return {
            "entries": list(self.column.entries),
            "yatzys": min(self.column.yatzys, 1),
            "hand": list(turn.hand),
            "rolls_left": turn.rolls_left,
            "kept": None if turn.kept is None else list(turn.kept),
            "locked": list(turn.locked),
            "announced": turn.announced,
        }


def decode_position(table: dict[str, Any]) -> ColumnPosition:
    """Read a position that was written by `encode`."""
    kept = table["kept"]
    turn = TurnPosition(
        hand=tuple(table["hand"]),
        rolls_left=table["rolls_left"],
        kept=None if kept is None else tuple(kept),
        locked=tuple(table["locked"]),
        announced=table["announced"],
    )
    return ColumnPosition(Column(tuple(table["entries"]), 0, table["yatzys"]), turn)
