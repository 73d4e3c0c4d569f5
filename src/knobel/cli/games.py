"""`knobel games`: which games are kept here, running or over."""

from knobel.cli.line import JSON, LANG, Command, Given, Option
from knobel.cli.screen import columns, say, say_json
from knobel.cli.sitting import DATABASE, at_home
from knobel.lang import Words, language
from knobel.record.events import Header
from knobel.record.file import HEADER
from knobel.store import StoredGame

MOST = 20


def run(given: Given) -> None:
    """List the games, the one touched last first."""
    words = Words(language(given.word("lang")))
    with at_home(given.word("database")) as (runner, host):
        found = runner.run(host.store.games(unfinished=given.flag("unfinished")))
    lines = [(game, HEADER.decode(game.header)) for game in found]
    if given.flag("json"):
        say_json([form(game, header) for game, header in lines])
        return
    if not lines:
        say(words("interface.games.none"))
        return
    shown = lines if given.flag("all") else lines[:MOST]
    columns([row(game, header, words) for game, header in shown])
    if len(shown) < len(lines):
        say(words("interface.games.more", n=len(lines) - len(shown)))


def row(game: StoredGame, header: Header, words: Words) -> list[str]:
    """Describe a game in one line."""
    state = "closed" if game.closed else "running"
    return [
        game.game,
        f"{words.date(game.touched)} {words.clock(game.touched)}",
        words(f"interface.games.{state}"),
        header.edition.title,
        words.list(name for name in game.names if name),
    ]


def form(game: StoredGame, header: Header) -> dict[str, object]:
    """Describe a game for machines."""
    return {
        "game": game.game,
        "room": game.room,
        "edition": header.edition.id,
        "title": header.edition.title,
        "names": game.names,
        "events": game.count,
        "opened": game.opened,
        "touched": game.touched,
        "closed": game.closed,
        "seeded": header.dice.seed is not None,
    }


COMMAND = Command("games", (), (Option("unfinished"), Option("all"), DATABASE, LANG, JSON), run)
