"""What bots score on average, by the rules they play; `averages.toml` says how it was measured."""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from knobel.bots.families import FAMILIES

FILE = Path(__file__).with_name("averages.toml")


@cache
def load_averages() -> Mapping[str, Mapping[str, float]]:
    """Load the averages of every measured ruleset, by its fingerprint and the name of a bot."""
    tables = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {
        fingerprint: {bot: float(figures["mean"]) for bot, figures in table.items() if isinstance(figures, dict)}
        for fingerprint, table in tables.items()
    }


def find_averages(rules: Any, find_par: Callable[[Any], float | None]) -> Mapping[str, float]:
    """Find what bots score on average by these rules: as measured, else only what follows from par, if it is known."""
    known = load_averages().get(rules.fingerprint)
    if known is not None:
        return known
    perfect = [name for name, kind in FAMILIES[rules.family].kinds.items() if kind.is_perfect]
    par = find_par(rules) if perfect else None
    return {} if par is None else dict.fromkeys(perfect, par)


def sort_by_strength(family: str, averages: Mapping[str, float]) -> list[str]:
    """List the bots a screen offers, the weakest first; where not all averages are known, in the order of the kinds."""
    offered = FAMILIES[family].offered
    return sorted(offered, key=lambda bot: averages[bot]) if set(offered) <= set(averages) else list(offered)
