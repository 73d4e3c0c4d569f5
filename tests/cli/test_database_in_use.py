"""Commands on a SQLite file in which another process plays: those that only read are let in, others are not."""

import io
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from knobel.cli import main
from knobel.store.sqlite_connection import ProcessLock

UNSAFE_VERSION = (3, 40, 1)


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", UNSAFE_VERSION)
    return tmp_path / "knobel.db"


@pytest.fixture
def game(database: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Start a game, leave it, and hold the lock of a server that runs."""
    assert play(monkeypatch, database) == 0
    game = capsys.readouterr().out.split()[-1]
    assert run(database, "backup", str(database.with_name("all.backup"))) == 0
    lock = ProcessLock(database)
    yield game
    lock.release()


def play(monkeypatch: pytest.MonkeyPatch, database: Path) -> int:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n\nq\n"))
    return run(database, "play", "mb-yahtzee", "--player", "Ann", "--player", "Ben")


def run(database: Path, *words: str) -> int:
    return main([*words, "--database", f"sqlite:///{database}", "--lang", "en"])


def test_commands_that_only_read_are_let_in(database: Path, game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(database, "games") == 0
    assert game in capsys.readouterr().out
    assert run(database, "export", game, "--output", str(database.with_name("a.knobel"))) == 0
    assert run(database, "backup", str(database.with_name("b.backup"))) == 0
    assert run(database, "review", "nothing-of-the-kind") == 2
    assert "nothing-of-the-kind" in capsys.readouterr().err


def test_commands_that_write_are_refused(
    database: Path, game: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(database, "games") == 0
    assert game in capsys.readouterr().out
    for code in (run(database, "restore", str(database.with_name("all.backup"))), play(monkeypatch, database)):
        assert code == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert all("in use" in line or "another process" in line for line in said), said
