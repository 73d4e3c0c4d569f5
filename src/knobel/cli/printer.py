"""Where printed paper goes: into a file that is whole at every moment, or to the screen's other end."""

import sys
from pathlib import Path

from knobel.cli.line import Given, Option
from knobel.cli.screen import say
from knobel.lang import Words
from knobel.whole import whole

STREAM = "-"
OUTPUT = Option("output", "FILE")
SIZE = Option("size", "a4|a5|letter")


def hand_over(content: bytes, given: Given, usual: str, words: Words) -> None:
    """Write what was printed where it was asked for, and say so."""
    place = given.word("output") or usual
    if place == STREAM:
        sys.stdout.buffer.write(content)
        return
    with whole(Path(place)) as file:
        file.write(content)
    say(words("interface.printed", file=place))
