"""What a box is worth and when it may be written: the rulings, one small sentence each."""

from collections.abc import Callable, Mapping
from itertools import islice, permutations

import pytest

from knobel.dice import all_hands, sort_dice
from knobel.rules import load_edition
from knobel.rules.column import (
    Column,
    Option,
    Tally,
    build_column,
    build_context,
    empty_column,
    list_options,
    list_options_if_announced,
    list_refusals,
    possible_points,
    refuse_box,
    tally,
)
from knobel.rules.leaflet import list_switches
from knobel.rules.sheet_rules import SheetRules
from knobel.rules.switches import SHEET_SWITCHES

YAHTZEES = ("philos-yatzi", "mb-yahtzee", "noris-yatzy", "hasbro-yahtzee")
YATZYS = ("tactic-xl-yatzy", "carlit-yatzy")
ALL = (*YAHTZEES, *YATZYS)
"""The sheets these rulings are about; later editions have golden cases instead."""
TEXTS = [(name, text) for name in ALL for text in load_edition(name).printed]

THIRDS = {"ones": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18}
"""Three of each face: 63."""


def game(name: str, text: str | None = None, **switches: str) -> SheetRules:
    rules: SheetRules = load_edition(name).rules(text, switches)
    return rules


def ask(
    rules: SheetRules, dice: str, sheet: Mapping[str, int] | None = None, yatzys: int = 0, announced: str | None = None
) -> Mapping[str, Option]:
    """Find what dice, given as "33555", would score on a sheet with these boxes filled."""
    return list_options(rules, build_column(rules, sheet or {}, yatzys=yatzys), sort_dice(map(int, dice)), announced)


def worth(rules: SheetRules, dice: str, box: str) -> int:
    """Say what dice are worth on an empty sheet."""
    return ask(rules, dice)[box].points


def choices(found: Mapping[str, Option]) -> dict[str, int]:
    """Keep the boxes that may be written, with their points."""
    return {box: option.points for box, option in found.items() if option.refusal is None}


def refusals(found: Mapping[str, Option]) -> dict[str, str]:
    """Keep the boxes that may not be written, with the last word of the reason."""
    return {box: option.refusal.key.split(".")[-1] for box, option in found.items() if option.refusal}


def all_but(rules: SheetRules, *free: str) -> dict[str, int]:
    """Write zero everywhere except in these boxes."""
    return {box.id: 0 for box in rules.boxes if box.id not in free}


# E: all editions.


@pytest.mark.parametrize("name", ALL)
def test_e1_five_alike_are_no_full_house(name: str) -> None:
    assert worth(game(name), "55555", "full_house") == 0


@pytest.mark.parametrize("name", ["mb-yahtzee", "hasbro-yahtzee"])
def test_e1_except_as_a_joker(name: str) -> None:
    assert ask(game(name), "55555", {"yatzy": 50, "fives": 15})["full_house"].points == 25


@pytest.mark.parametrize("name", ALL)
def test_e2_five_alike_are_also_four_and_three_alike(name: str) -> None:
    rules = game(name)
    assert (worth(rules, "66666", "three_of_a_kind"), worth(rules, "66666", "four_of_a_kind")) == (
        (30, 30) if name in YAHTZEES else (18, 24)
    )


@pytest.mark.parametrize(("name", "points"), [*((name, 17) for name in YAHTZEES), *((name, 12) for name in YATZYS)])
def test_e3_four_alike_as_three_count_all_dice_or_only_three(name: str, points: int) -> None:
    assert worth(game(name), "44441", "three_of_a_kind") == points


@pytest.mark.parametrize("name", YATZYS)
@pytest.mark.parametrize(
    ("dice", "points"), [("44441", 0), ("44444", 0), ("33555", 16), ("33556", 16), ("12344", 0), ("66551", 22)]
)
def test_e4_two_pairs_differ_and_may_lie_in_a_full_house(name: str, dice: str, points: int) -> None:
    assert worth(game(name), dice, "two_pairs") == points


@pytest.mark.parametrize("name", YAHTZEES)
@pytest.mark.parametrize("dice", ["12344", "12346", "12345", "23456", "34561", "33456"])
def test_e5_four_in_a_row_are_a_small_straight_whatever_the_fifth_die(name: str, dice: str) -> None:
    assert worth(game(name), dice, "small_straight") == 30


@pytest.mark.parametrize("name", YAHTZEES)
@pytest.mark.parametrize("dice", ["12356", "12456", "11235", "55555"])
def test_e5_less_than_four_in_a_row_are_none(name: str, dice: str) -> None:
    assert worth(game(name), dice, "small_straight") == 0


