"""The rules of every box, as data: `editions` lists them, `load` opens one, or a house-rule file."""

from functools import cache
from pathlib import Path

from knobel.errors import UnknownEdition
from knobel.rules.edition import LANGUAGES, Edition, read_edition, read_house_table
from knobel.rules.fields import abbreviate
from knobel.rules.toml_file import read_toml

EDITIONS_FOLDER = Path(__file__).parent / "editions"


@cache
def edition_ids() -> tuple[str, ...]:
    """List the ids of the printed boxes."""
    return tuple(find_edition_files())


def load_edition(name: str) -> Edition:
    """Open a printed box by its id, or a house-rule file by its path, as it is now."""
    if name in edition_ids():
        return load_printed_edition(name)
    if name.endswith(".toml") or "/" in name:
        return read_edition(Path(name), extendable_editions())
    raise UnknownEdition(name=abbreviate(name), known=edition_ids())


def read_house_rules(content: bytes, name: str) -> Edition:
    """Read the text of a house-rule file, wherever it came from."""
    return read_house_table(read_toml(content, abbreviate(name)), name, extendable_editions())


@cache
def load_printed_edition(name: str) -> Edition:
    """Open a printed box, once."""
    return read_edition(find_edition_files()[name], {})


@cache
def extendable_editions() -> dict[str, Edition]:
    """Find the printed score-sheet games: a house rule can extend one of these."""
    return {name: box for name in edition_ids() if (box := load_printed_edition(name)).family == "sheet"}


def find_edition_files() -> dict[str, Path]:
    """Find the printed boxes."""
    return {path.stem: path for path in sorted(EDITIONS_FOLDER.glob("*.toml"))}


__all__ = ["LANGUAGES", "Edition", "edition_ids", "load_edition", "read_house_rules"]
