"""A sweep solves every set of rules of a grid once, whatever happens to those that do the work."""

import csv
import json
import os
import signal
from pathlib import Path

import pytest
from pyarrow import parquet

from knobel.cli import EXIT_INTERRUPTED, main
from knobel.errors import KnobelError
from knobel.rules import load_edition
from knobel.solver.odds import compute_odds
from knobel.solver.solve import solve
from knobel.solver.tables import build_tables
from knobel.sweeps import runs
from knobel.sweeps.grid import Grid, read_grid
from knobel.sweeps.journal import JOURNAL, open_journal
from knobel.sweeps.results import CSV_NAME, PARQUET_NAME
from knobel.sweeps.runs import LOST, run_locally
from knobel.sweeps.solving import Figures, solve_rules
from knobel.sweeps.sweep import SweepResult, run_sweep
from tests.support.house_rules import EXAMPLES

BASE = (EXAMPLES / "two-dice.toml").read_text(encoding="utf-8")


def write_grid(folder: Path, grid: str, base: str = BASE) -> Path:
    """Write a small game with a grid; tables come last in TOML."""
    path = folder / "grid.toml"
    path.write_text(f"{base}\n[grid]\n{grid}\n", encoding="utf-8")
    return path


@pytest.fixture
def grid(tmp_path: Path) -> Grid:
    return read_grid(write_grid(tmp_path, "rolls = [1, 2, 3]"))


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Solve in this process; give the rules that were solved, one after the other."""
    solved: list[str] = []

    def solve_here(jobs: list[object], _: int) -> object:
        for rules in jobs:
            solved.append(rules.fingerprint)  # type: ignore[attr-defined]
            yield rules, {"par": float(len(solved)), "boxes": {"ones": [1.0, 0.5]}}

    monkeypatch.setattr("knobel.sweeps.sweep.run_locally", solve_here)
    return solved


def sweep(grid: Grid, folder: Path, dask: str | None = None) -> SweepResult:
    return run_sweep(grid, folder, 2, dask, lambda _: None)


def test_a_grid_has_every_combination_in_order(tmp_path: Path) -> None:
    found = read_grid(write_grid(tmp_path, 'rolls = [2, 3]\n"players.most" = { from = 4, to = 8, step = 2 }'))
    assert found.keys == ("rolls", "players.most")
    assert [tuple(point.values.values()) for point in found.points] == [(2, 4), (2, 6), (2, 8), (3, 4), (3, 6), (3, 8)]
    assert [point.rules.rolls for point in found.points if point.rules] == [2, 2, 2, 3, 3, 3]


@pytest.mark.parametrize(
    ("grid", "code"),
    [
        ("", "key_missing"),
        ('rolls = "3"', "key_kind"),
        ("rolls = []", "key_missing"),
        ("rolls = { from = 1 }", "key_missing"),
        ("rolls = { from = 1, until = 3 }", "key_unknown"),
        ("rolls = { from = 3, to = 1 }", "key_range"),
        ("rolls = { from = 1, to = 1000000 }", "key_range"),
        ("rolls = [7, 8]", "key_range"),
        ("rols = [2, 3]", "key_unknown"),
        ('"title.of" = [2]', "key_clash"),
    ],
)
def test_a_grid_nobody_can_play_is_refused(tmp_path: Path, grid: str, code: str) -> None:
    with pytest.raises(KnobelError) as refused:
        read_grid(write_grid(tmp_path, grid))
    assert refused.value.code == code


def test_a_key_may_have_a_single_value(tmp_path: Path) -> None:
    found = read_grid(write_grid(tmp_path, "rolls = 2\nfaces = [6, 7]"))
    assert [point.values for point in found.points] == [{"rolls": 2, "faces": 6}, {"rolls": 2, "faces": 7}]


def test_a_range_that_runs_backwards_is_named(tmp_path: Path) -> None:
    with pytest.raises(KnobelError, match=r"grid\.rolls\.to must be 3 to"):
        read_grid(write_grid(tmp_path, "rolls = { from = 3, to = 1 }"))


def test_rules_that_cannot_be_played_have_a_row_that_says_why(tmp_path: Path, at_once: list[str]) -> None:
    found = read_grid(write_grid(tmp_path, "rolls = [2, 9]"))
    rows = sweep(found, tmp_path / "out").rows
    assert [(row["rolls"], row["par"], row["error"]) for row in rows] == [(2, 1.0, None), (9, None, "key_range")]
    assert len(at_once) == 1


def test_what_is_done_is_not_done_again(tmp_path: Path, grid: Grid, at_once: list[str]) -> None:
    first, again = sweep(grid, tmp_path / "out"), sweep(grid, tmp_path / "out")
    assert ((first.solved, first.known), (again.solved, again.known)) == ((3, 0), (0, 3))
    assert again.rows == first.rows
    assert len(at_once) == 3


def test_an_interrupted_sweep_says_how_far_it_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def solve_one(jobs: list[object], _: int) -> object:
        yield jobs[0], {"par": 1.0, "boxes": {}}
        raise KeyboardInterrupt

    monkeypatch.setattr("knobel.sweeps.sweep.run_locally", solve_one)
    path = write_grid(tmp_path, "rolls = [1, 2, 3]")
    assert main(["sweep", str(path), "--out", str(tmp_path / "out"), "--lang", "en"]) == EXIT_INTERRUPTED
    assert "Solved 1 set of rules, 0 were known" in " ".join(capsys.readouterr().out.split())
    assert len((tmp_path / "out" / CSV_NAME).read_text(encoding="utf-8").splitlines()) == 2


def test_a_line_that_was_being_written_is_solved_again(tmp_path: Path, grid: Grid, at_once: list[str]) -> None:
    sweep(grid, tmp_path / "out")
    journal = tmp_path / "out" / JOURNAL
    journal.write_bytes(journal.read_bytes()[:-10])
    assert sweep(grid, tmp_path / "out").solved == 1
    assert at_once[2] == at_once[3]
    with open_journal(tmp_path / "out") as opened:
        assert len(opened.done) == 3


def test_both_tables_say_the_same(tmp_path: Path, grid: Grid, at_once: list[str]) -> None:
    result = sweep(grid, tmp_path / "out")
    assert parquet.read_table(tmp_path / "out" / PARQUET_NAME).to_pylist() == result.rows
    with (tmp_path / "out" / CSV_NAME).open(encoding="utf-8") as file:
        assert [float(row["par"]) for row in csv.DictReader(file)] == [row["par"] for row in result.rows]
    assert len(at_once) == 3


def test_the_figures_are_those_of_the_solver() -> None:
    rules = load_edition(str(EXAMPLES / "two-dice.toml")).rules()
    tables = build_tables(rules)
    values = solve(tables).values
    odds, figures = compute_odds(tables, values), solve_rules(rules, 1)
    assert figures["par"] == values[0]
    assert (figures["sd"], figures["bonus_chance"]) == (odds.sd, odds.bonus_chance)
    parts = ("upper_mean", "bonus_mean", "lower_mean", "extra_mean")
    assert sum(figures[part] for part in parts) == pytest.approx(figures["par"], abs=1e-9)


def die(rules: object, processors: int) -> Figures:
    """Die as a killed process does."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError(rules, processors)