@pytest.mark.parametrize("name", YATZYS)
@pytest.mark.parametrize(("dice", "small", "large"), [("12345", 15, 0), ("23456", 0, 20), ("12344", 0, 0)])
def test_e5_or_it_is_exactly_one_to_five(name: str, dice: str, small: int, large: int) -> None:
    rules = game(name)
    assert (worth(rules, dice, "small_straight"), worth(rules, dice, "large_straight")) == (small, large)


@pytest.mark.parametrize("name", YATZYS)
@pytest.mark.parametrize(
    ("dice", "points"), [("33555", 10), ("33556", 10), ("44441", 8), ("66666", 12), ("11234", 2), ("12346", 0)]
)
def test_e6_one_pair_is_the_highest_pair_also_out_of_more(name: str, dice: str, points: int) -> None:
    assert worth(game(name), dice, "one_pair") == points


@pytest.mark.parametrize("name", ALL)
def test_e7_the_order_of_the_dice_never_matters(name: str) -> None:
    rules = game(name)
    found = [ask(rules, "".join(dice)) for dice in permutations("12336")]
    assert all(other == found[0] for other in found)


@pytest.mark.parametrize("name", ALL)
def test_e8_three_rolls_and_only_noris_locks_what_stays(name: str) -> None:
    rules = game(name)
    assert (rules.rolls, rules.locked_dice) == (3, name == "noris-yatzy")


@pytest.mark.parametrize("name", sorted(set(ALL) - {"noris-yatzy"}))
def test_e9_an_open_box_may_be_written_as_zero_with_a_warning(name: str) -> None:
    option = ask(game(name), "11234")["sixes"]
    assert option == Option(points=0, extra=0, refusal=None, warn_zero=True)


def test_e9_but_not_where_the_dice_must_fit() -> None:
    assert refusals(ask(game("noris-yatzy"), "11234"))["sixes"] == "must_fit"


@pytest.mark.parametrize("name", ALL)
def test_a_zero_that_cannot_be_helped_needs_no_warning(name: str) -> None:
    rules = game(name)
    found = ask(rules, "11234", all_but(rules, "sixes", "yatzy"))
    assert choices(found) == {"sixes": 0, "yatzy": 0}
    assert not any(option.warn_zero for option in found.values())


@pytest.mark.parametrize(("name", "text"), TEXTS)
def test_a_filled_box_is_never_open_again(name: str, text: str) -> None:
    rules = game(name, text)
    for box in rules.boxes:
        assert refusals(ask(rules, "33555", {box.id: 0}))[box.id] == "filled"


@pytest.mark.parametrize(("name", "text"), TEXTS)
def test_the_last_open_box_can_always_be_written(name: str, text: str) -> None:
    rules = game(name, text)
    for box in rules.boxes:
        column = build_column(rules, all_but(rules, box.id), yatzys=1)
        for rolled in [*all_hands(5, 6)][::9]:
            assert list(choices(list_options(rules, column, rolled, box.id))) == [box.id]


@pytest.mark.parametrize(("name", "text"), TEXTS)
def test_a_box_is_never_worth_what_it_cannot_hold(name: str, text: str) -> None:
    rules = game(name, text)
    columns = [empty_column(rules), build_column(rules, {"yatzy": 50} | THIRDS, yatzys=1)]
    for column in columns:
        for rolled in [*all_hands(5, 6)][::5]:
            for box, option in list_options(rules, column, rolled).items():
                assert option.points in possible_points(rules, box)


# P: Philos.

PHILOS_USED = {"yatzy": 50, "chance": 20, "fours": 12}


def test_p1_a_repeated_yatzi_is_worth_100_in_chance() -> None:
    found = ask(game("philos-yatzi"), "44444", {"yatzy": 50}, yatzys=1)
    assert found["chance"].points == 100
    assert found["fours"].points == 20


def test_p1_other_dice_bring_their_sum_there() -> None:
    assert ask(game("philos-yatzi"), "44445", {"yatzy": 50}, yatzys=1)["chance"].points == 21


def test_p2_the_first_yatzi_in_chance_is_its_sum() -> None:
    assert ask(game("philos-yatzi"), "44444")["chance"].points == 20


def test_p2_a_zero_in_the_yatzi_box_makes_no_first_yatzi() -> None:
    assert ask(game("philos-yatzi"), "44444", {"yatzy": 0})["chance"].points == 20


