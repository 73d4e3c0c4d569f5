"""`knobel history`: list finished games with their results, of everybody or of one person."""

from knobel.cli.parser import DATABASE, JSON, LANG, Argument, Command, CommandOption, Given
from knobel.cli.people_lookup import find_named_person
from knobel.cli.room_client import run_with_store
from knobel.cli.screen import say, say_columns, say_json
from knobel.host.history_text import format_ended, format_ranking
from knobel.host.play_history import HistoryGame, PlayHistory
from knobel.host.statistics import StatisticsKeeper
from knobel.lang import Translator, choose_language
from knobel.store.address import AnyStore
from knobel.store.people import GameFilter

DEFAULT_LIMIT, MAX_GAMES = 20, 1_000_000
MILLI = 1000


def run(given: Given) -> None:
    """List the games, the last first."""
    words = Translator(choose_language(given.read_value("lang")))
    limit = MAX_GAMES if given.has("all") else DEFAULT_LIMIT
    typed, edition = given.read_value("person"), given.read_value("edition") or ""

    async def look(store: AnyStore) -> tuple[list[HistoryGame], bool]:
        person = find_named_person(await store.list_people(), typed).id if typed else ""
        history = PlayHistory(store, StatisticsKeeper(store), is_open=True)
        games, following = await history.list_all_games(GameFilter(person, edition, limit=limit))
        return games, following is not None

    games, has_more = run_with_store(given.read_value("database"), look)
    if given.has("json"):
        say_json([build_json(game) for game in games])
        return
    if not games:
        say(words("interface.history.none"))
        return
    say_columns([format_row(game, words) for game in games])
    if has_more:
        say(words("interface.history.more"))


def format_row(game: HistoryGame, words: Translator) -> list[str]:
    """Describe a game in one line, the best first."""
    row = game.results[0].row
    return [row.game, format_ended(game, words), row.title, format_ranking(game)]


def build_json(game: HistoryGame) -> dict[str, object]:
    row = game.results[0].row
    seats = [
        {
            "seat": one.row.seat,
            "name": one.name,
            "person": one.row.person,
            "bot": one.row.bot,
            "total": one.row.total,
            "place": one.row.place,
            "lost": None if one.row.lost is None else one.row.lost / MILLI,
            "luck": None if one.row.luck is None else one.row.luck / MILLI,
        }
        for one in game.results
    ]
    return {
        "game": row.game,
        "room": row.room,
        "edition": row.edition,
        "title": row.title,
        "text": row.text,
        "ended": row.ended,
        "imported": bool(row.imported),
        "seats": seats,
    }


COMMAND = Command(
    "history",
    (Argument("person", optional=True),),
    (CommandOption("edition", "ID", described_as="played-edition"), CommandOption("all"), DATABASE, LANG, JSON),
    run,
)
