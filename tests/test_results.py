"""The page of results says what the program computes."""

import csv
import re
import shlex
from functools import cache
from itertools import pairwise
from pathlib import Path
from tomllib import loads

import pytest

from knobel.coach.rounds import solve_single_round, solve_whole_game
from knobel.games.rounds import RoundsGame
from knobel.rules import load_edition
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.solve import solve
from knobel.solver.tables import build_tables
from tests.support.printed_rulesets import list_printed_rulesets
from tests.support.selection import mostly_rest

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "docs" / "results"
ROW = re.compile(r"^\| `(\S+) --text (\w+)` \| (\d+\.\d{6}) \|", re.MULTILINE)
TACTIC = RESULTS / "tactic-xl-yatzy-en.csv"


@cache
def read_pars() -> dict[str, float]:
    """Read the par of each edition and text from the page."""
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    return {f"{name} {text}": float(par) for name, text, par in ROW.findall(page)}


def find_rules(named: str) -> SheetRules:
    name, text = shlex.split(named)
    rules = load_edition(name).rules(text)
    assert isinstance(rules, SheetRules)
    return rules


def test_every_printed_score_sheet_is_there_with_the_par_of_the_perfect_bot() -> None:
    averages = loads((ROOT / "src" / "knobel" / "bots" / "averages.toml").read_text(encoding="utf-8"))
    found = {find_rules(named).fingerprint: par for named, par in read_pars().items()}
    printed = [one.rules.fingerprint for one in list_printed_rulesets() if isinstance(one.rules, SheetRules)]
    assert sorted(found) == sorted(printed)
    for fingerprint, par in found.items():
        assert averages[fingerprint]["perfect"]["mean"] == pytest.approx(par, abs=0.0051)


@pytest.mark.parametrize("named", mostly_rest(read_pars(), "philos-yatzi en"))
def test_the_page_has_the_par_that_is_solved(named: str) -> None:
    tables = build_tables(find_rules(named))
    assert float(solve(tables).values[0]) == pytest.approx(read_pars()[named], abs=5.1e-7)


@pytest.mark.parametrize("text", ["de", "fr"])
@pytest.mark.parametrize("players", range(2, 9))
def test_the_page_has_the_chances_of_a_round(text: str, players: int) -> None:
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    section = page.partition(f"knobel solve carlit-chicago --text {text} ")[2].partition("###")[0]
    row = next(line for line in section.splitlines() if line.startswith(f"| {players} |"))
    _, opener, follower, void, places = (cell.strip() for cell in row.strip("|").split("|"))
    game = RoundsGame(load_edition("carlit-chicago").rules(text))
    solution = solve_single_round(game, players)
    chances = [*solution.losing_chances[:2], solution.void_chance]
    assert [opener, follower, void] == [f"{100 * chance:.4f} %" for chance in chances]
    found = solve_whole_game(game, 2).places[0, 0] if players == 2 else ()
    assert places.split(", ")[: len(found)] == [f"{place:.4f}" for place in found]


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*.csv")), ids=lambda path: path.stem)
def test_a_table_of_totals_agrees_with_itself(path: Path) -> None:
    with path.open(encoding="utf-8") as file:
        rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
    for row, following in pairwise(rows):
        assert following["total"] == row["total"] + 1
        assert row["at_least_for_points"] - row["exactly"] == pytest.approx(following["at_least_for_points"], abs=3e-8)
        if "at_least_aiming" in row:
            assert row["at_least_aiming"] >= max(row["at_least_for_points"], following["at_least_aiming"]) - 5e-6


def test_who_plays_for_250_points_reaches_them_more_often() -> None:
    with TACTIC.open(encoding="utf-8") as file:
        row = next(row for row in csv.DictReader(file) if row["total"] == "250")
    assert (round(float(row["at_least_for_points"]), 3), round(float(row["at_least_aiming"]), 3)) == (0.491, 0.56)
