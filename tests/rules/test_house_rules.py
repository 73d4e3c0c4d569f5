"""House-rule files: the shipped examples, the closed schema key by key, and random ones against a second scorer."""

import hashlib
import io
import json
import random
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knobel.cli import main
from knobel.errors import (
    BoxImpossible,
    DuplicateUpperBox,
    InvalidBoxId,
    KeyBlank,
    KeyConflict,
    KeyMissing,
    KeyNotAllowed,
    KeyOutOfRange,
    KeyUnknown,
    KeyUnknownBox,
    KeyWrongLength,
    KeyWrongType,
    RulesError,
)
from knobel.lang import Translator
from knobel.phrase import Phrase
from knobel.rules import LANGUAGES, Edition, edition_ids, load_edition
from knobel.rules.articles import build_sheet_articles
from knobel.rules.column import build_column, list_options, tally
from knobel.rules.families import Rules
from knobel.rules.scoring import PATTERNS, worth
from knobel.rules.switches import SHEET_SWITCHES
from tests.support.house_rules import (
    EXAMPLES,
    FILE,
    FULL_RULES,
    MINIMAL_RULES,
    REMOVED,
    TomlTable,
    assert_refused,
    describe_error,
    load_house_rules,
    to_toml,
    with_changes,
)

SHIPPED = sorted(path.stem for path in EXAMPLES.glob("*.toml"))
random_files = settings(derandomize=True, deadline=None, max_examples=40)


def example(name: str) -> Edition:
    return load_edition(str(EXAMPLES / f"{name}.toml"))


def scores(edition: Edition, dice: Sequence[int]) -> dict[str, int]:
    """Say what dice are worth in every box, the zeros left out."""
    hand = tuple(sorted(dice))
    found = {box.id: worth(box, hand) for box in edition.rules().boxes}
    return {box: points for box, points in found.items() if points}


# The shipped examples

