"""`knobel serve`: the game in the browser."""

import os
import sys

from knobel.cli.line import LANG, Command, Given, Option
from knobel.cli.screen import say
from knobel.cli.sitting import DATABASE
from knobel.errors import NumberRange
from knobel.host.keeping import database_file
from knobel.lang import Words, language
from knobel.store.address import open_store
from knobel.web.many import run_many
from knobel.web.serve import Door, qr_text, serve

PORT = 8765
MOST_PORT = 65535


def run(given: Given) -> None:
    """Serve the pages, and open them."""
    words = Words(language(given.word("lang")))
    port = given.number("port", "--port")
    if port is not None and not 0 <= port <= MOST_PORT:
        raise NumberRange(name="--port", least=0, most=MOST_PORT, value=port)
    door = Door(PORT if port is None else port, given.flag("lan"), given.flag("house-rules"))
    run_many(opened(given.word("database"), door, words, opens_browser(given)))


async def opened(database: str | None, door: Door, words: Words, browser: bool) -> None:
    """Open the database, then the door."""
    store = await open_store(database, database_file())

    def ready(door: Door) -> None:
        say(words("interface.serve.open", url=door.url))
        if door.lan_url:
            say(words("interface.serve.lan", url=door.lan_url))
            say(qr_text(door.lan_url))
        say(words("interface.serve.stop"))
        sys.stdout.flush()

    await serve(store, door, ready, browser)


def opens_browser(given: Given) -> bool:
    """Open a browser if asked to, or by itself where somebody sits before a screen."""
    if given.flag("no-open"):
        return False
    screen = sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return given.flag("open") or screen


COMMAND = Command(
    "serve",
    (),
    (Option("port", "N"), Option("lan"), DATABASE, Option("open"), Option("no-open"), Option("house-rules"), LANG),
    run,
)