def test_p2_nor_does_it_spoil_the_second_one() -> None:
    assert ask(game("philos-yatzi"), "44444", {"yatzy": 0, "fours": 20}, yatzys=1)["chance"].points == 100


def test_p2_a_first_yatzi_written_elsewhere_leaves_50_or_100_for_the_second() -> None:
    found = ask(game("philos-yatzi"), "44444", {"threes": 15}, yatzys=1)
    assert (found["yatzy"].points, found["chance"].points) == (50, 100)


def test_p3_chance_used_the_matching_box_and_the_sums_still_count() -> None:
    found = ask(game("philos-yatzi"), "44444", {"yatzy": 50, "chance": 20}, yatzys=1)
    assert {box: points for box, points in choices(found).items() if points} == {
        "fours": 20,
        "three_of_a_kind": 20,
        "four_of_a_kind": 20,
    }


def test_p4_all_three_used_it_is_a_zero_in_any_open_box() -> None:
    rules = game("philos-yatzi")
    found = ask(rules, "44444", PHILOS_USED, yatzys=1)
    assert choices(found) == {box.id: 0 for box in rules.boxes if box.id not in PHILOS_USED}


@pytest.mark.parametrize("still_open", PHILOS_USED)
def test_p4_the_zero_is_forced_only_if_all_three_are_used(still_open: str) -> None:
    sheet = {box: points for box, points in PHILOS_USED.items() if box != still_open}
    assert ask(game("philos-yatzi"), "44444", sheet, yatzys=1)["three_of_a_kind"].points == 20


def test_p4_a_first_yatzi_is_never_forced() -> None:
    assert ask(game("philos-yatzi"), "44444", PHILOS_USED | {"yatzy": 0})["three_of_a_kind"].points == 20


def test_p4_the_lenient_switch_scores_it_like_any_dice() -> None:
    found = ask(game("philos-yatzi", forced_zero="lenient"), "44444", PHILOS_USED, yatzys=1)
    assert (found["three_of_a_kind"].points, found["full_house"].points) == (20, 0)


UPPER_HALF = ("ones", "twos", "threes", "fours", "fives", "sixes")


def test_ph_d1_the_spanish_reading_forces_the_zero_only_once_the_whole_upper_half_is_used() -> None:
    rules = game("philos-yatzi", "es", forced_zero="all_upper")
    full = PHILOS_USED | dict.fromkeys(UPPER_HALF, 0)
    assert set(choices(ask(rules, "44444", full, yatzys=1)).values()) == {0}
    for still_open in UPPER_HALF:
        sheet = {box: points for box, points in full.items() if box != still_open}
        assert ask(rules, "44444", sheet, yatzys=1)["three_of_a_kind"].points == 20, still_open


@pytest.mark.parametrize("yatzys", [2, 3, 12])
def test_p5_a_third_yatzi_is_like_the_second(yatzys: int) -> None:
    rules = game("philos-yatzi")
    assert ask(rules, "44444", {"yatzy": 50}, yatzys)["chance"].points == 100
    assert set(choices(ask(rules, "44444", PHILOS_USED, yatzys)).values()) == {0}


def test_p6_the_100_is_an_offer() -> None:
    rules = game("philos-yatzi")
    assert set(choices(ask(rules, "44444", {"yatzy": 50}, yatzys=1))) == {box.id for box in rules.boxes} - {"yatzy"}


# M: MB, and today's Yahtzee.

SUMS = {"three_of_a_kind": 20, "four_of_a_kind": 20, "chance": 20}
JOKER = SUMS | {"full_house": 25, "small_straight": 30, "large_straight": 40}
LOWER = ("three_of_a_kind", "four_of_a_kind", "full_house", "small_straight", "large_straight", "chance")


@pytest.mark.parametrize("yatzy", [50, 0])
def test_m1_a_joker_needs_the_yahtzee_box_and_the_matching_box_used(yatzy: int) -> None:
    found = ask(game("mb-yahtzee"), "44444", {"yatzy": yatzy, "fours": 12})
    assert {box: found[box].points for box in LOWER} == JOKER


@pytest.mark.parametrize("sheet", [{}, {"fours": 12}, {"yatzy": 50}, {"yatzy": 0, "threes": 9}])
def test_m1_without_both_there_is_no_joker(sheet: dict[str, int]) -> None:
    found = ask(game("mb-yahtzee"), "44444", sheet)
    assert {box: found[box].points for box in LOWER} == SUMS | dict.fromkeys(LOWER[2:5], 0)


