"""`knobel play`: play a game in the terminal, line by line."""

from pathlib import Path

from knobel.bots import find_seat_request, find_usual_bot
from knobel.cli.books import warn_if_unsaved
from knobel.cli.conversation import Conversation, InputLines, Quit
from knobel.cli.ending import show_result
from knobel.cli.evening import OPTIONS, Evening, read_games, read_handicaps, read_house_rules, read_standing
from knobel.cli.families import FAMILIES
from knobel.cli.parser import DATABASE, LANG, PLAIN, SET, TEXT, Argument, Command, CommandOption, Given
from knobel.cli.progress import ProgressBar
from knobel.cli.room_client import RoomClient, open_host, open_room, resume_room
from knobel.cli.screen import say, say_paragraph
from knobel.cli.selection import read_selection
from knobel.cli.solo import SoloChase
from knobel.cli.typed_lines import STARTS, read_lines
from knobel.errors import MissingArgument, NumberOutOfRange, UnknownPlayer, UnknownStart
from knobel.host.record_edition import rebuild_edition
from knobel.lang import Translator, choose_language
from knobel.phrase import phrase
from knobel.record.events import SeriesPosition
from knobel.record.file import save_record as write_file
from knobel.rooms.intents import ChangeSettings, Sit, SitBot, Start
from knobel.rooms.lobby import MAX_SEATS
from knobel.rooms.names import clean_name
from knobel.rules.families import find_family
from knobel.rules.fields import abbreviate, clean_text
from knobel.solve_worker import load_cached, prepare
from knobel.table import Table
from knobel.view.steps import describe_lot

BOT_PREFIX = "bot:"


def run(given: Given) -> None:
    """Play a new game, or resume one."""
    save = Path(given.required("save")) if given.read_value("save") else None
    with open_host(given.read_value("database")) as (runner, host):
        if given.has("resume"):
            client = resume_room(runner, host, given.read_value("edition"))
            words = Translator(choose_language(given.read_value("lang")), rebuild_edition(client.table.header))
            evening = Evening(client, given, words)
        else:
            settings, seats, words = read_setup(given)
            handicaps = read_handicaps(given, [seat.name for seat in seats])
            client = open_room(runner, host, settings, seats, read_seed(given))
            evening = Evening(client, given, words)
            client.begin(*handicaps)
        play_evening(evening, save)


def read_setup(given: Given) -> tuple[ChangeSettings, list[Sit | SitBot], Translator]:
    """Read what is played and by whom."""
    if given.read_value("edition") is None:
        raise MissingArgument(name=phrase("interface.placeholder.edition"))
    selection = read_selection(given)
    house_rules = read_house_rules(given.required("edition"), selection.edition.id)
    settings = ChangeSettings(
        selection.edition.id,
        selection.text,
        selection.switches,
        read_games(given),
        house_rules,
        start=read_start(given),
        standing=read_standing(given),
    )
    return settings, read_seats(given, selection.words, selection.edition.family), selection.words


def read_start(given: Given) -> Start | None:
    """Read who starts, if not whom the rules name."""
    name = given.read_value("start")
    if name is None:
        return None
    if name not in STARTS:
        raise UnknownStart(name=abbreviate(name), known=tuple(STARTS))
    return STARTS[name]


def read_seed(given: Given) -> str | None:
    """Read the seed, without characters that no record can hold."""
    seed = given.read_value("seed")
    return None if seed is None else clean_text(seed)


def play_evening(evening: Evening, save: Path | None) -> None:
    """Play the games of an evening one after the other."""
    client, lines = evening.client, InputLines(read_lines())
    evening.say_handicaps()
    while play_game(client, evening.words, lines, number_file(save, client.table.header.evening)):
        evening.say_standings()
        if not evening.begin_next() and not evening.offer_another(lines):
            return


