"""`knobel import`: take over games that were played with another program, as totals from a table."""

import time
from pathlib import Path

from knobel.cli.parser import DATABASE, LANG, Argument, Command, Given
from knobel.cli.room_client import run_with_store
from knobel.cli.screen import say
from knobel.errors import FileNotUtf8
from knobel.host.statistics import StatisticsKeeper
from knobel.host.totals_import import import_totals
from knobel.lang import Translator, choose_language
from knobel.rules.toml_file import display_name, read_bytes
from knobel.store.address import AnyStore
from knobel.store.people import StoredPerson

MAX_BYTES = 8 * 1024 * 1024


def run(given: Given) -> None:
    words, path = Translator(choose_language(given.read_value("lang"))), Path(given.required("table"))
    name = display_name(path)
    try:
        text = read_bytes(path, MAX_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileNotUtf8(file=name) from None

    async def take_over(store: AnyStore) -> tuple[int, list[StoredPerson]]:
        found = await import_totals(store, text, name, time.time())
        await StatisticsKeeper(store).catch_up()
        return found

    games, added = run_with_store(given.read_value("database"), take_over)
    say(words("interface.import.done", n=games))
    if added:
        say(words("interface.import.people", names=words.join_list(person.name for person in added)))


COMMAND = Command("import", (Argument("table"),), (DATABASE, LANG), run)
