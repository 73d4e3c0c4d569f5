"""`knobel play`: a whole game in the terminal, line by line."""

import sys
from collections.abc import Iterator
from pathlib import Path

from knobel.bots import prepare
from knobel.cli.chosen import choose
from knobel.cli.families import board_of, talk_of
from knobel.cli.line import LANG, SET, TEXT, Argument, Command, Given, Option
from knobel.cli.progress import Bar
from knobel.cli.replay import say_places
from knobel.cli.screen import paragraph, say
from knobel.cli.sitting import DATABASE, Sitting, at_home, sit_again, sit_down
from knobel.cli.talk import Lines, Quit
from knobel.errors import MissingArgument, NumberRange, UnknownPlayer
from knobel.game import Outcome
from knobel.host.speaking import edition_of
from knobel.lang import Words, language
from knobel.record.events import Evening
from knobel.record.file import save as write_file
from knobel.room.chairs import MOST_CHAIRS, label_of
from knobel.room.intents import Settle, Sit, SitBot
from knobel.rules import editions
from knobel.rules.articles import about_players
from knobel.rules.fields import clean, shown
from knobel.rules.limits import BYTES, read_bytes
from knobel.rules.ruleset import SheetRules
from knobel.series import Series
from knobel.table import Table

BOT = "bot:"
MOST_GAMES = 99


def run(given: Given) -> None:
    """Play a game, or go on with one."""
    save = Path(given.the("save")) if given.word("save") else None
    with at_home(given.word("database")) as (runner, host):
        if given.flag("resume"):
            sitting = sit_again(runner, host, given.word("edition"))
            words = Words(language(given.word("lang")), edition_of(sitting.table.header))
        else:
            settle, chairs, words = read_table(given)
            sitting = sit_down(runner, host, settle, chairs, clean_seed(given))
        evening(sitting, words, save)


def read_table(given: Given) -> tuple[Settle, list[Sit | SitBot], Words]:
    """Read what is played and by whom."""
    if given.word("edition") is None:
        raise MissingArgument(name="EDITION")
    box = choose(given)
    house = None if box.edition.id in editions() else read_bytes(Path(given.the("edition")), BYTES).decode("utf-8")
    settle = Settle(box.edition.id, box.text, box.switches, read_games(given), house)
    return settle, read_chairs(given, box.words), box.words


def clean_seed(given: Given) -> str | None:
    """Read the seed, without what no file could hold."""
    seed = given.word("seed")
    return None if seed is None else clean(seed)


def evening(sitting: Sitting, words: Words, save: Path | None) -> None:
    """Play the games of an evening one after the other."""
    lines = Lines(typed())
    while conversation(sitting, words, lines, numbered(save, sitting.table.header.evening)):
        room = sitting.room
        if len(room.totals) >= room.settings.games:
            finale(words, sitting)
            return
        sitting.begin()


def conversation(sitting: Sitting, words: Words, lines: Lines, save: Path | None) -> bool:
    """Play one game; say at the end how it went, or where it waits; where no record can be written is said first."""
    table = sitting.table
    if save is not None:
        write_file(sitting.record(), save)
    greet(table, words)
    ready(table)
    try:
        talk_of(table)(sitting, words, lines).run()
    except (Quit, KeyboardInterrupt) as stop:
        say()
        paragraph(words("interface.play.kept_for_later", game=table.header.game))
        write_record(sitting, words, save)
        if isinstance(stop, KeyboardInterrupt):
            raise
        return False
    names = [seat.name for seat in table.header.seats]
    say()
    board_of(table.game)(words, table.game, table.state, names)
    say()
    say_places(words, table.replay, names)
    if save is None:
        paragraph(words("interface.play.saved", game=table.header.game))
    write_record(sitting, words, save)
    return True


def write_record(sitting: Sitting, words: Words, save: Path | None) -> None:
    """Write the record where it was asked for."""
    if save is not None:
        write_file(sitting.record(), save)
        paragraph(words("interface.play.record", file=str(save)))


