"""Reads a command line against what a command expects; whatever does not fit is an error with a code."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from knobel.errors import MissingArgument, MissingValue, NotNumber, SurplusArgument, SurplusValue, UnknownOption
from knobel.rules.fields import shown


@dataclass(frozen=True, slots=True)
class Argument:
    """A word by position; `many` takes all that follow."""

    name: str
    many: bool = False
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """A word by name: a flag without a value, or with one; `many` may be given again, `several` takes what follows."""

    name: str
    value: str = ""
    many: bool = False
    several: bool = False
    meant: str = ""

    @property
    def key(self) -> str:
        """How it is spoken of; the same name may mean something else elsewhere."""
        return self.meant or self.name

    @property
    def flag(self) -> str:
        """How it is typed."""
        return f"--{self.name}"


@dataclass(frozen=True, slots=True)
class Given:
    """What was typed, by name."""

    words: dict[str, list[str]] = field(default_factory=dict)

    def flag(self, name: str) -> bool:
        """Tell whether a flag was given."""
        return name in self.words

    def word(self, name: str) -> str | None:
        """Give the last value of an option or argument."""
        return self.words[name][-1] if self.words.get(name) else None

    def the(self, name: str) -> str:
        """Give a required word."""
        return self.words[name][-1]

    def all(self, name: str) -> tuple[str, ...]:
        """Give every value of an option or argument."""
        return tuple(self.words.get(name, ()))

    def number(self, name: str, shown_as: str) -> int | None:
        """Give a whole number."""
        word = self.word(name)
        return None if word is None else whole(word, shown_as)

    def numbers(self, name: str) -> tuple[int, ...]:
        """Give whole numbers."""
        return tuple(whole(word, name) for word in self.all(name))


@dataclass(frozen=True, slots=True)
class Command:
    """What a command is called, expects and does."""

    name: str
    arguments: tuple[Argument, ...]
    options: tuple[Option, ...]
    run: Callable[[Given], None]


LANG = Option("lang", "xx")
TEXT = Option("text", "yy")
SET = Option("set", "name=value", many=True)
JSON = Option("json")
HELP = Option("help")
SHORT = {"-h": HELP.flag, "-o": "--output"}


def read(command: Command, words: Sequence[str]) -> Given:
    """Sort the words of a line into options and arguments."""
    known = {option.flag: option for option in (*command.options, HELP)}
    given, plain, rest = Given(), list[str](), list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            plain += rest
            break
        if not word.startswith("-") or word.lstrip("-").isdigit() or word == "-":
            plain.append(word)
            continue
        name, equals, value = word.partition("=")
        name = SHORT[name] if SHORT.get(name) in known else name
        if name not in known:
            raise UnknownOption(name=shown(name), known=tuple(known))
        given.words.setdefault(known[name].name, []).extend(value_of(known[name], equals, value, rest))
    return given if given.flag("help") else place(command, plain, given)


def value_of(option: Option, equals: str, value: str, rest: list[str]) -> list[str]:
    """Take the value of an option: after `=`, else the next word."""
    if not option.value:
        if equals:
            raise SurplusValue(name=option.flag, value=shown(value))
        return []
    if equals:
        return value.replace(",", " ").split() if option.several else [value]
    if not rest or rest[0].startswith("--"):
        raise MissingValue(name=option.flag)
    taken = [rest.pop(0)]
    while option.several and rest and not rest[0].startswith("--"):
        taken.append(rest.pop(0))
    return taken


def place(command: Command, plain: list[str], given: Given) -> Given:
    """Give each plain word to its argument."""
    for argument in command.arguments:
        taken = plain if argument.many else plain[:1]
        if not taken and not argument.optional:
            raise MissingArgument(name=argument.name.upper())
        given.words[argument.name] = list(taken)
        plain = plain[len(taken) :]
    if plain:
        raise SurplusArgument(value=shown(plain[0]))
    return given


def whole(word: str, name: str) -> int:
    """Read a whole number."""
    if not word.removeprefix("-").isdecimal() or len(word) > 9:
        raise NotNumber(name=name.upper(), value=shown(word))
    return int(word)
