"""`knobel doctor`: check everything Knobel needs on this machine, and say what to fix."""

import asyncio
import shutil
import socket
import subprocess
import webbrowser
from collections.abc import Iterator
from dataclasses import dataclass

from knobel.cli.parser import DATABASE, JSON, LANG, Command, CommandOption, Given
from knobel.cli.progress import ProgressBar
from knobel.cli.room_client import run_with_store
from knobel.cli.screen import say_json, say_paragraph
from knobel.cli.serve import DEFAULT_PORT
from knobel.client.address import parse_server
from knobel.errors import KnobelError, ProblemsFound, RemoteError
from knobel.extras import PAPER, SOLVER, find_missing
from knobel.host.archive import default_database_path
from knobel.host.integrity import find_damage
from knobel.host.rebuild import rebuild_statistics
from knobel.lang import Translator, choose_language
from knobel.phrase import Phrase, phrase
from knobel.store.address import AnyStore
from knobel.store.postgres_connection import hide_password
from knobel.web.options import MAX_PORT

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "firefox")
TIMEOUT_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check: what was checked, whether it is OK, and the message."""

    topic: str
    ok: bool
    message: Phrase


def run(given: Given) -> None:
    """Run all checks; fail at the end if there were problems."""
    words = Translator(choose_language(given.read_value("lang")))
    server = given.read_value("server")
    findings = list(check_elsewhere(server, words.lang)) if server is not None else check_here(given)
    if given.has("json"):
        say_json([{"topic": one.topic, "ok": one.ok, "text": words.translate(one.message)} for one in findings])
    else:
        marks = {True: words("interface.doctor.ok"), False: words("interface.doctor.problem")}
        width = max(map(len, marks.values()))
        for one in findings:
            say_paragraph(f"{marks[one.ok]:{width}}  {words.translate(one.message)}")
    if ill := [one.topic for one in findings if not one.ok]:
        raise ProblemsFound(topics=tuple(ill))


def check_here(given: Given) -> list[Finding]:
    """Check everything on this machine."""
    return [
        *(rebuild(given.read_value("database")) if given.has("rebuild") else ()),
        *check_database(given.read_value("database")),
        *check_books(),
        *check_paper(),
        *check_fonts(),
        *check_browser(),
        *check_port(given.read_number("port", 0, MAX_PORT) or DEFAULT_PORT),
    ]


def check_elsewhere(server: str, lang: str) -> Iterator[Finding]:
    """Check a server as a browser meets it: its page, its sockets, and whether others can listen in."""
    from knobel.client.server_check import check_server

    origin = parse_server(server)
    try:
        found = asyncio.run(check_server(origin, lang))
    except RemoteError as error:
        yield Finding("server", False, error.phrase)
        return
    yield Finding("server", True, phrase("interface.doctor.server", url=found.origin, ms=found.milliseconds))
    if found.socket_problem is not None:
        said = phrase("interface.doctor.server_socket", reason=found.socket_problem)
        yield Finding("socket", False, said)
    if found.is_plain:
        yield Finding("https", False, phrase("interface.doctor.server_plain"))


def rebuild(address: str | None) -> Iterator[Finding]:
    """Derive all results and statistics again from the logs."""
    bar = ProgressBar()

    async def derive(store: AnyStore) -> int:
        games = len(await store.list_games(limit=1_000_000))
        return await rebuild_statistics(store, lambda seen: bar(seen / max(games, 1)))

    try:
        games = run_with_store(address, derive)
        yield Finding("statistics", True, phrase("interface.doctor.rebuilt", n=games))
    except KnobelError as error:
        yield Finding("statistics", False, error.phrase)
    finally:
        bar.clear()


def check_database(address: str | None) -> Iterator[Finding]:
    """Open the database, count its rooms and games, and check every log."""

    async def look_through(store: AnyStore) -> tuple[int, int, list[Phrase]]:
        where = store.display_address
        damage = [phrase("interface.doctor.fault", where=where, reason=fault) for fault in await store.list_faults()]
        damage += [error.phrase async for error in find_damage(store)]
        damage += [phrase("interface.serve.risk", setting=setting) for setting in await store.list_risks()]
        return len(await store.list_rooms()), len(await store.list_games(limit=1_000_000)), damage

    try:
        rooms, games, damage = run_with_store(address, look_through)
    except KnobelError as error:
        yield Finding("database", False, error.phrase)
        return
    yield from (Finding("database", False, said) for said in damage)
    where = hide_password(address or str(default_database_path()))
    yield Finding("database", True, phrase("interface.doctor.database", where=where, rooms=rooms, n=games))


def check_books() -> Iterator[Finding]:
    """Check every byte of every solved book; without the solver there is nothing to check."""
    if missing := find_missing(SOLVER):
        yield Finding("books", True, missing.phrase)
        return
    from knobel.solver.book_cache import (
        DamagedCacheFile,
        OutdatedCacheFile,
        books_dir,
        find_folder_problem,
        verify_file,
    )

    if reason := find_folder_problem():
        yield Finding("books", False, phrase("interface.book.unkept", folder=str(books_dir()), reason=reason))
        return
    good, size = 0, 0
    for path in sorted((*books_dir().glob("*.book"), *books_dir().glob("*.prospects"))):
        try:
            verify_file(path, path.stem)
        except OutdatedCacheFile:
            continue
        except (DamagedCacheFile, OSError, ValueError):
            yield Finding("books", False, phrase("interface.doctor.book", file=str(path)))
            continue
        good, size = good + 1, size + path.stat().st_size
    yield Finding("books", True, phrase("interface.doctor.books", n=good, size=size // 2**20, where=str(books_dir())))


def check_paper() -> Iterator[Finding]:
    """Say if nothing can be printed here."""
    if missing := find_missing(PAPER):
        yield Finding("paper", True, missing.phrase)


def check_fonts() -> Iterator[Finding]:
    """Look for fonts with the letters of all languages, where the system can list its fonts."""
    finder = shutil.which("fc-list")
    if finder is None:
        yield Finding("fonts", True, phrase("interface.doctor.fonts_unknown"))
        return
    for lang in ("uk", "is"):
        found = subprocess.run([finder, f":lang={lang}"], capture_output=True, timeout=TIMEOUT_SECONDS, check=False)  # noqa: S603
        if not found.stdout.strip():
            yield Finding("fonts", False, phrase("interface.doctor.fonts_missing"))
            return
    yield Finding("fonts", True, phrase("interface.doctor.fonts"))


def check_browser() -> Iterator[Finding]:
    """Find a browser to open the game in."""
    if found := next(filter(None, map(shutil.which, BROWSERS)), None):
        yield Finding("browser", True, phrase("interface.doctor.browser", name=found))
        return
    try:
        webbrowser.get()
    except webbrowser.Error:
        yield Finding("browser", False, phrase("interface.doctor.browser_missing"))
    else:
        yield Finding("browser", True, phrase("interface.doctor.browser_some"))


def check_port(port: int) -> Iterator[Finding]:
    """Check whether the port is free."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError):
            yield Finding("port", False, phrase("interface.doctor.port_taken", port=port))
            return
    yield Finding("port", True, phrase("interface.doctor.port", port=port))


COMMAND = Command(
    "doctor",
    (),
    (
        DATABASE,
        CommandOption("port", "N"),
        CommandOption("rebuild"),
        CommandOption("server", "URL", described_as="doctor-server"),
        LANG,
        JSON,
    ),
    run,
)
