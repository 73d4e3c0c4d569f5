"""The first page: everything it runs is asked for at once, and it is no heavier than it may be."""

import re
from pathlib import Path

from knobel.web import app

STATIC = Path(app.__file__).parent / "static"
STATIC_IMPORT = re.compile(r'^(?:import|export)\b[^;]*?"\./([\w-]+\.js)";', re.MULTILINE)
PRELOADED = re.compile(r'<link rel="modulepreload" href="/static/([\w-]+\.js)">')
FIRST_FILE = re.compile(r'(?:href|src)="/static/([\w./-]+\.(?:js|css|woff2))"')
MOST_BYTES = 200 * 1024
"""Of 220 KiB, which the benchmark measures; the rest is for what the server says: words, editions and itself."""


def list_imports(name: str, found: list[str]) -> list[str]:
    """List a module with everything it imports before it runs."""
    if name not in found:
        found.append(name)
        for other in STATIC_IMPORT.findall((STATIC / name).read_text(encoding="utf-8")):
            list_imports(other, found)
    return found


def test_what_the_first_page_runs_is_asked_for_at_once() -> None:
    preloaded = PRELOADED.findall((STATIC / "index.html").read_text(encoding="utf-8"))
    assert sorted(preloaded) == sorted(list_imports("app.js", [])[1:])


def test_the_files_of_the_first_page_leave_room_for_its_words() -> None:
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    assert len(page) + sum((STATIC / name).stat().st_size for name in set(FIRST_FILE.findall(page))) <= MOST_BYTES
