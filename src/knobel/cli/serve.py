"""`knobel serve`: the game in the browser."""

import getpass
import os
import socket
import sys

from knobel.cli.parser import DATABASE, LANG, Command, CommandOption, Given
from knobel.cli.screen import say
from knobel.errors import WorkersNeedPostgres
from knobel.host.archive import default_database_path
from knobel.lang import Translator, choose_language
from knobel.store.address import is_sqlite, open_store
from knobel.web.limits import run_event_loop
from knobel.web.logs import start_json_log
from knobel.web.options import (
    LOOPBACK,
    MAX_PORT,
    MAX_WORKERS,
    ServerOptions,
    read_admin_address,
    read_proxies,
    read_public_url,
)
from knobel.web.serve import draw_qr_code, serve, serve_by_workers

DEFAULT_PORT = 8765
MAX_DAYS = 36_500
MAX_SOLVE_SECONDS, MAX_SOLVE_MEGABYTES = 86_400, 1 << 20
SSH_VARIABLE, SSH_PORT = "SSH_CONNECTION", "22"
"""Where SSH says who is connected: address and port of the other machine, then of this one."""
NO_BROWSER = "interface.serve.no_browser"


def run(given: Given) -> None:
    """Serve the pages, and open them."""
    words = Translator(choose_language(given.read_value("lang")))
    port = given.read_number("port", 0, MAX_PORT)
    public, proxies = given.read_value("public-url"), given.read_value("proxy")
    admin = given.read_value("admin")
    door = ServerOptions(
        DEFAULT_PORT if port is None else port,
        given.has("lan"),
        given.has("house-rules"),
        read_public_url(public) if public else None,
        read_proxies(proxies or (LOOPBACK if public else "")),
        given.has("open-history"),
        given.has("exact-chances"),
        given.read_number("workers", 1, MAX_WORKERS) or 1,
        read_admin_address(admin) if admin else None,
        given.has("log-json"),
        given.read_number("keep-games", 1, MAX_DAYS),
        given.read_number("solve-seconds", 1, MAX_SOLVE_SECONDS),
        given.read_number("solve-memory", 1, MAX_SOLVE_MEGABYTES),
    )
    if door.log_json:
        start_json_log()
    obstacle = None if given.has("open") or given.has("no-open") else find_obstacle()
    browser = given.has("open") or not (given.has("no-open") or obstacle)
    run_event_loop(open_store_and_serve(given.read_value("database"), door, words, browser, obstacle))


async def open_store_and_serve(
    database: str | None, door: ServerOptions, words: Translator, browser: bool, obstacle: str | None = None
) -> None:
    """Open the database, then serve."""
    if door.workers > 1 and is_sqlite(database):
        raise WorkersNeedPostgres(n=door.workers)
    store = await open_store(database, default_database_path(), exclusive=True)
    for setting in await store.list_risks():
        say(words("interface.serve.risk", setting=setting), aside=True)

    def say_ready(door: ServerOptions) -> None:
        say(words("interface.serve.open", url=door.public_url or door.url))
        if door.lan_url:
            say(words("interface.serve.lan", url=door.lan_url))
            say(draw_qr_code(door.lan_url))
        if obstacle:
            say(words(obstacle, command=write_tunnel(door.port)))
        say(words("interface.serve.stop"))
        sys.stdout.flush()

    no_browser = (lambda: say(words(NO_BROWSER), aside=True)) if browser else None
    if door.workers == 1 or database is None:
        await serve(store, door, say_ready, no_browser)
        return
    await store.close()
    await serve_by_workers(database, door, say_ready, no_browser)


def find_obstacle() -> str | None:
    """Find why no browser is opened here, as the key of what to say; nothing where its user sits at the machine."""
    if os.environ.get(SSH_VARIABLE):
        return "interface.serve.tunnel"
    if sys.platform != "darwin" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return NO_BROWSER
    # Many browsers refuse to run as root, and do so in silence.
    return "interface.serve.root" if os.geteuid() == 0 else None


def write_tunnel(port: int) -> str:
    """Write the command by which somebody who is here over SSH reaches the page from their own machine."""
    _, _, address, ssh_port = (os.environ.get(SSH_VARIABLE, "").split() + [""] * 4)[:4]
    other = "" if ssh_port in ("", SSH_PORT) else f"-p {ssh_port} "
    return f"ssh {other}-L {port}:localhost:{port} {getpass.getuser()}@{address or socket.gethostname()}"


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
        CommandOption("open-history"),
        CommandOption("exact-chances"),
        CommandOption("workers", "N"),
        CommandOption("admin", "ADDRESS"),
        CommandOption("keep-games", "N"),
        CommandOption("log-json"),
        CommandOption("solve-seconds", "N"),
        CommandOption("solve-memory", "N"),
        LANG,
    ),
    run,
)
