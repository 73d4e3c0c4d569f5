"""Where the files of the repository are on the site, and the links between them."""

import posixpath
import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]
GUIDES = "docs"
PROJECT = PurePosixPath("project")
"""Where the guides of the repository's own folder are."""
FILES = PurePosixPath("files")
"""Where files are shown that are no guides."""
PAGE = ".md"
COPIED = frozenset((".png", ".svg", ".pdf"))
"""Files that are copied as they are; every other file is shown on a page."""
CODE = re.compile(r"(^ *```.*?^ *```|`[^`\n]+`)", re.DOTALL | re.MULTILINE)
LINK = re.compile(r'(?P<before>\]\(|\b(?:src|href)=")(?P<path>[^)"\s#]+)(?P<after>[^)"\s]*)')
ELSEWHERE = re.compile(r"[a-z]+:")


class DeadLink(ValueError):
    """A guide links to something that is not in the repository."""


def find_place(path: PurePosixPath) -> PurePosixPath:
    """Find where a file or folder of the repository is on the site."""
    if path.parts[0] == GUIDES:
        inside = path.relative_to(GUIDES)
    elif path.suffix == PAGE and len(path.parts) == 1:
        inside = PROJECT / path.name.lower().replace("_", "-")
    else:
        inside = FILES / path
    if (ROOT / path).is_dir():
        return inside / "index.md"
    return inside if path.suffix in {PAGE, *COPIED} else inside.with_name(f"{inside.name}{PAGE}")


def relocate_links(text: str, source: PurePosixPath, note: Callable[[PurePosixPath], None]) -> str:
    """Point the links of a guide to where their targets are on the site, and note every target."""

    def relocate(found: re.Match[str]) -> str:
        if ELSEWHERE.match(found["path"]):
            return found[0]
        target = find_target(found["path"], source)
        note(target)
        place = posixpath.relpath(str(find_place(target)), str(find_place(source).parent))
        return f"{found['before']}{place}{found['after']}"

    parts = CODE.split(text)
    return "".join(part if number % 2 else LINK.sub(relocate, part) for number, part in enumerate(parts))


def find_target(path: str, source: PurePosixPath) -> PurePosixPath:
    """Find the file or folder that a guide links to."""
    target = PurePosixPath(posixpath.normpath(str(source.parent / path)))
    if target.parts[0] == ".." or not (ROOT / target).exists():
        raise DeadLink(f"{source} links to {path}, which is not in the repository")
    return target
