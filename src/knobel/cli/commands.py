"""The commands of a conversation: how each is typed, what it does, when it helps, and how help explains it."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from knobel.cli.screen import say_columns
from knobel.cli.typed_words import fold, list_words
from knobel.errors import MoveNotUnderstood, UnknownMove
from knobel.games.round_state import AIM_WORDS
from knobel.lang import Translator
from knobel.phrase import Value
from knobel.rules.fields import abbreviate

PLACEHOLDER = re.compile(r"[A-Z]{3,}")
GLUED = re.compile(r"([^\W\d_]+|~) *(?=\d)|~ *")
"""A name directly before figures, as in k66; the tilde needs no space before anything."""
NEAR = 0.6
"""How similar a word must be to what was typed to be suggested, from 0 to 1."""
Verb: TypeAlias = Callable[[Any, str], None]
"""What a command does: with a conversation, and whatever was typed after its name."""
Fact: TypeAlias = Callable[[Any], bool]
"""Something that is so in a conversation now, or not."""


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """One command: its names in every language, and for each way to type it an example and the key of its help.

    `word` is the key of further names in the player's language. A command without any name is found by what is typed
    alone: dice, a box, or a word that was asked for. `helps` says whether it can be of use now, `changes_past` whether
    it undoes or corrects.
    """

    names: tuple[str, ...]
    run: Verb
    help_keys: tuple[tuple[str, str], ...] = ()
    word: str = ""
    helps: Fact = lambda _: True
    fits: Callable[[Any, str], bool] = lambda _, line: line[0].isdecimal()
    changes_past: bool = False

    def list_names(self, words: Translator) -> tuple[str, ...]:
        """List everything it is called: short names, and words of the language and of English."""
        return (*self.names, *(list_words(words, self.word) if self.word else ()))


@dataclass(frozen=True, slots=True)
class CommandTable:
    """The commands of a family of games, in the order in which help lists them, and the values its help names.

    `list_choices` names what can be typed besides commands, to suggest the nearest.
    """

    commands: tuple[TypedCommand, ...]
    help_values: Callable[[Translator], Mapping[str, Value]] = lambda _: {}
    list_choices: Callable[[Any], tuple[str, ...]] = lambda _: ()

    def find(self, conversation: Any, line: str) -> tuple[TypedCommand, str]:
        """Find the command of a line and its arguments, or suggest what may have been meant."""
        if (named := self.find_named(conversation.words, line)) is not None:
            return named
        for command in self.commands:
            if not command.names and command.fits(conversation, line):
                return command, line
        if nearest := self.suggest(conversation, line):
            raise UnknownMove(name=abbreviate(line), known=(nearest,))
        raise MoveNotUnderstood(text=abbreviate(line))

    def find_named(self, words: Translator, line: str) -> tuple[TypedCommand, str] | None:
        """Find a command by its name, the longest that fits; figures may follow a name without a space."""
        apart = GLUED.sub(lambda found: f"{found[0].strip()} ", line, count=1) if GLUED.match(line) else line
        folded = fold(apart)
        best: tuple[int, TypedCommand] | None = None
        for command in self.commands:
            for name in command.list_names(words):
                if (folded == name or folded.startswith(f"{name} ")) and len(name) > (best[0] if best else 0):
                    best = len(name), command
        if best is None:
            return None
        length, found = best
        return found, take_rest(apart, length)

    def suggest(self, conversation: Any, line: str) -> str | None:
        """Name what is most like a line: a command that helps now, or anything else that can be typed."""
        from difflib import get_close_matches  # only after a mistake

        helpful = (command for command in self.commands if command.helps(conversation))
        names = {name for command in helpful for name in command.list_names(conversation.words) if len(name) > 1}
        choices = {fold(choice): choice for choice in self.list_choices(conversation)}
        for typed, known in ((fold(line), [*names, *choices]), (fold(line).partition(" ")[0], list(names))):
            if found := get_close_matches(typed, sorted(known), n=1, cutoff=NEAR):
                return choices.get(found[0], found[0])
        return None

    def show_help(self, conversation: Any) -> None:
        """List the commands that help now; words to type are named as they can be typed in this game and language."""
        words, values = conversation.words, self.help_values(conversation.words)
        say_columns(
            [
                [f"  {translate_placeholders(words, typed)}", words(f"interface.play.help.{key}", **values)]
                for typed, key in self.list_help(conversation)
            ]
        )

    def list_help(self, conversation: Any) -> Iterator[tuple[str, str]]:
        """List the examples of the commands that help now, with the keys of what they do."""
        for command in self.commands:
            if command.help_keys and command.helps(conversation):
                yield from command.help_keys


def take_rest(line: str, length: int) -> str:
    """Take what follows a name that has this length once it is folded."""
    parts = line.split()
    taken = next(count for count in range(1, len(parts) + 1) if len(fold(" ".join(parts[:count]))) >= length)
    return " ".join(parts[taken:])


def translate_placeholders(words: Translator, typed: str) -> str:
    """Translate what stands for a word to type: BOX for a box, and the aims, which can be typed as they are shown."""
    aims = {aim: words.translate(word) for aim, word in AIM_WORDS.items()}
    return PLACEHOLDER.sub(lambda found: words(f"interface.placeholder.{found[0].lower()}"), typed.format_map(aims))
