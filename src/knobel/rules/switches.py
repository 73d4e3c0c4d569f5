"""Switches: short names for the changes of rules that players argue about."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from knobel.errors import SwitchSyntax, SwitchValue, UnknownSwitch
from knobel.rules.fields import abbreviate, check_type
from knobel.rules.round_rules import RoundRules
from knobel.rules.schema import FORCED_ZEROS, ORDERS
from knobel.rules.sheet_rules import SheetRules

Patch: TypeAlias = Mapping[str, object]
Switches: TypeAlias = Mapping[str, str | bool]
"""Values by the name of their switch; true and false for one that is yes or no."""
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class SwitchContext(Generic[R]):
    """What a switch may depend on: the rules so far, and what the chosen text prints literally."""

    rules: R
    literal: Mapping[str, Patch]


@dataclass(frozen=True, slots=True)
class Switch(Generic[R]):
    """A name, its values, the patch each value lays over the rules, and how to read the value off the rules."""

    values: tuple[str, ...]
    patch: Callable[[SwitchContext[R], str], Patch]
    read: Callable[[R], str]


BOOL_VALUES = ("true", "false")


def read_switches(settings: tuple[str, ...], known: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Read `name=value` settings as they are typed; `known` gives the values of each switch."""
    chosen = {}
    for setting in settings:
        name, equals, value = (part.strip() for part in setting.partition("="))
        if not equals:
            raise SwitchSyntax(value=abbreviate(setting))
        check_switch(name, value.lower(), known, value)
        chosen[name] = value.lower()
    return chosen


def write_switch(name: str, value: str | bool, known: Mapping[str, tuple[str, ...]]) -> str:
    """Write the value of a switch that a program sets."""
    check_type("name", name, str)
    check_switch_name(name, known)
    check_type(name, value, str, bool)
    return value if isinstance(value, str) else BOOL_VALUES[not value]


def check_switch(name: str, value: str, known: Mapping[str, tuple[str, ...]], typed: str | None = None) -> None:
    """Refuse a switch that does not exist, or a value it does not have; `typed` is the value as it was typed."""
    check_switch_name(name, known)
    if value not in known[name]:
        raise SwitchValue(name=name, value=abbreviate(typed or value), allowed=known[name])


def check_switch_name(name: str, known: Mapping[str, tuple[str, ...]]) -> None:
    """Refuse a switch that does not exist."""
    if name not in known:
        raise UnknownSwitch(name=abbreviate(name), known=tuple(known))


def literal_patch(name: str) -> Callable[[SwitchContext[SheetRules], str], Patch]:
    """Make a switch that applies what the text literally prints, for rules that are still on."""

    def build_patch(context: SwitchContext[SheetRules], value: str) -> Patch:
        found = context.literal.get(name, {}) if value == "true" else {}
        return {rule: change for rule, change in found.items() if getattr(context.rules, rule)}

    return build_patch


def set_flag(key: str) -> Callable[[SwitchContext[Any], str], Patch]:
    """Set one true-or-false rule."""
    return lambda _, value: {key: value == "true"}


def set_must_fit(context: SwitchContext[SheetRules], value: str) -> Patch:
    """Set must-fit; a game freed of it also frees Chance."""
    if value == "false" and context.rules.must_fit and context.rules.chance:
        return {"must_fit": False, "chance": {"rule": "free"}}
    return {"must_fit": value == "true"}


def set_forced_zero(context: SwitchContext[SheetRules], value: str) -> Patch:
    """Set how hard a repeated yatzy without a place is punished, where the rules know such a thing."""
    return {"yatzy": {"forced_zero": value}} if context.rules.yatzy and context.rules.yatzy.second else {}


def set_chance_rule(context: SwitchContext[SheetRules], value: str) -> Patch:
    """Set when Chance may be used, where there is one."""
    return {"chance": {"rule": value}} if context.rules.chance else {}


def set_full_houses(context: SwitchContext[SheetRules], value: str) -> Patch:
    """Let all dice alike be a full house, or not."""
    houses = (box.id for box in context.rules.boxes if box.pattern.name == "house")
    return {"boxes": {box: {"same_face": value == "true"} for box in houses}}


def read_full_houses(rules: SheetRules) -> str:
    """Tell whether all dice alike are a full house."""
    return format_bool(any(box.pattern["same_face"] for box in rules.boxes if box.pattern.name == "house"))


def format_bool(value: object) -> str:
    """Write true or false as it is typed."""
    return "true" if value else "false"


SHEET_SWITCHES: dict[str, Switch[SheetRules]] = {
    "literal_bonus": Switch(BOOL_VALUES, literal_patch("literal_bonus"), lambda _: "false"),
    "literal_chance": Switch(BOOL_VALUES, literal_patch("literal_chance"), lambda _: "false"),
    "forced_zero": Switch(
        FORCED_ZEROS, set_forced_zero, lambda rules: rules.yatzy.forced_zero if rules.yatzy else "lenient"
    ),
    "must_fit": Switch(BOOL_VALUES, set_must_fit, lambda rules: format_bool(rules.must_fit)),
    "locked_dice": Switch(BOOL_VALUES, set_flag("locked_dice"), lambda rules: format_bool(rules.locked_dice)),
    "chance_rule": Switch(
        ("free", "last_resort"), set_chance_rule, lambda rules: rules.chance.rule if rules.chance else "free"
    ),
    "order": Switch(ORDERS, lambda _, value: {"order": value}, lambda rules: rules.order),
    "five_alike_full_house": Switch(BOOL_VALUES, set_full_houses, read_full_houses),
}
ROUND_SWITCHES: dict[str, Switch[RoundRules]] = {
    "chicago_special": Switch(
        BOOL_VALUES, set_flag("chicago_special"), lambda rules: format_bool(rules.chicago_special)
    ),
}