def play_game(client: RoomClient, words: Translator, lines: InputLines, save: Path | None) -> bool:
    """Play one game, then print the result or how to resume it; fail up front if the record cannot be written."""
    table, family = client.table, FAMILIES[client.table.game.rules.family]
    if save is not None:
        write_file(client.export_record(), save)
    greet(table, words)
    prepare_bots(table, words)
    chase = SoloChase(client, words)
    try:
        conversation = Conversation(client, words, lines, family.display(table, words), family.commands)
        chase.begin()
        conversation.run()
    except (Quit, KeyboardInterrupt) as stop:
        say()
        say_paragraph(words("interface.play.kept_for_later", game=table.header.game))
        write_record(client, words, save)
        if isinstance(stop, KeyboardInterrupt):
            raise
        return False
    show_result(table, words)
    chase.end()
    if save is None:
        say_paragraph(words("interface.play.saved", game=table.header.game))
    write_record(client, words, save)
    return True


def write_record(client: RoomClient, words: Translator, save: Path | None) -> None:
    if save is not None:
        write_file(client.export_record(), save)
        say_paragraph(words("interface.play.record", file=str(save)))


def prepare_bots(table: Table, words: Translator) -> None:
    """Let bots that read a book open it before the game; say what takes a while."""
    for seat, one in enumerate(table.header.seats):
        track = table.replay.track(seat)
        if not one.bot or not (request := find_seat_request(one.bot, track.game, track.state, track.local_seat(seat))):
            continue
        if not load_cached(request):
            say(words("interface.play.preparing", name=one.name), aside=True)
        bar = ProgressBar()
        try:
            prepare(request, bar)
        finally:
            bar.clear()
            warn_if_unsaved(words)


def greet(table: Table, words: Translator) -> None:
    """Say what is played, by whom, and what is unusual about it."""
    header = table.header
    names = words.join_list(seat.name for seat in header.seats)
    if header.evening.games > 1:
        say(words("interface.play.game_of", number=header.evening.number, games=header.evening.games))
    say_paragraph(words("interface.play.hello", title=header.edition.title, names=names))
    if header.practice:
        rules = table.game.rules
        limits = words.translate(find_family(rules).describe_players(rules))
        say_paragraph(f"{words('interface.play.practice')} {limits}")
    if header.dice.seed is not None:
        say_paragraph(words("interface.replay.seeded"))
    if drawn := describe_lot(table):
        say(words.translate(drawn))
    say(words("interface.play.help.short"))


def read_seats(given: Given, words: Translator, family: str) -> list[Sit | SitBot]:
    """Seat the players: the ones named, else one person and the usual bot."""
    asked = given.read_values("player") or (words("interface.play.you"), f"{BOT_PREFIX}{find_usual_bot(family)}")
    if len(asked) > MAX_SEATS:
        raise NumberOutOfRange(name="--player", least=1, most=MAX_SEATS, value=len(asked))
    real_dice = given.has("real-dice")
    beginners = {clean_name(name).casefold() for name in given.read_values("beginner")}
    if missing := beginners - {clean_name(name).casefold() for name in asked}:
        raise UnknownPlayer(name=abbreviate(min(missing)), known=tuple(map(clean_name, asked)))
    seats: list[Sit | SitBot] = []
    for name in asked:
        if name.startswith(BOT_PREFIX):
            kind = name.removeprefix(BOT_PREFIX)
            seats.append(SitBot(kind, words("interface.play.bot", kind=kind)))
        else:
            seats.append(Sit(name, clean_name(name).casefold() in beginners, real_dice))
    return seats


def number_file(save: Path | None, evening: SeriesPosition) -> Path | None:
    """Give each game of an evening a file of its own."""
    if save is None or evening.games == 1:
        return save
    return save.with_name(f"{save.stem}-{evening.number}{save.suffix}")


COMMAND = Command(
    "play",
    (Argument("edition", optional=True),),
    (
        CommandOption("player", "NAME", repeatable=True),
        CommandOption("beginner", "NAME", repeatable=True),
        CommandOption("real-dice"),
        CommandOption("start", "|".join(STARTS)),
        *OPTIONS,
        CommandOption("seed", "S"),
        CommandOption("save", "FILE"),
        CommandOption("resume"),
        PLAIN,
        DATABASE,
        LANG,
        TEXT,
        SET,
    ),
    run,
)
