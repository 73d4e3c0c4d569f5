"""Fingerprints are for ever: records, seals, running games and solved books are known by them.

`golden/fingerprints.json` was made once, before rules were called by other names in the code: every edition, in every
text, as printed and with every value of every switch, and the example house rules. It is never made again: what came
later is not in it, and what is in it stays.
"""

import json
from pathlib import Path

import pytest

from knobel.rooms.intents import ChangeSettings
from knobel.rooms.room import build_settings, resolve_rules
from knobel.rules import edition_ids, load_edition
from tests.support.house_rules import EXAMPLES

PINNED = json.loads((Path(__file__).parents[1] / "golden" / "fingerprints.json").read_text(encoding="utf-8"))
EDITIONS = {key: fingerprint for fingerprint, keys in PINNED["editions"].items() for key in keys}


def fingerprint_of(key: str) -> str:
    name, text, *switches = key.split()
    settings = ChangeSettings(name, text, dict(switch.split("=") for switch in switches))
    return resolve_rules(build_settings(settings)).fingerprint


@pytest.mark.parametrize("name", edition_ids())
def test_the_rules_of_an_edition_keep_their_fingerprints(name: str) -> None:
    keys = [key for key in EDITIONS if key.split()[0] == name]
    assert {key: fingerprint_of(key) for key in keys} == {key: EDITIONS[key] for key in keys}


def test_every_text_and_every_switch_that_is_pinned_is_still_there() -> None:
    known = {
        " ".join((name, text, *switch))
        for name in edition_ids()
        for text in load_edition(name).printed
        for switch in [(), *((f"{key}={value}",) for key, values in switches_of(name) for value in values)]
    }
    assert set(EDITIONS) <= known


def switches_of(name: str) -> list[tuple[str, tuple[str, ...]]]:
    return list(load_edition(name).switch_values.items())


def test_the_example_house_rules_keep_their_fingerprints() -> None:
    found = set()
    for path in EXAMPLES.glob("*.toml"):
        edition = load_edition(str(path))
        for text in edition.printed if edition.texts else (edition.default_text,):
            found.add(edition.rules(text).fingerprint)
    assert set(PINNED["house_rules"]) <= found
