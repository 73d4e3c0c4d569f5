"""The guides of the repository as pages of the site, with every file and folder they link to."""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from website.links import COPIED, GUIDES, PAGE, ROOT, find_place, relocate_links

TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
LANGUAGE_PAGES = PurePosixPath("docs/rules")
"""Pages that are named by the language they are in."""
FOLDERS = (PurePosixPath("docs/decisions"), LANGUAGE_PAGES)
"""Folders that get a list of their pages, linked or not."""


def list_sources() -> list[PurePosixPath]:
    """List the guides: everything written for readers, in the repository's own folder and in `docs`."""
    found = sorted([*ROOT.glob(f"*{PAGE}"), *(ROOT / GUIDES).rglob(f"*{PAGE}")])
    return [*FOLDERS, *(PurePosixPath(path.relative_to(ROOT).as_posix()) for path in found)]


def stage_guides(folder: Path) -> None:
    """Write the guides, and all they link to, into a folder as the site has them."""
    waiting = list_sources()
    known = set(waiting)

    def note(target: PurePosixPath) -> None:
        if target not in known:
            known.add(target)
            waiting.append(target)

    for source in waiting:
        place = folder / find_place(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix in COPIED:
            place.write_bytes((ROOT / source).read_bytes())
            continue
        written_in = source / "index.md" if (ROOT / source).is_dir() else source
        place.write_text(relocate_links(read_page(source), written_in, note), encoding="utf-8")


def read_page(source: PurePosixPath) -> str:
    """Read a guide, or write a page that shows a file or lists a folder."""
    path = ROOT / source
    if path.is_dir():
        own = path / "index.md"
        return own.read_text(encoding="utf-8") if own.is_file() else list_folder(source)
    text = path.read_text(encoding="utf-8")
    if path.suffix != PAGE:
        return f"# {source.name}\n\n`{source}`\n\n```{path.suffix[1:] or 'text'}\n{text.rstrip()}\n```\n"
    return f"---\nlang: {source.stem}\n---\n{text}" if source.parent == LANGUAGE_PAGES else text


def list_folder(source: PurePosixPath) -> str:
    """Write a page with a link to everything in a folder."""
    rows = "\n".join(f"- [{name_file(path)}]({path.name})" for path in list_files(ROOT / source))
    return f"# {source.name.replace('-', ' ').capitalize()}\n\n{rows}\n"


def list_files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.iterdir()) if not path.name.startswith((".", "__")))


def name_file(path: Path) -> str:
    """Name a guide by its title, and any other file as it is."""
    found = TITLE.search(path.read_text(encoding="utf-8")) if path.suffix == PAGE else None
    return found[1] if found else path.name
