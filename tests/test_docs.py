"""Guides name only files and modules that exist."""

import re
from functools import cache
from pathlib import Path

import pytest

from knobel.lang import COMPLETE
from tests.pictures import list_outdated
from tests.rule_pages import FOLDER, build_page

ROOT = Path(__file__).parents[1]
GUIDES = [
    *(ROOT / "README.md", ROOT / "CONTRIBUTING.md"),
    *(path for folder in ("docs", "docs/guides") for path in sorted((ROOT / folder).glob("*.md"))),
]
"""What describes Knobel as it is; a decision tells how it came to be, and may name what is gone."""
FOLDERS = ("src", "tests", "docs", "examples", "benchmarks", "website")
FILE = re.compile(r"`(\w[\w./-]*\.(?:py|js|ts|css|typ|toml|json|md|po|html|sql))`")
MODULE = re.compile(r"`knobel(?:\.[a-z_]+)+`")
NO_MODULES = {"knobel/secret": "a key of the browser's storage"}


@cache
def paths() -> frozenset[str]:
    """Give every file as its path from any folder above it."""
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file()]
    found += [path for path in ROOT.iterdir() if path.is_file()]
    parts = [path.relative_to(ROOT).parts for path in found]
    return frozenset("/".join(part[start:]) for part in parts for start in range(len(part)))


def missing(text: str) -> list[str]:
    modules = (name.strip("`").replace(".", "/") for name in MODULE.findall(text))
    lost = [name for name in modules if name not in NO_MODULES and not {f"{name}.py", f"{name}/__init__.py"} & paths()]
    return [name for name in FILE.findall(text) if name not in paths()] + lost


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.name)
def test_every_file_a_guide_names_exists(guide: Path) -> None:
    assert missing(guide.read_text(encoding="utf-8")) == []


def test_a_file_that_is_gone_would_be_found() -> None:
    assert missing("`web/many.py`, `web/limits` and `rules/column.py`, `knobel.cli.line`") == [
        "web/many.py",
        "knobel/cli/line",
    ]


@pytest.mark.parametrize("lang", COMPLETE)
def test_the_page_of_rules_in_a_language_is_as_the_program_says_them(lang: str) -> None:
    page = FOLDER / f"{lang}.md"
    assert page.read_text(encoding="utf-8") == build_page(lang), "run python -m tests.rule_pages"
    assert f"](docs/rules/{lang}.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.rest
def test_the_pictures_of_the_readme_show_the_program_as_it_is() -> None:
    assert list_outdated() == [], "run make pictures"
