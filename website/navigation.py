"""The navigation of the site: what is there decides, so that a new page is found without being listed here."""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import TypeAlias

from knobel.lang import name_language
from website.links import FILES

SECTIONS: dict[str, tuple[str, ...]] = {
    "Guides": ("guides/*",),
    "Editions": ("editions/index.md", "editions/*"),
    "Rules": ("rules/index.md", "rules/*"),
    "Playing": (
        *("playing.md", "commands.md", "house-rules.md", "rulings.md", "paper.md", "coach.md"),
        *("fair-dice.md", "record.md"),
    ),
    "Research": ("solver.md", "lab.md", "benchmarks.md", "results*", "research*"),
    "Development": (
        *("architecture.md", "wire.md", "api*", "security.md", "testing.md", "translating.md"),
        *("project/contributing.md", "decisions/index.md", "decisions/*"),
    ),
    "Project": ("project/readme.md", "project/changelog.md", "*"),
}
"""Sections with the pages they take, in this order; a page belongs to the first section that asks for it."""
HOME = "index.md"
LANGUAGE_PAGES = "rules/"
Entry: TypeAlias = str | dict[str, object]


def build_navigation(folder: Path) -> list[Entry]:
    """List every page of the site but those that show single files."""
    found = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md"))
    left = [page for page in found if page != HOME and not page.startswith(f"{FILES}/")]
    sections: list[Entry] = [{"Home": HOME}]
    for name, wanted in SECTIONS.items():
        pages = list(take_pages(left, wanted))
        left = [page for page in left if page not in pages]
        if pages:
            sections.append({name: [name_page(page) for page in pages]})
    return sections


def take_pages(pages: Iterable[str], wanted: Iterable[str]) -> Iterator[str]:
    """Take the pages that match, in the order of what is asked for."""
    left = list(pages)
    for pattern in wanted:
        taken = [page for page in left if fnmatch(page, pattern)]
        left = [page for page in left if page not in taken]
        yield from taken


def name_page(page: str) -> Entry:
    """Name a page by its title, and rules by their language."""
    name = page.removeprefix(LANGUAGE_PAGES)
    if name in {page, HOME}:
        return page
    return {name_language(name.removesuffix(".md")): page}