def test_m1_four_alike_are_no_joker() -> None:
    assert ask(game("mb-yahtzee"), "44445", {"yatzy": 50, "fours": 12})["full_house"].points == 0


def test_m2_with_the_matching_box_open_nobody_is_forced_there() -> None:
    rules = game("mb-yahtzee")
    found = ask(rules, "44444", {"yatzy": 50})
    assert set(choices(found)) == {box.id for box in rules.boxes} - {"yatzy"}
    assert {box for box, points in choices(found).items() if points} == {"fours", *SUMS}
    assert {option.extra for option in found.values()} == {100}


def test_m3_with_the_lower_half_full_it_is_a_zero_above_and_the_prime() -> None:
    rules = game("mb-yahtzee")
    found = ask(rules, "44444", all_but(rules, "ones", "sixes") | {"yatzy": 50})
    assert choices(found) == {"ones": 0, "sixes": 0}
    assert found["ones"].extra == 100


def test_m4_a_yahtzee_written_elsewhere_brings_neither_joker_nor_prime() -> None:
    found = ask(game("mb-yahtzee"), "44444", {"fours": 12})
    assert (found["full_house"].points, found["yatzy"].points) == (0, 50)
    assert {option.extra for option in found.values()} == {0}


def test_m4_the_next_one_may_take_the_50() -> None:
    found = ask(game("mb-yahtzee"), "33333", {"chance": 20}, yatzys=1)
    assert (found["yatzy"].points, found["yatzy"].extra) == (50, 0)


def test_m5_a_zero_in_the_yahtzee_box_bars_the_prime_but_not_the_joker() -> None:
    found = ask(game("mb-yahtzee"), "44444", {"yatzy": 0, "fours": 12}, yatzys=3)
    assert (found["large_straight"].points, found["large_straight"].extra) == (40, 0)


def test_m6_primes_stand_apart_and_have_no_end() -> None:
    rules = game("mb-yahtzee")
    column = Column(build_column(rules, THIRDS | {"yatzy": 50}).entries, extra=1200, yatzys=13)
    assert tally(rules, column) == Tally(upper=63, bonus_pace=0, bonus=35, lower=50, extra=1200, total=1348)


def test_m6_dice_that_are_not_alike_bring_no_prime() -> None:
    found = ask(game("mb-yahtzee"), "44445", {"yatzy": 50})
    assert {option.extra for option in found.values()} == {0}


def test_m7_a_joker_may_also_be_a_zero_above() -> None:
    found = ask(game("mb-yahtzee"), "44444", {"yatzy": 50, "fours": 12})
    assert choices(found)["ones"] == 0
    assert found["ones"].warn_zero


@pytest.mark.parametrize("name", ["mb-yahtzee", "hasbro-yahtzee"])
def test_m8_the_highest_roll_begins(name: str) -> None:
    assert game(name).start == "highest"


def test_m9_any_open_box_may_take_a_zero() -> None:
    rules = game("mb-yahtzee")
    assert set(choices(ask(rules, "12346"))) == {box.id for box in rules.boxes}


def test_m10_today_the_matching_box_must_be_used_if_open() -> None:
    found = ask(game("hasbro-yahtzee"), "44444", {"yatzy": 50})
    assert choices(found) == {"fours": 20}
    assert set(refusals(found).values()) == {"filled", "joker_upper"}
    assert found["fours"].extra == 100


@pytest.mark.parametrize(("yatzy", "extra"), [(50, 100), (0, 0)])
def test_m10_else_any_open_lower_box_at_joker_value(yatzy: int, extra: int) -> None:
    found = ask(game("hasbro-yahtzee"), "44444", {"yatzy": yatzy, "fours": 12})
    assert choices(found) == JOKER
    assert refusals(found)["ones"] == "joker_lower"
    assert found["full_house"].extra == extra


def test_m10_else_a_zero_in_any_open_upper_box() -> None:
    rules = game("hasbro-yahtzee")
    found = ask(rules, "44444", all_but(rules, "ones", "sixes") | {"yatzy": 50})
    assert choices(found) == {"ones": 0, "sixes": 0}


def test_m10_with_the_yahtzee_box_open_nothing_is_forced() -> None:
    rules = game("hasbro-yahtzee")
    assert set(choices(ask(rules, "44444"))) == {box.id for box in rules.boxes}


def test_m10_other_dice_are_free() -> None:
    rules = game("hasbro-yahtzee")
    assert set(choices(ask(rules, "44445", {"yatzy": 50}))) == {box.id for box in rules.boxes} - {"yatzy"}


