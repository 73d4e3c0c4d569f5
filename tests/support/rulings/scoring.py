"""What dice are worth in a box, when a box may be used, and what a bonus takes."""

from knobel.rules.column import build_column, tally
from knobel.rules.sheet_rules import SheetRules
from tests.support.rulings import ruling
from tests.support.rulings.games import (
    CARLIT,
    HASBRO,
    MB,
    NORIS,
    PHILOS,
    SHEETS,
    TACTIC,
    THREE_OF_EACH,
    YAHTZEES,
    YATZYS,
    choices,
    fill_except,
    options_for,
    rules_of,
    rules_of_texts,
    worth,
)


def bonus_for(rules: SheetRules, upper: int) -> int:
    """Give the bonus for this many points in the upper half."""
    assert upper - 63 + THREE_OF_EACH["ones"] >= 0
    filled = THREE_OF_EACH | {"ones": THREE_OF_EACH["ones"] + upper - 63}
    return tally(rules, build_column(rules, filled)).bonus


@ruling("E-1")
def five_alike_are_no_full_house_but_a_joker() -> None:
    assert {worth(rules, "44444", "full_house") for rules in rules_of_texts(*SHEETS)} == {0}
    for name in (MB, HASBRO):
        assert worth(rules_of(name), "44444", "full_house", {"yatzy": 50, "fours": 12}) == 25
    switched = {name: worth(rules_of(name, five_alike_full_house="true"), "44444", "full_house") for name in SHEETS}
    assert switched == dict.fromkeys(YAHTZEES, 25) | dict.fromkeys(YATZYS, 20)


@ruling("E-2", "TA-D11")
def four_and_five_alike_are_three_alike() -> None:
    for rules in rules_of_texts(*SHEETS):
        assert worth(rules, "44441", "three_of_a_kind") > 0
        assert worth(rules, "44444", "three_of_a_kind") > 0
        assert worth(rules, "44444", "four_of_a_kind") > 0


@ruling("E-3", "TA-D11")
def three_of_a_kind_counts_five_dice_or_three() -> None:
    assert {worth(rules, "44441", "three_of_a_kind") for rules in rules_of_texts(*YAHTZEES)} == {17}
    assert {worth(rules, "44441", "three_of_a_kind") for rules in rules_of_texts(*YATZYS)} == {12}
    assert {worth(rules, "44441", "four_of_a_kind") for rules in rules_of_texts(*YAHTZEES)} == {17}
    assert {worth(rules, "44441", "four_of_a_kind") for rules in rules_of_texts(*YATZYS)} == {16}


@ruling("E-4", "TA-D25")
def two_pairs_differ() -> None:
    for rules in rules_of_texts(*YATZYS):
        found = [worth(rules, dice, "two_pairs") for dice in ("44441", "44444", "33555")]
        assert found == [0, 0, 16]


@ruling("E-5")
def a_small_straight_is_any_four_or_exactly_one_to_five() -> None:
    hands = ("12344", "12346", "12345", "23456")
    for rules in rules_of_texts(*YAHTZEES):
        assert [worth(rules, dice, "small_straight") for dice in hands] == [30, 30, 30, 30]
    for rules in rules_of_texts(*YATZYS):
        assert [worth(rules, dice, "small_straight") for dice in hands] == [0, 0, 15, 0]


@ruling("E-6")
def one_pair_is_the_highest_also_out_of_more() -> None:
    for rules in rules_of_texts(*YATZYS):
        assert [worth(rules, dice, "one_pair") for dice in ("33555", "44441", "66666")] == [10, 8, 12]


@ruling("E-7")
def the_order_of_the_dice_does_not_matter() -> None:
    for rules in rules_of_texts(*SHEETS):
        assert options_for(rules, "43555") == options_for(rules, "55543")
        assert worth(rules, "31524", "small_straight") == worth(rules, "12345", "small_straight") > 0


@ruling("E-14")
def the_bonus_counts_as_soon_as_it_is_reached() -> None:
    for name in SHEETS:
        rules = rules_of(name)
        assert rules.bonus is not None
        filled = THREE_OF_EACH | {"sixes": 30}
        del filled["ones"]
        before = tally(rules, build_column(rules, filled))
        after = tally(rules, build_column(rules, filled | {"ones": 0}))
        assert before.upper == after.upper == 72
        assert before.bonus == after.bonus == rules.bonus.points > 0


@ruling("M-1")
def a_joker_needs_both_boxes_used() -> None:
    joker = {"three_of_a_kind": 20, "four_of_a_kind": 20, "chance": 20}
    joker |= {"full_house": 25, "small_straight": 30, "large_straight": 40}
    for filled in (50, 0):
        found = choices(rules_of(MB), "44444", {"yatzy": filled, "fours": 12})
        assert {box: points for box, points in found.items() if points} == joker
    for sheet in ({"yatzy": 50}, {"fours": 12}, {}):
        assert worth(rules_of(MB), "44444", "full_house", sheet) == 0


