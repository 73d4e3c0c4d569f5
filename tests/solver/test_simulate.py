"""Games at best play come out at par, with fair dice, the same for the same seed on any number of processors."""

from functools import cache
from math import sqrt

import numpy as np
import pytest

from knobel.rules import load_edition
from knobel.rules.sheet_rules import SheetRules
from knobel.solver import simulate as simulation
from knobel.solver.arrays import Floats, Ints
from knobel.solver.simulate import SimulatedScores, build_roll_table, simulate
from knobel.solver.simulation_arrays import RollTable
from knobel.solver.solve import solve
from knobel.solver.tables import Tables, build_tables
from tests.support.house_rules import FULL_RULES, MINIMAL_RULES, TomlTable, load_house_rules, with_changes
from tests.support.selection import mostly_rest

GAMES = 200_000
SUSPICIOUS = {4: 30.664850, 6: 35.888187, 8: 40.521833}
"""What chi-square exceeds once in a million times, by the number of faces."""

FEW: TomlTable = {
    **MINIMAL_RULES,
    "bonus": {"threshold": 5, "points": 20},
    "dice": 3,
    "boxes": {
        "ones": {"pattern": "faces", "face": 1, "counts": "group", "upper": True},
        "twos": {"pattern": "faces", "face": 2, "counts": "group", "upper": True},
        "twins": {"pattern": "group", "size": 2, "counts": "all"},
        "chance": {"pattern": "sum", "counts": "all"},
    },
}
SECOND = {"second": 77, "forced_zero": "literal"}

SHEETS: dict[str, SheetRules] = {
    "mb-yahtzee": load_edition("mb-yahtzee").rules(),
    "noris-yatzy": load_edition("noris-yatzy").rules(),
    **{
        name: load_house_rules(table).rules()
        for name, table in {
            "whole": FULL_RULES,
            "strict bonus": with_changes(FULL_RULES, {"bonus.threshold": 7, "bonus.strict": True}),
            "no bonus": with_changes(FULL_RULES, {"bonus": False}),
            "top down": with_changes(FULL_RULES, {"order": "top_down"}),
            "announced": with_changes(FULL_RULES, {"order": "announced", "bonus.threshold": 8}),
            "must fit": with_changes(FULL_RULES, {"must_fit": True}),
            "chance last resort": with_changes(FULL_RULES, {"chance.rule": "last_resort"}),
            "chance last box": with_changes(FULL_RULES, {"chance.rule": "last_box"}),
            "forced joker": with_changes(FULL_RULES, {"yatzy.joker": "forced", "yatzy.prime": 100}),
            "second yatzy": with_changes(FULL_RULES, {"yatzy": {**FULL_RULES["yatzy"], **SECOND}}),
            "both flags": with_changes(FULL_RULES, {"yatzy": {**FULL_RULES["yatzy"], **SECOND, "prime": 90}}),
            "one roll": with_changes(FEW, {"rolls": 1}),
            "one locked roll": with_changes(FEW, {"rolls": 1, "locked_dice": True}),
            "two locked rolls": with_changes(FEW, {"rolls": 2, "locked_dice": True}),
            "five locked rolls": with_changes(FEW, {"rolls": 5, "locked_dice": True}),
            "locked and announced": with_changes(FEW, {"locked_dice": True, "order": "announced"}),
            "six rolls, four faces": with_changes(FEW, {"rolls": 6, "faces": 4}),
            "six dice, eight faces": with_changes(FEW, {"dice": 6, "faces": 8, "bonus.threshold": 11}),
        }.items()
    },
}


@cache
def book(name: str) -> tuple[Tables, Floats]:
    written = build_tables(SHEETS[name])
    return written, solve(written).values


@cache
def play_games(name: str) -> SimulatedScores:
    return simulate(*book(name), GAMES, seed=1)


def standard_error(result: SimulatedScores) -> float:
    return result.sd / sqrt(result.games)


def chi_square(faces: Ints) -> float:
    expected = faces.sum() / faces.size
    return float(((faces - expected) ** 2 / expected).sum())


