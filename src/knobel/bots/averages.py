"""How well bots play by some rules: what they score on average, or how often they win; `averages.toml` says how."""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from knobel.bots.families import FAMILIES

FILE = Path(__file__).with_name("averages.toml")


@cache
def load_figures(kind: str) -> Mapping[str, Mapping[str, float]]:
    """Load one kind of figure of every measured ruleset that has it, by its fingerprint and the name of a bot."""
    tables = tomllib.loads(FILE.read_text(encoding="utf-8"))
    found = {
        fingerprint: {
            bot: float(figures[kind]) for bot, figures in table.items() if isinstance(figures, dict) and kind in figures
        }
        for fingerprint, table in tables.items()
    }
    return {fingerprint: figures for fingerprint, figures in found.items() if figures}


def load_averages() -> Mapping[str, Mapping[str, float]]:
    """Load what bots score on average."""
    return load_figures("mean")


def load_wins(fingerprint: str) -> Mapping[str, float]:
    """Load how often bots win a game of rounds for two against the strongest one."""
    return load_figures("wins").get(fingerprint, {})


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
