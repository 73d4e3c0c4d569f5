"""`knobel backup`: write the whole database to one file."""

from pathlib import Path

from knobel.cli.parser import DATABASE, LANG, Argument, Command, Given
from knobel.cli.room_client import run_with_store
from knobel.cli.screen import say
from knobel.lang import Translator, choose_language
from knobel.store.backup import write_backup


def run(given: Given) -> None:
    words, path = Translator(choose_language(given.read_value("lang"))), Path(given.required("backup"))
    run_with_store(given.read_value("database"), lambda store: write_backup(store, path))
    say(words("interface.backup.written", file=str(path), n=path.stat().st_size))


COMMAND = Command("backup", (Argument("backup"),), (DATABASE, LANG), run)
