"""The switches of a table: a short name for a change of the rules that players argue about."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from knobel.errors import SwitchSyntax, SwitchValue, UnknownSwitch
from knobel.rules.fields import shown
from knobel.rules.ruleset import SheetRules
from knobel.rules.schema import FORCED_ZEROS, ORDERS

Patch: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Printed:
    """What a switch may look at: the rules so far, and what the chosen text prints literally."""

    rules: SheetRules
    literal: Mapping[str, Patch]


@dataclass(frozen=True, slots=True)
class Switch:
    """A name, its values, the patch each value lays over the rules, and how to read the value off the rules."""

    values: tuple[str, ...]
    patch: Callable[[Printed, str], Patch]
    read: Callable[[SheetRules], str]


TRUTH = ("true", "false")


def read_switches(settings: tuple[str, ...], known: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Read `name=value` settings as they are typed; `known` gives the values of each switch."""
    chosen = {}
    for setting in settings:
        name, equals, value = (part.strip() for part in setting.partition("="))
        if not equals:
            raise SwitchSyntax(value=shown(setting))
        if name not in known:
            raise UnknownSwitch(name=shown(name), known=tuple(known))
        if value.lower() not in known[name]:
            raise SwitchValue(name=name, value=shown(value), allowed=known[name])
        chosen[name] = value.lower()
    return chosen


def literally(name: str) -> Callable[[Printed, str], Patch]:
    """Lay what the text literally prints over the rules, where the house still plays that rule."""

    def patch(printed: Printed, value: str) -> Patch:
        found = printed.literal.get(name, {}) if value == "true" else {}
        return {rule: change for rule, change in found.items() if getattr(printed.rules, rule)}

    return patch


def set_truth(key: str) -> Callable[[Printed, str], Patch]:
    """Set one true-or-false rule."""
    return lambda _, value: {key: value == "true"}


def set_must_fit(printed: Printed, value: str) -> Patch:
    """Set must-fit; a game freed of it also frees Chance."""
    if value == "false" and printed.rules.must_fit and printed.rules.chance:
        return {"must_fit": False, "chance": {"rule": "free"}}
    return {"must_fit": value == "true"}


def set_forced_zero(printed: Printed, value: str) -> Patch:
    """Set how hard a repeated yatzy without a place is punished, where the rules know such a thing."""
    return {"yatzy": {"forced_zero": value}} if printed.rules.yatzy and printed.rules.yatzy.second else {}


def set_chance_rule(printed: Printed, value: str) -> Patch:
    """Set when Chance may be used, where there is one."""
    return {"chance": {"rule": value}} if printed.rules.chance else {}


def set_houses(printed: Printed, value: str) -> Patch:
    """Let all dice alike be a full house, or not."""
    houses = (box.id for box in printed.rules.boxes if box.pattern.name == "house")
    return {"boxes": {box: {"same_face": value == "true"} for box in houses}}


def read_houses(rules: SheetRules) -> str:
    """Tell whether all dice alike are a full house."""
    return truth(any(box.pattern["same_face"] for box in rules.boxes if box.pattern.name == "house"))


def truth(value: object) -> str:
    """Write true or false as it is typed."""
    return "true" if value else "false"


SWITCHES = {
    "literal_bonus": Switch(TRUTH, literally("literal_bonus"), lambda _: "false"),
    "literal_chance": Switch(TRUTH, literally("literal_chance"), lambda _: "false"),
    "forced_zero": Switch(
        FORCED_ZEROS, set_forced_zero, lambda rules: rules.yatzy.forced_zero if rules.yatzy else "lenient"
    ),
    "must_fit": Switch(TRUTH, set_must_fit, lambda rules: truth(rules.must_fit)),
    "locked_dice": Switch(TRUTH, set_truth("locked_dice"), lambda rules: truth(rules.locked_dice)),
    "chance_rule": Switch(
        ("free", "last_resort"), set_chance_rule, lambda rules: rules.chance.rule if rules.chance else "free"
    ),
    "order": Switch(ORDERS, lambda _, value: {"order": value}, lambda rules: rules.order),
    "five_alike_full_house": Switch(TRUTH, set_houses, read_houses),
}
VALUES: dict[str, dict[str, tuple[str, ...]]] = {
    "sheet": {name: switch.values for name, switch in SWITCHES.items()},
    "rounds": {"chicago_special": TRUTH},
}
"""The switches of each family of games, with their values."""
