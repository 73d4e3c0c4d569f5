"""The command line: one file for each command."""

import contextlib
import io
import json
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise

from knobel import __version__
from knobel.cli.commands import translate_placeholders
from knobel.cli.parser import HELP, JSON, LANG, Command, CommandOption, find_short_flag, parse_arguments
from knobel.cli.screen import say, say_columns, say_hanging, say_paragraph
from knobel.errors import KnobelError, OutputFailed, PlatformUnsupported, UnknownCommand
from knobel.extras import require_extra
from knobel.games.round_state import AIM_WORDS
from knobel.lang import Translator, choose_language, sort_languages
from knobel.phrase import Value
from knobel.rules.fields import abbreviate

LANG_FLAGS = (LANG.flag, "-l")
JSON_SHORT = "-j"
EXIT_ERROR = 2
EXIT_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; report any error in one line."""
    line = list(sys.argv[1:] if argv is None else argv)
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
        report_error(line, error)
        return error.exit_status
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        report_error(line, OutputFailed(reason=abbreviate(error.strerror)))
        return EXIT_ERROR
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return 0


def run(argv: list[str]) -> None:
    """Find the command and run it."""
    require_platform()
    if not argv or argv[0].partition("=")[0] in WELCOME_OPTIONS:
        argv = ["welcome", *argv]
    name, *rest = argv
    if name in ("--help", "-h", "help"):
        words, named = Translator(find_language(argv)), [word for word in rest[:1] if not word.startswith("-")]
        show_command_help(find_command(named[0]), words) if named else show_help(words)
    elif name == "--version":
        say(__version__)
    elif name.startswith("-"):
        run(["welcome", *argv])
    else:
        command = find_command(name)
        given = parse_arguments(command, rest)
        if given.has("help"):
            show_command_help(command, Translator(find_language(argv)))
        else:
            if command.extra:
                require_extra(command.extra)
            command.run(given)


def require_platform() -> None:
    """Refuse a system without the locks that keep files whole when several programs use them: Windows."""
    try:
        import fcntl  # noqa: F401
    except ImportError:
        raise PlatformUnsupported from None


def find_command(name: str) -> Command:
    """Import the module of a command."""
    module = ALIASES.get(name, name)
    if module not in COMMANDS:
        raise UnknownCommand(name=abbreviate(name), known=(*COMMANDS, "--help", "--version"))
    command: Command = import_module(f"knobel.cli.{MODULES.get(module, module)}").COMMAND
    return command


def show_help(words: Translator) -> None:
    """List all commands."""
    say_paragraph(words("interface.help.about"))
    say()
    say_columns([[f"  {name}", words(f"interface.{name}.about")] for name in COMMANDS])
    say()
    say_paragraph(words("interface.help.more"))


def show_command_help(command: Command, words: Translator) -> None:
    """Explain one command, with an example."""
    say_paragraph(words(f"interface.{command.name}.about"))
    say()
    say_hanging(f"  {translate_placeholders(words, format_usage(command))}")
    say()
    arguments = [[item.name.upper(), words(f"interface.argument.{item.name}")] for item in command.arguments]
    named: dict[str, Value] = {**AIM_WORDS, "languages": " ".join(sort_languages())}
    options = [
        [format_option(command, item), words(f"interface.option.{item.help_key}", **named)]
        for item in (*command.options, HELP)
    ]
    say_columns([[f"  {translate_placeholders(words, typed)}", about] for typed, about in arguments + options])
    say()
    say(words("interface.help.example"))
    for example in words(f"interface.{command.name}.example").split("\n"):
        say(f"  {example}")


def format_option(command: Command, option: CommandOption) -> str:
    """Show how an option is typed, by its short flag too."""
    short = find_short_flag(command, option)
    return f"{f'{short}, ' if short else ''}{option.flag} {option.metavar}".rstrip()


def format_usage(command: Command) -> str:
    """Show how a command is typed."""
    arguments = [f"{item.name.upper()}{' …' if item.variadic else ''}" for item in command.arguments]
    shapes = [
        f"[{text}]" if argument.optional else text for text, argument in zip(arguments, command.arguments, strict=True)
    ]
    options = [f"[{item.flag}{' ' + item.metavar if item.metavar else ''}]" for item in command.options]
    return " ".join(["knobel", command.name, *shapes, *options])


def report_error(argv: list[str], error: KnobelError) -> None:
    """Write an error in one line: as words, or with --json as an object with its code."""
    text = Translator(find_language(argv)).describe_error(error)
    if JSON.flag in argv or JSON_SHORT in argv:
        text = json.dumps({"code": error.code, "text": text}, ensure_ascii=False)
    sys.stderr.write(f"{text}\n")


def find_language(argv: list[str]) -> str:
    """Find the language for an error message, even if the command line could not be parsed."""
    asked = [after for before, after in pairwise(argv) if before in LANG_FLAGS]
    asked += [word.partition("=")[2] for word in argv if word.partition("=")[0] in LANG_FLAGS and "=" in word]
    try:
        return choose_language(asked[-1] if asked else None)
    except KnobelError:
        return choose_language(None)


COMMANDS = (
    "play",
    "serve",
    "join",
    "watch",
    "replay",
    "review",
    "puzzle",
    "lesson",
    "daily",
    "games",
    "history",
    "stats",
    "export",
    "verify",
    "tournament",
    "editions",
    "rules",
    "diff",
    "score",
    "check",
    "pad",
    "leaflet",
    "print",
    "certificate",
    "solve",
    "advise",
    "odds",
    "simulate",
    "sweep",
    "backup",
    "restore",
    "import",
    "doctor",
    "completion",
    "welcome",
)
WELCOME_OPTIONS = ("--plain", "--database", *LANG_FLAGS)
"""Options that may stand without a command."""
MODULES = {"import": "import_totals"}
"""Commands whose names no module can have."""
ALIASES = {"sheet": "leaflet"}
"""Old names of commands; they still work, and help does not mention them."""