def test_m10_boxes_and_values_are_those_of_mb() -> None:
    assert game("hasbro-yahtzee").boxes == game("mb-yahtzee").boxes


# N: Noris.


def test_n2_dice_go_where_they_fit() -> None:
    found = ask(game("noris-yatzy"), "66614")
    assert choices(found) == {"ones": 1, "fours": 4, "sixes": 18, "three_of_a_kind": 23}
    assert refusals(found)["chance"] == "chance_last_resort"
    assert refusals(found)["yatzy"] == "must_fit"


def test_n2_one_matching_die_fits_an_upper_box() -> None:
    rules = game("noris-yatzy")
    assert choices(ask(rules, "66614", all_but(rules, "ones", "yatzy", "chance"))) == {"ones": 1}


def test_n2_if_nothing_fits_it_must_go_to_chance() -> None:
    rules = game("noris-yatzy")
    found = ask(rules, "66614", all_but(rules, "twos", "yatzy", "chance"))
    assert choices(found) == {"chance": 23}
    assert refusals(found)["twos"] == "must_chance"


def test_n2_if_chance_is_used_too_any_open_box_takes_a_zero() -> None:
    rules = game("noris-yatzy")
    assert choices(ask(rules, "66614", all_but(rules, "twos", "yatzy"))) == {"twos": 0, "yatzy": 0}


# T: Tactic.


@pytest.mark.parametrize("text", ["fi", "sv", "no"])
class TestTheNorthernChance:
    def test_tc_it_is_closed_while_another_row_scores(self, text: str) -> None:
        assert refusals(ask(game("tactic-xl-yatzy", text), "66613")) == {"chance": "chance_last_resort"}

    def test_tc_it_opens_when_nothing_else_scores(self, text: str) -> None:
        rules = game("tactic-xl-yatzy", text)
        found = ask(rules, "66613", all_but(rules, "twos", "yatzy", "chance"))
        assert choices(found) == {"twos": 0, "chance": 22, "yatzy": 0}

    def test_tc_other_rows_take_a_zero_at_any_time(self, text: str) -> None:
        assert choices(ask(game("tactic-xl-yatzy", text), "66613"))["yatzy"] == 0


@pytest.mark.parametrize("text", sorted(set(load_edition("tactic-xl-yatzy").printed) - {"fi", "sv", "no", "da"}))
def test_tc_in_other_languages_chance_is_free(text: str) -> None:
    rules = game("tactic-xl-yatzy", text)
    assert choices(ask(rules, "66613"))["chance"] == 22
    assert rules.fingerprint == game("tactic-xl-yatzy").fingerprint


DANISH = game("tactic-xl-yatzy", "da")


def test_td1_nothing_may_be_written_that_was_not_announced() -> None:
    assert set(refusals(ask(DANISH, "66655")).values()) == {"announce_first"}


def test_td1_chance_may_be_announced_too() -> None:
    assert choices(ask(DANISH, "66655", announced="chance")) == {"chance": 28}


def test_td2_an_announced_row_that_scores_is_the_only_one() -> None:
    found = ask(DANISH, "66655", announced="full_house")
    assert choices(found) == {"full_house": 28}
    assert set(refusals(found).values()) == {"announced"}


def test_td2_one_matching_die_makes_an_upper_row() -> None:
    assert choices(ask(DANISH, "66651", announced="ones")) == {"ones": 1}


def test_td3_a_missed_row_goes_to_chance_or_is_a_zero_anywhere() -> None:
    found = ask(DANISH, "66652", announced="four_of_a_kind")
    assert choices(found) == {box.id: 0 for box in DANISH.boxes} | {"chance": 25}


def test_td3_with_chance_used_it_is_a_zero_in_any_open_row() -> None:
    found = ask(DANISH, "66652", all_but(DANISH, "sixes", "four_of_a_kind"), announced="four_of_a_kind")
    assert choices(found) == {"sixes": 0, "four_of_a_kind": 0}


def test_td3_a_row_that_was_not_announced_brings_nothing_even_if_it_fits() -> None:
    assert ask(DANISH, "66652", announced="four_of_a_kind")["three_of_a_kind"].points == 0


@pytest.mark.parametrize("face", range(1, 7))
def test_td4_a_danish_yatzy_is_its_sum_and_fifty(face: int) -> None:
    assert choices(ask(DANISH, str(face) * 5, announced="yatzy")) == {"yatzy": 50 + 5 * face}


