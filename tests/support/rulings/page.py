"""The page of rulings: its ids, its lines of misprints, its two tables."""

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]
ID = r"[A-Z]{1,2}-[A-Z]?\d*"
HEADING = re.compile(rf"^### ({ID}) ", re.MULTILINE)
ROW = re.compile(rf"^\| ({ID}) \| (.+) \|$", re.MULTILINE)


@cache
def read_page() -> str:
    return (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")


def list_rows() -> list[tuple[str, list[str]]]:
    """List the lines of misprints: the id, and what is printed, what is played, why."""
    return [(one, cells.split(" | ")) for one, cells in ROW.findall(read_page())]


def list_ids() -> list[str]:
    """List the ids of the page, each once."""
    return list(dict.fromkeys((*HEADING.findall(read_page()), *(one for one, _ in list_rows()))))


def read_table(head: str) -> dict[str, list[str]]:
    """Read a table of the page by its first head: the cells of each line, by the first of them."""
    lines = read_page().split(f"\n| {head} | ", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    rows = [line.strip("| ").split(" | ") for line in lines]
    return {row[0]: row[1:] for row in rows}


def expand_ids(text: str) -> list[str]:
    """List the ids a cell names; `E-1 … E-3` stands for all from the first to the last."""
    found: list[str] = []
    for part in re.split("[,;] ", text):
        first, _, last = part.partition(" … ")
        stem, number = re.fullmatch(r"(.*?)(\d*)", first).groups()  # type: ignore[union-attr]
        end = int(last.removeprefix(stem)) if last else 0
        found += [f"{stem}{one}" for one in range(int(number), end + 1)] if last else [first]
    return found
