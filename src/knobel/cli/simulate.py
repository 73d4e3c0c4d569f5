"""`knobel simulate`: play many games of a bot with unbiased dice."""

import secrets
import time
from typing import TYPE_CHECKING

from knobel.cli.books import load_selected_book
from knobel.cli.parser import JSON, LANG, SET, TEXT, Argument, Command, CommandOption, Given
from knobel.cli.progress import ProgressBar
from knobel.cli.screen import say, say_json
from knobel.cli.selection import Selection, read_selection
from knobel.extras import SOLVER, require_extra
from knobel.phrase import FormattedNumber, Value
from knobel.simulation import SimulationResult, simulate_bot

if TYPE_CHECKING:
    from knobel.solver.position import BookValues

MAX_GAMES = 1_000_000_000
PERFECT = "perfect"


def run(given: Given) -> None:
    selection = read_selection(given)
    name = given.read_value("bot") or PERFECT
    games = given.read_number("games", 1, MAX_GAMES)
    games = 100_000 if games is None and name == PERFECT else 1000 if games is None else games
    seed = given.read_number("seed")
    result = simulate_games(selection, name, games, secrets.randbits(30) if seed is None else seed)
    answer = {
        "edition": selection.edition.id,
        "lang": selection.words.lang,
        "text": selection.text,
        "bot": name,
        "games": result.games,
        "mean": result.mean,
        "sd": result.sd,
        "games_per_second": result.games / result.seconds,
        "prepare_seconds": result.prepare_seconds,
        "faces": result.face_counts,
    }
    if given.has("json"):
        say_json(answer)
        return
    error = result.sd / result.games**0.5
    figures = {"mean": result.mean, "sd": result.sd, "error": error}
    values: dict[str, Value] = {key: FormattedNumber(value, 3) for key, value in figures.items()}
    say(selection.words("interface.simulate.result", bot=name, n=result.games, **values))
    say(selection.words("interface.simulate.speed", n=round(result.games / result.seconds)))


def simulate_games(selection: Selection, name: str, games: int, seed: int) -> SimulationResult:
    """Play the games: those of the perfect bot all together by the book, others one by one."""
    bar = ProgressBar()
    started = time.perf_counter()
    book = load_perfect_book(selection) if name == PERFECT else None
    try:
        return simulate_bot(selection.sheet_rules, name, games, seed, book, bar, started)
    finally:
        bar.clear()


def load_perfect_book(selection: Selection) -> "BookValues":
    require_extra(SOLVER)
    return load_selected_book(selection)


COMMAND = Command(
    "simulate",
    (Argument("edition"),),
    (CommandOption("bot", "NAME"), CommandOption("games", "N"), CommandOption("seed", "S"), LANG, TEXT, SET, JSON),
    run,
)