def test_td4_a_yatzy_not_made_is_a_miss() -> None:
    found = ask(DANISH, "66665", announced="yatzy")
    assert (found["yatzy"].points, found["chance"].points, found["sixes"].points) == (0, 29, 0)


def test_td_each_line_of_the_score_holds_if_that_box_was_announced() -> None:
    column = build_column(DANISH, {"ones": 3})
    found = list_options_if_announced(DANISH, column, sort_dice((6, 6, 6, 5, 2)))
    assert found["sixes"] == Option(18)
    assert found["four_of_a_kind"] == Option(0, warn_zero=True)
    assert refusals(found) == {"ones": "filled"}


# C: Carlit.


def test_c1_beginners_write_only_the_topmost_open_row() -> None:
    rules = game("carlit-yatzy", order="top_down")
    found = ask(rules, "66613", {"ones": 1})
    assert choices(found) == {"twos": 0}
    assert refusals(found) == {box.id: "top_down" for box in rules.boxes[2:]} | {"ones": "filled"}


def test_c1_chance_comes_fourteenth_and_yatzy_last() -> None:
    rules = game("carlit-yatzy", order="top_down")
    assert choices(ask(rules, "66613", all_but(rules, "chance", "yatzy"))) == {"chance": 22}
    assert choices(ask(rules, "66613", all_but(rules, "yatzy"))) == {"yatzy": 0}


def test_c1_experts_write_where_they_like() -> None:
    rules = game("carlit-yatzy")
    assert set(choices(ask(rules, "66613"))) == {box.id for box in rules.boxes}


@pytest.mark.parametrize(("ones", "bonus"), [(2, 0), (3, 0), (4, 25)])
def test_c2_the_bonus_starts_above_63(ones: int, bonus: int) -> None:
    rules = game("carlit-yatzy")
    assert tally(rules, build_column(rules, THIRDS | {"ones": ones})).bonus == bonus


# Adding up.


@pytest.mark.parametrize(
    ("name", "bonus"), [*((name, 35) for name in YAHTZEES), ("tactic-xl-yatzy", 50), ("carlit-yatzy", 0)]
)
def test_three_of_each_face_earn_the_bonus(name: str, bonus: int) -> None:
    rules = game(name)
    assert tally(rules, build_column(rules, THIRDS)) == Tally(
        upper=63, bonus_pace=-(name == "carlit-yatzy"), bonus=bonus, lower=0, extra=0, total=63 + bonus
    )
    assert tally(rules, build_column(rules, THIRDS | {"ones": 2})).bonus == 0


@pytest.mark.parametrize(
    ("sheet", "gap"), [({}, 0), ({"sixes": 24}, 6), ({"sixes": 12, "ones": 4}, -5), ({"chance": 30}, 0)]
)
def test_the_gap_counts_as_players_count(sheet: dict[str, int], gap: int) -> None:
    rules = game("philos-yatzi")
    assert tally(rules, build_column(rules, sheet)).bonus_pace == gap


@pytest.mark.parametrize("name", ALL)
def test_an_empty_column_is_worth_nothing(name: str) -> None:
    rules = game(name)
    assert tally(rules, empty_column(rules)) == Tally(0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("name", "box", "points"),
    [
        ("philos-yatzi", "ones", (0, 1, 2, 3, 4, 5)),
        ("philos-yatzi", "chance", (0, *range(5, 31), 100)),
        ("mb-yahtzee", "chance", (0, *range(5, 31))),
        ("mb-yahtzee", "full_house", (0, 25)),
        ("mb-yahtzee", "yatzy", (0, 50)),
        ("noris-yatzy", "four_of_a_kind", (0, *range(5, 31))),
        ("tactic-xl-yatzy", "four_of_a_kind", (0, 4, 8, 12, 16, 20, 24)),
        ("tactic-xl-yatzy", "two_pairs", (0, *range(6, 23, 2))),
        ("carlit-yatzy", "small_straight", (0, 15)),
        ("carlit-yatzy", "large_straight", (0, 20)),
    ],
)
def test_a_box_can_hold_what_some_dice_bring_or_a_zero(name: str, box: str, points: tuple[int, ...]) -> None:
    assert possible_points(game(name), box) == points


def test_a_danish_yatzy_can_hold_55_to_80() -> None:
    assert possible_points(DANISH, "yatzy") == (0, 55, 60, 65, 70, 75, 80)