def make_biased_dice(written: Tables, bits: int) -> RollTable:
    """Give dice as careless programs roll them: some random bits modulo the number of faces."""
    fair = build_roll_table(written, max_outcomes=0)
    moving = fair.outcome_counts > 0
    ways = np.where(moving, 1 << bits, 0).astype(np.uint64)
    faces = np.arange(1 << bits) % written.rules.faces
    outcome = fair.outcome_spots.reshape(-1, written.rules.faces)[:, faces].reshape(-1)
    return fair._replace(
        outcome_starts=np.cumsum(ways) - ways,
        outcome_counts=ways,
        reject_below=fair.reject_below * np.uint64(0),
        outcome_spots=outcome,
    )


@pytest.mark.parametrize("name", mostly_rest(SHEETS, "mb-yahtzee", "whole"))
def test_perfect_games_come_out_at_par_with_fair_dice(name: str) -> None:
    result = play_games(name)
    assert abs(result.mean - book(name)[1][0]) < 4 * standard_error(result)
    assert chi_square(result.faces) < SUSPICIOUS[SHEETS[name].faces]


@pytest.mark.parametrize("name", mostly_rest(SHEETS, "mb-yahtzee", "whole"))
def test_the_histogram_holds_every_game(name: str) -> None:
    result = play_games(name)
    totals = np.arange(result.histogram.size)
    assert result.games == result.histogram.sum() == GAMES
    assert result.mean == pytest.approx(totals @ result.histogram / GAMES)
    assert result.sd == pytest.approx(np.sqrt((totals - result.mean) ** 2 @ result.histogram / GAMES))


def test_the_spread_of_totals_is_the_exact_one() -> None:
    assert play_games("mb-yahtzee").sd == pytest.approx(59.6117, rel=0.01)


def test_with_a_single_roll_each_die_is_rolled_once_a_turn() -> None:
    assert play_games("one roll").faces.sum() == GAMES * 4 * 3


@pytest.mark.parametrize("name", ["whole", "announced", "five locked rolls"])
def test_the_same_seed_gives_the_same_games_on_any_number_of_processors(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = []
    for processors in (1, 3):
        monkeypatch.setattr(simulation, "count_processors", lambda count=processors: count)
        results.append(simulate(*book(name), 20_000, seed=7))
    one, other = results
    assert np.array_equal(one.histogram, other.histogram)
    assert np.array_equal(one.faces, other.faces)
    assert not np.array_equal(one.histogram, simulate(*book(name), 20_000, seed=8).histogram)


def test_more_games_than_a_block_holds_are_different_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "GAMES_PER_BATCH", 4096)
    steps: list[float] = []
    result = simulate(*book("whole"), 10_000, 1, steps.append)
    assert result.histogram.sum() == 10_000
    assert steps == sorted(steps)
    assert steps[-1] == 1.0
    monkeypatch.setattr(simulation, "GAMES_PER_BATCH", 5000)
    twice, once = simulate(*book("whole"), 10_000, 1), simulate(*book("whole"), 5000, 1)
    assert not np.array_equal(twice.histogram, 2 * once.histogram)


def test_dice_rolled_one_at_a_time_are_as_fair() -> None:
    written, values = book("whole")
    result = simulate(written, values, GAMES, 1, roll_table=build_roll_table(written, max_outcomes=0))
    assert abs(result.mean - values[0]) < 4 * standard_error(result)
    assert chi_square(result.faces) < SUSPICIOUS[6]


def test_random_bits_modulo_six_are_found_out() -> None:
    written, values = book("whole")
    assert (
        chi_square(simulate(written, values, GAMES, 1, roll_table=make_biased_dice(written, bits=9)).faces)
        > SUSPICIOUS[6]
    )


@pytest.mark.parametrize("name", ["whole", "five locked rolls", "six dice, eight faces"])
def test_every_way_to_fall_is_listed_once(name: str) -> None:
    written, _ = book(name)
    falls = build_roll_table(written, max_outcomes=1 << 30)
    first = falls.outcome_spots[: int(falls.outcome_counts[0])]
    counts = np.bincount(falls.spot_hands[first], minlength=written.multisets.hand_chances.size)
    assert counts / first.size == pytest.approx(written.multisets.hand_chances)
