"""The pattern library by itself: which dice make a pattern, and what a box counts of them."""

import pytest

from knobel.dice import Hand
from knobel.rules.fields import Bool, Int, IntList
from knobel.rules.scoring import (
    COUNTS,
    PATTERNS,
    Box,
    Pattern,
    Setting,
    find_pattern,
    joker_worth,
    list_worths_if_missed,
    lowest_hand,
    worth,
)


def make_pattern(name: str, **settings: Setting) -> Pattern:
    return Pattern(name, tuple({**PATTERNS[name].defaults, **settings}.items()))


def make_box(pattern: Pattern, counts: str = "group", points: int = 0, upper: bool = False) -> Box:
    return Box("box", pattern, counts, points, upper)


def read_hand(dice: str) -> Hand:
    return tuple(map(int, dice))


SUM = make_pattern("sum")
SIXES = make_pattern("faces", face=6)
TRIPLE = make_pattern("group", size=3)
HOUSE = make_pattern("house", sizes=(3, 2))


def test_the_library_holds_these_patterns_with_these_settings() -> None:
    assert {name: definition.settings for name, definition in PATTERNS.items()} == {
        "faces": {"face": Int(1, 12)},
        "group": {"size": Int(2, 8)},
        "pairs": {"count": Int(1, 4), "same_face": Bool()},
        "house": {"sizes": IntList(1, 8, 2, 4), "same_face": Bool()},
        "run": {"length": Int(2, 8), "start": Int(0, 12)},
        "only": {"faces": IntList(1, 12, 1, 12, distinct=True)},
        "sum": {},
    }


def test_settings_that_may_be_left_out_have_these_values() -> None:
    assert {name: definition.defaults for name, definition in PATTERNS.items() if definition.defaults} == {
        "pairs": {"same_face": False},
        "house": {"same_face": False},
        "run": {"start": 0},
    }


def test_a_box_counts_nothing_the_pattern_or_all_dice() -> None:
    assert COUNTS == ("nothing", "group", "all")


@pytest.mark.parametrize(
    ("pattern", "dice", "found"),
    [
        (SIXES, "12666", "666"),
        (SIXES, "12345", None),
        (make_pattern("faces", face=1), "11234", "11"),
        (TRIPLE, "22233", "222"),
        (TRIPLE, "22333", "333"),
        (TRIPLE, "222333", "333"),
        (TRIPLE, "22225", "222"),
        (TRIPLE, "22335", None),
        (make_pattern("pairs", count=1), "11223", "22"),
        (make_pattern("pairs", count=2), "11223", "2211"),
        (make_pattern("pairs", count=2), "112233", "3322"),
        (make_pattern("pairs", count=2), "11112", None),
        (make_pattern("pairs", count=2), "11234", None),
        (make_pattern("pairs", count=2, same_face=True), "11112", "1111"),
        (make_pattern("pairs", count=2, same_face=True), "11122", "2211"),
        (make_pattern("pairs", count=3), "112233", "332211"),
        (make_pattern("pairs", count=3, same_face=True), "222222", "222222"),
        (HOUSE, "22233", "22233"),
        (HOUSE, "22333", "33322"),
        (HOUSE, "222333", "33322"),
        (HOUSE, "22233355", "33355"),
        (HOUSE, "33333", None),
        (HOUSE, "22334", None),
        (make_pattern("house", sizes=(3, 2), same_face=True), "33333", "33333"),
        (make_pattern("house", sizes=(3, 2), same_face=True), "333331", "33333"),
        (make_pattern("house", sizes=(3, 2), same_face=True), "33334", None),
        (make_pattern("house", sizes=(3, 3)), "222333", "333222"),
        (make_pattern("house", sizes=(4, 2)), "222233", "222233"),
        (make_pattern("house", sizes=(4, 2)), "222333", None),
        (make_pattern("run", length=4), "12345", "2345"),
        (make_pattern("run", length=4), "12346", "1234"),
        (make_pattern("run", length=4), "12356", None),
        (make_pattern("run", length=5), "23456", "23456"),
        (make_pattern("run", length=5), "12346", None),
        (make_pattern("run", length=2), "12", "12"),
        (make_pattern("run", length=2), "2366", "23"),
        (make_pattern("run", length=5, start=1), "12345", "12345"),
        (make_pattern("run", length=5, start=1), "23456", None),
        (make_pattern("run", length=4, start=2), "12345", "2345"),
        (make_pattern("run", length=2, start=1), "1234", "12"),
        (make_pattern("only", faces=(5, 3, 1)), "11355", "11355"),
        (make_pattern("only", faces=(5, 3, 1)), "11345", None),
        (SUM, "11346", "11346"),
    ],
)
def test_the_best_dice_that_make_a_pattern_are_found(pattern: Pattern, dice: str, found: str | None) -> None:
    group = find_pattern(pattern, read_hand(dice))
    assert (None if group is None else sorted(group)) == (None if found is None else sorted(read_hand(found)))


