"""Commands on a database that is damaged in one place: said in a sentence, and everything else goes on."""

import io
import json
import sqlite3
import sys
from pathlib import Path

import pytest

from knobel.cli import main

DAMAGE = {
    "game_damaged": "UPDATE events SET body = '{' WHERE game = ? AND seq = 1",
    "header": "UPDATE games SET header = '{' WHERE game = ?",
    "room_damaged": "UPDATE rooms SET body = '{' WHERE room = (SELECT room FROM games WHERE game = ?)",
}


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "knobel.db"


def play(monkeypatch: pytest.MonkeyPatch, database: Path, *words: str) -> int:
    """Play until the input ends."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n\nq\n"))
    return main(["play", *words, "--database", f"sqlite:///{database}", "--lang", "en"])


def start(monkeypatch: pytest.MonkeyPatch, database: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Start a game, leave it, and give its id."""
    assert play(monkeypatch, database, "mb-yahtzee", "--player", "Ann", "--player", "Ben") == 0
    return capsys.readouterr().out.split()[-1]


def damage(database: Path, kind: str, game: str) -> None:
    link = sqlite3.connect(database)
    with link:
        assert link.execute(DAMAGE[kind], (game,)).rowcount == 1
    link.close()


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_game_is_not_resumed_and_says_so(
    kind: str, database: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = start(monkeypatch, database, capsys)
    damage(database, kind, game)
    for words in (("--resume",), ("--resume", game)):
        assert play(monkeypatch, database, *words) == 2
        said = capsys.readouterr().err
        assert "is damaged" in said
        assert said.count("\n") == 1


@pytest.mark.parametrize("kind", DAMAGE)
def test_the_last_game_that_is_not_damaged_is_resumed(
    kind: str, database: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sound, damaged = (start(monkeypatch, database, capsys) for _ in range(2))
    damage(database, kind, damaged)
    assert play(monkeypatch, database, "--resume") == 0
    assert capsys.readouterr().out.split()[-1] == sound


def test_a_game_whose_beginning_cannot_be_read_is_listed_as_damaged(
    database: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sound, damaged = (start(monkeypatch, database, capsys) for _ in range(2))
    damage(database, "header", damaged)
    address = f"sqlite:///{database}"
    assert main(["games", "--database", address, "--lang", "en"]) == 0
    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert ("damaged" in lines[damaged], "damaged" in lines[sound]) == (True, False)
    assert main(["games", "--json", "--database", address]) == 0
    titles = {game["game"]: game["title"] for game in json.loads(capsys.readouterr().out)}
    assert titles == {sound: "Yahtzee", damaged: None}
