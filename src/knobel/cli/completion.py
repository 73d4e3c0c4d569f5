"""`knobel completion`: a script that completes commands, options and their values in a shell."""

from knobel.cli.completed_words import build_completed_commands
from knobel.cli.parser import LANG, Argument, Command, Given
from knobel.cli.screen import say
from knobel.cli.shell_scripts import SHELLS
from knobel.errors import UnknownShell
from knobel.lang import Translator, choose_language
from knobel.rules.fields import abbreviate


def run(given: Given) -> None:
    """Write the script of a shell, made from the commands as they are declared."""
    name = given.required("shell")
    if name not in SHELLS:
        raise UnknownShell(name=abbreviate(name), known=tuple(SHELLS))
    words = Translator(choose_language(given.read_value("lang")))
    say(SHELLS[name](build_completed_commands(words)).rstrip("\n"))


COMMAND = Command("completion", (Argument("shell"),), (LANG,), run)
