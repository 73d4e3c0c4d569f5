"""A bar for whatever takes longer than a moment; only where somebody sees it."""

import sys

WIDTH = 30


class ProgressBar:
    """Shows how much is done, from the first moment: compiling comes before the first step."""

    def __init__(self) -> None:
        self(0.0)

    def __call__(self, fraction: float) -> None:
        """Draw the bar."""
        if sys.stderr.isatty():
            full = round(WIDTH * fraction)
            sys.stderr.write(f"\r[{'#' * full}{'.' * (WIDTH - full)}] {fraction:4.0%} ")
            sys.stderr.flush()

    def clear(self) -> None:
        """Wipe the bar away."""
        if sys.stderr.isatty():
            sys.stderr.write("\r" + " " * (WIDTH + 10) + "\r")
            sys.stderr.flush()
