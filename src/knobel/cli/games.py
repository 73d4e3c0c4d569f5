"""`knobel games`: list the stored games, running or over."""

from knobel.cli.parser import DATABASE, JSON, LANG, Command, CommandOption, Given
from knobel.cli.room_client import run_with_store
from knobel.cli.screen import say, say_columns, say_json
from knobel.host.integrity import read_header
from knobel.lang import Translator, choose_language
from knobel.record.events import Header
from knobel.store import StoredGame

DEFAULT_LIMIT = 20


def run(given: Given) -> None:
    """List the games, most recently used first."""
    words = Translator(choose_language(given.read_value("lang")))
    unfinished = given.has("unfinished")
    found = run_with_store(given.read_value("database"), lambda store: store.list_games(unfinished=unfinished))
    lines = [(game, read_header(game)) for game in found]
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


def format_row(game: StoredGame, header: Header | None, words: Translator) -> list[str]:
    """Describe a game in one line."""
    state = "damaged" if header is None else "closed" if game.is_closed else "running"
    return [
        game.id,
        f"{words.format_date(game.touched_at)} {words.format_time(game.touched_at)}",
        words(f"interface.games.{state}"),
        header.edition.title if header else "",
        words.join_list(name for name in game.names if name),
    ]


def build_json(game: StoredGame, header: Header | None) -> dict[str, object]:
    """Describe a game as JSON."""
    return {
        "game": game.id,
        "room": game.room_id,
        "edition": header.edition.id if header else None,
        "title": header.edition.title if header else None,
        "names": game.names,
        "events": game.event_count,
        "opened": game.opened_at,
        "touched": game.touched_at,
        "closed": game.is_closed,
        "seeded": header.dice.seed is not None if header else None,
    }


COMMAND = Command("games", (), (CommandOption("unfinished"), CommandOption("all"), DATABASE, LANG, JSON), run)
