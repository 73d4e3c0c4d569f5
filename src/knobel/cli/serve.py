"""`knobel serve`: the game in the browser."""

import os
import sys

from knobel.cli.parser import LANG, Command, CommandOption, Given
from knobel.cli.room_client import DATABASE
from knobel.cli.screen import say
from knobel.host.archive import default_database_path
from knobel.lang import Translator, choose_language
from knobel.store.address import open_store
from knobel.web.limits import run_event_loop
from knobel.web.serve import LOOPBACK, ServerOptions, draw_qr_code, read_proxies, read_public_url, serve

DEFAULT_PORT = 8765
MAX_PORT = 65535


def run(given: Given) -> None:
    """Serve the pages, and open them."""
    words = Translator(choose_language(given.read_value("lang")))
    port = given.read_number("port", 0, MAX_PORT)
    public, proxies = given.read_value("public-url"), given.read_value("proxy")
    door = ServerOptions(
        DEFAULT_PORT if port is None else port,
        given.has("lan"),
        given.has("house-rules"),
        read_public_url(public) if public else None,
        read_proxies(proxies or (LOOPBACK if public else "")),
    )
    run_event_loop(open_store_and_serve(given.read_value("database"), door, words, needs_browser(given)))


async def open_store_and_serve(database: str | None, door: ServerOptions, words: Translator, browser: bool) -> None:
    """Open the database, then serve."""
    store = await open_store(database, default_database_path(), exclusive=True)
    for setting in await store.list_risks():
        say(words("interface.serve.risk", setting=setting), aside=True)

    def say_ready(door: ServerOptions) -> None:
        say(words("interface.serve.open", url=door.public_url or door.url))
        if door.lan_url:
            say(words("interface.serve.lan", url=door.lan_url))
            say(draw_qr_code(door.lan_url))
        say(words("interface.serve.stop"))
        sys.stdout.flush()

    await serve(store, door, say_ready, browser)


def needs_browser(given: Given) -> bool:
    """Tell whether to open a browser: if asked to, or by default on a machine with a screen."""
    if given.has("no-open"):
        return False
    screen = sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return given.has("open") or screen


COMMAND = Command(
    "serve",
    (),
    (
        CommandOption("port", "N"),
        CommandOption("lan"),
        DATABASE,
        CommandOption("open"),
        CommandOption("no-open"),
        CommandOption("house-rules"),
        CommandOption("public-url", "URL"),
        CommandOption("proxy", "ADDRESSES"),
        LANG,
    ),
    run,
)
