"""Rules as data: `edition_ids` lists the printed games, `load_edition` opens one, or a house-rule file."""

from functools import cache
from pathlib import Path

from knobel.errors import UnknownEdition
from knobel.rules.edition import Edition, read_edition, read_house_table
from knobel.rules.families import FAMILIES
from knobel.rules.fields import abbreviate
from knobel.rules.languages import LANGUAGES
from knobel.rules.toml_file import read_toml

EDITIONS_FOLDER = Path(__file__).parent / "editions"


@cache
def edition_ids() -> tuple[str, ...]:
    """List the ids of the printed games."""
    return tuple(find_edition_files())


def load_edition(name: str) -> Edition:
    """Open a printed game by its id, or a house-rule file by its path, as it is now."""
    if name in edition_ids():
        return load_printed_edition(name)
    if name.endswith(".toml") or "/" in name:
        return read_edition(Path(name), extendable_editions())
    raise UnknownEdition(name=abbreviate(name), known=edition_ids())


def read_house_rules(content: bytes, name: str) -> Edition:
    """Read the content of a house-rule file, wherever it came from."""
    return read_house_table(read_toml(content, abbreviate(name)), name, extendable_editions())


@cache
def load_printed_edition(name: str) -> Edition:
    return read_edition(find_edition_files()[name], {})


@cache
def extendable_editions() -> dict[str, Edition]:
    """Find the printed games that house rules can extend."""
    printed = ((name, load_printed_edition(name)) for name in edition_ids())
    return {name: edition for name, edition in printed if FAMILIES[edition.family].extendable}


def find_edition_files() -> dict[str, Path]:
    return {path.stem: path for path in sorted(EDITIONS_FOLDER.glob("*.toml"))}


__all__ = ["LANGUAGES", "Edition", "edition_ids", "load_edition", "read_house_rules"]
