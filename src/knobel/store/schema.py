"""The SQL beside the code: named statements, numbered migrations, and which tables are ours."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files

from knobel.errors import DatabaseForeign, DatabaseNewer

TABLES = {
    "rooms": ("room", "version", "body", "code", "touched"),
    "games": ("game", "room", "header", "seed", "opened"),
    "heads": ("game", "count", "touched", "closed"),
    "names": ("game", "seat", "name"),
    "events": ("game", "seq", "command", "asked", "ends", "previous", "body", "at"),
}
"""What a backup holds, in the order in which it is written."""

FOLDER = files("knobel.store")


@cache
def load_queries(dialect: str) -> dict[str, str]:
    """Give every statement of a dialect by its name, with placeholders as its driver wants them."""
    found: dict[str, str] = {}
    for file in ("queries", dialect):
        text = (FOLDER / f"{file}.sql").read_text(encoding="utf-8")
        found |= {name: sql.strip() for name, sql in re.findall(r"^-- (\w+)\n(.*?);$", text, re.MULTILINE | re.DOTALL)}
    return found if dialect == "sqlite" else {name: sql.replace("?", "%s") for name, sql in found.items()}


@cache
def load_migrations(dialect: str) -> tuple[tuple[str, ...], ...]:
    """Give the statements of every migration in order; `/*sqlite … */` is a remark to anybody else."""
    paths = sorted(path.name for path in (FOLDER / "migrations").iterdir() if path.name.endswith(".sql"))
    return tuple(
        split_statements((FOLDER / "migrations" / name).read_text(encoding="utf-8"), dialect) for name in paths
    )


def split_statements(text: str, dialect: str) -> tuple[str, ...]:
    """Cut a script into its statements."""
    text = re.sub(r"^--.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"/\*(\w+) (.*?)\*/", lambda remark: remark[2] if remark[1] == dialect else "", text)
    return tuple(statement.strip() for statement in text.split(";\n") if statement.strip())


def schema_version(dialect: str) -> int:
    """Give the version of the schema this Knobel writes."""
    return len(load_migrations(dialect))


def list_pending_statements(dialect: str, version: int, value: str) -> Sequence[str]:
    """List the statements that lead from a version to ours; a later Knobel's database is refused."""
    if version > schema_version(dialect):
        raise DatabaseNewer(value=value, version=version, known=schema_version(dialect))
    return [statement for steps in load_migrations(dialect)[version:] for statement in steps]


def is_empty(tables: Iterable[str], value: str) -> bool:
    """Tell a database nobody has used from one of ours; anything else is foreign."""
    tables = set(tables)
    if tables and not {"schema", *TABLES} <= tables:
        raise DatabaseForeign(value=value)
    return not tables
