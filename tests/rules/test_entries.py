"""What may be entered without dice and why not, as the options of every hand say; reasons to the last value."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import pytest

from knobel.dice import all_hands, is_all_alike
from knobel.lang import Translator
from knobel.phrase import BoxName, Phrase, phrase
from knobel.rules import load_edition
from knobel.rules.column import (
    Option,
    build_column,
    empty_column,
    find_main_refusal,
    find_option_against_rules,
    is_bound,
    list_options,
    list_possible_entries,
    possible_points,
    tally,
)
from knobel.rules.sheet_rules import Chance, SheetRules


def load(name: str, **switches: str) -> SheetRules:
    rules: SheetRules = load_edition(name).rules(None, switches)
    return rules


UPPER = {"ones": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18}
HASBRO, MB, NORIS, PHILOS = load("hasbro-yahtzee"), load("mb-yahtzee"), load("noris-yatzy"), load("philos-yatzi")
LAST_RESORT = load("hasbro-yahtzee", chance_rule="last_resort")
ANNOUNCED = load("mb-yahtzee", order="announced")
TOP_DOWN = load("mb-yahtzee", order="top_down")
LAST_BOX = replace(MB, chance=Chance("chance", "last_box"))
MUST_JOKER = load("hasbro-yahtzee", must_fit="true")
MUST_WAIT = replace(NORIS, chance=Chance("chance", "last_box"))
CASES: list[tuple[SheetRules, dict[str, int], str | None]] = [
    (MB, {"yatzy": 50, "fours": 12}, None),
    (HASBRO, {"yatzy": 50, "fours": 12}, None),
    (LAST_RESORT, {"yatzy": 0, "fours": 12}, None),
    (LAST_BOX, {"yatzy": 50}, None),
    (NORIS, {}, None),
    (NORIS, UPPER, None),
    (NORIS, UPPER | {"chance": 20, "three_of_a_kind": 20}, None),
    (MUST_JOKER, {"yatzy": 50, "fours": 12}, None),
    (MUST_WAIT, UPPER, None),
    (TOP_DOWN, {"ones": 3}, None),
    (ANNOUNCED, {}, None),
    (ANNOUNCED, {"yatzy": 50, "ones": 3}, "sixes"),
    (ANNOUNCED, {"yatzy": 50}, "chance"),
]


@pytest.mark.parametrize(("rules", "filled", "announced"), CASES)
def test_the_points_that_can_be_entered_are_those_some_hand_scores(
    rules: SheetRules, filled: Mapping[str, int], announced: str | None
) -> None:
    column = build_column(rules, filled)
    wanted: dict[str, dict[int, set[tuple[int, bool]]]] = {box.id: {} for box in rules.boxes}
    for hand in all_hands(rules.dice, rules.faces):
        crossed = () if is_bound(rules, column, hand) else (0,)
        for box, option in list_options(rules, column, hand, announced).items():
            for points in (option.points, *crossed) if option.refusal is None else ():
                wanted[box].setdefault(points, set()).add((option.extra, is_all_alike(hand)))
    for box, found in wanted.items():
        entries = list_possible_entries(rules, column, box, announced)
        assert entries == found
        assert list(entries) == sorted(entries)


@pytest.mark.parametrize(("rules", "filled", "announced"), CASES)
def test_against_the_rules_every_open_box_takes_what_some_hand_shows_or_nothing(
    rules: SheetRules, filled: Mapping[str, int], announced: str | None
) -> None:
    column = build_column(rules, filled)
    wanted: dict[str, dict[int, set[tuple[int, bool]]]] = {box.id: {} for box in rules.boxes}
    for hand in all_hands(rules.dice, rules.faces):
        for box, found in wanted.items():
            option = find_option_against_rules(rules, column, hand, box)
            assert (option.refusal is None) is (box not in filled)
            for points in (option.points, 0) if option.refusal is None else ():
                found.setdefault(points, set()).add((option.extra, is_all_alike(hand)))
    assert wanted == {box: list_possible_entries(rules, column, box, announced, anyway=True) for box in wanted}


WITHOUT_DICE = {
    "rules.refusal.must_fit": "rules.refusal.must_fit_elsewhere",
    "rules.refusal.chance_last_resort": "rules.refusal.chance_elsewhere",
}
"""What is said of dice nobody knows: which box fits instead is left open."""


def test_where_no_dice_were_entered_no_refusal_speaks_of_these_dice() -> None:
    words = Translator("en")
    assert not [key for key in WITHOUT_DICE.values() if "these dice" in words(key)]


@pytest.mark.parametrize(("rules", "filled", "announced"), CASES)
def test_the_main_refusal_is_the_one_of_most_hands(
    rules: SheetRules, filled: Mapping[str, int], announced: str | None
) -> None:
    column = build_column(rules, filled)
    hands = [list_options(rules, column, hand, announced) for hand in all_hands(rules.dice, rules.faces)]
    for box in {box.id for box in rules.boxes} - {announced}:
        refusals = [refusal.key for options in hands if (refusal := options[box].refusal)]
        counts = Counter(WITHOUT_DICE.get(key, key) for key in refusals)
        most = [key for key, count in counts.items() if count == max(counts.values())]
        found = find_main_refusal(rules, column, box, announced)
        assert found.key in most if found else not most


def test_nothing_is_held_against_the_announced_box() -> None:
    assert find_main_refusal(ANNOUNCED, build_column(ANNOUNCED, {"twos": 4}), "twos", "twos") is None


@pytest.mark.parametrize(
    ("rules", "filled", "dice", "announced", "box", "refusal"),
    [
        (MB, {"ones": 3}, "12345", None, "ones", phrase("rules.refusal.filled")),
        (ANNOUNCED, {}, "12345", None, "ones", phrase("rules.refusal.announce_first")),
        (ANNOUNCED, {}, "12345", "ones", "twos", phrase("rules.refusal.announced", box=BoxName("ones"))),
        (ANNOUNCED, {}, "12345", "sixes", "twos", None),
        (TOP_DOWN, {"ones": 3}, "12345", None, "threes", phrase("rules.refusal.top_down", box=BoxName("twos"))),
        (TOP_DOWN, {"ones": 3}, "12345", None, "twos", None),
        (HASBRO, {"yatzy": 50}, "44444", None, "ones", phrase("rules.refusal.joker_upper", box=BoxName("fours"))),
        (HASBRO, {"yatzy": 50}, "44444", None, "fours", None),
        (HASBRO, {"yatzy": 50, "fours": 12}, "44444", None, "ones", phrase("rules.refusal.joker_lower")),
        (HASBRO, {"yatzy": 50, "fours": 12}, "44444", None, "full_house", None),
        (HASBRO, {}, "44444", None, "ones", None),
        (
            LAST_RESORT,
            {"yatzy": 50, "fours": 12},
            "44444",
            None,
            "chance",
            phrase("rules.refusal.chance_last_resort", box=BoxName("large_straight"), chance=BoxName("chance")),
        ),
        (
            NORIS,
            {},
            "12346",
            None,
            "chance",
            phrase("rules.refusal.chance_last_resort", box=BoxName("small_straight"), chance=BoxName("chance")),
        ),
        (NORIS, {}, "12346", None, "yatzy", phrase("rules.refusal.must_fit", box=BoxName("small_straight"))),
        (
            NORIS,
            UPPER | {"small_straight": 30},
            "12346",
            None,
            "yatzy",
            phrase("rules.refusal.must_chance", box=BoxName("chance")),
        ),
        (NORIS, UPPER | {"small_straight": 30, "chance": 20}, "12346", None, "yatzy", None),
        (
            MUST_JOKER,
            {"yatzy": 50, "fours": 12, "chance": 20},
            "44444",
            None,
            "ones",
            phrase("rules.refusal.joker_lower"),
        ),
        (
            MUST_JOKER,
            {"yatzy": 50, "fours": 12},
            "12346",
            None,
            "fives",
            phrase("rules.refusal.must_fit", box=BoxName("small_straight")),
        ),
        (MUST_JOKER, {"yatzy": 50, "fours": 12}, "44444", None, "full_house", None),
        (MUST_WAIT, UPPER | {"small_straight": 30}, "12346", None, "yatzy", None),
        (LAST_BOX, {}, "12346", None, "chance", phrase("rules.refusal.chance_last_box")),
        (LAST_BOX, {}, "12346", None, "yatzy", None),
        (LAST_BOX, {box.id: 0 for box in MB.boxes if box.id != "chance"}, "12346", None, "chance", None),
    ],
)
def test_a_box_is_refused_for_exactly_this_reason(
    rules: SheetRules, filled: Mapping[str, int], dice: str, announced: str | None, box: str, refusal: Phrase | None
) -> None:
    hand = tuple(map(int, dice))
    assert list_options(rules, build_column(rules, filled), hand, announced)[box].refusal == refusal


@pytest.mark.parametrize(
    ("rules", "filled", "dice", "box", "option"),
    [
        (MB, {}, "44422", "fours", Option(12)),
        (MB, {"yatzy": 50}, "44444", "ones", Option(0, 100)),
        (MB, {"yatzy": 50, "fours": 12}, "44444", "full_house", Option(25, 100)),
        (MB, {"fours": 12}, "44422", "fours", Option(12, 0, phrase("rules.refusal.filled"))),
        (TOP_DOWN, {}, "44422", "fours", Option(12)),
    ],
)
def test_against_the_rules_a_box_scores_what_the_dice_show(
    rules: SheetRules, filled: Mapping[str, int], dice: str, box: str, option: Option
) -> None:
    assert find_option_against_rules(rules, build_column(rules, filled), tuple(map(int, dice)), box) == option


def test_a_column_built_of_nothing_is_empty() -> None:
    assert build_column(PHILOS, {}) == empty_column(PHILOS)
    assert (empty_column(PHILOS).extra, empty_column(PHILOS).yatzys) == (0, 0)


def test_a_joker_may_stand_for_a_straight_that_counts_its_dice() -> None:
    counted = tuple(replace(box, counts="group", points=1) if box.id == "small_straight" else box for box in MB.boxes)
    straights, jokers = {10 + 1, 14 + 1, 18 + 1}, {4 * face + 1 for face in range(1, 7)}
    assert possible_points(replace(MB, boxes=counted), "small_straight") == tuple(sorted({0} | straights | jokers))


def test_without_upper_boxes_there_is_no_pace_to_the_bonus() -> None:
    rules = replace(MB, boxes=tuple(box for box in MB.boxes if not box.upper))
    assert rules.bonus is not None
    assert tally(rules, build_column(rules, {"chance": 20})).bonus_pace == 0