HANDS: dict[str, dict[str, dict[str, int]]] = {
    "two-dice": {
        "11": {"twins": 5, "odd": 4, "chance": 2},
        "12": {"neighbours": 3, "chance": 3},
        "52": {"chance": 7},
        "35": {"odd": 4, "chance": 8},
        "64": {"even": 4, "chance": 10},
        "65": {"neighbours": 3, "chance": 11},
        "66": {"twins": 5, "even": 4, "chance": 12},
    },
    "poker-dice": {
        "12346": {},
        "11234": {"pair": 1},
        "22556": {"pair": 1, "two_pairs": 3},
        "33312": {"pair": 1, "three": 6},
        "33355": {"pair": 1, "two_pairs": 3, "three": 6, "full_house": 18},
        "44441": {"pair": 1, "three": 6, "four": 30},
        "66666": {"pair": 1, "three": 6, "four": 30, "five": 60},
        "54321": {"straight": 12},
        "23456": {"straight": 12},
    },
    "maxi-yatzy": {
        "112233": {
            "ones": 2,
            "twos": 4,
            "threes": 6,
            "one_pair": 6,
            "two_pairs": 10,
            "three_pairs": 12,
            "chance": 12,
        },
        "555222": {
            "twos": 6,
            "fives": 15,
            "one_pair": 10,
            "two_pairs": 14,
            "three_of_a_kind": 15,
            "full_house": 19,
            "villa": 21,
            "chance": 21,
        },
        "446644": {
            "fours": 16,
            "sixes": 12,
            "one_pair": 12,
            "two_pairs": 20,
            "three_of_a_kind": 12,
            "four_of_a_kind": 16,
            "full_house": 24,
            "tower": 28,
            "chance": 28,
        },
        "123456": {
            "ones": 1,
            "twos": 2,
            "threes": 3,
            "fours": 4,
            "fives": 5,
            "sixes": 6,
            "small_straight": 15,
            "large_straight": 20,
            "full_straight": 21,
            "chance": 21,
        },
        "123455": {
            "ones": 1,
            "twos": 2,
            "threes": 3,
            "fours": 4,
            "fives": 10,
            "one_pair": 10,
            "small_straight": 15,
            "chance": 20,
        },
        "234566": {
            "twos": 2,
            "threes": 3,
            "fours": 4,
            "fives": 5,
            "sixes": 12,
            "one_pair": 12,
            "large_straight": 20,
            "chance": 26,
        },
        "222225": {
            "twos": 10,
            "fives": 5,
            "one_pair": 4,
            "three_of_a_kind": 6,
            "four_of_a_kind": 8,
            "five_of_a_kind": 10,
            "chance": 15,
        },
        "333333": {
            "threes": 18,
            "one_pair": 6,
            "three_of_a_kind": 9,
            "four_of_a_kind": 12,
            "five_of_a_kind": 15,
            "chance": 18,
            "maxi_yatzy": 100,
        },
    },
    "kniffel": {
        "33355": {"threes": 9, "fives": 10, "three_of_a_kind": 19, "full_house": 25, "chance": 19},
        "12346": {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "sixes": 6, "small_straight": 30, "chance": 16},
        "65432": {
            "twos": 2,
            "threes": 3,
            "fours": 4,
            "fives": 5,
            "sixes": 6,
            "small_straight": 30,
            "large_straight": 40,
            "chance": 20,
        },
        "44444": {"fours": 20, "three_of_a_kind": 20, "four_of_a_kind": 20, "yatzy": 50, "chance": 20},
    },
    "four-rolls": {
        "22333": {
            "twos": 4,
            "threes": 9,
            "one_pair": 6,
            "two_pairs": 10,
            "three_of_a_kind": 9,
            "full_house": 13,
            "chance": 13,
        },
        "66666": {
            "sixes": 30,
            "one_pair": 12,
            "three_of_a_kind": 18,
            "four_of_a_kind": 24,
            "full_house": 30,
            "chance": 30,
            "yatzy": 50,
        },
        "12345": {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "small_straight": 15, "chance": 15},
        "23456": {"twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6, "large_straight": 20, "chance": 20},
    },
}


def test_the_folder_of_examples_holds_nothing_else() -> None:
    assert sorted(path.name for path in EXAMPLES.iterdir()) == [f"{name}.toml" for name in SHIPPED]


@pytest.mark.parametrize("name", SHIPPED)
def test_check_finds_every_example_sound(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(EXAMPLES / f"{name}.toml"), "--lang", "en"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith(f"{example(name).title} is valid")
    assert said.err == ""


@pytest.mark.parametrize(("name", "dice"), [(name, dice) for name, hands in HANDS.items() for dice in hands])
def test_an_example_scores_as_it_does_on_paper(name: str, dice: str) -> None:
    assert scores(example(name), [int(die) for die in dice]) == HANDS[name][dice]


@pytest.mark.parametrize(
    ("name", "dice", "faces", "rolls", "boxes"),
    [
        ("four-rolls", 5, 6, 4, 15),
        ("kniffel", 5, 6, 3, 13),
        ("maxi-yatzy", 6, 6, 3, 20),
        ("poker-dice", 5, 6, 3, 7),
        ("two-dice", 2, 6, 2, 5),
    ],
)
def test_an_example_lies_on_the_table_as_it_says(name: str, dice: int, faces: int, rolls: int, boxes: int) -> None:
    rules = example(name).rules()
    assert (rules.dice, rules.faces, rules.rolls, len(rules.boxes)) == (dice, faces, rolls, boxes)


def test_a_second_kniffel_brings_fifty_and_stands_for_anything() -> None:
    rules = example("kniffel").rules()
    column = build_column(rules, {"yatzy": 50, "fours": 12})
    found = list_options(rules, column, (4, 4, 4, 4, 4))
    assert {box: found[box].points for box in ("full_house", "small_straight", "large_straight")} == {
        "full_house": 25,
        "small_straight": 30,
        "large_straight": 40,
    }
    assert found["full_house"].extra == 50


def test_kniffel_names_its_boxes_in_german_as_players_do() -> None:
    edition = example("kniffel")
    assert Translator("de", edition).name_box("yatzy") == "Kniffel"
    assert edition.base == "mb-yahtzee"


@pytest.mark.parametrize(
    ("name", "upper", "bonus"), [("four-rolls", 63, 35), ("four-rolls", 62, 0), ("maxi-yatzy", 84, 100)]
)
def test_an_example_pays_its_own_bonus(name: str, upper: int, bonus: int) -> None:
    rules = example(name).rules()
    assert tally(rules, build_column(rules, {"sixes": upper})).bonus == bonus


def test_poker_dice_must_be_written_where_they_fit() -> None:
    rules = example("poker-dice").rules()
    found = list_options(rules, build_column(rules, {}), (1, 1, 2, 3, 4))
    assert [box for box, option in found.items() if option.refusal is None] == ["pair"]


def test_two_dice_are_written_from_top_to_bottom() -> None:
    rules = example("two-dice").rules()
    found = list_options(rules, build_column(rules, {"twins": 0}), (6, 6))
    assert [box for box, option in found.items() if option.refusal is None] == ["neighbours"]


# The closed schema: ranges

RANGES = {
    "dice": (1, 8),
    "faces": (2, 12),
    "rolls": (1, 6),
    "bonus.threshold": (1, 10_000),
    "bonus.points": (0, 1000),
    "yatzy.prime": (0, 1000),
    "yatzy.second": (0, 1000),
    "players.least": (1, 99),
    "players.most": (1, 99),
    "boxes.trio.points": (0, 1000),
    "boxes.ones.face": (1, 12),
    "boxes.trio.size": (2, 8),
    "boxes.twins.count": (1, 4),
    "boxes.row.length": (2, 8),
    "boxes.row.start": (0, 12),
}
ITEM_RANGES = {"boxes.house.sizes": (1, 8), "boxes.odd.faces": (1, 12)}


@pytest.mark.parametrize(("key", "least", "most"), [(key, *edges) for key, edges in RANGES.items()])
def test_a_number_just_outside_its_range_is_refused(key: str, least: int, most: int) -> None:
    for value in (least - 1, most + 1, -most, 10**30):
        error = assert_refused(KeyOutOfRange, with_changes(FULL_RULES, {key: value}))
        assert error.values == {"file": FILE, "key": key, "least": least, "most": most, "value": str(value)}
        assert {key, str(least), str(most)} <= set(describe_error(error).replace(",", " ").split())


@pytest.mark.parametrize(("key", "edge"), [(key, edge) for key, edges in RANGES.items() for edge in edges])
def test_a_number_at_the_edge_of_its_range_is_in_range(key: str, edge: int) -> None:
    others = {("box_impossible", f"boxes.{box}") for box in FULL_RULES["boxes"]} | {("key_range", "players.most")}
    assert complaint(with_changes(FULL_RULES, {key: edge})) in {None, *others} - {("key_range", key)}


def complaint(table: TomlTable) -> tuple[str, str] | None:
    try:
        load_house_rules(table)
    except RulesError as error:
        return error.code, str(error.values["key"])
    return None


@pytest.mark.parametrize(("key", "least", "most"), [(key, *edges) for key, edges in ITEM_RANGES.items()])
def test_a_number_in_a_list_just_outside_its_range_is_refused(key: str, least: int, most: int) -> None:
    for value in (least - 1, most + 1):
        error = assert_refused(KeyOutOfRange, with_changes(FULL_RULES, {key: [least, value]}))
        assert error.values == {"file": FILE, "key": key, "least": least, "most": most, "value": str(value)}
    for wrong in (True, 1.0, "1", [1]):
        assert assert_refused(KeyWrongType, with_changes(FULL_RULES, {key: [least, wrong]})).values["key"] == key


def test_the_most_players_are_not_fewer_than_the_least() -> None:
    error = assert_refused(KeyOutOfRange, with_changes(FULL_RULES, {"players": {"least": 4, "most": 3}}))
    assert (error.values["key"], error.values["least"]) == ("players.most", 4)
    assert load_house_rules(with_changes(FULL_RULES, {"players": {"least": 4, "most": 4}})).rules().players.most == 4


# The closed schema: kinds

KINDS: dict[str, tuple[str, ...]] = {
    "whole": tuple(RANGES),
    "truth": (
        "bonus.strict",
        "must_fit",
        "locked_dice",
        "boxes.ones.upper",
        "boxes.twins.same_face",
        "boxes.house.same_face",
    ),
    "word": (
        "title",
        "extends",
        "order",
        "start",
        "series",
        "chance.box",
        "chance.rule",
        "yatzy.box",
        "yatzy.joker",
        "yatzy.forced_zero",
        "boxes.trio.pattern",
        "boxes.trio.counts",
        "boxes.odd.names.en",
    ),
    "list": ("sheet", "boxes.house.sizes", "boxes.odd.faces"),
    "table": ("boxes", "bonus", "chance", "yatzy", "players", "boxes.trio", "boxes.odd.names"),
}
DAY, NAN = date(1979, 5, 27), float("nan")
WRONG: dict[str, tuple[object, ...]] = {
    "whole": (True, 5.0, "5", [5], {}, DAY, NAN),
    "truth": (0, 1, "true", 1.0, [True], {}, DAY),
    "word": (5, True, 1.5, ["free"], {}, DAY, NAN),
    "list": (5, True, "ones", {}, DAY),
    "table": (5, True, "ones", [1], [], DAY),
}


@pytest.mark.parametrize(("key", "kind"), [(key, kind) for kind, keys in KINDS.items() for key in keys])
def test_a_value_of_the_wrong_kind_is_refused(key: str, kind: str) -> None:
    for value in WRONG[kind]:
        error = assert_refused(KeyWrongType, with_changes(FULL_RULES, {key: value}))
        assert error.values["key"] == key
        assert isinstance(error.values["wanted"], Phrase)
        assert error.values["wanted"].key == f"errors.kind.{kind}"


@pytest.mark.parametrize("key", ["boxes", "players", "boxes.odd.names"])
def test_false_is_no_table(key: str) -> None:
    assert assert_refused(KeyWrongType, with_changes(FULL_RULES, {key: False})).values["key"] == key


@pytest.mark.parametrize("text", ["de", "tlh", 5])
def test_a_file_that_stands_alone_has_no_printed_text_to_choose(text: object) -> None:
    error = assert_refused(KeyConflict, {**MINIMAL_RULES, "text": text})
    assert error.values == {"file": FILE, "key": "text", "other": "extends"}


# The closed schema: words

CHOICES = {
    "order": ("free", "top_down", "announced"),
    "start": ("any", "agreed", "highest"),
    "series": ("none", "agreed", "independent"),
    "chance.rule": ("free", "last_resort", "last_box"),
    "yatzy.joker": ("none", "free", "forced"),
    "yatzy.forced_zero": ("literal", "all_upper", "lenient"),
    "boxes.trio.counts": ("nothing", "group", "all"),
}


@pytest.mark.parametrize(("key", "word"), [(key, word) for key, words in CHOICES.items() for word in words])
def test_an_allowed_word_is_accepted(key: str, word: str) -> None:
    assert load_house_rules(with_changes(FULL_RULES, {key: word})).title == "Whole"


@pytest.mark.parametrize("key", CHOICES)
def test_another_word_is_refused_and_the_allowed_ones_are_named(key: str) -> None:
    for word in ("", "nonsense", CHOICES[key][0].upper(), f"{CHOICES[key][0]} ", "x" * 5000, "a\nb"):
        error = assert_refused(KeyNotAllowed, with_changes(FULL_RULES, {key: word}))
        assert error.values["key"] == key
        assert error.values["allowed"] == CHOICES[key]
        assert all(allowed in describe_error(error) for allowed in CHOICES[key])


def test_an_unknown_pattern_is_refused_and_the_known_ones_are_named() -> None:
    error = assert_refused(KeyNotAllowed, with_changes(FULL_RULES, {"boxes.trio.pattern": "flush"}))
    assert error.values["key"] == "boxes.trio.pattern"
    assert error.values["allowed"] == tuple(PATTERNS)


# The closed schema: unknown and missing keys


@pytest.mark.parametrize(
    "key",
    [
        "colour",
        "Dice",
        "bonus.colour",
        "chance.colour",
        "yatzy.colour",
        "players.colour",
        "boxes.trio.colour",
        "boxes.trio.face",
        "boxes.chance.size",
        "boxes.row.same_face",
        "boxes.odd.names.tlh",
        "boxes.odd.names.DE",
        "printed",
        "default_text",
        "texts",
        "literal_bonus",
        "sources",
        "names",
    ],
)
def test_an_unknown_key_is_refused_at_every_level(key: str) -> None:
    error = assert_refused(KeyUnknown, with_changes(FULL_RULES, {key: 1}))
    assert error.code == "key_unknown"
    assert error.values["key"] == key
    assert key in describe_error(error)


@pytest.mark.parametrize(
    "key",
    ["a\nb", "a\x1b[2Jb", "a\u202eb", "", pytest.param("k" * 5000, id="long"), "a.b", "é", "{}", "%s", "{file.x}"],
)
@pytest.mark.parametrize("table", ["", "bonus", "players", "boxes.trio", "boxes.odd.names"])
def test_an_unreadable_key_is_shown_harmless(table: str, key: str) -> None:
    rules = with_changes(FULL_RULES, {})
    inner = rules
    for step in filter(None, table.split(".")):
        inner = inner[step]
    inner[key] = 1
    assert assert_refused(KeyUnknown, rules).code == "key_unknown"


@pytest.mark.parametrize(
    "key",
    [
        "title",
        "dice",
        "faces",
        "rolls",
        "bonus.threshold",
        "bonus.points",
        "chance.box",
        "yatzy.box",
        "boxes.trio.pattern",
        "boxes.trio.size",
        "boxes.ones.face",
        "boxes.twins.count",
        "boxes.house.sizes",
        "boxes.row.length",
        "boxes.odd.faces",
    ],
)
def test_a_key_that_is_needed_is_missed_by_name(key: str) -> None:
    error = assert_refused(KeyMissing, with_changes(FULL_RULES, {key: REMOVED}))
    assert error.code == "key_missing"
    assert error.values == {"file": FILE, "key": key}


@pytest.mark.parametrize(
    "key",
    [
        "bonus",
        "chance",
        "yatzy",
        "order",
        "must_fit",
        "locked_dice",
        "players",
        "start",
        "series",
        "sheet",
        "bonus.strict",
        "chance.rule",
        "yatzy.joker",
        "yatzy.prime",
        "yatzy.second",
        "yatzy.forced_zero",
        "players.least",
        "boxes.trio.counts",
        "boxes.trio.points",
        "boxes.trio.upper",
        "boxes.twins.same_face",
        "boxes.house.same_face",
        "boxes.row.start",
        "boxes.odd.names",
    ],
)
def test_a_key_that_is_not_needed_may_be_left_out(key: str) -> None:
    assert load_house_rules(with_changes(FULL_RULES, {key: REMOVED})).title == "Whole"


def test_what_is_left_out_plays_by_default() -> None:
    rules = load_house_rules(MINIMAL_RULES).rules()
    assert (rules.bonus, rules.chance, rules.yatzy) == (None, None, None)
    assert (rules.order, rules.must_fit, rules.locked_dice, rules.start, rules.series) == (
        "free",
        False,
        False,
        "any",
        "none",
    )
    assert (rules.players.least, rules.players.most) == (1, None)
    assert (
        load_house_rules(FULL_RULES).rules()
        == load_house_rules(with_changes(FULL_RULES, {"order": REMOVED, "yatzy.joker": REMOVED})).rules()
    )


@pytest.mark.parametrize("key", ["bonus", "chance", "yatzy"])
def test_false_takes_a_rule_away(key: str) -> None:
    assert getattr(load_house_rules(FULL_RULES).rules(), key) is not None
    assert getattr(load_house_rules(with_changes(FULL_RULES, {key: False})).rules(), key) is None


def test_a_second_yatzy_needs_chance() -> None:
    error = assert_refused(KeyConflict, with_changes(FULL_RULES, {"yatzy.second": 100, "chance": False}))
    assert error.code == "key_clash"
    assert error.values == {"file": FILE, "key": "yatzy.second", "other": "chance"}


@pytest.mark.parametrize("key", ["chance.box", "yatzy.box"])
def test_a_rule_about_a_box_that_is_not_on_the_sheet_is_refused(key: str) -> None:
    error = assert_refused(KeyUnknownBox, with_changes(FULL_RULES, {key: "sevens"}))
    assert error.code == "key_box"
    assert (error.values["key"], error.values["value"]) == (key, "sevens")
    assert error.values["known"] == tuple(FULL_RULES["sheet"])


# The sheet


def rows(edition: Edition) -> list[str]:
    return [box.id for box in edition.rules().boxes]


def test_boxes_stand_in_the_order_in_which_they_are_written() -> None:
    assert rows(load_house_rules(with_changes(FULL_RULES, {"sheet": REMOVED}))) == list(FULL_RULES["boxes"])


def test_the_sheet_puts_boxes_in_another_order() -> None:
    upside_down = list(reversed(FULL_RULES["sheet"]))
    assert rows(load_house_rules(with_changes(FULL_RULES, {"sheet": upside_down}))) == upside_down


def test_a_box_that_is_not_on_the_sheet_is_not_played() -> None:
    assert rows(load_house_rules(with_changes(FULL_RULES, {"sheet": ["yatzy", "chance", "odd"]}))) == [
        "yatzy",
        "chance",
        "odd",
    ]


def test_false_drops_a_box() -> None:
    assert rows(load_house_rules(with_changes(FULL_RULES, {"sheet": REMOVED, "boxes.odd": False}))) == [
        box for box in FULL_RULES["boxes"] if box != "odd"
    ]


def test_a_dropped_box_cannot_stand_on_the_sheet() -> None:
    error = assert_refused(KeyUnknownBox, with_changes(FULL_RULES, {"boxes.odd": False}))
    assert (error.values["key"], error.values["value"]) == ("sheet", "odd")


def test_chance_cannot_be_dropped_while_a_rule_speaks_of_it() -> None:
    error = assert_refused(KeyUnknownBox, with_changes(FULL_RULES, {"sheet": REMOVED, "boxes.chance": False}))
    assert error.values["key"] == "chance.box"


@pytest.mark.parametrize(
    "row", ["sevens", "", "ONES", 5, True, 1.5, [], ["ones"], {}, DAY, pytest.param(2**20_000, id="giant")]
)
def test_a_row_that_names_no_box_is_refused(row: object) -> None:
    error = assert_refused(KeyUnknownBox, with_changes(FULL_RULES, {"sheet": ["ones", row]}))
    assert error.values["key"] == "sheet"


def test_a_row_cannot_stand_twice_on_the_sheet() -> None:
    with pytest.raises(RulesError) as caught:
        load_house_rules(with_changes(FULL_RULES, {"sheet": ["chance", "yatzy", "chance"]}))
    assert caught.value.values["key"] == "sheet"
    assert describe_error(caught.value).startswith(FILE)


def test_the_boxes_named_in_an_error_are_shown_harmless() -> None:
    boxes = {box: {"pattern": "sum"} for box in ("a\nb", "c\x1b[2Jd", "e\u202ef")}
    assert "a b" in describe_error(assert_refused(KeyUnknownBox, {**MINIMAL_RULES, "sheet": ["x"], "boxes": boxes}))


def many(count: int) -> TomlTable:
    return {f"a{'long' * 7}{number:03}": {"pattern": "sum"} for number in range(count)}


@pytest.mark.parametrize(
    "rules",
    [
        {"sheet": ["x"], "boxes": many(20)},
        {"sheet": ["x"], "boxes": many(500)},
        {"chance": {"box": "x"}, "boxes": many(20)},
        {"yatzy": {"box": "x"}, "boxes": many(20)},
    ],
)
def test_an_error_among_many_boxes_is_still_one_line(rules: TomlTable) -> None:
    assert assert_refused(KeyUnknownBox, {**MINIMAL_RULES, **rules}).values["value"] == "x"


@pytest.mark.parametrize("count", [0, 21, 500])
def test_a_sheet_has_one_to_twenty_boxes(count: int) -> None:
    error = assert_refused(KeyWrongLength, {**MINIMAL_RULES, "boxes": many(count)})
    assert error.code == "key_length"
    assert error.values == {"file": FILE, "key": "boxes", "least": 1, "most": 20, "value": count}
    assert len(rows(load_house_rules({**MINIMAL_RULES, "boxes": many(20)}))) == 20


@pytest.mark.parametrize("sheet", [[], list(many(21))])
def test_the_order_of_a_sheet_has_one_to_twenty_rows(sheet: list[str]) -> None:
    error = assert_refused(KeyWrongLength, {**MINIMAL_RULES, "boxes": many(30), "sheet": sheet})
    assert (error.values["least"], error.values["most"]) == (1, 20)
    assert rows(load_house_rules({**MINIMAL_RULES, "boxes": many(30), "sheet": list(many(20))})) == list(many(20))


@pytest.mark.parametrize("box", ["", "A", "Ones", "1st", "_x", "a-b", "a b", "a.b", "é", "a" * 33, "a\n", "ones\u200b"])
def test_a_box_needs_a_plain_id(box: str) -> None:
    assert assert_refused(InvalidBoxId, {**MINIMAL_RULES, "boxes": {box: {"pattern": "sum"}}}).code == "box_id"


@pytest.mark.parametrize("box", ["a", "a" * 32, "a_1"])
def test_a_plain_id_is_accepted(box: str) -> None:
    assert rows(load_house_rules({**MINIMAL_RULES, "boxes": {box: {"pattern": "sum"}}})) == [box]


# Boxes that cannot be


@pytest.mark.parametrize(
    ("dice", "faces", "box"),
    [
        (4, 6, {"pattern": "group", "size": 5}),
        (1, 6, {"pattern": "group", "size": 2}),
        (3, 6, {"pattern": "pairs", "count": 2}),
        (3, 6, {"pattern": "pairs", "count": 2, "same_face": True}),
        (8, 3, {"pattern": "pairs", "count": 4}),
        (4, 6, {"pattern": "house", "sizes": [3, 2]}),
        (4, 6, {"pattern": "house", "sizes": [3, 2], "same_face": True}),
        (8, 2, {"pattern": "house", "sizes": [3, 2, 1]}),
        (4, 6, {"pattern": "run", "length": 5}),
        (5, 4, {"pattern": "run", "length": 5}),
        (5, 6, {"pattern": "run", "length": 5, "start": 3}),
        (5, 6, {"pattern": "faces", "face": 7}),
        (5, 6, {"pattern": "only", "faces": [7, 8]}),
    ],
)
def test_a_box_that_can_never_be_filled_is_refused(dice: int, faces: int, box: TomlTable) -> None:
    error = assert_refused(BoxImpossible, {**MINIMAL_RULES, "dice": dice, "faces": faces, "boxes": {"dream": box}})
    assert error.code == "box_impossible"
    assert error.values == {"file": FILE, "key": "boxes.dream"}


@pytest.mark.parametrize(
    ("dice", "faces", "box"),
    [
        (5, 2, {"pattern": "group", "size": 5}),
        (4, 2, {"pattern": "pairs", "count": 2}),
        (8, 2, {"pattern": "pairs", "count": 4, "same_face": True}),
        (5, 2, {"pattern": "house", "sizes": [3, 2]}),
        (6, 3, {"pattern": "house", "sizes": [3, 2, 1]}),
        (5, 5, {"pattern": "run", "length": 5}),
        (5, 6, {"pattern": "run", "length": 5, "start": 2}),
        (1, 6, {"pattern": "faces", "face": 6}),
        (5, 6, {"pattern": "only", "faces": [6, 12]}),
        (1, 2, {"pattern": "sum"}),
    ],
)
def test_a_box_that_can_just_be_filled_is_accepted(dice: int, faces: int, box: TomlTable) -> None:
    assert rows(load_house_rules({**MINIMAL_RULES, "dice": dice, "faces": faces, "boxes": {"dream": box}})) == ["dream"]


@pytest.mark.parametrize(
    ("key", "least", "most", "value"),
    [
        ("boxes.house.sizes", 2, 4, []),
        ("boxes.house.sizes", 2, 4, [3]),
        ("boxes.house.sizes", 2, 4, [1] * 5),
        ("boxes.odd.faces", 1, 12, []),
        ("boxes.odd.faces", 1, 12, [1] * 13),
    ],
)
def test_a_list_has_its_least_and_its_most_entries(key: str, least: int, most: int, value: list[int]) -> None:
    error = assert_refused(KeyWrongLength, with_changes(FULL_RULES, {key: value}))
    assert error.values == {"file": FILE, "key": key, "least": least, "most": most, "value": len(value)}


def test_two_upper_boxes_cannot_collect_the_same_face() -> None:
    error = assert_refused(DuplicateUpperBox, with_changes(FULL_RULES, {"boxes.twos.face": 1}))
    assert error.code == "box_twice"
    assert error.values == {"file": FILE, "key": "boxes.twos", "other": "boxes.ones"}


def test_a_lower_box_may_collect_the_face_of_an_upper_one() -> None:
    edition = load_house_rules(
        with_changes(FULL_RULES, {"boxes.twos": {"pattern": "faces", "face": 1, "counts": "group"}})
    )
    assert scores(edition, (1, 1, 3, 4, 6)) == {"ones": 2, "twos": 2, "chance": 15}


@pytest.mark.parametrize(
    ("box", "dice", "points"),
    [
        ({"pattern": "group", "size": 2}, "11225566", 12),
        ({"pattern": "group", "size": 3}, "11155566", 15),
        ({"pattern": "pairs", "count": 2}, "33331111", 8),
        ({"pattern": "pairs", "count": 2}, "33333331", 0),
        ({"pattern": "pairs", "count": 2, "same_face": True}, "33333331", 12),
        ({"pattern": "pairs", "count": 3, "same_face": True}, "33331124", 14),
        ({"pattern": "house", "sizes": [3, 2]}, "22233366", 21),
        ({"pattern": "house", "sizes": [2, 3]}, "22233366", 21),
        ({"pattern": "house", "sizes": [3, 2]}, "22222221", 0),
        ({"pattern": "house", "sizes": [3, 2], "same_face": True}, "22222221", 10),
        ({"pattern": "house", "sizes": [3, 2, 2], "same_face": True}, "11116666", 27),
        ({"pattern": "run", "length": 3}, "11234466", 9),
        ({"pattern": "run", "length": 3, "start": 1}, "11234466", 6),
        ({"pattern": "run", "length": 4}, "11334466", 0),
        ({"pattern": "faces", "face": 4}, "11334466", 8),
        ({"pattern": "only", "faces": [1, 2]}, "11111122", 10),
        ({"pattern": "only", "faces": [1, 2]}, "11111123", 0),
    ],
)
def test_the_best_dice_that_make_a_pattern_are_counted(box: TomlTable, dice: str, points: int) -> None:
    edition = load_house_rules({**MINIMAL_RULES, "dice": 8, "boxes": {"best": {**box, "counts": "group"}}})
    assert scores(edition, [int(die) for die in dice]) == ({"best": points} if points else {})


def test_a_house_names_its_largest_group_first() -> None:
    rules = load_house_rules(with_changes(FULL_RULES, {"boxes.house.sizes": [2, 3]})).rules()
    assert rules.boxes[rules.index["house"]].pattern["sizes"] == (3, 2)


# Names


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("  Kniffel  ", "Kniffel"),
        ("Knif\x00fel", "Kniffel"),
        ("\x1b[31mKniffel", "[31mKniffel"),
        ("Kniffel\nzu\tdritt\u2028!", "Kniffel zu dritt !"),
        ("\u202eleffinK\u202c", "leffinK"),
        ("\u2066Kniffel\u2069\u200f", "Kniffel"),
        ("Kniffel\u200b\ufeff", "Kniffel"),
        ("Ku\u0308chentisch", "K\u00fcchentisch"),
        ("\U000e0041Kniffel\ue000", "Kniffel"),
        ("<b>{title}</b> %s", "<b>{title}</b> %s"),
    ],
)
def test_a_name_is_cleaned(written: str, read: str) -> None:
    edition = load_house_rules(with_changes(FULL_RULES, {"title": written, "boxes.trio.names": {"de": written}}))
    assert edition.title == read
    assert edition.box_name("trio", "de") == read
    assert Translator("de", edition).name_box("trio") == read


