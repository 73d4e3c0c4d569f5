"""`knobel backup`: everything that is kept, in one file."""

from pathlib import Path

from knobel.cli.line import LANG, Argument, Command, Given
from knobel.cli.screen import say
from knobel.cli.sitting import DATABASE, with_store
from knobel.lang import Words, language
from knobel.store.backup import backup


def run(given: Given) -> None:
    """Write a backup."""
    words, path = Words(language(given.word("lang"))), Path(given.the("backup"))
    with_store(given.word("database"), lambda store: backup(store, path))
    say(words("interface.backup.written", file=str(path), n=path.stat().st_size))


COMMAND = Command("backup", (Argument("backup"),), (DATABASE, LANG), run)
