"""Where a command finds a record: in a file, else by its name in the database."""

from pathlib import Path

from knobel.cli.room_client import find_and_export, run_with_store
from knobel.record.events import Record
from knobel.record.file import SUFFIX, load_record, parse_record
from knobel.rules.fields import clean_text


def is_record_path(name: str) -> bool:
    """Tell whether a word names a file rather than a saved game."""
    path = Path(name)
    return path.suffix == SUFFIX or path.exists() or len(path.parts) > 1


def read_record(name: str, database: str | None) -> tuple[Record, str]:
    """Load a record from a file, else a game from the database."""
    if is_record_path(name):
        return load_record(Path(name)), clean_text(Path(name).name)
    game, content = run_with_store(database, lambda store: find_and_export(store, name))
    return parse_record(content, game.id), game.id
