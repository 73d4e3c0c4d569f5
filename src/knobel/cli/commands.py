"""The commands of a conversation: how each is typed, what it does, and how help explains it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from knobel.cli.screen import say_columns
from knobel.errors import NotationError
from knobel.games.round_state import AIM_WORDS
from knobel.lang import Translator
from knobel.phrase import Value
from knobel.rules.fields import abbreviate

PLACEHOLDER = re.compile(r"[A-Z]{3,}")
Verb: TypeAlias = Callable[[Any, str], None]
"""What a command does: with a conversation, and whatever was typed after its name."""


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """One command: all its names, old ones too, and for each way to type it an example and the key of its help.

    A command without a name is found by what is typed alone: dice, or a word that was asked for.
    """

    names: tuple[str, ...]
    run: Verb
    help_keys: tuple[tuple[str, str], ...] = ()
    fits: Callable[[Translator, str], bool] = lambda _, line: line[0].isdecimal()


@dataclass(frozen=True, slots=True)
class CommandTable:
    """The commands of a family of games, in the order in which help lists them, and the values its help names."""

    commands: tuple[TypedCommand, ...]
    help_values: Callable[[Translator], Mapping[str, Value]] = lambda _: {}

    def find(self, words: Translator, line: str) -> tuple[Verb, str]:
        """Find the command of a line and its arguments; `~` needs no space after it."""
        name, _, rest = (f"~ {line[1:].strip()}" if line.startswith("~") else line).partition(" ")
        for command in self.commands:
            if name.casefold() in command.names:
                return command.run, rest
            if not command.names and command.fits(words, line):
                return command.run, line
        raise NotationError(text=abbreviate(line))

    def show_help(self, words: Translator) -> None:
        """List every command; words to type are named as they can be typed in this game and language."""
        rows, values = [row for command in self.commands for row in command.help_keys], self.help_values(words)
        say_columns(
            [
                [f"  {translate_placeholders(words, typed)}", words(f"interface.play.help.{key}", **values)]
                for typed, key in rows
            ]
        )


def translate_placeholders(words: Translator, typed: str) -> str:
    """Translate what stands for a word to type: BOX for a box, and the aims, which can be typed as they are shown."""
    aims = {aim: words.translate(word) for aim, word in AIM_WORDS.items()}
    return PLACEHOLDER.sub(lambda found: words(f"interface.placeholder.{found[0].lower()}"), typed.format_map(aims))
