"""Compiles the catalogs (`.po`, what translators edit) into the form the program reads (`.mo`)."""

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LANG = Path(__file__).parent / "src" / "knobel" / "lang"


class Catalogs(BuildHookInterface[Any]):
    """Runs before the package is built or installed in place."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Compile every catalog."""
        compile_all()


def compile_all() -> None:
    """Write one `.mo` beside each `.po`, leaving out what is marked fuzzy."""
    for source in sorted(LANG.glob("*/LC_MESSAGES/*.po")):
        with source.open("rb") as lines:
            catalog = read_po(lines, locale=source.parent.parent.name, abort_invalid=True)
        with source.with_suffix(".mo").open("wb") as compiled:
            write_mo(compiled, catalog)


if __name__ == "__main__":
    compile_all()
