"""Every different ruleset of a score-sheet game: each edition, each text, each value of each switch, each example."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from knobel.rules import Edition, edition_ids, load_edition
from knobel.rules.sheet_rules import SheetRules
from knobel.rules.switches import SHEET_SWITCHES
from tests.support.house_rules import EXAMPLES

SHEETS = tuple(name for name in edition_ids() if load_edition(name).family == "sheet")
EDITIONS_AND_EXAMPLES = (*SHEETS, *sorted(map(str, EXAMPLES.glob("*.toml"))))
SETTINGS: tuple[Mapping[str, str], ...] = (
    {},
    *({name: value} for name, switch in SHEET_SWITCHES.items() for value in switch.values),
)


@cache
def list_rulesets() -> dict[str, SheetRules]:
    """Give every different ruleset under the first name it is found by."""
    found: dict[str, str] = {}
    named: dict[str, SheetRules] = {}
    for name in EDITIONS_AND_EXAMPLES:
        edition = load_edition(name)
        for text in list_distinct_texts(edition):
            for settings in SETTINGS:
                rules = edition.rules(text, settings)
                label = " ".join([Path(name).stem, text, *(f"{key}={value}" for key, value in settings.items())])
                if found.setdefault(rules.fingerprint, label) == label:
                    named[label] = rules
    return named


def list_distinct_texts(edition: Edition) -> Iterator[str]:
    """Walk through the texts of an edition that play differently, under some switch at least."""
    seen = set()
    for text in edition.printed:
        literal = tuple(repr(patches.get(text)) for patches in edition.literal.values())
        kind = (edition.rules(text).fingerprint, literal)
        if kind not in seen:
            seen.add(kind)
            yield text


def find_label(name: str) -> str:
    """Give the label of the plainest ruleset of an edition or example."""
    found = next(one for one in EDITIONS_AND_EXAMPLES if Path(one).stem == name)
    return f"{name} {load_edition(found).printed[0]}"


REPRESENTATIVE = (
    *map(find_label, ("carlit-yatzy", "mb-yahtzee", "philos-yatzi", "maxi-yatzy", "two-dice")),
    "tactic-xl-yatzy da",
)
"""One ruleset of each kind: plain, with jokers, with a second yatzy, with six dice, of a few boxes, announced."""
