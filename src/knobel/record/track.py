"""A game in progress at a table, step by step: one for all seats, or at a free table one for each."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from knobel.game import Action, Announce, EnterDice, EnterPoints, Game, Score, Stand
from knobel.record.events import Event

UNDOABLE = (Announce, Score, EnterDice, Stand, EnterPoints)


class Step(NamedTuple):
    """What one event does: its number, the action, and the states before and after it.

    After a correction, `corrected` are the steps of the game as they stand now.
    """

    number: int
    event: Event
    action: Action | None
    before: Any
    after: Any
    corrected: "tuple[Step, ...]" = ()


@dataclass(slots=True)
class GameTrack:
    """One game at the table and the steps that still stand; `seat` is whose it is at a free table."""

    game: Game[Any]
    start: Any
    seat: int | None = None
    steps: list[Step] = field(default_factory=list)
    ply: int = 0
    """How often the game has changed; an undo is one more change."""

    @property
    def state(self) -> Any:
        return self.steps[-1].after if self.steps else self.start

    @property
    def last_undoable(self) -> Step | None:
        """The last step, if it can still be undone."""
        last = self.steps[-1] if self.steps else None
        return last if last and isinstance(last.action, UNDOABLE) else None

    def local_seat(self, seat: int) -> int:
        """Translate a seat at the table into the seat this game knows."""
        return seat if self.seat is None else 0

    def restart(self, start: Any) -> None:
        """Begin from another state, before anything was played."""
        self.start = start
        self.ply += 1

    def append(self, step: Step) -> None:
        self.steps.append(step)
        self.ply += 1

    def undo(self) -> None:
        self.steps.pop()
        self.ply += 1

    def replace_steps(self, steps: tuple[Step, ...]) -> None:
        self.steps = list(steps)
        self.ply += 1
