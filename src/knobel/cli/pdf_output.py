"""Where printed pages go: into a file, written atomically, or to standard output."""

import sys
from pathlib import Path

from knobel.atomic_write import write_atomically
from knobel.cli.parser import CommandOption, Given
from knobel.cli.screen import say
from knobel.lang import Translator

STDOUT_PATH = "-"
OUTPUT = CommandOption("output", "FILE")
SIZE = CommandOption("size", "a4|a5|letter")


def write_output(content: bytes, given: Given, default_name: str, words: Translator) -> None:
    """Write printed pages to the requested file, and say so."""
    place = given.read_value("output") or default_name
    if place == STDOUT_PATH:
        sys.stdout.buffer.write(content)
        return
    with write_atomically(Path(place)) as file:
        file.write(content)
    say(words("interface.printed", file=place))
