"""The command line: one file for each command."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from knobel import __version__
from knobel.cli.line import HELP, Command, read
from knobel.cli.screen import columns, hanging, paragraph, say
from knobel.errors import KnobelError, UnknownCommand
from knobel.lang import Words, language
from knobel.rules.fields import shown

WRONG = 2
INTERRUPTED = 130


def main(words: Sequence[str] | None = None) -> int:
    """Run a command; whatever is wrong with it is said in one line."""
    line = list(sys.argv[1:] if words is None else words)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        run(line)
        sys.stdout.flush()
    except KnobelError as error:
        sys.stderr.write(f"{Words(wanted_language(line)).error(error)}\n")
        return WRONG
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def run(line: list[str]) -> None:
    """Find the command and let it do its work."""
    name, *rest = line or ["welcome"]
    if name in ("--help", "-h", "help"):
        help_all()
    elif name == "--version":
        say(__version__)
    else:
        command = find(name)
        given = read(command, rest)
        if given.flag("help"):
            help_one(command)
        else:
            command.run(given)


def find(name: str) -> Command:
    """Open the file of a command."""
    if name not in COMMANDS:
        raise UnknownCommand(name=shown(name), known=COMMANDS)
    command: Command = import_module(f"knobel.cli.{name}").COMMAND
    return command


def help_all() -> None:
    """Say what Knobel can do."""
    words = Words(language(None))
    paragraph(words("interface.help.about"))
    say()
    columns([[f"  {name}", words(f"interface.{name}.about")] for name in COMMANDS])
    say()
    paragraph(words("interface.help.more"))


def help_one(command: Command) -> None:
    """Explain one command, with an example."""
    words = Words(language(None))
    paragraph(words(f"interface.{command.name}.about"))
    say()
    hanging(f"  {usage(command)}")
    say()
    arguments = [[f"  {item.name.upper()}", words(f"interface.argument.{item.name}")] for item in command.arguments]
    options = [
        [f"  {item.flag} {item.value}".rstrip(), words(f"interface.option.{item.name}")]
        for item in (*command.options, HELP)
    ]
    columns(arguments + options)
    say()
    say(words("interface.help.example"))
    for example in words(f"interface.{command.name}.example").split("\n"):
        say(f"  {example}")


def usage(command: Command) -> str:
    """Show how a command is typed."""
    arguments = [f"{item.name.upper()}{' …' if item.many else ''}" for item in command.arguments]
    shapes = [
        f"[{text}]" if argument.optional else text for text, argument in zip(arguments, command.arguments, strict=True)
    ]
    options = [f"[{item.flag}{' ' + item.value if item.value else ''}]" for item in command.options]
    return " ".join(["knobel", command.name, *shapes, *options])


def wanted_language(line: list[str]) -> str:
    """Find the language to speak about an error, also when the line could not be read."""
    try:
        return language(line[line.index("--lang") + 1])
    except (ValueError, IndexError, KnobelError):
        return language(None)


COMMANDS = ("play", "replay", "editions", "rules", "diff", "score", "check", "welcome")
