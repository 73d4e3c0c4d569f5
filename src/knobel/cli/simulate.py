"""`knobel simulate`: very many games of a bot, played out with unbiased dice."""

import secrets
import time

from knobel.cli.chosen import Chosen, choose
from knobel.cli.line import JSON, LANG, SET, TEXT, Argument, Command, Given, Option
from knobel.cli.progress import Bar
from knobel.cli.screen import say, say_json
from knobel.cli.solved import opened
from knobel.errors import NumberRange
from knobel.phrase import Figure, Value
from knobel.simulation import Played, play_bot

MOST_GAMES = 1_000_000_000
PERFECT = "perfect"


def run(given: Given) -> None:
    """Play very many games."""
    chosen = choose(given)
    name = given.word("bot") or PERFECT
    games = given.number("games", "--games")
    games = 100_000 if games is None and name == PERFECT else 1000 if games is None else games
    if not 1 <= games <= MOST_GAMES:
        raise NumberRange(name="--games", least=1, most=MOST_GAMES, value=games)
    seed = given.number("seed", "--seed")
    played = played_out(chosen, name, games, secrets.randbits(30) if seed is None else seed)
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
        "faces": played.faces,
    }
    if given.flag("json"):
        say_json(answer)
        return
    error = played.sd / played.games**0.5
    figures = {"mean": played.mean, "sd": played.sd, "error": error}
    values: dict[str, Value] = {key: Figure(value, 3) for key, value in figures.items()}
    say(chosen.words("interface.simulate.result", bot=name, n=played.games, **values))
    say(chosen.words("interface.simulate.speed", n=round(played.games / played.seconds)))


def played_out(chosen: Chosen, name: str, games: int, seed: int) -> Played:
    """Play the games: perfect ones all together by the book, others one by one."""
    bar = Bar()
    begun = time.perf_counter()
    book = opened(chosen) if name == PERFECT else None
    try:
        return play_bot(chosen.rules, name, games, seed, book, bar, begun)
    finally:
        bar.done()


COMMAND = Command(
    "simulate",
    (Argument("edition"),),
    (Option("bot", "NAME"), Option("games", "N"), Option("seed", "S"), LANG, TEXT, SET, JSON),
    run,
)
