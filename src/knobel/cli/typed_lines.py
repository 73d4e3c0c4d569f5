"""What is typed before and during a conversation: lines, and who starts."""

import sys
from collections.abc import Iterator

from knobel.rooms.intents import Start

STARTS: dict[str, Start] = {"first": "first", "random": "random", "roll-off": "roll_off"}
"""Who may start, by what is typed."""


def read_lines() -> Iterator[str]:
    """Read typed commands, with a prompt only on a terminal; a closed input counts as empty."""
    if sys.stdin is None:
        return
    prompt = "> " if sys.stdin.isatty() and sys.stdout.isatty() else ""
    while True:
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            return
        yield line