@ruling("M-2")
def with_the_matching_box_open_nobody_is_forced() -> None:
    rules = rules_of(MB)
    found = options_for(rules, "44444", {"yatzy": 50})
    free = {box: option for box, option in found.items() if option.refusal is None}
    assert set(free) == {box.id for box in rules.boxes} - {"yatzy"}
    scoring = {"fours": 20, "three_of_a_kind": 20, "four_of_a_kind": 20, "chance": 20}
    assert {box: option.points for box, option in free.items() if option.points} == scoring
    assert {option.extra for option in free.values()} == {100}


@ruling("M-3")
def with_the_lower_half_full_a_joker_is_a_zero_above() -> None:
    rules = rules_of(MB)
    sheet = fill_except(rules, "ones", "sixes")
    found = options_for(rules, "44444", sheet | {"yatzy": 50})
    assert {box: (one.points, one.extra) for box, one in found.items() if one.refusal is None} == {
        "ones": (0, 100),
        "sixes": (0, 100),
    }
    assert options_for(rules, "44444", sheet | {"yatzy": 0})["ones"].extra == 0


@ruling("M-4")
def a_yahtzee_elsewhere_is_neither_joker_nor_extra() -> None:
    rules = rules_of(MB)
    first = options_for(rules, "44444", {"fours": 12})
    assert first["chance"].refusal is None
    assert (first["full_house"].points, first["chance"].extra) == (0, 0)
    following = options_for(rules, "33333", {"chance": 20}, yatzys=1)["yatzy"]
    assert (following.points, following.extra) == (50, 0)
    assert options_for(rules, "33333", {"chance": 20, "yatzy": 50}, yatzys=2)["threes"].extra == 100


@ruling("M-5")
def a_zero_in_the_yahtzee_box_opens_the_joker_and_bars_the_extra() -> None:
    found = options_for(rules_of(MB), "44444", {"yatzy": 0, "fours": 12}, yatzys=2)["large_straight"]
    assert (found.points, found.extra) == (40, 0)


@ruling("M-7", "M-9")
def a_zero_is_allowed_where_the_dice_score() -> None:
    rules = rules_of(MB)
    joker = options_for(rules, "44444", {"yatzy": 50, "fours": 12})
    assert (joker["ones"].refusal, joker["ones"].points) == (None, 0)
    assert {box.id for box in rules.boxes} == set(choices(rules, "12346"))


@ruling("M-10")
def todays_yahtzee_names_the_box() -> None:
    rules = rules_of(HASBRO)
    assert rules.boxes == rules_of(MB).boxes
    assert choices(rules, "44444", {"yatzy": 50}) == {"fours": 20}
    assert options_for(rules, "44444", {"yatzy": 50})["fours"].extra == 100
    lower = {"three_of_a_kind": 20, "four_of_a_kind": 20, "full_house": 25}
    lower |= {"small_straight": 30, "large_straight": 40, "chance": 20}
    assert choices(rules, "44444", {"yatzy": 0, "fours": 12}) == lower
    assert choices(rules, "44444", fill_except(rules, "ones", "sixes") | {"yatzy": 50}) == {"ones": 0, "sixes": 0}


PHILOS_USED = {"yatzy": 50, "chance": 20, "fours": 12}


@ruling("P-1", "PH-D3", "PH-D4")
def a_repeated_yatzi_is_100_in_chance_or_a_forced_zero() -> None:
    for rules in rules_of_texts(PHILOS):
        plain, second = (options_for(rules, "44444", {"yatzy": 50}, yatzys) for yatzys in (0, 1))
        assert {box for box in second if plain[box] != second[box]} == {"chance"}
        assert second["chance"].points == 100
        assert worth(rules, "44445", "chance", {"yatzy": 50}, yatzys=1) == 21
        assert set(choices(rules, "44444", PHILOS_USED, yatzys=1).values()) == {0}


@ruling("P-2")
def the_first_yatzi_need_not_have_scored() -> None:
    rules = rules_of(PHILOS)
    assert worth(rules, "44444", "chance", {"yatzy": 0}) == 20
    assert worth(rules, "44444", "chance", {"yatzy": 0, "threes": 15}, yatzys=1) == 100
    found = choices(rules, "44444", {"threes": 15}, yatzys=1)
    assert (found["yatzy"], found["chance"]) == (50, 100)


@ruling("P-3")
def with_chance_used_the_matching_box_and_others_count() -> None:
    found = choices(rules_of(PHILOS), "44444", {"yatzy": 50, "chance": 20}, yatzys=1)
    fitting = {"fours": 20, "three_of_a_kind": 20, "four_of_a_kind": 20}
    assert {box: points for box, points in found.items() if points} == fitting


