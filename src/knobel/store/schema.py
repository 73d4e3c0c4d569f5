"""The SQL files: named statements, numbered migrations, and which tables are ours."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import TypeAlias

from knobel.errors import DatabaseForeign, DatabaseNewer, DatabaseVersionMissing

Statement: TypeAlias = tuple[str, tuple[object, ...], bool]
"""A statement by its name, its values, and whether it must change exactly one row: if not, another was faster."""

TABLES = {
    "house_rules": ("fingerprint", "text", "stored"),
    "rooms": ("room", "version", "body", "code", "touched", "house_rules"),
    "games": ("game", "room", "header", "seed", "opened", "house_rules"),
    "heads": ("game", "count", "touched", "closed", "head"),
    "names": ("game", "seat", "name"),
    "events": ("game", "seq", "command", "request_body", "ends", "previous", "body", "at"),
    "commands": ("room", "command", "body", "at"),
    "devices": ("device", "secret", "identity", "idle"),
    "people": ("person", "name", "colour", "emblem", "hidden", "created", "stale"),
    "holders": ("identity", "person"),
    "players": ("game", "seat", "person"),
    "results": (
        *("game", "seat", "room", "person", "bot", "edition", "title", "text", "fingerprint", "family", "ended"),
        *("total", "place", "players", "practice", "free", "assisted", "real_dice", "imported", "counts", "detail"),
        *("luck", "lost", "level", "reviewed", "counted"),
    ),
    "summaries": ("person", "other", "edition", "version", "body"),
    "mistakes": ("person", "game", "event", "seat", "edition", "theme", "lost", "card", "due"),
    "searched_seats": ("game", "seat"),
    "answers": ("owner", "kind", "fingerprint", "name", "edition", "theme", "lost", "body", "at"),
    "tournaments": ("tournament", "version", "identity", "body", "touched", "house_rules", "idle"),
}
"""What a backup holds, in the order in which it is written."""
FIRST_TABLES = {"schema", "rooms", "games", "heads", "names", "events"}
"""The tables of schema 1: every database of ours has them."""
FOLDER = files("knobel.store")


@cache
def load_queries(dialect: str) -> dict[str, str]:
    """Load every statement of a dialect by its name, with the placeholders of its driver."""
    found: dict[str, str] = {}
    for file in ("queries", "people", "learning", "tournaments", dialect):
        text = (FOLDER / f"{file}.sql").read_text(encoding="utf-8")
        found |= {name: sql.strip() for name, sql in re.findall(r"^-- (\w+)\n(.*?);$", text, re.MULTILINE | re.DOTALL)}
    return found if dialect == "sqlite" else {name: sql.replace("?", "%s") for name, sql in found.items()}


@cache
def load_migrations(dialect: str) -> tuple[tuple[str, ...], ...]:
    """Load the statements of every migration in order; `/*sqlite … */` is a comment to other dialects."""
    paths = sorted(path.name for path in (FOLDER / "migrations").iterdir() if path.name.endswith(".sql"))
    return tuple(
        split_statements((FOLDER / "migrations" / name).read_text(encoding="utf-8"), dialect) for name in paths
    )


def split_statements(text: str, dialect: str) -> tuple[str, ...]:
    text = re.sub(r"^--.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"/\*(\w+) (.*?)\*/", lambda remark: remark[2] if remark[1] == dialect else "", text)
    return tuple(statement.strip() for statement in text.split(";\n") if statement.strip())


def schema_version(dialect: str) -> int:
    """The version of the schema this Knobel writes."""
    return len(load_migrations(dialect))


def list_pending_migrations(dialect: str, version: int, value: str) -> Sequence[tuple[int, Sequence[str]]]:
    """List the migrations that lead from a version to ours, by number; the database of a later Knobel is refused."""
    if version > schema_version(dialect):
        raise DatabaseNewer(value=value, version=version, known=schema_version(dialect))
    return list(enumerate(load_migrations(dialect)[version:], version + 1))


def read_version(row: Sequence[object] | None, value: str) -> int:
    """Read the number of the schema; a database of ours without one is damaged."""
    try:
        return int(str(row[0])) if row else int("")
    except ValueError:
        raise DatabaseVersionMissing(value=value) from None


def is_empty(tables: Iterable[str], value: str) -> bool:
    """Tell an unused database from one of ours; refuse any other."""
    tables = set(tables)
    if tables and not tables >= FIRST_TABLES:
        raise DatabaseForeign(value=value)
    return not tables
