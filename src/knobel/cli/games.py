"""`knobel games`: list the stored games, running or over."""

from knobel.cli.parser import JSON, LANG, Command, CommandOption, Given
from knobel.cli.room_client import DATABASE, open_host
from knobel.cli.screen import say, say_columns, say_json
from knobel.lang import Translator, choose_language
from knobel.record.events import Header
from knobel.record.formats import decode_header
from knobel.store import StoredGame

DEFAULT_LIMIT = 20


def run(given: Given) -> None:
    """List the games, most recently used first."""
    words = Translator(choose_language(given.value("lang")))
    with open_host(given.value("database")) as (runner, host):
        found = runner.run(host.store.list_games(unfinished=given.has("unfinished")))
    lines = [(game, decode_header(game.header)) for game in found]
    if given.has("json"):
        say_json([build_json(game, header) for game, header in lines])
        return
    if not lines:
        say(words("interface.games.none"))
        return
    shown = lines if given.has("all") else lines[:DEFAULT_LIMIT]
    say_columns([format_row(game, header, words) for game, header in shown])
    if len(shown) < len(lines):
        say(words("interface.games.more", n=len(lines) - len(shown)))


def format_row(game: StoredGame, header: Header, words: Translator) -> list[str]:
    """Describe a game in one line."""
    state = "closed" if game.is_closed else "running"
    return [
        game.id,
        f"{words.format_date(game.touched_at)} {words.format_time(game.touched_at)}",
        words(f"interface.games.{state}"),
        header.edition.title,
        words.join_list(name for name in game.names if name),
    ]


def build_json(game: StoredGame, header: Header) -> dict[str, object]:
    """Describe a game as JSON."""
    return {
        "game": game.id,
        "room": game.room_id,
        "edition": header.edition.id,
        "title": header.edition.title,
        "names": game.names,
        "events": game.event_count,
        "opened": game.opened_at,
        "touched": game.touched_at,
        "closed": game.is_closed,
        "seeded": header.dice.seed is not None,
    }


COMMAND = Command("games", (), (CommandOption("unfinished"), CommandOption("all"), DATABASE, LANG, JSON), run)
