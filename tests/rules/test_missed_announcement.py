"""What a box may hold after a missed announcement: as the options of every hand say, without asking every hand."""

from dataclasses import replace

import pytest

from knobel.dice import all_hands
from knobel.rules import column as sheet
from knobel.rules.column import empty_column, list_options, list_possible_entries
from tests.support.odd_rules import draw_odd_rules


@pytest.mark.parametrize("seed", range(60))
def test_points_of_another_box_are_those_some_hand_scores_there(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = replace(draw_odd_rules(seed), order="announced")
    column, ids = empty_column(rules), [box.id for box in rules.boxes]
    monkeypatch.setattr(sheet, "group_mixed_contexts", None)  # the slow way: every box of every hand
    for announced in ids:
        hands = [list_options(rules, column, hand, announced) for hand in all_hands(rules.dice, rules.faces)]
        for box in set(ids) - {announced}:
            scored = {options[box].points for options in hands if options[box].refusal is None}
            assert set(list_possible_entries(rules, column, box, announced)) == scored
