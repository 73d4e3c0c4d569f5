"""The command line: one file for each command."""

import contextlib
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise

from knobel import __version__
from knobel.cli.line import HELP, Command, read
from knobel.cli.screen import columns, hanging, paragraph, say
from knobel.errors import KnobelError, OutputFailed, UnknownCommand
from knobel.lang import Words, language
from knobel.rules.fields import shown

WRONG = 2
INTERRUPTED = 130


def main(words: Sequence[str] | None = None) -> int:
    """Run a command; whatever is wrong with it is said in one line."""
    line = list(sys.argv[1:] if words is None else words)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
        getattr(sys, name).reconfigure(errors="replace")
    with contextlib.suppress(io.UnsupportedOperation):
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
    try:
        run(line)
        sys.stdout.flush()
    except KnobelError as error:
        sys.stderr.write(f"{Words(wanted_language(line)).error(error)}\n")
        return error.status
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.stderr.write(f"{Words(wanted_language(line)).error(OutputFailed(reason=shown(error.strerror)))}\n")
        return WRONG
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def run(line: list[str]) -> None:
    """Find the command and let it do its work."""
    name, *rest = line or ["welcome"]
    if name in ("--help", "-h", "help"):
        help_all(Words(wanted_language(line)))
    elif name == "--version":
        say(__version__)
    else:
        command = find(name)
        given = read(command, rest)
        if given.flag("help"):
            help_one(command, Words(wanted_language(line)))
        else:
            command.run(given)


def find(name: str) -> Command:
    """Open the file of a command."""
    if name not in COMMANDS:
        raise UnknownCommand(name=shown(name), known=(*COMMANDS, "--help", "--version"))
    command: Command = import_module(f"knobel.cli.{FILES.get(name, name)}").COMMAND
    return command


def help_all(words: Words) -> None:
    """Say what Knobel can do."""
    paragraph(words("interface.help.about"))
    say()
    columns([[f"  {name}", words(f"interface.{name}.about")] for name in COMMANDS])
    say()
    paragraph(words("interface.help.more"))


def help_one(command: Command, words: Words) -> None:
    """Explain one command, with an example."""
    paragraph(words(f"interface.{command.name}.about"))
    say()
    hanging(f"  {usage(command)}")
    say()
    arguments = [[f"  {item.name.upper()}", words(f"interface.argument.{item.name}")] for item in command.arguments]
    options = [
        [f"  {item.flag} {item.value}".rstrip(), words(f"interface.option.{item.key}")]
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
    asked = [after for before, after in pairwise(line) if before == "--lang"]
    asked += [word.partition("=")[2] for word in line if word.startswith("--lang=")]
    try:
        return language(asked[-1] if asked else None)
    except KnobelError:
        return language(None)


COMMANDS = (
    "play",
    "serve",
    "replay",
    "review",
    "games",
    "export",
    "verify",
    "editions",
    "rules",
    "diff",
    "score",
    "check",
    "pad",
    "sheet",
    "print",
    "solve",
    "advise",
    "odds",
    "simulate",
    "backup",
    "restore",
    "doctor",
    "welcome",
)
FILES = {"sheet": "rules_sheet"}
"""Commands whose file is not called as they are: `sheet` is the board of a game."""
