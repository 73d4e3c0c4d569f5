"""`knobel export`: write a stored game as a record; it includes the seeds once the game is over."""

import sys
from pathlib import Path

from knobel.cli.parser import DATABASE, LANG, Argument, Command, CommandOption, Given
from knobel.cli.room_client import find_and_export, run_with_store
from knobel.cli.screen import say
from knobel.lang import Translator, choose_language
from knobel.record.file import SUFFIX, save_record

STDOUT_PATH = "-"


def run(given: Given) -> None:
    words = Translator(choose_language(given.read_value("lang")))
    name = given.required("game")
    game, content = run_with_store(given.read_value("database"), lambda store: find_and_export(store, name))
    place = given.read_value("output") or f"{game.id}{SUFFIX}"
    if place == STDOUT_PATH:
        sys.stdout.buffer.write(content)
        return
    save_record(content, Path(place))
    say(words("interface.export.written", file=place))
    if not game.is_closed:
        say(words("interface.export.unfinished"))


COMMAND = Command("export", (Argument("game"),), (CommandOption("output", "FILE"), DATABASE, LANG), run)
