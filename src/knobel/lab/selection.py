"""The rules an environment is made for, as callers name them."""

from collections.abc import Mapping
from pathlib import Path

from knobel.library.selection import RulesLike, edition, resolve_rules
from knobel.rules import Edition
from knobel.rules.families import Rules


def select_rules(source: RulesLike, text: str | None, switches: Mapping[str, str]) -> Rules:
    """Give the rules somebody means; a text and switches apply to an edition."""
    if isinstance(source, str | Path):
        source = edition(source)
    if isinstance(source, Edition):
        rules: Rules = source.rules(text, switches)
        return rules
    return resolve_rules(source)
