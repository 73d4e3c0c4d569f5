"""A game that is played at a table, step by step: one for all seats, or at a free table one for each."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from knobel.game import Action, Announce, EnterDice, EnterPoints, Game, Score, Stand
from knobel.record.events import Event

UNDOABLE = (Announce, Score, EnterDice, Stand, EnterPoints)


class Step(NamedTuple):
    """One event of a replay: its number, what was done, and the states before and after it."""

    number: int
    event: Event
    action: Action | None
    before: Any
    after: Any


@dataclass(slots=True)
class GameTrack:
    """A game that is played at the table: one for all seats, or at a free table one for each."""

    game: Game[Any]
    start: Any
    seat: int | None = None
    steps: list[Step] = field(default_factory=list)
    ply: int = 0
    """How often it has changed."""

    @property
    def state(self) -> Any:
        """Where it stands."""
        return self.steps[-1].after if self.steps else self.start

    @property
    def last_undoable(self) -> Step | None:
        """The last thing done, if it can still be taken back."""
        last = self.steps[-1] if self.steps else None
        return last if last and isinstance(last.action, UNDOABLE) else None

    def local_seat(self, seat: int) -> int:
        """Give the seat as this game counts it."""
        return seat if self.seat is None else 0
