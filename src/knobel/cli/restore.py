"""`knobel restore`: fills an empty database from a backup."""

from pathlib import Path

from knobel.cli.line import LANG, Argument, Command, Given
from knobel.cli.screen import say
from knobel.cli.sitting import DATABASE, with_store
from knobel.lang import Words, language
from knobel.store.backup import restore


def run(given: Given) -> None:
    """Read a backup."""
    words, path = Words(language(given.word("lang"))), Path(given.the("backup"))
    with_store(given.word("database"), lambda store: restore(path, store))
    say(words("interface.restore.done", file=str(path)))


COMMAND = Command("restore", (Argument("backup"),), (DATABASE, LANG), run)
