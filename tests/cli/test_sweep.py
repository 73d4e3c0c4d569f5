"""`knobel sweep`: a table of results, in words and as JSON, and one line for what is wrong."""

import json
from pathlib import Path

import pytest

from knobel.cli import main
from knobel.rules.sheet_rules import SheetRules
from tests.support.house_rules import EXAMPLES


@pytest.fixture
def grid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a small grid whose rules are solved at once, with made-up figures."""

    def solve_here(jobs: list[SheetRules], processors: int) -> object:
        return [(rules, {"par": 10.0 + rules.rolls, "seconds": float(processors)}) for rules in jobs]

    monkeypatch.setattr("knobel.sweeps.sweep.run_locally", solve_here)
    path = tmp_path / "grid.toml"
    base = (EXAMPLES / "two-dice.toml").read_text(encoding="utf-8")
    path.write_text(f"{base}\n[grid]\nrolls = [1, 2, 9]\n", encoding="utf-8")
    return path


def test_it_shows_a_table_and_says_where_the_results_are(grid: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(grid.parent / "out")
    assert main(["sweep", str(grid), "--out", out]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:2] == ["rolls", "par"]
    assert [line.split()[:2] for line in lines[1:4]] == [["1", "11.000"], ["2", "12.000"], ["9", "key_range"]]
    assert lines[4] == f"Solved 2 sets of rules, 0 were known; results are in {out}."


def test_json_has_every_row(grid: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", str(grid), "--out", str(grid.parent / "out"), "--processes", "1", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["solved"], answer["known"]) == (2, 0)
    assert [(row["rolls"], row["par"], row["error"]) for row in answer["rows"]] == [
        (1, 11.0, None),
        (2, 12.0, None),
        (9, None, "key_range"),
    ]


def test_a_file_without_a_grid_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", str(EXAMPLES / "two-dice.toml")]) == 2
    assert capsys.readouterr().err == "two-dice.toml: grid is missing.\n"


def test_a_cluster_that_does_not_answer_is_named(
    grid: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("knobel.sweeps.cluster.CONNECT_SECONDS", 0.2)
    assert main(["sweep", str(grid), "--out", str(grid.parent / "out"), "--dask", "tcp://127.0.0.1:1"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("tcp://127.0.0.1:1 can’t be reached: ")
    assert "tcp://127.0.0.1:1 after 0.2 s." in said  # the reason is whole
