"""Hands that an announced box cannot tell apart are worked out once, and that changes no value."""

from typing import Any

import numpy as np
import pytest

from knobel.rules import load_edition
from knobel.rules.sheet_rules import SheetRules
from knobel.solver import solve as solving
from knobel.solver.arrays import Floats
from knobel.solver.hand_classes import TurnClasses, list_turn_classes
from knobel.solver.tables import Tables, build_tables
from tests.support.house_rules import FULL_RULES, load_house_rules, with_changes
from tests.support.selection import mostly_rest

GAMES: dict[str, dict[str, object]] = {
    "as it is": {},
    "without chance": {"chance": False},
    "a prime": {"yatzy.prime": 100},
    "kept dice stay": {"locked_dice": True},
    "two rolls": {"rolls": 2},
}


def list_danish() -> tuple[SheetRules, dict[tuple[str, bool], TurnClasses]]:
    """List the turns of the printed game with announcements, by the box and by whether Chance is used."""
    rules = load_edition("tactic-xl-yatzy").rules("da")
    turns = list_turn_classes(build_tables(rules))
    return rules, {(rules.boxes[turn.announced].id, turn.used_bits != 0): turn for turn in turns}


def test_of_an_upper_box_only_the_number_of_its_face_counts_once_chance_is_used() -> None:
    _, turns = list_danish()
    merged = turns["sixes", True]
    assert merged.hands.size == 6
    assert merged.dice.first_hand == sum(size + 1 for size in range(5))
    chances = [(1 / 6) ** n * (5 / 6) ** (5 - n) * [1, 5, 10, 10, 5, 1][n] for n in range(6)]
    assert sorted(merged.dice.hand_chances) == pytest.approx(sorted(chances))
    assert turns["sixes", False].hands.size == 252


def test_of_a_straight_only_the_missing_faces_count() -> None:
    _, turns = list_danish()
    assert turns["large_straight", True].dice.smaller_starts.size - 1 < 50


def test_what_chance_brings_is_known_and_it_comes_last() -> None:
    _, turns = list_danish()
    known = {box: turn.sure_points for (box, _), turn in turns.items() if turn.sure_points is not None}
    assert known == {"chance": pytest.approx(5 * 14 / 3, abs=1e-8)}  # a die that may be rolled twice more brings 14/3
    assert known["chance"] > 5 * 14 / 3
    assert list(turns)[-1] == ("chance", False)


@pytest.mark.solve
def test_announcing_chance_is_not_worked_out_where_another_box_is_worth_more(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load_house_rules(with_changes(FULL_RULES, {"order": "announced"})).rules()
    tables, seen = build_tables(rules), list[tuple[int, int]]()
    may_be_best = solving.may_be_best

    def count(*given: Any) -> Any:
        found = may_be_best(*given)
        seen.append((found.size, int(found.sum())))
        return found

    monkeypatch.setattr(solving, "may_be_best", count)
    solving.solve(tables)
    every, worked_out = (sum(one) for one in zip(*seen, strict=True))
    assert 0 < worked_out < every / 2


def test_every_column_has_each_box_it_may_announce_once() -> None:
    rules, turns = list_danish()
    boxes = len(rules.boxes)
    masks = np.arange(1 << boxes)
    found = np.zeros((masks.size, boxes), int)
    for turn in turns.values():
        found[turn.select_columns(masks), turn.announced] += 1
    assert (found == (masks[:, None] >> np.arange(boxes) & 1 == 0)).all()


def solve_unmerged(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> Floats:
    """Solve with all hands in every turn."""
    hands = np.arange(len(tables.multisets.hands))
    boxes = range(tables.offer.box_count)
    whole = [TurnClasses(box, 1 << box, 0, hands, tables.turn_dice) for box in boxes]
    with monkeypatch.context() as patch:
        patch.setattr(solving, "list_turn_classes", lambda _: whole)
        return solving.solve(tables).values


@pytest.mark.solve
@pytest.mark.parametrize("name", mostly_rest(GAMES, "as it is", "without chance"))
def test_values_are_those_of_all_hands(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load_house_rules(with_changes(FULL_RULES, {"order": "announced", **GAMES[name]})).rules()
    tables = build_tables(rules)
    assert solving.solve(tables).values == pytest.approx(solve_unmerged(tables, monkeypatch), abs=1e-12)
