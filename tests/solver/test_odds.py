"""The odds of perfect play: small games against every roll and choice followed by hand, large ones as published."""

import numpy as np
import pytest

from knobel.errors import GameTooLarge
from knobel.games.sheet import SheetGame
from knobel.rules import load_edition
from knobel.rules.column import empty_column, tally
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.odds import Odds, compute_odds
from knobel.solver.solve import solve
from knobel.solver.tables import build_tables
from tests.support.house_rules import EXAMPLES, load_house_rules
from tests.support.selection import mostly_rest
from tests.support.small_games import GAMES, SMALL, Tree


def solve_odds(rules: SheetRules) -> tuple[float, Odds]:
    game = build_tables(rules)
    values = solve(game).values
    return float(values[0]), compute_odds(game, values)


def check_odds(rules: SheetRules) -> Odds:
    """Work out the odds, and insist on all sums that must agree."""
    par, found = solve_odds(rules)
    points = rules.bonus.points if rules.bonus else 0
    assert found.distribution.sum() == pytest.approx(1, abs=1e-12)
    assert found.distribution.min() >= 0
    assert found.mean == pytest.approx(par, abs=1e-9)
    parts = sum(box.mean for box in found.boxes) + found.bonus_chance * points + found.prime_mean
    assert parts == pytest.approx(par, abs=1e-9)
    return found


@pytest.mark.parametrize("name", mostly_rest(GAMES, "plain", "forced joker", "chance as last box"))
def test_small_games_agree_with_every_roll_followed_by_hand(name: str) -> None:
    rules = load_house_rules(GAMES[name]).rules()
    found = check_odds(rules)
    tree = Tree(rules)
    start = SheetGame(rules, practice=True).start(1).column
    assert start == empty_column(rules)
    tree.play(start, 1.0)
    assert tree.value(start) == pytest.approx(found.mean, abs=1e-9)
    by_hand = [0.0] * found.distribution.size
    for column, chance in tree.ends.items():
        by_hand[tally(rules, column).total] += chance
    assert found.distribution.tolist() == pytest.approx(by_hand, abs=1e-12)
    assert found.bonus_chance == pytest.approx(
        sum(p for end, p in tree.ends.items() if tally(rules, end).bonus), abs=1e-12
    )
    assert found.prime_mean == pytest.approx(sum(p * end.extra for end, p in tree.ends.items()), abs=1e-12)
    for place, box in enumerate(found.boxes):
        held = [(end.entries[place] or 0, chance) for end, chance in tree.ends.items()]
        assert box.chance == pytest.approx(sum(chance for points, chance in held if points), abs=1e-12)
        assert box.mean == pytest.approx(sum(points * chance for points, chance in held), abs=1e-12)


def test_one_die_one_box_is_a_die() -> None:
    table = {
        "title": "Die",
        "dice": 1,
        "faces": 6,
        "rolls": 1,
        "boxes": {"chance": {"pattern": "sum", "counts": "all"}},
    }
    found = check_odds(load_house_rules(table).rules())
    assert found.distribution.tolist() == pytest.approx([0, *[1 / 6] * 6])
    assert found.sd == pytest.approx((35 / 12) ** 0.5)
    assert (found.quantile(0.5), found.quantile(0), found.quantile(0.9), found.quantile(1)) == (3, 0, 6, 6)
    assert [found.chance_at_least(n) for n in (-1, 1, 6, 7)] == pytest.approx([1, 1, 1 / 6, 0])


def test_progress_rises_to_the_end() -> None:
    game, seen = build_tables(load_house_rules(SMALL).rules()), list[float]()
    compute_odds(game, solve(game).values, seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1


def test_a_game_too_large_for_memory_is_refused_with_the_number() -> None:
    game = build_tables(load_edition(str(EXAMPLES / "maxi-yatzy.toml")).rules())
    with pytest.raises(GameTooLarge):
        compute_odds(game, np.zeros(0))


@pytest.mark.rest
def test_plain_thirteen_boxes_as_published() -> None:
    table = {"title": "Plain", "extends": "mb-yahtzee", "yatzy": {"joker": "none", "prime": 0}}
    found = check_odds(load_house_rules(table).rules())
    assert (round(found.sd, 4), round(found.bonus_chance, 6), found.quantile(0.5)) == (39.8208, 0.689777, 247)


@pytest.mark.torture
@pytest.mark.parametrize(
    ("edition", "text", "figures"),
    [("tactic-xl-yatzy", "en", (38.4964, 0.898065, 249)), ("mb-yahtzee", None, (59.6117, 0.681181, 248))],
)
def test_large_games_as_published(edition: str, text: str | None, figures: tuple[float, float, int]) -> None:
    found = check_odds(load_edition(edition).rules(text))
    assert (round(found.sd, 4), round(found.bonus_chance, 6), found.quantile(0.5)) == figures
