"""The only place that knows every family of games."""

from knobel.games.sheet import Sheet
from knobel.rules.ruleset import SheetRules


def game_of(rules: SheetRules, beginners: frozenset[int] = frozenset(), practice: bool = False) -> Sheet:
    """Open the game that is played by these rules."""
    return Sheet(rules, beginners, practice)