@pytest.mark.parametrize(
    ("name", "text", "primes", "most"),
    [
        ("philos-yatzi", "de", 0, 445),
        ("mb-yahtzee", "fr", 12, 1575),
        ("noris-yatzy", "de", 0, 375),
        ("tactic-xl-yatzy", "en", 0, 374),
        ("tactic-xl-yatzy", "da", 0, 404),
        ("carlit-yatzy", "de", 0, 349),
        ("hasbro-yahtzee", "en", 12, 1575),
    ],
)
def test_the_best_column_of_all(name: str, text: str, primes: int, most: int) -> None:
    rules = game(name, text)
    best = {box.id: possible_points(rules, box.id)[-1] for box in rules.boxes}
    assert tally(rules, build_column(rules, best, extra=100 * primes)).total == most


# The switches.


@pytest.mark.parametrize(
    ("text", "upper", "bonus"), [("fi", 35, 0), ("fi", 36, 50), ("nl", 63, 0), ("nl", 64, 50), ("en", 63, 50)]
)
def test_literal_bonus_plays_the_printed_condition(text: str, upper: int, bonus: int) -> None:
    rules = game("tactic-xl-yatzy", text, literal_bonus="true")
    counted = tally(rules, build_column(rules, {"ones": upper % 3, "sixes": upper - upper % 3}))
    assert (counted.upper, counted.bonus) == (upper, bonus)


@pytest.mark.parametrize("text", ["fi", "nl"])
def test_without_literal_bonus_it_is_63_everywhere(text: str) -> None:
    assert game("tactic-xl-yatzy", text, literal_bonus="false").bonus == game("tactic-xl-yatzy").bonus


def test_literal_chance_opens_the_norwegian_chance_only_as_the_last_box() -> None:
    rules = game("tactic-xl-yatzy", "no", literal_chance="true")
    assert refusals(ask(rules, "66613", all_but(rules, "yatzy", "chance")))["chance"] == "chance_last_box"
    assert choices(ask(rules, "66613", all_but(rules, "chance"))) == {"chance": 22}


@pytest.mark.parametrize("text", ["en", "fi", "sv", "da"])
def test_literal_chance_changes_nothing_elsewhere(text: str) -> None:
    assert game("tactic-xl-yatzy", text, literal_chance="true") == game("tactic-xl-yatzy", text)


@pytest.mark.parametrize("name", sorted(set(ALL) - {"philos-yatzi"}))
def test_forced_zero_matters_only_where_a_second_yatzi_does(name: str) -> None:
    assert game(name, forced_zero="literal") == game(name, forced_zero="lenient") == game(name)


def test_must_fit_false_frees_zeros_and_chance_in_noris() -> None:
    rules = game("noris-yatzy", must_fit="false")
    found = ask(rules, "66614")
    assert set(choices(found)) == {box.id for box in rules.boxes}
    assert choices(found)["chance"] == 23


def test_must_fit_false_does_not_free_the_swedish_chance() -> None:
    assert game("tactic-xl-yatzy", "sv", must_fit="false") == game("tactic-xl-yatzy", "sv")
    assert "chance" in refusals(ask(game("tactic-xl-yatzy", "sv", must_fit="false"), "66613"))


def test_must_fit_false_and_a_chance_rule_of_ones_own() -> None:
    rules = game("noris-yatzy", must_fit="false", chance_rule="last_resort")
    assert refusals(ask(rules, "66614")) == {"chance": "chance_last_resort"}


@pytest.mark.parametrize("name", sorted(set(ALL) - {"noris-yatzy"}))
def test_must_fit_true_forbids_needless_zeros_anywhere(name: str) -> None:
    found = ask(game(name, must_fit="true"), "66614")
    assert refusals(found)["yatzy"] == "must_fit"
    assert all(points for points in choices(found).values())


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("value", ["true", "false"])
def test_locked_dice_locks_and_unlocks(name: str, value: str) -> None:
    assert game(name, locked_dice=value).locked_dice == (value == "true")


@pytest.mark.parametrize("name", ALL)
def test_chance_rule_last_resort_closes_chance_anywhere(name: str) -> None:
    rules = game(name, chance_rule="last_resort")
    assert refusals(ask(rules, "66614"))["chance"] == "chance_last_resort"
    assert ask(rules, "66614", all_but(rules, "twos", "chance"))["chance"].refusal is None


@pytest.mark.parametrize("text", ["fi", "sv", "no"])
def test_chance_rule_free_opens_the_northern_chance(text: str) -> None:
    assert game("tactic-xl-yatzy", text, chance_rule="free") == game("tactic-xl-yatzy", "en")


