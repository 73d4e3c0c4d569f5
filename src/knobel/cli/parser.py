"""Parse a command line by the declaration of its command; every mismatch is an error with a code."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from knobel.errors import (
    MissingArgument,
    MissingValue,
    NotNumber,
    NumberOutOfRange,
    SurplusArgument,
    SurplusValue,
    UnknownOption,
)
from knobel.phrase import phrase
from knobel.rules.fields import abbreviate

MAX_NUMBER, MAX_DIGITS = 999_999_999, 18
"""Numbers without limits of their own have this one; longer ones are not even read."""
MAX_DIGIT = 9

ALTERNATIVE = "|"
"""Stands in the name of an argument between two things that it may be."""


@dataclass(frozen=True, slots=True)
class Argument:
    """A word by position; `many` takes all that follow."""

    name: str
    variadic: bool = False
    optional: bool = False


@dataclass(frozen=True, slots=True)
class CommandOption:
    """A word by name: a flag without a value, or with one; `many` may be given again, `several` takes what follows."""

    name: str
    metavar: str = ""
    repeatable: bool = False
    variadic: bool = False
    described_as: str = ""

    @property
    def help_key(self) -> str:
        """The key of its help message; the same name may mean something else in another command."""
        return self.described_as or self.name

    @property
    def flag(self) -> str:
        """How it is typed."""
        return f"--{self.name}"


@dataclass(frozen=True, slots=True)
class Given:
    """The parsed values, by name."""

    values_by_name: dict[str, list[str]] = field(default_factory=dict)

    def has(self, name: str) -> bool:
        return name in self.values_by_name

    def read_value(self, name: str) -> str | None:
        """Read the last value of an option or argument."""
        return self.values_by_name[name][-1] if self.values_by_name.get(name) else None

    def required(self, name: str) -> str:
        return self.values_by_name[name][-1]

    def read_values(self, name: str) -> tuple[str, ...]:
        """Read every value of an option or argument."""
        return tuple(self.values_by_name.get(name, ()))

    def read_number(self, name: str, least: int = -MAX_NUMBER, most: int = MAX_NUMBER) -> int | None:
        """Read the number of an option, which must be within its limits."""
        word = self.read_value(name)
        return None if word is None else parse_int(word, f"--{name}", least, most)

    def read_numbers(self, name: str, least: int = -MAX_NUMBER, most: int = MAX_NUMBER) -> tuple[int, ...]:
        return tuple(parse_int(word, f"--{name}", least, most) for word in self.read_values(name))

    def read_dice(self, name: str, faces: int, label: str | None = None) -> tuple[int, ...]:
        """Read dice typed apart, with commas, or together where each is one digit."""
        words = ",".join(self.read_values(name)).replace(",", " ").split()
        if len(words) == 1 and words[0].isdecimal() and faces <= MAX_DIGIT:
            words = list(words[0])
        return tuple(parse_int(word, label or f"--{name}") for word in words)


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its name, what it expects, the function that runs it, and the extra without which it cannot run."""

    name: str
    arguments: tuple[Argument, ...]
    options: tuple[CommandOption, ...]
    run: Callable[[Given], None]
    extra: str | None = None


LANG = CommandOption("lang", "xx")
TEXT = CommandOption("text", "yy")
SET = CommandOption("set", "name=value", repeatable=True)
JSON = CommandOption("json")
PLAIN = CommandOption("plain")
HELP = CommandOption("help")
DATABASE = CommandOption("database", "URL")
SHORT_OPTIONS = {"-h": ("help",), "-o": ("output",), "-l": ("lang",), "-n": ("name", "games"), "-j": ("json",)}
"""Short flags, and the options they stand for: the first that a command has."""


def expand_short_flag(command: Command, flag: str) -> str:
    """Give the long flag that a short one stands for in a command; any other flag stays as it is."""
    names = {option.name for option in (*command.options, HELP)}
    return next((f"--{name}" for name in SHORT_OPTIONS.get(flag, ()) if name in names), flag)


def find_short_flag(command: Command, option: CommandOption) -> str | None:
    """Find the short flag that stands for an option of a command."""
    return next((flag for flag in SHORT_OPTIONS if expand_short_flag(command, flag) == option.flag), None)


def parse_arguments(command: Command, words: Sequence[str]) -> Given:
    """Split the words of a command line into options and arguments."""
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
        name = expand_short_flag(command, name)
        if name not in known:
            raise UnknownOption(name=abbreviate(name), known=tuple(known))
        given.values_by_name.setdefault(known[name].name, []).extend(take_value(known[name], equals, value, rest))
    return given if given.has("help") else assign_arguments(command, plain, given)


def take_value(option: CommandOption, equals: str, value: str, rest: list[str]) -> list[str]:
    """Take the value of an option: after `=`, else the next word."""
    if not option.metavar:
        if equals:
            raise SurplusValue(name=option.flag, value=abbreviate(value))
        return []
    if equals:
        return value.replace(",", " ").split() if option.variadic else [value]
    if not rest or rest[0].startswith("--"):
        raise MissingValue(name=option.flag)
    taken = [rest.pop(0)]
    while option.variadic and rest and not rest[0].startswith("--"):
        taken.append(rest.pop(0))
    return ",".join(taken).replace(",", " ").split() if option.variadic else taken


def assign_arguments(command: Command, plain: list[str], given: Given) -> Given:
    """Assign positional words to arguments."""
    for argument in command.arguments:
        taken = plain if argument.variadic else plain[:1]
        if not taken and not argument.optional:
            raise MissingArgument(name=phrase(f"interface.placeholder.{argument.name.partition(ALTERNATIVE)[0]}"))
        given.values_by_name[argument.name] = list(taken)
        plain = plain[len(taken) :]
    if plain:
        raise SurplusArgument(value=abbreviate(plain[0]))
    return given


def parse_int(word: str, name: str, least: int = -MAX_NUMBER, most: int = MAX_NUMBER) -> int:
    """Read a whole number within its limits; one with too many digits to be read is outside of them."""
    if not word.removeprefix("-").isdecimal():
        raise NotNumber(name=name, value=abbreviate(word))
    number = int(word) if len(word) <= MAX_DIGITS else None
    if number is None or not least <= number <= most:
        raise NumberOutOfRange(name=name, least=least, most=most, value=abbreviate(word))
    return number