@ruling("P-4", "PH-D2", "PH-D3")
def the_zero_is_forced_once_all_three_are_used() -> None:
    for text in ("de", "en", "fr"):
        rules = rules_of(PHILOS, text)
        forced = choices(rules, "44444", PHILOS_USED, yatzys=1)
        assert forced == {box.id: 0 for box in rules.boxes if box.id not in PHILOS_USED}
        for still_open in PHILOS_USED:
            sheet = {box: points for box, points in PHILOS_USED.items() if box != still_open}
            assert worth(rules, "44444", "three_of_a_kind", sheet, yatzys=1) == 20
    assert worth(rules_of(PHILOS), "44444", "three_of_a_kind", PHILOS_USED | {"yatzy": 0}) == 20
    assert worth(rules_of(PHILOS, forced_zero="lenient"), "44444", "three_of_a_kind", PHILOS_USED, yatzys=1) == 20


@ruling("P-5")
def a_third_yatzi_is_like_the_second() -> None:
    rules = rules_of(PHILOS)
    assert worth(rules, "44444", "chance", {"yatzy": 50}, yatzys=3) == 100
    assert "chance" not in choices(rules, "44444", {"yatzy": 50, "chance": 100}, yatzys=3)
    assert set(choices(rules, "44444", PHILOS_USED, yatzys=3).values()) == {0}


@ruling("P-6")
def the_100_is_an_offer() -> None:
    rules = rules_of(PHILOS)
    assert set(choices(rules, "44444", {"yatzy": 50}, yatzys=1)) == {box.id for box in rules.boxes} - {"yatzy"}


@ruling("PH-D1", "P-7")
def in_spanish_the_matching_box_is_enough_unless_switched() -> None:
    assert set(choices(rules_of(PHILOS, "es"), "44444", PHILOS_USED, yatzys=1).values()) == {0}
    literal = rules_of(PHILOS, "es", forced_zero="all_upper")
    assert worth(literal, "44444", "three_of_a_kind", PHILOS_USED, yatzys=1) == 20
    assert set(choices(literal, "44444", PHILOS_USED | THREE_OF_EACH, yatzys=1).values()) == {0}
    lenient = rules_of(PHILOS, "es", forced_zero="lenient")
    assert worth(lenient, "44444", "three_of_a_kind", PHILOS_USED | THREE_OF_EACH, yatzys=1) == 20


@ruling("PH-D7", "PH-D8")
def spanish_three_and_four_alike_count_all_dice() -> None:
    rules = rules_of(PHILOS, "es")
    assert worth(rules, "33315", "three_of_a_kind") == 15
    assert [worth(rules, dice, "four_of_a_kind") for dice in ("33331", "33315")] == [13, 0]


@ruling("PH-D13")
def there_are_two_large_straights() -> None:
    for rules in rules_of_texts(PHILOS):
        hands = ("12345", "23456", "12346", "13456")
        assert [worth(rules, dice, "large_straight") for dice in hands] == [40, 40, 0, 0]


@ruling("PH-D14")
def philos_german_has_five_alike_and_one_zero() -> None:
    rules = rules_of(PHILOS, "de")
    assert [worth(rules, dice, "yatzy") for dice in ("44444", "44445")] == [50, 0]
    assert set(choices(rules, "44444", PHILOS_USED, yatzys=1).values()) == {0}


@ruling("MB-D1")
def the_bonus_of_mb_starts_at_63() -> None:
    assert [bonus_for(rules_of(MB), upper) for upper in (62, 63, 64)] == [0, 35, 35]


@ruling("MB-D3")
def mb_counts_the_dice_of_a_face_and_all_dice_of_a_brelan() -> None:
    rules = rules_of(MB)
    assert (worth(rules, "33325", "threes"), worth(rules, "33325", "three_of_a_kind")) == (9, 16)


@ruling("N-2")
def noris_dice_go_where_they_fit() -> None:
    rules = rules_of(NORIS)
    assert choices(rules, "66614") == {"ones": 1, "fours": 4, "sixes": 18, "three_of_a_kind": 23}
    assert choices(rules, "11234", fill_except(rules, "sixes", "yatzy", "chance")) == {"chance": 11}
    assert choices(rules, "11234", fill_except(rules, "sixes", "yatzy")) == {"sixes": 0, "yatzy": 0}
    free = rules_of(NORIS, must_fit="false")
    assert set(choices(free, "66614")) == {box.id for box in free.boxes}


@ruling("C-2", "CA-D1")
def carlits_bonus_starts_above_63() -> None:
    for rules in rules_of_texts(CARLIT):
        assert [bonus_for(rules, upper) for upper in (63, 64)] == [0, 25]


@ruling("C-3", "CA-D3")
def carlits_chance_is_the_total_of_the_dice() -> None:
    assert {worth(rules, "12366", "chance") for rules in rules_of_texts(CARLIT)} == {18}


@ruling("T-B", "TA-D1", "TA-D2")
def tactics_bonus_starts_at_63_unless_switched() -> None:
    for rules in rules_of_texts(TACTIC):
        assert [bonus_for(rules, upper) for upper in (62, 63)] == [0, 50]
    finnish = rules_of(TACTIC, "fi", literal_bonus="true").bonus
    assert finnish is not None
    assert [finnish.is_earned(upper) for upper in (35, 36)] == [False, True]
    assert [bonus_for(rules_of(TACTIC, "nl", literal_bonus="true"), upper) for upper in (63, 64)] == [0, 50]
