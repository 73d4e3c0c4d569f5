"""How long somebody has been thinking about a move."""

import time
from dataclasses import dataclass
from typing import TypeAlias

AwaitedMove: TypeAlias = tuple[str, int, int]
"""A game, the seat everybody waits for, and the ply."""


@dataclass
class MoveClock:
    """Runs from the moment a move is awaited; a table that is left or waits for nobody stops it."""

    move: AwaitedMove | None = None
    started: float = 0.0

    def stop(self) -> None:
        self.move = None

    def compute_left(self, move: AwaitedMove, seconds: float) -> float:
        """Say how many seconds are left for a move; another move has all of them."""
        now = time.monotonic()
        if move != self.move:
            self.move, self.started = move, now
        return max(0.0, self.started + seconds - now)
