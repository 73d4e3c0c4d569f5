"""The rules of every box, as data: `editions` lists them, `load` opens one, or a house-rule file."""

from functools import cache
from pathlib import Path

from knobel.errors import UnknownEdition
from knobel.rules.edition import LANGUAGES, Edition, read_edition, read_table
from knobel.rules.fields import shown
from knobel.rules.limits import read_toml

FOLDER = Path(__file__).parent / "editions"


@cache
def editions() -> tuple[str, ...]:
    """List the ids of the printed boxes."""
    return tuple(boxes())


def load(name: str) -> Edition:
    """Open a printed box by its id, or a house-rule file by its path, as it is now."""
    if name in editions():
        return printed_box(name)
    if name.endswith(".toml") or "/" in name:
        return read_edition(Path(name), sheets())
    raise UnknownEdition(name=shown(name), known=editions())


def read_house(content: bytes, name: str) -> Edition:
    """Read the text of a house-rule file, wherever it came from."""
    return read_table(read_toml(content, shown(name)), name, sheets())


@cache
def printed_box(name: str) -> Edition:
    """Open a printed box, once."""
    return read_edition(boxes()[name], {})


@cache
def sheets() -> dict[str, Edition]:
    """Find the printed score-sheet games: a house rule can extend one of these."""
    return {name: box for name in editions() if (box := printed_box(name)).family == "sheet"}


def boxes() -> dict[str, Path]:
    """Find the printed boxes."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.toml"))}


__all__ = ["LANGUAGES", "Edition", "editions", "load", "read_house"]
