"""The fonts: which letters they have, how long they are kept, and that the page names the files there are."""

import re
from pathlib import Path

import pytest

from knobel.lang import DOMAINS, LANGUAGES, list_catalog
from knobel.web import app
from tests.support.browser import Server

FOLDER = app.STATIC / "fonts"
SHEET = (app.STATIC / "fonts.css").read_text(encoding="utf-8")
FONT_FILES = sorted(path.name for path in FOLDER.glob("*.woff2"))


def read_ranges(family: str) -> set[int]:
    """Which characters a family promises."""
    found: set[int] = set()
    for rule in re.findall(rf'font-family: "{family}".*?unicode-range: ([^;]+);', SHEET):
        for part in rule.split(", "):
            first, _, last = part.removeprefix("U+").partition("-")
            found |= set(range(int(first, 16), int(last or first, 16) + 1))
    return found


def test_style_sheet_and_page_name_just_the_files_there_are() -> None:
    assert sorted(set(re.findall(r'url\("fonts/([^"]+)"\)', SHEET))) == FONT_FILES
    page = (app.STATIC / "index.html").read_text(encoding="utf-8")
    first = re.findall(r"/static/fonts/([^\"]+)", page)
    assert first
    assert set(first) <= set(FONT_FILES)


@pytest.mark.parametrize("family", ["Literata", "Open Sans"])
def test_every_character_of_every_language_has_a_font(family: str) -> None:
    known = read_ranges(family)
    for lang in LANGUAGES:
        for domain in DOMAINS:
            for text in list_catalog(domain, lang).values():
                said = text if isinstance(text, str) else "".join(text.values())
                assert {letter for letter in said if letter != "\n" and ord(letter) not in known} == set(), lang


@pytest.mark.parametrize("character", "\u202f←→")
def test_a_narrow_space_and_arrows_are_in_the_fonts(character: str) -> None:
    assert all(ord(character) in read_ranges(family) for family in ("Literata", "Open Sans"))


def test_every_font_has_its_licence_beside_it() -> None:
    for name in FONT_FILES:
        package = re.split(r"-(?:latin|cyrillic)", name)[0]
        assert "SIL OPEN FONT LICENSE" in (FOLDER / f"{package}.LICENSE.txt").read_text(encoding="utf-8")
    assert (Path(app.__file__).parents[1] / "paper" / "fonts" / "literata.LICENSE.txt").exists()


@pytest.mark.process
def test_a_font_is_kept_for_ever_and_everything_else_asked_for_again(tmp_path: Path) -> None:
    from urllib.request import urlopen

    with Server(tmp_path) as server:
        for path, kept in ((f"/static/fonts/{FONT_FILES[0]}", True), ("/static/base.css", False)):
            with urlopen(f"{server.url}{path}") as answer:  # noqa: S310
                assert ("immutable" in answer.headers["Cache-Control"]) == kept
