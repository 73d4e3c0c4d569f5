"""Switches by themselves: how they are typed, what each lays over the rules, and how it is read off them."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from knobel.errors import KnobelError, SwitchSyntax, SwitchValue, UnknownSwitch
from knobel.rules import load_edition
from knobel.rules.round_rules import RoundRules
from knobel.rules.sheet_rules import SheetRules
from knobel.rules.switches import ROUND_SWITCHES, SHEET_SWITCHES, Patch, SwitchContext, read_switches

KNOWN = {"order": ("free", "announced"), "must_fit": ("true", "false")}
LITERAL: Mapping[str, Patch] = {
    "literal_bonus": {"bonus": {"points": 7}, "must_fit": True},
    "literal_chance": {"chance": {"rule": "last_box"}},
}


def load(name: str, **changes: object) -> SheetRules:
    rules: SheetRules = load_edition(name).rules()
    return replace(rules, **changes)  # type: ignore[arg-type]


PLAIN = load("tactic-xl-yatzy")
NORIS = load("noris-yatzy")
PHILOS = load("philos-yatzi")
CHICAGO: RoundRules = load_edition("carlit-chicago").rules()


def test_settings_are_read_as_they_are_typed() -> None:
    assert read_switches(("order=free", " must_fit = TRUE "), KNOWN) == {"order": "free", "must_fit": "true"}
    assert read_switches(("order=free", "order=announced"), KNOWN) == {"order": "announced"}
    assert read_switches((), KNOWN) == {}


@pytest.mark.parametrize(
    ("setting", "error"),
    [
        ("order", SwitchSyntax(value="order")),
        ("o" * 50, SwitchSyntax(value="o" * 39 + "…")),
        ("luck=7", UnknownSwitch(name="luck", known=("order", "must_fit"))),
        ("l" * 50 + "=7", UnknownSwitch(name="l" * 39 + "…", known=("order", "must_fit"))),
        ("order=Up", SwitchValue(name="order", value="Up", allowed=("free", "announced"))),
        ("order=a=b", SwitchValue(name="order", value="a=b", allowed=("free", "announced"))),
        ("order=" + "u" * 50, SwitchValue(name="order", value="u" * 39 + "…", allowed=("free", "announced"))),
    ],
)
def test_what_is_wrong_with_a_setting_is_said(setting: str, error: KnobelError) -> None:
    with pytest.raises(type(error)) as caught:
        read_switches(("must_fit=true", setting), KNOWN)
    assert caught.value.values == error.values


def test_these_are_the_switches_and_their_values() -> None:
    truth = ("true", "false")
    assert {name: switch.values for name, switch in (SHEET_SWITCHES | ROUND_SWITCHES).items()} == {
        "literal_bonus": truth,
        "literal_chance": truth,
        "forced_zero": ("literal", "all_upper", "lenient"),
        "must_fit": truth,
        "locked_dice": truth,
        "chance_rule": ("free", "last_resort"),
        "order": ("free", "top_down", "announced"),
        "five_alike_full_house": truth,
        "chicago_special": truth,
    }


@pytest.mark.parametrize(
    ("name", "rules", "value", "patch"),
    [
        ("literal_bonus", NORIS, "true", {"bonus": {"points": 7}, "must_fit": True}),
        ("literal_bonus", PLAIN, "true", {"bonus": {"points": 7}}),
        ("literal_bonus", NORIS, "false", {}),
        ("literal_chance", PLAIN, "true", {"chance": {"rule": "last_box"}}),
        ("literal_chance", replace(PLAIN, chance=None), "true", {}),
        ("literal_chance", PLAIN, "false", {}),
        ("forced_zero", PHILOS, "literal", {"yatzy": {"forced_zero": "literal"}}),
        ("forced_zero", PHILOS, "lenient", {"yatzy": {"forced_zero": "lenient"}}),
        ("forced_zero", load("mb-yahtzee"), "literal", {}),
        ("forced_zero", replace(PHILOS, yatzy=None), "literal", {}),
        ("must_fit", NORIS, "true", {"must_fit": True}),
        ("must_fit", NORIS, "false", {"must_fit": False, "chance": {"rule": "free"}}),
        ("must_fit", replace(NORIS, chance=None), "false", {"must_fit": False}),
        ("must_fit", PLAIN, "false", {"must_fit": False}),
        ("must_fit", PLAIN, "true", {"must_fit": True}),
        ("locked_dice", PLAIN, "true", {"locked_dice": True}),
        ("locked_dice", NORIS, "false", {"locked_dice": False}),
        ("chance_rule", PLAIN, "last_resort", {"chance": {"rule": "last_resort"}}),
        ("chance_rule", PLAIN, "free", {"chance": {"rule": "free"}}),
        ("chance_rule", replace(PLAIN, chance=None), "free", {}),
        ("order", PLAIN, "top_down", {"order": "top_down"}),
        ("order", PLAIN, "announced", {"order": "announced"}),
        ("five_alike_full_house", PLAIN, "true", {"boxes": {"full_house": {"same_face": True}}}),
        ("five_alike_full_house", PLAIN, "false", {"boxes": {"full_house": {"same_face": False}}}),
        ("five_alike_full_house", replace(PLAIN, boxes=()), "true", {"boxes": {}}),
    ],
)
def test_a_switch_lays_a_patch_over_the_rules(name: str, rules: SheetRules, value: str, patch: Patch) -> None:
    assert SHEET_SWITCHES[name].patch(SwitchContext(rules, LITERAL), value) == patch


def test_a_text_that_prints_nothing_special_is_not_changed() -> None:
    assert SHEET_SWITCHES["literal_bonus"].patch(SwitchContext(PLAIN, {}), "true") == {}


@pytest.mark.parametrize(
    ("name", "rules", "value"),
    [
        ("literal_bonus", PLAIN, "false"),
        ("literal_chance", PLAIN, "false"),
        ("forced_zero", load_edition("philos-yatzi").rules(None, {"forced_zero": "literal"}), "literal"),
        ("forced_zero", load_edition("philos-yatzi").rules(None, {"forced_zero": "lenient"}), "lenient"),
        ("forced_zero", replace(PHILOS, yatzy=None), "lenient"),
        ("must_fit", NORIS, "true"),
        ("must_fit", PLAIN, "false"),
        ("locked_dice", replace(PLAIN, locked_dice=True), "true"),
        ("locked_dice", PLAIN, "false"),
        ("chance_rule", load_edition("tactic-xl-yatzy").rules(None, {"chance_rule": "last_resort"}), "last_resort"),
        ("chance_rule", PLAIN, "free"),
        ("chance_rule", replace(PLAIN, chance=None), "free"),
        ("order", PLAIN, PLAIN.order),
        ("order", replace(PLAIN, order="announced"), "announced"),
        (
            "five_alike_full_house",
            load_edition("tactic-xl-yatzy").rules(None, {"five_alike_full_house": "true"}),
            "true",
        ),
        ("five_alike_full_house", PLAIN, "false"),
        ("five_alike_full_house", replace(PLAIN, boxes=()), "false"),
    ],
)
def test_the_value_of_a_switch_is_read_off_the_rules(name: str, rules: SheetRules, value: str) -> None:
    assert SHEET_SWITCHES[name].read(rules) == value


@pytest.mark.parametrize(("value", "special"), [("true", True), ("false", False)])
def test_the_special_of_chicago_is_switched(value: str, special: bool) -> None:
    switch = ROUND_SWITCHES["chicago_special"]
    assert switch.patch(SwitchContext(CHICAGO, {}), value) == {"chicago_special": special}
    assert switch.read(replace(CHICAGO, chicago_special=special)) == value
