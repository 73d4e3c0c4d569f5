"""What a player who moves at random loses per real decision: the other end of the scale that begins with best play.

A decision is real if its moves differ. The figures of printed rules are in `random_play.toml`; those of other rules are
measured when they are first needed, and kept beside the book.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean

from knobel.coach.rounds import WHOLE_GAME_PLAYERS
from knobel.coach.rounds import rank_moves as rank_round_moves
from knobel.coach.sheet import SheetCoach
from knobel.game import Land, play
from knobel.games.round_state import RoundState
from knobel.games.rounds import RoundsGame
from knobel.games.sheet import SheetGame
from knobel.rules.round_rules import RoundRules
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.book_cache import read_note, write_note

FILE = Path(__file__).with_name("random_play.toml")
NOTE_KIND = "random"
ALONE = 1
"""How many players a score sheet is measured for: the others change nothing there."""
SHEET_GAMES, ROUND_GAMES = 12, 150
"""How many games tell enough: the figure is then right to some percent, and levels are much further apart."""
REAL_DIFFERENCE = 1e-6
"""Moves that differ by less do not differ."""
RATES: dict[tuple[str, int], float] = {}
"""The figures measured in this process, by fingerprint of the rules and number of players."""


@dataclass(frozen=True, slots=True)
class RandomPlay:
    """What random moves lose on average per real decision, its standard error, and from how many games."""

    rate: float
    error: float
    games: int


@cache
def load_printed_rates() -> Mapping[tuple[str, int], float]:
    """Load the figures of printed rules, by fingerprint and number of players."""
    tables = tomllib.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    return {
        (fingerprint, int(players)): float(figures["rate"])
        for fingerprint, table in tables.items()
        for players, figures in table.items()
        if isinstance(figures, dict)
    }


def find_sheet_rate(coach: SheetCoach) -> float:
    """Find the figure of a score sheet, in points."""
    rules = coach.book.tables.rules
    return find_rate(rules, ALONE, lambda: read_rate(rules) or keep_rate(rules, measure_sheet(coach, SHEET_GAMES).rate))


def find_round_rate(game: RoundsGame, players: int) -> float:
    """Find the figure of a game of rounds for so many players, in percentage points."""
    return find_rate(game.rules, players, lambda: measure_rounds(game, players, ROUND_GAMES).rate)


def find_rate(rules: SheetRules | RoundRules, players: int, measure: Callable[[], float]) -> float:
    key = rules.fingerprint, players
    if key in load_printed_rates():
        return load_printed_rates()[key]
    if key not in RATES:
        RATES[key] = measure()
    return RATES[key]


def read_rate(rules: SheetRules) -> float | None:
    found = (read_note(rules, NOTE_KIND) or {}).get("rate")
    return found if isinstance(found, float) else None


def keep_rate(rules: SheetRules, rate: float) -> float:
    write_note(rules, NOTE_KIND, {"rate": rate})
    return rate


def is_real(losses: list[float]) -> bool:
    """Tell whether the moves of a decision differ."""
    return max(losses) > REAL_DIFFERENCE


def measure_sheet(coach: SheetCoach, games: int) -> RandomPlay:
    """Play games at random, and at each real decision count what all its moves lose on average."""
    game, random = SheetGame(coach.book.tables.rules, practice=True), Random(1)  # noqa: S311
    return summarize_games([list(play_sheet(game, coach, random)) for _ in range(games)])


def play_sheet(game: SheetGame, coach: SheetCoach, random: Random) -> Iterator[float]:
    """Play one game at random and give the average loss of each real decision."""
    state = game.start(1, 0)
    while state.seat is not None:
        if pending := game.pending_roll(state):
            state = game.apply(state, Land(tuple(random.randint(1, game.rules.faces) for _ in pending.positions)))
            continue
        ranked = coach.rank_moves(game, state)
        if is_real(losses := [one.loss for one in ranked]):
            yield fmean(losses)
        state = play(game, state, random.choice(ranked).move)


def measure_rounds(game: RoundsGame, players: int, games: int) -> RandomPlay:
    """Let one player move at random against best play: whole games of few, else single rounds."""
    random = Random(1)  # noqa: S311
    return summarize_games([list(play_rounds(game, players, number % players, random)) for number in range(games)])


def play_rounds(game: RoundsGame, players: int, seat: int, random: Random) -> Iterator[float]:
    """Play one game, or one round of it, and give the average loss of each real decision of a seat."""
    state, is_whole = game.start(players, 0), players in WHOLE_GAME_PLAYERS
    scale = 100 / (players - 1) if is_whole else 100
    while state.seat is not None and (is_whole or is_first_round(state)):
        if pending := game.pending_roll(state):
            state = game.apply(state, Land(tuple(random.randint(1, game.rules.faces) for _ in pending.positions)))
        elif not state.dice:
            state = play(game, state, next(iter(game.legal_moves(state))))
        else:
            ranked = rank_round_moves(game, state)
            if state.player == seat and is_real(losses := [scale * one.loss for one in ranked]):
                yield fmean(losses)
            state = play(game, state, (random.choice(ranked) if state.player == seat else ranked[0]).move)


def is_first_round(state: RoundState) -> bool:
    return state.rounds == 1


def summarize_games(games: list[list[float]]) -> RandomPlay:
    """Average over the decisions of all games; the error is that of a ratio, game by game."""
    decisions = max(sum(map(len, games)), 1)
    rate = sum(map(sum, games)) / decisions
    spread = sum((sum(game) - rate * len(game)) ** 2 for game in games)
    return RandomPlay(rate, sqrt(spread) / decisions, len(games))
