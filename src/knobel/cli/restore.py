"""`knobel restore`: fill an empty database from a backup."""

from pathlib import Path

from knobel.cli.parser import DATABASE, LANG, Argument, Command, Given
from knobel.cli.room_client import run_with_store
from knobel.cli.screen import say
from knobel.lang import Translator, choose_language
from knobel.store.backup import restore_backup


def run(given: Given) -> None:
    words, path = Translator(choose_language(given.read_value("lang"))), Path(given.required("backup"))
    run_with_store(given.read_value("database"), lambda store: restore_backup(path, store), exclusive=True)
    say(words("interface.restore.done", file=str(path)))


COMMAND = Command("restore", (Argument("backup"),), (DATABASE, LANG), run)