@pytest.mark.parametrize("key", ["title", "boxes.trio.names.de"])
@pytest.mark.parametrize("name", ["", " ", "\n\t", "\x00\x1b", "\u202e\u200b", "\u2028"])
def test_a_name_without_a_letter_is_refused(key: str, name: str) -> None:
    error = assert_refused(KeyBlank, with_changes(FULL_RULES, {key: name}))
    assert error.code == "key_text"
    assert error.values == {"file": FILE, "key": key}


@pytest.mark.parametrize(("key", "most"), [("title", 40), ("boxes.trio.names.de", 24)])
@pytest.mark.parametrize("letter", ["x", "\u00e9", "e\u0301", "q\u0323\u0301", "\u754c"])
def test_a_name_is_as_long_as_its_letters_and_not_longer_than_allowed(key: str, most: int, letter: str) -> None:
    assert load_house_rules(with_changes(FULL_RULES, {key: letter * most})).base is None
    error = assert_refused(KeyWrongLength, with_changes(FULL_RULES, {key: letter * (most + 1)}))
    assert error.code == "key_length"
    assert (error.values["key"], error.values["least"], error.values["most"]) == (key, 1, most)


@pytest.mark.parametrize("key", ["title", "boxes.trio.names.de"])
def test_a_name_is_not_drowned_in_accents(key: str) -> None:
    assert assert_refused(KeyWrongLength, with_changes(FULL_RULES, {key: "x" + "\u0301" * 3000})).values["key"] == key


