"""The rules an environment is made for, as callers name them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from knobel.game import Game
from knobel.games.families import FAMILIES as GAMES
from knobel.library.board import MAX_SEATS
from knobel.library.selection import RulesLike, edition, resolve_rules
from knobel.rules import Edition
from knobel.rules.families import Rules
from knobel.rules.fields import check_number, check_type


def select_rules(source: RulesLike, text: str | None, switches: Mapping[str, str | bool]) -> Rules:
    """Give the rules somebody means; a text and switches apply to an edition."""
    if text is not None:
        check_type("text", text, str)
    if isinstance(source, str | Path):
        source = edition(source)
    if isinstance(source, Edition):
        rules: Rules = source.rules(text, switches)
        return rules
    return resolve_rules(source)


def open_game(rules: Rules, players: int) -> Game[Any]:
    """Open a game of so many players; a number that cannot play it is refused."""
    check_number("players", players, 1, MAX_SEATS)
    game: Game[Any] = GAMES[rules.family].build(rules, frozenset(), True)
    game.start(players, 0)
    return game
