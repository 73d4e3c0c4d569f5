"""`knobel simulate`: very many games of a bot, played out with unbiased dice."""

import secrets
import time

from knobel.cli.books import load_selected_book
from knobel.cli.parser import JSON, LANG, SET, TEXT, Argument, Command, CommandOption, Given
from knobel.cli.progress import ProgressBar
from knobel.cli.screen import say, say_json
from knobel.cli.selection import Selection, read_selection
from knobel.errors import NumberOutOfRange
from knobel.phrase import FormattedNumber, Value
from knobel.simulation import SimulationResult, simulate_bot

MAX_GAMES = 1_000_000_000
PERFECT = "perfect"


def run(given: Given) -> None:
    """Play very many games."""
    chosen = read_selection(given)
    name = given.value("bot") or PERFECT
    games = given.number("games", "--games")
    games = 100_000 if games is None and name == PERFECT else 1000 if games is None else games
    if not 1 <= games <= MAX_GAMES:
        raise NumberOutOfRange(name="--games", least=1, most=MAX_GAMES, value=games)
    seed = given.number("seed", "--seed")
    played = simulate_games(chosen, name, games, secrets.randbits(30) if seed is None else seed)
    answer = {
        "edition": chosen.edition.id,
        "lang": chosen.words.lang,
        "text": chosen.text,
        "bot": name,
        "games": played.games,
        "mean": played.mean,
        "sd": played.sd,
        "games_per_second": played.games / played.seconds,
        "prepare_seconds": played.prepare_seconds,
        "faces": played.face_counts,
    }
    if given.has("json"):
        say_json(answer)
        return
    error = played.sd / played.games**0.5
    figures = {"mean": played.mean, "sd": played.sd, "error": error}
    values: dict[str, Value] = {key: FormattedNumber(value, 3) for key, value in figures.items()}
    say(chosen.words("interface.simulate.result", bot=name, n=played.games, **values))
    say(chosen.words("interface.simulate.speed", n=round(played.games / played.seconds)))


def simulate_games(selection: Selection, name: str, games: int, seed: int) -> SimulationResult:
    """Play the games: perfect ones all together by the book, others one by one."""
    bar = ProgressBar()
    begun = time.perf_counter()
    book = load_selected_book(selection) if name == PERFECT else None
    try:
        return simulate_bot(selection.sheet_rules, name, games, seed, book, bar, begun)
    finally:
        bar.clear()


COMMAND = Command(
    "simulate",
    (Argument("edition"),),
    (CommandOption("bot", "NAME"), CommandOption("games", "N"), CommandOption("seed", "S"), LANG, TEXT, SET, JSON),
    run,
)