def test_a_box_is_named_in_each_language_it_has_a_name_in() -> None:
    edition = load_house_rules(
        with_changes(FULL_RULES, {"boxes.trio.names": {"sv": "Trio", "de": "Drilling", "fr": "Brelan"}})
    )
    assert {lang: Translator(lang, edition).name_box("trio") for lang in ("de", "fr", "sv")} == {
        "de": "Drilling",
        "fr": "Brelan",
        "sv": "Trio",
    }
    assert Translator("en", edition).name_box("trio") == "Trio"


def test_a_box_without_a_name_is_named_by_what_it_wants() -> None:
    edition = load_house_rules(with_changes(MINIMAL_RULES, {"boxes.zzz": {"pattern": "group", "size": 3}}))
    assert Translator("en", edition).name_box("zzz") not in ("", "zzz")


def test_a_box_with_names_has_at_least_one() -> None:
    assert (
        assert_refused(KeyMissing, with_changes(FULL_RULES, {"boxes.trio.names": {}})).values["key"]
        == "boxes.trio.names.en"
    )


# Added over a printed edition

OVER: TomlTable = {"title": "Ours", "extends": "tactic-xl-yatzy"}


SHEETS = [name for name in edition_ids() if load_edition(name).family == "sheet"]


def test_a_file_that_changes_nothing_plays_the_printed_box() -> None:
    for name in SHEETS:
        edition = load_house_rules({**OVER, "extends": name})
        assert edition.rules().fingerprint == load_edition(name).rules().fingerprint
        assert (edition.base, edition.title) == (name, "Ours")


