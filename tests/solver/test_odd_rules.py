"""Odd house rules: every part of the solver says the same about them, and no kernel leaves its arrays."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from knobel.errors import SolveFailed
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.odds import compute_odds
from knobel.solver.simulate import simulate
from knobel.solver.solve import solve
from knobel.solver.tables import build_tables
from tests.support.house_rules import ROOT, TomlTable, load_house_rules, with_changes
from tests.support.odd_rules import find_chances, find_disagreements, find_figures

pytestmark = pytest.mark.solve

SOME, FEW, MANY, BATCH = 6, 150, 3000, 750
RARE = (965, 2227)
"""Rules in which a second Yatzy is worth nothing once all upper boxes are used: few are drawn."""

TWOS: TomlTable = {
    "title": "Twos",
    "dice": 1,
    "faces": 2,
    "rolls": 1,
    "boxes": {
        "twos": {"pattern": "faces", "face": 2, "counts": "group", "upper": True},
        "sum": {"pattern": "sum", "counts": "all"},
    },
    "yatzy": {"box": "twos", "prime": 10},
}


def sheet_rules(table: TomlTable) -> SheetRules:
    rules: SheetRules = load_house_rules(table).rules()
    return rules


@pytest.mark.parametrize(
    "changes",
    [{}, {"chance": {"box": "twos"}}, {"yatzy.box": "sum", "chance": {"box": "sum"}}, {"yatzy.joker": "forced"}],
    ids=str,
)
def test_a_yatzy_box_that_is_an_upper_box_or_chance_pays_its_prime(changes: dict[str, object]) -> None:
    figures = find_figures(sheet_rules(with_changes(TWOS, changes)))
    assert list(figures.values()) == pytest.approx([figures["oracle"]] * len(figures))
    assert figures["oracle"] == pytest.approx({"{}": 7.75}.get(str(changes), figures["oracle"]))


def test_odd_rules_are_worth_the_same_in_every_way_to_solve_them() -> None:
    assert find_disagreements((*range(FEW), *RARE), find_figures) == {}


def test_chances_and_aims_of_odd_rules_are_worked_out_from_the_same_par() -> None:
    assert find_disagreements((*range(SOME), *RARE), find_chances) == {}


def check_bounds(first: int, count: int, kind: str, folder: Path) -> None:
    """Solve odd rules with kernels compiled to check every index, in a process and with a cache of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.odd_rules", str(first), str(count), kind],
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(folder)},
        timeout=1500,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == [count, {}]
    assert any(folder.rglob("*.nbi"))


@pytest.mark.rest
def test_the_solving_kernel_stays_within_its_arrays(tmp_path: Path) -> None:
    check_bounds(FEW, FEW, "values", tmp_path)


@pytest.mark.torture  # compiling these kernels with checks takes minutes
def test_the_kernels_of_chances_and_aims_stay_within_their_arrays(tmp_path: Path) -> None:
    check_bounds(FEW, FEW, "chances", tmp_path)


@pytest.fixture(scope="module")
def checked_kernels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("checked")


@pytest.mark.rest
@pytest.mark.parametrize(
    "first", [0, *(pytest.param(one, marks=pytest.mark.torture) for one in range(BATCH, MANY, BATCH))]
)
def test_no_kernel_leaves_its_arrays(first: int, checked_kernels: Path) -> None:
    check_bounds(first, BATCH, "figures", checked_kernels)


@pytest.mark.rest
def test_an_index_out_of_range_is_seen_where_bounds_are_checked(tmp_path: Path) -> None:
    reading = """
from knobel.solver.compiled import U
from knobel.solver.simd import load, store
import numpy as np
from numba import njit

def copy(numbers, place):
    store(numbers, U(place), load(numbers, U(place)))

try:
    for place in (0, 16, {place}):
        njit(copy)(np.zeros(32), place)
except IndexError:
    print("seen")
"""
    for place, seen in ((16, ""), (17, "seen\n"), (-1, "seen\n")):
        done = subprocess.run(
            [sys.executable, "-c", reading.format(place=place)],
            capture_output=True,
            encoding="utf-8",
            env={**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)},
            timeout=300,
            check=False,
        )
        assert (done.stdout, done.stderr) == (seen, "")


def test_tables_that_do_not_fit_together_are_never_handed_over() -> None:
    tables = build_tables(sheet_rules(TWOS))
    values = solve(tables).values
    for broken in (
        replace(tables, extra=np.where(tables.extra > 0, tables.extra - 1, tables.extra)),
        replace(tables, extra=np.zeros_like(tables.extra)),
        replace(tables, situation_rows=tables.situation_rows + 1),
        replace(tables, situation_rows=np.full_like(tables.situation_rows, -1)),
        replace(tables, scoring_boxes=tables.scoring_boxes + (1 << len(tables.rules.boxes))),
        replace(tables, worth=-tables.worth - 1),
        replace(tables, alike_faces=tables.alike_faces + 1),
        replace(tables, offer=tables.offer._replace(yatzy_bit=4)),
        replace(tables, offer=tables.offer._replace(scored_flag=2)),
        replace(tables, multisets=replace(tables.multisets, larger=tables.multisets.larger + 3)),
        replace(tables, multisets=replace(tables.multisets, smaller_starts=tables.multisets.smaller_starts[:-1])),
    ):
        with pytest.raises(SolveFailed):
            solve(broken)
    for too_few in (values[:-1], values[:0]):
        with pytest.raises(SolveFailed):
            compute_odds(tables, too_few)
        with pytest.raises(SolveFailed):
            simulate(tables, too_few, 1, 1)


def test_locked_dice_that_lead_astray_are_never_handed_over() -> None:
    tables = build_tables(sheet_rules(with_changes(TWOS, {"dice": 2, "rolls": 3, "locked_dice": True})))
    pairs = tables.lock_pairs
    for broken in (
        replace(pairs, union=pairs.union + len(tables.multisets.sets)),
        replace(pairs, smaller=pairs.smaller + len(tables.multisets.sets)),
        replace(pairs, smaller=-pairs.smaller - 1),
        replace(pairs, pair_starts=pairs.pair_starts[:-1]),
        replace(pairs, roll_chances=pairs.roll_chances[:-1]),
    ):
        odd = replace(tables)
        vars(odd)["lock_pairs"] = broken
        with pytest.raises(SolveFailed):
            solve(odd)
