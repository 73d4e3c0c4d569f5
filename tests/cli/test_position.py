"""A position typed on the command line: what the sheet shows of the turns before."""

import pytest

from knobel.rules import load_edition
from knobel.rules.filled_sheet import count_yatzys
from tests.support.house_rules import TomlTable, load_house_rules, with_changes

PHILOS = [
    ({}, 0),
    ({"yatzy": 50}, 1),
    ({"yatzy": 0}, 0),
    ({"yatzy": 50, "chance": 100}, 2),
    ({"yatzy": 0, "chance": 100}, 2),
    ({"yatzy": 50, "chance": 20}, 1),
    ({"chance": 30}, 1),
]


@pytest.mark.parametrize(("entries", "count"), PHILOS)
def test_a_printed_sheet_shows_its_yatzys(entries: dict[str, int], count: int) -> None:
    assert count_yatzys(load_edition("philos-yatzi").rules(), entries) == count


TWO_DICE: TomlTable = {
    "title": "Two dice",
    "dice": 2,
    "faces": 6,
    "rolls": 3,
    "chance": {"box": "sum"},
    "yatzy": {"box": "twos", "second": 30},
    "boxes": {
        "twos": {"pattern": "faces", "face": 2, "counts": "group", "upper": True},
        "pair": {"pattern": "group", "size": 2, "points": 8},
        "sum": {"pattern": "sum", "counts": "all"},
    },
}


@pytest.mark.parametrize(
    ("changes", "entries", "count"),
    [
        ({}, {"twos": 2}, 0),
        ({}, {"twos": 4}, 1),
        ({}, {"twos": 2, "sum": 30}, 2),
        ({}, {"twos": 4, "sum": 2}, 2),
        ({"yatzy.box": "sum"}, {"sum": 7}, 0),
        ({"yatzy.box": "sum"}, {"sum": 12}, 1),
        ({"yatzy.box": "sum"}, {"sum": 30, "pair": 8}, 2),
        ({"yatzy.second": 7}, {"sum": 7, "twos": 0}, 0),
        ({"yatzy.second": 12}, {"sum": 12, "twos": 0}, 1),
    ],
    ids=str,
)
def test_only_points_that_no_other_dice_score_show_dice_all_alike(
    changes: dict[str, object], entries: dict[str, int], count: int
) -> None:
    assert count_yatzys(load_house_rules(with_changes(TWO_DICE, changes)).rules(), entries) == count