def test_a_game_of_rounds_cannot_be_extended() -> None:
    error = assert_refused(KeyNotAllowed, {**OVER, "extends": "carlit-chicago"})
    assert (error.values["key"], error.values["allowed"]) == ("extends", tuple(SHEETS))


@pytest.mark.parametrize(
    "name",
    ["tactic", "", "TACTIC-XL-YATZY", "kniffel.toml", "../house.toml", "a\nb", pytest.param("x" * 9999, id="long")],
)
def test_an_unknown_edition_cannot_be_extended(name: str) -> None:
    error = assert_refused(KeyNotAllowed, {**OVER, "extends": name})
    assert error.code == "key_choice"
    assert error.values["key"] == "extends"
    assert error.values["allowed"] == tuple(SHEETS)


def test_only_what_is_written_changes() -> None:
    printed = load_edition("tactic-xl-yatzy").rules()
    rules = load_house_rules({**OVER, "rolls": 5, "bonus": {"points": 1}, "boxes": {"yatzy": {"points": 99}}}).rules()
    assert (rules.rolls, rules.bonus and rules.bonus.points, rules.bonus and rules.bonus.threshold) == (5, 1, 63)
    assert [box for box in rules.boxes if box.id != "yatzy"] == [box for box in printed.boxes if box.id != "yatzy"]
    assert rules.boxes[rules.index["yatzy"]].points == 99