def ready(table: Table) -> None:
    """Let bots that read a book open it before the game."""
    rules = table.game.rules
    for name in sorted({seat.bot for seat in table.header.seats if seat.bot}):
        if isinstance(rules, SheetRules):
            bar = Bar()
            try:
                prepare(name, rules, bar)
            finally:
                bar.done()


def greet(table: Table, words: Words) -> None:
    """Say what is played, by whom, and what is unusual about it."""
    header = table.header
    names = words.list(seat.name for seat in header.seats)
    if header.evening.games > 1:
        say(words("interface.play.game_of", number=header.evening.number, games=header.evening.games))
    paragraph(words("interface.play.hello", title=header.edition.title, names=names))
    if header.practice:
        rules = table.game.rules
        limits = f" {words.say(about_players(rules).phrase)}" if isinstance(rules, SheetRules) else ""
        paragraph(f"{words('interface.play.practice')}{limits}")
    if header.dice.seed is not None:
        paragraph(words("interface.replay.seeded"))
    say(words("interface.play.help.short"))


def finale(words: Words, sitting: Sitting) -> None:
    """Say who won the evening."""
    room, rules = sitting.room, sitting.table.game.rules
    if room.settings.games == 1:
        return
    joint = isinstance(rules, SheetRules) and rules.series == "agreed"
    outcomes = tuple(Outcome((), totals) for totals in room.totals)
    series = Series(len(room.chairs), room.settings.games, joint, room.first, outcomes)
    names = [seat.name for seat in sitting.table.header.seats]
    say()
    if not series.places:
        say(words("interface.play.no_series"))
        return
    place = 1
    for group in series.places:
        people = words.joined(names[seat] for seat in group)
        say(words("interface.play.series_place", place=place, names=people, n=series.totals[group[0]]))
        place += len(group)


def read_chairs(given: Given, words: Words) -> list[Sit | SitBot]:
    """Seat the players: the ones named, else one person and a bot."""
    asked = given.all("player") or (words("interface.play.you"), f"{BOT}greedy")
    if len(asked) > MOST_CHAIRS:
        raise NumberRange(name="--player", least=1, most=MOST_CHAIRS, value=len(asked))
    own = given.flag("own-dice")
    beginners = {label_of(name).casefold() for name in given.all("beginner")}
    if missing := beginners - {label_of(name).casefold() for name in asked}:
        raise UnknownPlayer(name=shown(min(missing)), known=tuple(map(label_of, asked)))
    chairs: list[Sit | SitBot] = []
    for name in asked:
        if name.startswith(BOT):
            kind = name.removeprefix(BOT)
            chairs.append(SitBot(kind, words("interface.play.bot", kind=kind)))
        else:
            chairs.append(Sit(name, label_of(name).casefold() in beginners, own))
    return chairs


def read_games(given: Given) -> int:
    """Read how many games the evening has."""
    games = given.number("games", "--games")
    if games is None:
        return 1
    if not 1 <= games <= MOST_GAMES:
        raise NumberRange(name="--games", least=1, most=MOST_GAMES, value=games)
    return games


def numbered(save: Path | None, place: Evening) -> Path | None:
    """Give each game of an evening a file of its own."""
    if save is None or place.games == 1:
        return save
    return save.with_name(f"{save.stem}-{place.number}{save.suffix}")


def typed() -> Iterator[str]:
    """Read commands as they are typed, with a prompt only where somebody sees it; a closed input is at its end."""
    if sys.stdin is None:
        return
    prompt = "> " if sys.stdin.isatty() and sys.stdout.isatty() else ""
    while True:
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            return
        yield line


COMMAND = Command(
    "play",
    (Argument("edition", optional=True),),
    (
        Option("player", "NAME", many=True),
        Option("beginner", "NAME", many=True),
        Option("own-dice"),
        Option("games", "N"),
        Option("seed", "S"),
        Option("save", "FILE"),
        Option("resume"),
        DATABASE,
        LANG,
        TEXT,
        SET,
    ),
    run,
)
