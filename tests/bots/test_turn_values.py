"""The values of a turn in plain Python are those of the solver."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from knobel.bots.cautious import find_best_entries
from knobel.bots.turn_values import list_dice_sets, value_keeps
from knobel.rules import load_edition
from knobel.rules.column import build_column, list_options
from knobel.solver.position import compute_keep_values
from knobel.solver.tables import build_tables
from tests.support.house_rules import EXAMPLES

GAMES = ["mb-yahtzee", str(EXAMPLES / "maxi-yatzy.toml"), str(EXAMPLES / "two-dice.toml")]


@pytest.mark.parametrize("locked", [False, True])
@pytest.mark.parametrize("name", GAMES)
def test_keeps_are_worth_what_the_solver_says(name: str, locked: bool) -> None:
    tables = build_tables(replace(load_edition(name).rules(), locked_dice=locked))
    rules, random = tables.rules, Random(1)
    assert list_dice_sets(rules.dice, rules.faces).sets == tables.multisets.sets
    hands = [random.uniform(-10, 50) for _ in tables.multisets.hands]
    for rolls_left in range(1, rules.rolls + 1):
        values = value_keeps(rules.dice, rules.faces, hands, rolls_left, locked)
        wanted = compute_keep_values(tables, np.array(hands), rolls_left)
        first = tables.multisets.first_hand
        assert values[:first] == pytest.approx(wanted[:first].tolist(), abs=1e-9)


@pytest.mark.parametrize("switches", [{}, {"must_fit": "true"}, {"chance_rule": "last_resort"}, {"order": "top_down"}])
def test_a_hand_is_only_scored_where_the_rules_allow_it(switches: dict[str, str]) -> None:
    rules = load_edition("mb-yahtzee").rules(None, switches)
    filled = [box.id for box in rules.boxes][: 4 if switches.get("order") else -5]
    column = build_column(rules, dict.fromkeys(filled, 0))
    for hand, entry in find_best_entries(rules, column, None).items():
        assert list_options(rules, column, hand)[rules.boxes[entry.box].id].refusal is None
