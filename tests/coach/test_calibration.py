"""Win chances against games played out: of positions with equal chances, that share of the games is won."""

import numpy as np
import pytest

from knobel.rules import load_edition
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.book_cache import open_book
from knobel.solver.final_totals import compute_points_to_come
from knobel.solver.known_totals import build_request
from tests.support.calibration import calibrate, find_exact_totals, sample_moments
from tests.support.house_rules import load_house_rules
from tests.support.small_games import GAMES

MOST_ERRORS = 3.5


def check_calibration(rules: SheetRules, games: int, least: int) -> None:
    """Compare the shares won in groups of equal chances with those chances."""
    for players, groups, _ in calibrate(rules, (2, 3, 4), games):
        large = [group for group in groups if group.count >= least]
        assert large
        for group in large:
            assert abs(group.won - group.expected) < MOST_ERRORS * group.error, (players, group)


@pytest.mark.rest
def test_small_games_are_won_as_often_as_their_chances_say() -> None:
    check_calibration(load_house_rules(GAMES["plain"]).rules(), 1000, 60)


@pytest.mark.rest
@pytest.mark.parametrize("name", ["plain", "primes and second yatzy", "locked and announced", "top-down"])
def test_all_distributions_worked_out_at_once_are_those_the_program_gives(name: str) -> None:
    book = open_book(load_house_rules(GAMES[name]).rules())
    moments = sample_moments(book, 2, 40, 1)
    exact, seats = find_exact_totals(book, moments), [seat for moment in moments for seat in moment.positions]
    assert exact
    for seat in seats:
        if found := exact.get(build_request(seat.rules, seat.position).key):
            expected = compute_points_to_come(book, seat.position)
            lowest, highest = min(found.lowest, expected.lowest), max(found.highest, expected.highest)
            assert np.abs(found.spread(lowest, highest) - expected.spread(lowest, highest)).max() < 1e-9


@pytest.mark.torture
@pytest.mark.parametrize("name", ["mb-yahtzee", "tactic-xl-yatzy"])
def test_large_games_are_won_as_often_as_their_chances_say(name: str) -> None:
    check_calibration(load_edition(name).rules(), 20_000, 500)
