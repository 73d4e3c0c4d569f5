"""The commands of a conversation: how each is typed, what it does, and how help explains it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from knobel.cli.screen import say_columns
from knobel.errors import NotationError
from knobel.lang import Translator
from knobel.rules.fields import abbreviate

Verb: TypeAlias = Callable[[Any, str], None]
"""What a command does: with a conversation, and whatever was typed after its name."""


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """One command: all its names, old ones too, and for each way to type it an example and the key of its help.

    A command without a name is for dice that are typed alone.
    """

    names: tuple[str, ...]
    run: Verb
    help_keys: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class CommandTable:
    """The commands of a family of games, in the order in which help lists them."""

    commands: tuple[TypedCommand, ...]

    def find(self, line: str) -> tuple[Verb, str]:
        """Find the command of a line and its arguments; `~` needs no space after it."""
        name, _, rest = (f"~ {line[1:].strip()}" if line.startswith("~") else line).partition(" ")
        for command in self.commands:
            if name.casefold() in command.names:
                return command.run, rest
            if not command.names and name[0].isdecimal():
                return command.run, line
        raise NotationError(text=abbreviate(line))

    def show_help(self, words: Translator) -> None:
        rows = [row for command in self.commands for row in command.help_keys]
        say_columns([[f"  {example}", words(f"interface.play.help.{key}")] for example, key in rows])
