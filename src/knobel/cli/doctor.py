"""`knobel doctor`: looks after everything Knobel needs on this machine, and says what to do."""

import shutil
import socket
import subprocess
import webbrowser
from collections.abc import Iterator
from dataclasses import dataclass

from knobel.cli.line import JSON, LANG, Command, Given, Option
from knobel.cli.screen import paragraph, say_json
from knobel.cli.serve import PORT
from knobel.cli.sitting import DATABASE, with_store
from knobel.errors import KnobelError, Unwell
from knobel.host.keeping import database_file
from knobel.lang import Words, language
from knobel.phrase import Phrase, phrase
from knobel.store.address import AnyStore

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "firefox")
PATIENCE = 10


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, whether it is well, and what to say about it."""

    topic: str
    well: bool
    said: Phrase


def run(given: Given) -> None:
    """Look after everything; what is not well is an error at the end."""
    words = Words(language(given.word("lang")))
    port = given.number("port", "--port") or PORT
    findings = [
        *look_at_database(given.word("database")),
        *look_at_books(),
        *look_at_fonts(),
        *look_at_browser(),
        *look_at_port(port),
    ]
    if given.flag("json"):
        say_json([{"topic": one.topic, "well": one.well, "text": words.say(one.said)} for one in findings])
    else:
        marks = {True: words("interface.doctor.well"), False: words("interface.doctor.unwell")}
        width = max(map(len, marks.values()))
        for one in findings:
            paragraph(f"{marks[one.well]:{width}}  {words.say(one.said)}")
    if ill := [one.topic for one in findings if not one.well]:
        raise Unwell(topics=tuple(ill))


def look_at_database(address: str | None) -> Iterator[Finding]:
    """Open the database and count what is in it."""

    async def look(store: AnyStore) -> tuple[int, int]:
        return len(await store.rooms()), len(await store.games(limit=1_000_000))

    try:
        rooms, games = with_store(address, look)
    except KnobelError as error:
        yield Finding("database", False, error.phrase)
        return
    where = address or str(database_file())
    yield Finding("database", True, phrase("interface.doctor.database", where=where, rooms=rooms, n=games))


def look_at_books() -> Iterator[Finding]:
    """Check every byte of every solved book."""
    from knobel.solver.book import Damaged, read, shelf

    good, size = 0, 0
    for path in sorted((*shelf().glob("*.book"), *shelf().glob("*.prospects"))):
        try:
            read(path, path.stem)
        except (Damaged, OSError, ValueError):
            yield Finding("books", False, phrase("interface.doctor.book", file=str(path)))
            continue
        good, size = good + 1, size + path.stat().st_size
    yield Finding("books", True, phrase("interface.doctor.books", n=good, size=size // 2**20, where=str(shelf())))


def look_at_fonts() -> Iterator[Finding]:
    """Find fonts for the letters of all languages, where the machine can say."""
    finder = shutil.which("fc-list")
    if finder is None:
        yield Finding("fonts", True, phrase("interface.doctor.fonts_unknown"))
        return
    for lang in ("uk", "is"):
        found = subprocess.run([finder, f":lang={lang}"], capture_output=True, timeout=PATIENCE, check=False)  # noqa: S603
        if not found.stdout.strip():
            yield Finding("fonts", False, phrase("interface.doctor.fonts_missing"))
            return
    yield Finding("fonts", True, phrase("interface.doctor.fonts"))


def look_at_browser() -> Iterator[Finding]:
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


def look_at_port(port: int) -> Iterator[Finding]:
    """Try whether the port is free."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError):
            yield Finding("port", False, phrase("interface.doctor.port_taken", port=port))
            return
    yield Finding("port", True, phrase("interface.doctor.port", port=port))


COMMAND = Command("doctor", (), (DATABASE, Option("port", "N"), LANG, JSON), run)