class DyingOnce:
    """A stand-in for solving that other processes can be sent; the first time it dies."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __call__(self, rules: object, processors: int) -> Figures:
        try:
            self.marker.touch(exist_ok=False)
        except FileExistsError:
            return {"par": float(processors)}
        return die(rules, processors)


@pytest.mark.rest
@pytest.mark.process
def test_a_process_that_is_killed_loses_nothing(tmp_path: Path, grid: Grid, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "solve_rules", DyingOnce(tmp_path / "died"))
    jobs = [point.rules for point in grid.points if point.rules]
    assert dict(run_locally(jobs, 2)) == {rules: {"par": 1.0} for rules in jobs}


@pytest.mark.rest
@pytest.mark.process
def test_rules_that_always_kill_their_process_are_given_up(grid: Grid, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "solve_rules", die)
    jobs = [point.rules for point in grid.points if point.rules][:1]
    assert dict(run_locally(jobs, 2)) == {jobs[0]: {"error": LOST}}


@pytest.mark.rest
@pytest.mark.process
def test_a_cluster_loses_nothing_when_a_worker_is_killed(tmp_path: Path) -> None:
    from distributed import LocalCluster

    found = read_grid(write_grid(tmp_path, "rolls = [1, 2, 3, 4]\nfaces = [6, 7, 8]"))
    killed: list[int] = []
    with LocalCluster(2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0") as cluster:

        def kill_one(fraction: float) -> None:
            if fraction and not killed:
                killed.append(next(iter(cluster.workers.values())).process.pid)
                os.kill(killed[0], signal.SIGKILL)

        result = run_sweep(found, tmp_path / "out", 2, cluster.scheduler_address, kill_one)
    assert killed
    assert (result.solved, [row["error"] for row in result.rows]) == (12, [None] * 12)
    lines = (tmp_path / "out" / JOURNAL).read_text(encoding="utf-8").splitlines()
    assert len({json.loads(line)[0] for line in lines}) == len(lines) == 12
