"""A bar for whatever takes longer than a moment; only where somebody sees it."""

import sys
import time

from knobel.lang import Words

WIDTH = 30
PATIENCE = 0.5


class Bar:
    """Shows how much is done, after a moment of patience."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.begun = time.monotonic()
        self.shown = False

    def __call__(self, done: float) -> None:
        """Draw the bar."""
        if not sys.stderr.isatty() or time.monotonic() - self.begun < PATIENCE:
            return
        self.shown = True
        full = round(WIDTH * done)
        sys.stderr.write(f"\r[{'#' * full}{'.' * (WIDTH - full)}] {done:4.0%} ")
        sys.stderr.flush()

    def done(self) -> None:
        """Wipe the bar away."""
        if self.shown:
            sys.stderr.write("\r" + " " * (WIDTH + 10) + "\r")
            sys.stderr.flush()