def test_a_box_that_changes_its_pattern_starts_anew() -> None:
    edition = load_house_rules({**OVER, "boxes": {"full_house": {"pattern": "only", "faces": [1]}}})
    assert scores(edition, (1, 1, 1, 2, 2)).get("full_house", 0) == 0
    assert edition.rules().boxes[edition.rules().index["full_house"]].counts == "nothing"


def test_a_new_box_stands_below_the_printed_ones() -> None:
    printed = rows(load_edition("tactic-xl-yatzy"))
    assert rows(load_house_rules({**OVER, "boxes": {"odd": {"pattern": "only", "faces": [1, 3, 5]}}})) == [
        *printed,
        "odd",
    ]


def test_a_printed_box_can_be_dropped() -> None:
    printed = rows(load_edition("tactic-xl-yatzy"))
    assert rows(load_house_rules({**OVER, "boxes": {"one_pair": False}})) == [
        box for box in printed if box != "one_pair"
    ]


def test_a_house_rule_can_choose_the_printed_text() -> None:
    assert load_house_rules({**OVER, "text": "da"}).rules().order == "announced"
    assert load_house_rules(OVER).rules().order == "free"
    error = assert_refused(KeyNotAllowed, {**OVER, "text": "es"})
    assert error.values["key"] == "text"


def test_a_house_rule_is_stronger_than_the_printed_text() -> None:
    edition = load_house_rules({**OVER, "text": "da", "order": "free", "boxes": {"yatzy": {"points": 1}}})
    assert edition.rules().order == "free"
    assert scores(edition, (6, 6, 6, 6, 6))["yatzy"] == 31


def test_the_other_texts_of_a_box_are_checked_at_once() -> None:
    box = {**MINIMAL_RULES, "publisher": "We", "printed": ["en", "de"], "default_text": "en"}
    assert load_house_rules({**box, "texts": {"de": {"rolls": 4}}}).rules("de").rolls == 4
    assert assert_refused(KeyUnknown, {**box, "texts": {"de": {"colour": 1}}}).values["key"] == "colour"
    assert assert_refused(KeyOutOfRange, {**box, "texts": {"de": {"rolls": 9}}}).values["key"] == "rolls"


@pytest.mark.parametrize("name", SHEETS)
def test_every_switch_turns_in_house_rules_that_dropped_its_rule(name: str) -> None:
    gone = {"bonus": False, "chance": False, "yatzy": False}
    edition = load_house_rules({**OVER, "extends": name, **gone, "boxes": {"full_house": False, "chance": False}})
    for text, (switch, kind) in product(edition.printed, SHEET_SWITCHES.items()):
        for value in kind.values:
            rules = edition.rules(text, {switch: value})
            assert (rules.bonus, rules.chance, rules.yatzy) == (None, None, None)