@pytest.mark.parametrize(
    ("pattern", "dice", "lowest"),
    [
        (SIXES, 5, "66666"),
        (TRIPLE, 5, "111"),
        (make_pattern("pairs", count=2), 5, "1122"),
        (make_pattern("pairs", count=2, same_face=True), 5, "1111"),
        (HOUSE, 5, "11122"),
        (make_pattern("house", sizes=(3, 2), same_face=True), 5, "11111"),
        (make_pattern("run", length=4), 5, "1234"),
        (make_pattern("run", length=5, start=2), 5, "23456"),
        (make_pattern("only", faces=(6, 4, 2)), 5, "22222"),
        (SUM, 4, "1111"),
    ],
)
def test_the_lowest_dice_that_make_a_pattern(pattern: Pattern, dice: int, lowest: str) -> None:
    assert lowest_hand(pattern, dice) == read_hand(lowest)


@pytest.mark.parametrize(("counts", "points"), [("nothing", 7), ("group", 7 + 9), ("all", 7 + 9 + 11)])
def test_a_box_is_worth_what_it_counts_and_its_points(counts: str, points: int) -> None:
    assert worth(make_box(TRIPLE, counts, 7), read_hand("33356")) == points


@pytest.mark.parametrize("counts", COUNTS)
def test_without_its_pattern_a_box_is_worth_nothing(counts: str) -> None:
    assert worth(make_box(TRIPLE, counts, 7), read_hand("33456")) == 0


@pytest.mark.parametrize(
    ("pattern", "counts", "points"),
    [
        (HOUSE, "nothing", 25),
        (HOUSE, "group", 25 + 20),
        (TRIPLE, "group", 25 + 12),
        (TRIPLE, "all", 25 + 20),
        (make_pattern("run", length=4), "group", 25 + 16),
        (SIXES, "group", 25 + 20),
    ],
)
def test_a_joker_stands_for_the_dice_a_box_wants_with_its_own_faces(pattern: Pattern, counts: str, points: int) -> None:
    assert joker_worth(make_box(pattern, counts, 25), read_hand("44444")) == points


@pytest.mark.parametrize(
    ("box", "missed", "points"),
    [
        (make_box(SUM), make_box(make_pattern("faces", face=3)), {1 + 2}),
        (make_box(SUM), make_box(make_pattern("faces", face=1)), {2 + 3}),
        (make_box(SUM), make_box(make_pattern("run", length=2)), {1 + 3}),
        (make_box(SUM), make_box(make_pattern("group", size=2)), {1 + 2, 1 + 3, 2 + 3}),
        (None, make_box(make_pattern("group", size=2)), {0}),
        (None, make_box(SUM), set()),
        (make_box(SUM), make_box(SUM), set()),
    ],
)
def test_what_a_box_scores_with_two_dice_that_miss_another_one(box: Box | None, missed: Box, points: set[int]) -> None:
    assert list_worths_if_missed(box, missed, 2, 3) == points


@pytest.mark.parametrize(
    ("pattern", "upper", "face"),
    [(SIXES, True, 6), (SIXES, False, None), (make_pattern("only", faces=(6,)), True, None), (SUM, True, None)],
)
def test_an_upper_box_for_one_face_collects_it(pattern: Pattern, upper: bool, face: int | None) -> None:
    assert make_box(pattern, upper=upper).face == face


def test_a_setting_is_read_by_its_name() -> None:
    pattern = make_pattern("house", sizes=(3, 2), same_face=True)
    assert (pattern["sizes"], pattern["same_face"], make_pattern("run", length=4, start=2)["start"]) == (
        (3, 2),
        True,
        2,
    )


def test_a_setting_that_is_no_number_counts_as_none() -> None:
    assert (HOUSE.int_setting("sizes"), TRIPLE.int_setting("size")) == (0, 3)


def test_a_pattern_has_no_settings_unless_they_are_given() -> None:
    assert Pattern("sum") == Pattern("sum", ())
