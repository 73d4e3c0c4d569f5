"""Statistics and history on the command line, and games of another program."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

from knobel.cli import main
from tests.support.stored_games import dump_tables

TABLE = """date,edition,player,total,game
2026-01-01,mb-yahtzee,Ann,250,a
2026-01-01,mb-yahtzee,Ben,200,a
2026-01-01,mb-yahtzee,Ann,100,b
2026-01-01,mb-yahtzee,Ben,300,b
2026-02-01T20:30,carlit-yatzy,Ann,220,
"""


@pytest.fixture
def database(tmp_path: Path) -> str:
    (tmp_path / "evenings.csv").write_text(TABLE, encoding="utf-8")
    address = f"sqlite:///{tmp_path}/games.db"
    assert main(["import", str(tmp_path / "evenings.csv"), "--database", address, "--lang", "en"]) == 0
    return address


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert main([*words, "--lang", "en"]) == 0
    return capsys.readouterr().out


def test_imported_totals_are_games_with_places_and_people(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    games = json.loads(run(capsys, "history", "--json", "--database", database))
    assert [game["edition"] for game in games] == ["carlit-yatzy", "mb-yahtzee", "mb-yahtzee"]
    assert all(game["imported"] for game in games)
    totals = {tuple((seat["name"], seat["total"], seat["place"]) for seat in game["seats"]) for game in games}
    assert totals == {
        (("Ann", 250, 1), ("Ben", 200, 2)),
        (("Ann", 100, 2), ("Ben", 300, 1)),
        (("Ann", 220, 1),),
    }
    shown = run(capsys, "history", "Ben", "--database", database)
    assert len(shown.splitlines()) == 2
    assert "1. Ben 300, 2. Ann 100" in shown


def test_importing_the_same_table_again_changes_nothing(
    database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = dump_tables(tmp_path / "games.db")
    run(capsys, "import", str(tmp_path / "evenings.csv"), "--database", database)
    assert dump_tables(tmp_path / "games.db") == before


def test_statistics_of_a_person_as_text_json_and_csv(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(run(capsys, "stats", "ann", "--json", "--database", database))
    assert [(one["edition"], one["games"], one["average"]) for one in found] == [
        ("mb-yahtzee", 2, 175.0),
        ("carlit-yatzy", 1, 220.0),
    ]
    assert (found[0]["wins"], found[0]["best"]["value"], found[0]["worst"]["value"]) == (1, 250, 100)
    rows = list(csv.DictReader(io.StringIO(run(capsys, "stats", "--csv", "--database", database))))
    assert [(row["name"], row["edition"], row["games"]) for row in rows] == [
        ("Ann", "mb-yahtzee", "2"),
        ("Ann", "carlit-yatzy", "1"),
        ("Ben", "mb-yahtzee", "2"),
    ]
    only = run(capsys, "stats", "Ann", "--edition", "mb-yahtzee", "--database", database)
    assert "175.0" in only
    assert len(run(capsys, "stats", "--database", database).splitlines()) == 4


def test_a_rebuild_keeps_what_was_imported(database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = run(capsys, "stats", "--json", "--database", database)
    main(["doctor", "--rebuild", "--database", database, "--lang", "en"])
    assert "derived again" in capsys.readouterr().out
    assert run(capsys, "stats", "--json", "--database", database) == before


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("date,player\n", "edition and total"),
        ("date,edition,player,total\n", "no games"),
        ("date,edition,player,total\nyesterday,mb-yahtzee,Ann,5\n", "line 2: yesterday"),
        ("date,edition,player,total\n2026-01-01,mb-yahtzee,Ann,-5\n", "line 2: -5"),
        ("date,edition,player,total\n2026-01-01,carlit-chicago,Ann,5\n", "not played for points"),
        ("date,edition,player,total\n2026-01-01,nothing,Ann,5\n", "line 2: There is no edition “nothing”"),
        ("date,edition,player,total\n2026-01-01,mb-yahtzee,,5\n", "line 2: A player needs a name"),
        ("date,edition,player,total\n2026-01-01,mb-yahtzee,Ann,1000001\n", "line 2: 1000001 is no total"),
        ("date,edition,player,total\n1960-01-01,mb-yahtzee,Ann,5\n", "line 2: 1960-01-01 is no date"),
        ("date,edition,player,total\n2026-01-01,mb-yahtzee,Ann,5\n2026-01-01,mb-yahtzee,ANN,6\n", "line 3: ANN is in"),
        (f'date,edition,player,total\n2026-01-01,mb-yahtzee,"{"A" * 200_000},5\n', "line 2: this is no line"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused_in_one_line(
    table: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.csv").write_text(table, encoding="utf-8")
    words = ["import", str(tmp_path / "bad.csv"), "--database", f"sqlite:///{tmp_path}/none.db", "--lang", "en"]
    assert main(words) == 2
    complaint = capsys.readouterr().err
    assert said in complaint
    assert len(complaint.splitlines()) == 1
    assert dump_tables(tmp_path / "none.db")["results"] == []


def test_an_unknown_or_ambiguous_name_is_refused(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "Zoe", "--database", database, "--lang", "en"]) == 2
    assert "Zoe" in capsys.readouterr().err
    assert re.search(r"\b[2-9A-Z]{10}\b", run(capsys, "stats", "Ann", "--code", "--database", database))


def test_json_and_csv_are_refused_together(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "--json", "--csv", "--database", database, "--lang", "en"]) == 2
    assert "--csv" in "".join(capsys.readouterr())
