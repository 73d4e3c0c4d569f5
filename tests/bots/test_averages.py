"""What bots score on average: measured for every printed ruleset, right, and silent where nothing was measured."""

from pathlib import Path
from time import perf_counter

import pytest

from knobel.bots.averages import find_averages, load_averages, load_wins, sort_by_strength
from knobel.bots.families import FAMILIES
from knobel.rules import edition_ids, load_edition
from knobel.rules.families import ROUNDS, SHEET, Rules
from knobel.simulation import simulate_one_by_one
from knobel.solve_worker import find_par
from knobel.solver.book_cache import open_book

EXAMPLES = Path(__file__).parents[2] / "examples" / "house-rules"
FACES = Path(__file__).parents[2] / "src" / "knobel" / "web" / "static" / "bots"
PRINTED = [(name, text) for name in edition_ids() for text in load_edition(name).printed]


def know_nothing(_: Rules) -> None:
    """Know no par."""


def test_a_printed_score_sheet_has_the_average_of_every_bot_or_of_none_yet() -> None:
    offered = set(FAMILIES[SHEET].offered)
    missing = [
        f"{name} {text}: python -m benchmarks.bot_averages {name}"
        for name, text in PRINTED
        if (rules := load_edition(name).rules(text)).family == SHEET
        and set(find_averages(rules, know_nothing)) not in (offered, set())
    ]
    assert not missing


def test_bots_stand_in_the_order_of_what_they_score() -> None:
    for averages in load_averages().values():
        order = sort_by_strength(SHEET, averages)
        assert (order[0], order[-1]) == ("random", "perfect")
        assert [averages[bot] for bot in order] == sorted(averages.values())
    assert sort_by_strength(ROUNDS, {}) == list(FAMILIES[ROUNDS].offered)


def test_in_rounds_every_weaker_bot_has_its_share_of_games_won_against_the_strongest() -> None:
    *weaker, _ = FAMILIES[ROUNDS].offered
    for name, text in PRINTED:
        if (rules := load_edition(name).rules(text)).family == ROUNDS:
            wins = load_wins(rules.fingerprint)
            assert list(wins) == weaker, f"python -m benchmarks.bot_averages {name}"
            assert list(wins.values()) == sorted(wins.values())
            assert 0 < min(wins.values()) < max(wins.values()) < 0.5
    assert load_wins("nobody knows these") == {}


def test_where_nothing_was_measured_only_par_is_known_once_it_is_solved() -> None:
    rules = load_edition(str(EXAMPLES / "two-dice.toml")).rules()
    assert find_averages(rules, know_nothing) == {}
    assert find_averages(rules, lambda _: 12.5) == {"winner": 12.5, "perfect": 12.5}
    chicago = load_edition("carlit-chicago").rules()
    assert find_averages(chicago, lambda _: pytest.fail("rounds have no par")) == {}


@pytest.mark.solve
def test_the_perfect_bot_scores_par_and_others_what_they_score_in_other_games() -> None:
    rules = load_edition("mb-yahtzee").rules()
    averages = find_averages(rules, find_par)
    assert averages["perfect"] == pytest.approx(open_book(rules).par, abs=0.01)
    played = simulate_one_by_one(rules, "greedy", 400, 7, lambda _: None, perf_counter())
    assert played.mean == pytest.approx(averages["greedy"], abs=5 * played.sd / played.games**0.5)


def test_every_bot_has_a_face() -> None:
    offered = {bot.replace(":", "_") for family in FAMILIES.values() for bot in family.offered}
    assert offered | {"other"} == {path.stem for path in FACES.glob("*.svg")}