@pytest.mark.parametrize(("name", "text"), TEXTS)
def test_order_top_down_leaves_one_box_on_any_edition(name: str, text: str) -> None:
    rules = game(name, text, order="top_down")
    written: dict[str, int] = {}
    for box in rules.boxes:
        assert list(choices(ask(rules, "66666", written, yatzys=1))) == [box.id]
        written[box.id] = 0


@pytest.mark.parametrize(("name", "text"), TEXTS)
def test_order_announced_holds_to_the_word_on_any_edition(name: str, text: str) -> None:
    rules = game(name, text, order="announced")
    assert set(refusals(ask(rules, "66613")).values()) == {"announce_first"}
    assert list(choices(ask(rules, "66613", announced="three_of_a_kind"))) == ["three_of_a_kind"]
    missed = choices(ask(rules, "66613", announced="yatzy"))
    assert missed == {box.id: 0 for box in rules.boxes} | {"chance": 22}


@pytest.mark.parametrize("name", sorted(set(ALL) - {"noris-yatzy"}))
def test_order_free_opens_every_box(name: str) -> None:
    rules = game(name, order="free")
    assert set(choices(ask(rules, "66613"))) == {box.id for box in rules.boxes}


def test_order_free_takes_the_announcing_out_of_the_danish_text() -> None:
    rules = game("tactic-xl-yatzy", "da", order="free")
    assert choices(ask(rules, "66666"))["yatzy"] == 80
    assert choices(ask(rules, "66613"))["chance"] == 22


@pytest.mark.parametrize(("name", "points"), [*((name, 25) for name in YAHTZEES), *((name, 20) for name in YATZYS)])
def test_five_alike_full_house_lets_five_alike_be_one(name: str, points: int) -> None:
    rules = game(name, five_alike_full_house="true")
    assert worth(rules, "44444", "full_house") == points
    assert worth(rules, "44441", "full_house") == 0
    assert worth(rules, "44411", "full_house") == (25 if name in YAHTZEES else 14)


@pytest.mark.parametrize("name", YATZYS)
def test_five_alike_full_house_leaves_two_pairs_alone(name: str) -> None:
    assert worth(game(name, five_alike_full_house="true"), "44444", "two_pairs") == 0


WITNESSES: dict[str, Callable[[SheetRules], object]] = {
    "literal_bonus": lambda rules: rules.bonus,
    "literal_chance": lambda rules: ask(rules, "66613", all_but(rules, "yatzy", "chance")),
    "forced_zero": lambda rules: ask(rules, "44444", PHILOS_USED, yatzys=1),
    "must_fit": lambda rules: ask(rules, "66614", announced="yatzy"),
    "locked_dice": lambda rules: rules.locked_dice,
    "chance_rule": lambda rules: ask(rules, "66614", announced="yatzy"),
    "order": lambda rules: ask(rules, "66614", announced="sixes"),
    "five_alike_full_house": lambda rules: worth(rules, "55555", "full_house"),
}
"""A question whose answer changes if the switch changes the play."""


@pytest.mark.parametrize(("name", "text"), TEXTS)
def test_a_switch_is_said_to_matter_exactly_where_it_changes_the_play(name: str, text: str) -> None:
    said = {state.name: state.matters for state in list_switches(load_edition(name), text, {})}
    answers = {
        switch: [WITNESSES[switch](game(name, text, **{switch: value})) for value in kind.values]
        for switch, kind in SHEET_SWITCHES.items()
    }
    assert said == {switch: any(answer != found[0] for answer in found) for switch, found in answers.items()}


@pytest.mark.parametrize(("name", "text"), TEXTS)
def test_a_switch_set_to_its_default_changes_nothing(name: str, text: str) -> None:
    for state in list_switches(load_edition(name), text, {}):
        assert state.value == state.default
        assert game(name, text, **{state.name: state.default}) == game(name, text)


@pytest.mark.parametrize("name", ALL)
def test_boxes_that_rules_leave_free_are_found_free_one_by_one_too(name: str) -> None:
    rules = game(name)
    half = build_column(rules, {box.id: 5 for box in rules.boxes[::2]}, yatzys=1)
    for column in (empty_column(rules), half):
        for hand in islice(all_hands(rules.dice, rules.faces), 0, None, 7):
            context = build_context(rules, column, hand, None)
            assert list_refusals(context) == [refuse_box(context, place) for place in range(len(rules.boxes))]