@pytest.mark.parametrize("text", ["nl", "fi", "no", "da", "en"])
def test_house_rules_without_bonus_and_chance_can_be_read(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / FILE
    path.write_text(to_toml({**OVER, "bonus": False, "chance": False}), encoding="utf-8")
    assert main(["rules", str(path), "--text", text, "--lang", "en"]) == 0
    assert capsys.readouterr().err == ""


# Random house rules against a second, slow scorer


@st.composite
def whole_files(draw: st.DrawFn) -> TomlTable:
    """Draw a valid house-rule file that stands alone."""
    dice, faces = draw(st.integers(1, 8)), draw(st.integers(2, 12))
    drawn = draw(st.lists(any_boxes(dice, faces), min_size=1, max_size=7))
    rest = [box for box in drawn if fillable(box, dice, faces)] or [{"pattern": "sum"}]
    boxes = {f"box_{place}": box for place, box in enumerate(rest)}
    ids = list(boxes)
    collected: set[int] = set()
    for box in boxes.values():
        if box["pattern"] == "faces" and box["face"] not in collected:
            box["upper"] = draw(st.booleans())
            collected |= {box["face"]} if box["upper"] else set()
    table: TomlTable = {"title": "Random", "dice": dice, "faces": faces, "rolls": draw(st.integers(1, 6))}
    extras: dict[str, st.SearchStrategy[object]] = {
        "bonus": st.fixed_dictionaries(
            {"threshold": st.integers(1, 10_000), "points": st.integers(0, 1000)}, optional={"strict": st.booleans()}
        ),
        "chance": st.fixed_dictionaries(
            {"box": st.sampled_from(ids)}, optional={"rule": st.sampled_from(CHOICES["chance.rule"])}
        ),
        "yatzy": st.fixed_dictionaries(
            {"box": st.sampled_from(ids)},
            optional={"joker": st.sampled_from(CHOICES["yatzy.joker"]), "prime": st.integers(0, 1000)},
        ),
        "order": st.sampled_from(CHOICES["order"]),
        "must_fit": st.booleans(),
        "locked_dice": st.booleans(),
        "players": st.fixed_dictionaries({"least": st.integers(1, 9)}, optional={"most": st.integers(9, 99)}),
        "start": st.sampled_from(CHOICES["start"]),
        "series": st.sampled_from(CHOICES["series"]),
        "sheet": st.permutations(ids),
    }
    table |= draw(st.fixed_dictionaries({}, optional=extras))
    return {**table, "boxes": boxes}


@cache
def any_boxes(size: int, face: int) -> st.SearchStrategy[TomlTable]:
    """Draw a box whose every number is in range, and not much above these."""
    truth = {"same_face": st.booleans()}
    shapes: list[tuple[str, dict[str, st.SearchStrategy[Any]], dict[str, st.SearchStrategy[Any]]]] = [
        ("faces", {"face": st.integers(1, face)}, {}),
        ("group", {"size": st.integers(2, max(2, size))}, {}),
        ("pairs", {"count": st.integers(1, min(4, 1 + size // 2))}, truth),
        ("house", {"sizes": st.lists(st.integers(1, max(1, size // 2)), min_size=2, max_size=4)}, truth),
        ("run", {"length": st.integers(2, max(2, size))}, {"start": st.integers(0, face)}),
        ("only", {"faces": st.lists(st.integers(1, face), min_size=1, max_size=6)}, {}),
        ("sum", {}, {}),
    ]
    pay = {"counts": st.sampled_from(CHOICES["boxes.trio.counts"]), "points": st.integers(0, 1000)}
    return st.one_of(
        [
            st.fixed_dictionaries({"pattern": st.just(name), **needed}, optional={**free, **pay})
            for name, needed, free in shapes
        ]
    )


def fillable(box: TomlTable, dice: int, faces: int) -> bool:
    """Say by counting, not by trying hands, whether some hand of these dice makes a box."""
    match box:
        case {"pattern": "faces", "face": face}:
            return bool(face <= faces)
        case {"pattern": "group", "size": size}:
            return bool(size <= dice)
        case {"pattern": "pairs", "count": count}:
            return bool(2 * count <= dice and (box.get("same_face") or count <= faces))
        case {"pattern": "house", "sizes": sizes}:
            return bool(sum(sizes) <= dice and (box.get("same_face") or len(sizes) <= faces))
        case {"pattern": "run", "length": length}:
            return bool(length <= dice and (box.get("start") or 1) + length - 1 <= faces)
        case {"pattern": "only", "faces": allowed}:
            return any(face <= faces for face in allowed)
    return True


def ways(box: TomlTable, hand: tuple[int, ...]) -> Iterator[list[int]]:
    """Walk through all the dice that make a box, the plain way: try everything."""
    seen = sorted(set(hand))
    match box:
        case {"pattern": "faces", "face": face} if face in hand:
            yield [face] * hand.count(face)
        case {"pattern": "group", "size": size}:
            yield from ([face] * size for face in seen if hand.count(face) >= size)
        case {"pattern": "pairs", "count": count}:
            yield from houses([2] * count, box.get("same_face", False), hand)
        case {"pattern": "house", "sizes": sizes}:
            yield from houses(sizes, box.get("same_face", False), hand)
        case {"pattern": "run", "length": length}:
            for low in [box["start"]] if box.get("start") else seen:
                wanted = list(range(low, low + length))
                if all(face in hand for face in wanted):
                    yield wanted
        case {"pattern": "only", "faces": allowed}:
            if all(die in allowed for die in hand):
                yield list(hand)
        case {"pattern": "sum"}:
            yield list(hand)


def houses(sizes: list[int], same_face: bool, hand: tuple[int, ...]) -> Iterator[list[int]]:
    for faces in product(sorted(set(hand)), repeat=len(sizes)):
        dice = [face for face, size in zip(faces, sizes, strict=True) for _ in range(size)]
        different = same_face or len(set(faces)) == len(faces)
        if different and all(hand.count(face) >= dice.count(face) for face in faces):
            yield dice


def reference(box: TomlTable, hand: tuple[int, ...]) -> int:
    """Score a hand in a box as written in the file."""
    counts, points = box.get("counts", "nothing"), int(box.get("points", 0))
    paid = ({"nothing": 0, "group": sum(dice), "all": sum(hand)}[counts] + points for dice in ways(box, hand))
    return max(paid, default=0)


@pytest.mark.solve
@random_files
@given(whole_files(), st.randoms(use_true_random=False))
def test_a_random_house_rule_scores_like_the_slow_scorer(table: TomlTable, chance: random.Random) -> None:
    rules = load_house_rules(table).rules()
    faces = range(1, table["faces"] + 1)
    for _ in range(25):
        seen = chance.sample(faces, chance.randint(1, len(faces)))
        hand = tuple(sorted(chance.choices(seen[: chance.choice([2, 3, 12])], k=table["dice"])))
        for box in rules.boxes:
            points = worth(box, hand)
            assert points >= 0
            assert points == reference(table["boxes"][box.id], hand), (box, hand)


@random_files
@given(st.integers(1, 5), st.integers(2, 4), any_boxes(6, 6))
def test_a_box_is_refused_exactly_when_no_hand_fills_it(dice: int, faces: int, box: TomlTable) -> None:
    table = {**MINIMAL_RULES, "dice": dice, "faces": faces, "boxes": {"dream": box}}
    hands = combinations_with_replacement(range(1, faces + 1), dice)
    if any(next(ways(box, hand), None) for hand in hands):
        assert rows(load_house_rules(table)) == ["dream"]
    else:
        assert_refused(BoxImpossible, table)


@pytest.mark.solve
@random_files
@given(whole_files())
def test_a_random_house_rule_stands_on_the_table_as_written(table: TomlTable) -> None:
    rules = load_house_rules(table).rules()
    assert [box.id for box in rules.boxes] == table.get("sheet", list(table["boxes"]))
    assert (rules.dice, rules.faces, rules.rolls) == (table["dice"], table["faces"], table["rolls"])
    assert (rules.order, rules.must_fit) == (table.get("order", "free"), table.get("must_fit", False))
    assert (rules.bonus is None, rules.chance is None) == ("bonus" not in table, "chance" not in table)
    assert load_house_rules({"title": "Again", **rules.as_dict}).rules() == rules


@pytest.mark.solve
@random_files
@given(whole_files(), st.sampled_from(LANGUAGES))
def test_a_random_house_rule_can_be_read_aloud(table: TomlTable, lang: str) -> None:
    edition = load_house_rules(table)
    words, rules = Translator(lang, edition), edition.rules()
    for said in (
        *(words.translate(item.phrase) for item in build_sheet_articles(rules)),
        *(words.name_box(box.id) for box in rules.boxes),
    ):
        assert said
        assert "{" not in said


# The fingerprint


def fingerprint(content: TomlTable | str) -> str:
    rules: Rules = load_house_rules(content).rules()
    return rules.fingerprint


def shuffled(value: Any, chance: random.Random) -> Any:
    """Put the keys of every table into another order."""
    if not isinstance(value, dict):
        return value
    return {key: shuffled(value[key], chance) for key in chance.sample(list(value), len(value))}


@pytest.mark.solve
@random_files
@given(whole_files(), st.randoms(use_true_random=False))
def test_the_order_of_the_keys_does_not_change_the_fingerprint(table: TomlTable, chance: random.Random) -> None:
    table.setdefault("sheet", list(table["boxes"]))
    assert fingerprint(shuffled(table, chance)) == fingerprint(table)


@pytest.mark.solve
@random_files
@given(whole_files(), st.text("abc\u00e9\u202e ", min_size=1, max_size=9).filter(lambda name: name.strip(" \u202e")))
def test_names_and_titles_do_not_change_the_fingerprint(table: TomlTable, name: str) -> None:
    names = {f"boxes.{box}.names": {"en": name, "de": "Wurf"} for box in table["boxes"]}
    assert fingerprint(with_changes(table, {"title": name, **names})) == fingerprint(table)


@pytest.mark.solve
@random_files
@given(whole_files(), st.data())
def test_another_number_of_points_changes_the_fingerprint(table: TomlTable, data: st.DataObject) -> None:
    box = data.draw(st.sampled_from(list(table["boxes"])))
    points = table["boxes"][box].get("points", 0)
    other = data.draw(st.integers(0, 1000).filter(lambda number: number != points))
    assert fingerprint(with_changes(table, {f"boxes.{box}.points": other})) != fingerprint(table)
    assert fingerprint(with_changes(table, {f"boxes.{box}.points": points})) == fingerprint(table)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("dice", 6),
        ("faces", 8),
        ("rolls", 4),
        ("bonus", False),
        ("bonus.threshold", 64),
        ("bonus.points", 50),
        ("bonus.strict", True),
        ("chance", False),
        ("chance.box", "odd"),
        ("chance.rule", "last_resort"),
        ("yatzy", False),
        ("yatzy.box", "trio"),
        ("yatzy.joker", "free"),
        ("yatzy.prime", 100),
        ("yatzy.second", 100),
        ("yatzy.forced_zero", "literal"),
        ("order", "top_down"),
        ("must_fit", True),
        ("locked_dice", True),
        ("players.least", 2),
        ("players.most", 8),
        ("players.most", REMOVED),
        ("start", "highest"),
        ("series", "agreed"),
        ("sheet", list(reversed(FULL_RULES["sheet"]))),
        ("sheet", FULL_RULES["sheet"][1:]),
        ("boxes.ones.face", 3),
        ("boxes.ones.upper", False),
        ("boxes.trio.size", 4),
        ("boxes.trio.counts", "group"),
        ("boxes.trio.points", 2),
        ("boxes.twins.count", 1),
        ("boxes.twins.same_face", True),
        ("boxes.house.sizes", [2, 2]),
        ("boxes.house.same_face", True),
        ("boxes.row.length", 5),
        ("boxes.row.start", 2),
        ("boxes.odd.faces", [1, 3]),
    ],
)
def test_every_field_that_plays_changes_the_fingerprint(key: str, value: object) -> None:
    assert fingerprint(with_changes(FULL_RULES, {key: value})) != fingerprint(FULL_RULES)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("title", "Another"),
        ("boxes.odd.names", REMOVED),
        ("boxes.trio.names", {"en": "Three"}),
        ("boxes.house.sizes", [2, 3]),
        ("boxes.odd.faces", [5, 3, 1, 3]),
        ("boxes.row.start", REMOVED),
        ("order", REMOVED),
        ("boxes.spare", {"pattern": "sum"}),
    ],
)
def test_what_does_not_play_leaves_the_fingerprint(key: str, value: object) -> None:
    assert fingerprint(with_changes(FULL_RULES, {key: value})) == fingerprint(FULL_RULES)


@pytest.mark.parametrize(
    "text",
    [
        'title = "x"\ndice = 0x2\nfaces = 0o6\nrolls = +3\nboxes = {c = {pattern = "sum", counts = "all"}}',
        'title = \'y\'\ndice = 2\nfaces = 6\nrolls = 0b11\n[boxes]\nc.pattern = \'sum\'\nc.counts = """all"""',
        'rolls = 3\r\ntitle = "z"\ndice = 2\nfaces = 6\n[boxes.c]\ncounts = "\\u0061ll" # z\npattern = "sum"',
    ],
    ids=["inline", "dotted", "headed"],
)
def test_the_spelling_of_a_file_does_not_change_the_fingerprint(text: str) -> None:
    plain = {**MINIMAL_RULES, "dice": 2, "boxes": {"c": {"pattern": "sum", "counts": "all"}}}
    assert fingerprint(text) == fingerprint(plain)


def test_a_fingerprint_is_the_sha_256_of_the_rules_as_canonical_json() -> None:
    form = json.dumps(
        load_house_rules(FULL_RULES).rules().as_dict, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    assert fingerprint(FULL_RULES) == hashlib.sha256(form.encode()).hexdigest()
    assert "Whole" not in form
    assert "Ungerade" not in form


def test_no_two_examples_have_the_same_fingerprint() -> None:
    assert len({example(name).rules().fingerprint for name in SHIPPED}) == len(SHIPPED)


# Names that have changed.

FINGERPRINTS = {
    "carlit-chicago": "c056663dd95059f430846eb26c5e21462991223bb984d57d5c99b97cd885d89f",
    "carlit-yatzy": "1dda26c75d89c36865e275e7b9ef9c3e6dd97e498b23ef0ab416ce1f699b9bf1",
    "hasbro-yahtzee": "2e114ead8bb8d3d42bbc2e926ed1d38659e7cbee86c694e74ce4866b518118f3",
    "mb-yahtzee": "0f86c86293c1762adc22c776208be53d1e834e19a69a65934c6c91d7f80aa84f",
    "noris-yatzy": "9ca6a5b855b29800b090f5608c60d885eaf36c10b7a79d57c6eb63141a58fefc",
    "philos-yatzi": "b08b0b948b64fa6e7fc47341c9bb6b088cfa310bea0e3ff46059cc0a84301020",
    "tactic-xl-yatzy": "c0883b18615080eedd6cadd788c98516e0e40298d6111f86d8b4ca9f0c3a93ac",
    "four-rolls": "034ac6c0730f2321489e8b9e0aeb251f1c0cb41b352109d51a6a8f3fb0a51241",
    "kniffel": "ce9c0450b00da7ac0a0b0566b9c59949c9b9a13a49f8c119a3c719f909192ba9",
    "maxi-yatzy": "2ec2c06dafe1ae631fcba32deb6ec29092c11f1a6f09c929686f039ed70f5904",
    "poker-dice": "e974718c459ad28b0f2e4f37a2c9c1b8dc926f626fed10c032239fafc405b54d",
    "two-dice": "ff795e0dfeba26312b9cfbee269fa7d4be9b34c8b0d6d2fd0fc227e3a6e68b67",
}


@pytest.mark.parametrize("name", FINGERPRINTS)
def test_fingerprints_stay_what_they_were_when_rolls_were_called_throws(name: str) -> None:
    edition = load_edition(name) if name in edition_ids() else example(name)
    rules = edition.rules()
    assert rules.fingerprint == FINGERPRINTS[name]
    assert rules.as_dict["throws"] == rules.rolls


OLD_NAME = with_changes(MINIMAL_RULES, {"rolls": REMOVED, "throws": 4})
OLD_OVER: TomlTable = {"title": "Over", "extends": "mb-yahtzee", "throws": 4}


@pytest.mark.parametrize("table", [OLD_NAME, OLD_OVER], ids=["alone", "over an edition"])
def test_a_file_with_an_old_key_is_read_and_says_the_new_key_once(table: TomlTable) -> None:
    edition = load_house_rules(table)
    today = load_house_rules({("rolls" if key == "throws" else key): value for key, value in table.items()})
    assert edition.rules() == today.rules()
    assert [Translator("en").translate(note) for note in edition.notes] == [OLD_KEY_NOTE]
    assert today.notes == ()


def test_old_keys_are_read_wherever_a_file_of_a_printed_game_has_them() -> None:
    box = with_changes(FULL_RULES, {"publisher": "Ours", "printed": ["en", "de"], "default_text": "en"})
    box["boxes"]["odd"].pop("names")
    box |= {"texts": {"de": {"throws": 4}}, "sources": {"throws": {"de": "Wurf"}}}
    edition = load_house_rules(box)
    assert (edition.rules("de").rolls, edition.rules("en").rolls) == (4, 3)
    assert edition.sources["rolls"].passages == {"de": "Wurf"}
    assert len(edition.notes) == 1


def test_an_old_key_beside_its_new_one_is_refused() -> None:
    assert assert_refused(KeyUnknown, with_changes(MINIMAL_RULES, {"throws": 4})).values["key"] == "throws"


OLD_KEY_NOTE = f"{FILE}: throws is now called rolls; the old name still works."


@pytest.mark.parametrize(
    "line",
    ["check {}", "rules {}", "diff {} {}", "score {} 1 2 3 4 5", "play {} --player Ann"],
    ids=["check", "rules", "diff", "score", "play"],
)
def test_a_command_says_once_beside_its_answer_that_a_key_has_a_new_name(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    (tmp_path / FILE).write_text(to_toml(OLD_NAME), encoding="utf-8")
    assert main(line.format(*[str(tmp_path / FILE)] * 2).split()) == 0
    said = capsys.readouterr()
    assert said.err == f"{OLD_KEY_NOTE}\n"
    assert "throws is now" not in said.out


@pytest.mark.parametrize("line", ["check {}", "rules {}", "diff {} {}"], ids=["check", "rules", "diff"])
def test_for_machines_the_new_name_of_a_key_is_in_the_notes(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / FILE).write_text(to_toml(OLD_NAME), encoding="utf-8")
    main([*line.format(*[str(tmp_path / FILE)] * 2).split(), "--json"])
    said = capsys.readouterr()
    assert (json.loads(said.out)["notes"], said.err) == ([OLD_KEY_NOTE], "")
