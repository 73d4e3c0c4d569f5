"""A progress bar for slow work; shown only on a terminal."""

import sys

WIDTH = 30


class ProgressBar:
    """Shows progress, starting at zero right away: compiling comes before the first step."""

    def __init__(self) -> None:
        self(0.0)

    def __call__(self, fraction: float) -> None:
        if sys.stderr.isatty():
            full = round(WIDTH * fraction)
            sys.stderr.write(f"\r[{'#' * full}{'.' * (WIDTH - full)}] {fraction:4.0%} ")
            sys.stderr.flush()

    def clear(self) -> None:
        if sys.stderr.isatty():
            sys.stderr.write("\r" + " " * (WIDTH + 10) + "\r")
            sys.stderr.flush()
