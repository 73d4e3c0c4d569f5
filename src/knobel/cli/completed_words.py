"""What can follow a command on the command line: its options, and the values of each, as far as they can be listed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from knobel.bots.families import FAMILIES as BOT_FAMILIES
from knobel.cli.parser import ALTERNATIVE, HELP, Argument, Command, CommandOption, find_short_flag
from knobel.games.round_state import AIM_WORDS
from knobel.lang import Translator, sort_languages
from knobel.phrase import Value
from knobel.rules import edition_ids, load_edition

SHELL_NAMES = ("bash", "zsh", "fish")


@dataclass(frozen=True, slots=True)
class CompletedValues:
    """The values of an option or argument: words, and files with one of these endings, or with any."""

    words: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()

    @property
    def has_files(self) -> bool:
        return bool(self.endings)


@dataclass(frozen=True, slots=True)
class CompletedOption:
    """An option with its flags; one without a value has no values."""

    flags: tuple[str, ...]
    about: str
    metavar: str
    is_repeatable: bool
    values: CompletedValues


@dataclass(frozen=True, slots=True)
class CompletedArgument:
    """A word by position."""

    name: str
    is_variadic: bool
    values: CompletedValues


@dataclass(frozen=True, slots=True)
class CompletedCommand:
    """A command with everything that can follow it."""

    name: str
    about: str
    options: tuple[CompletedOption, ...]
    arguments: tuple[CompletedArgument, ...]


NOTHING_LISTED = CompletedValues()
ANY_FILE = CompletedValues(endings=("",))


def list_editions() -> CompletedValues:
    return CompletedValues(edition_ids(), (".toml",))


def list_languages() -> CompletedValues:
    return CompletedValues(tuple(sorted(sort_languages())))


def list_bots() -> tuple[str, ...]:
    """List every bot of every family once, as it is named."""
    return tuple(dict.fromkeys(bot for family in BOT_FAMILIES.values() for bot in family.offered))


def list_switches() -> CompletedValues:
    """List every switch of every edition, with each of its values."""
    found = {
        f"{name}={value}"
        for edition in edition_ids()
        for name, values in load_edition(edition).switch_values.items()
        for value in values
    }
    return CompletedValues(tuple(sorted(found)))


OPTION_VALUES: Mapping[tuple[str, str], Callable[[], CompletedValues]] = {
    ("player", "NAME"): lambda: CompletedValues(tuple(f"bot:{bot}" for bot in list_bots())),
    ("bot", "NAME"): lambda: CompletedValues(list_bots()),
}
"""Values of options by name and placeholder, where the placeholder alone does not say them."""
PLACEHOLDER_VALUES: Mapping[str, Callable[[], CompletedValues]] = {
    "xx": list_languages,
    "yy": list_languages,
    "name=value": list_switches,
    "EDITION": list_editions,
    "FILE": lambda: ANY_FILE,
}
RECORDS = CompletedValues(endings=(".knobel",))
ARGUMENT_VALUES: Mapping[str, Callable[[], CompletedValues]] = {
    "edition": list_editions,
    "other": list_editions,
    "record": lambda: RECORDS,
    "file|game": lambda: RECORDS,
    "file": lambda: CompletedValues(endings=(".toml",)),
    "backup": lambda: ANY_FILE,
    "shell": lambda: CompletedValues(SHELL_NAMES),
}


def find_option_values(option: CommandOption) -> CompletedValues:
    """List the values of an option, or nothing where they cannot be listed."""
    if find := OPTION_VALUES.get((option.name, option.metavar)) or PLACEHOLDER_VALUES.get(option.metavar):
        return find()
    choices = option.metavar.format_map({aim: aim for aim in AIM_WORDS}).split(ALTERNATIVE)
    return CompletedValues(tuple(choices)) if len(choices) > 1 else NOTHING_LISTED


def find_argument_values(argument: Argument) -> CompletedValues:
    find = ARGUMENT_VALUES.get(argument.name)
    return find() if find else NOTHING_LISTED


def build_completed_commands(words: Translator) -> tuple[CompletedCommand, ...]:
    """Describe all commands, in the words of a language."""
    from knobel.cli import COMMANDS, find_command

    return tuple(build_completed_command(find_command(name), words) for name in COMMANDS)


def build_completed_command(command: Command, words: Translator) -> CompletedCommand:
    named: dict[str, Value] = {**AIM_WORDS, "languages": " ".join(sort_languages())}
    options = []
    for option in (*command.options, HELP):
        short = find_short_flag(command, option)
        flags = (*((short,) if short else ()), option.flag)
        about = words(f"interface.option.{option.help_key}", **named)
        values = find_option_values(option) if option.metavar else NOTHING_LISTED
        options.append(CompletedOption(flags, about, option.metavar, option.repeatable, values))
    arguments = tuple(
        CompletedArgument(argument.name, argument.variadic, find_argument_values(argument))
        for argument in command.arguments
    )
    return CompletedCommand(command.name, words(f"interface.{command.name}.about"), tuple(options), arguments)
