"""`knobel play`: a whole game in the terminal, line by line."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from knobel.bots import bot, prepare
from knobel.cli.chosen import choose
from knobel.cli.families import board_of, talk_of
from knobel.cli.line import LANG, SET, TEXT, Argument, Command, Given, Option
from knobel.cli.progress import Bar
from knobel.cli.replay import say_places
from knobel.cli.screen import paragraph, say
from knobel.cli.talk import Lines, Quit
from knobel.errors import MissingArgument, NameEmpty, NumberRange, UnknownPlayer
from knobel.game import Outcome
from knobel.games.round_state import RoundState
from knobel.host import Agreed, agreed_again, keep, kept_at_home, open_table, resume
from knobel.lang import Words, language
from knobel.record.events import Evening, Seat
from knobel.rules import load
from knobel.rules.articles import about_players
from knobel.rules.fields import clean, cut, shown
from knobel.rules.ruleset import SheetRules
from knobel.series import Series
from knobel.table import Table

BOT = "bot:"
LONGEST_NAME = 20
MOST_MARKS = 80
MOST_SEATS = 99
MOST_GAMES = 99


def run(given: Given) -> None:
    """Play a game, or go on with one."""
    if given.flag("resume"):
        named = given.word("edition")
        table, path = resume(Path(named) if named else None)
        agreed = agreed_again(table.header)
        evening(table, agreed, Words(language(given.word("lang")), agreed.edition), place_again(table, path))
        return
    if given.word("edition") is None:
        raise MissingArgument(name="EDITION")
    box = choose(given)
    seats, games = read_seats(given, box.words), read_games(given)
    agreed = Agreed(box.edition, box.text, box.switches, seats, games, clean_seed(given))
    save = given.word("save")
    evening(open_table(agreed), agreed, box.words, Path(save) if save else None)


def clean_seed(given: Given) -> str | None:
    """Read the seed, without what no file could hold."""
    seed = given.word("seed")
    return None if seed is None else clean(seed)


def place_again(table: Table, path: Path) -> Path | None:
    """Find where the games of a resumed evening are kept: where this one was, without its number."""
    place = table.header.evening
    if kept_at_home(path):
        return None
    return path if place.games == 1 else path.with_name(f"{path.stem.removesuffix(f'-{place.number}')}{path.suffix}")


def evening(table: Table, agreed: Agreed, words: Words, save: Path | None) -> None:
    """Play the games of an evening one after the other."""
    lines = Lines(typed())
    while conversation(table, words, lines, numbered(save, table.header.evening)):
        before, series = table.header.evening, folded(table)
        if before.number >= before.games:
            finale(words, table, series)
            return
        totals = (*before.totals, series.outcomes[-1].totals)
        table = open_table(agreed, Evening(before.games, before.number + 1, totals, series.first), series.starter)


def conversation(table: Table, words: Words, lines: Lines, save: Path | None) -> bool:
    """Play one game; say at the end how it went, or where it waits."""
    keep(table, save)
    greet(table, words)
    ready(table)
    try:
        talk_of(table)(table, words, lines, save).run()
    except (Quit, KeyboardInterrupt) as stop:
        path = keep(table, save)
        say()
        name = "" if save is None else f" {path}"
        paragraph(words("interface.play.kept_for_later", file=str(path), name=name))
        if isinstance(stop, KeyboardInterrupt):
            raise
        return False
    path = keep(table, save)
    names = [seat.name for seat in table.header.seats]
    say()
    board_of(table.game)(words, table.game, table.state, names)
    say()
    say_places(words, table.replay, names)
    paragraph(words("interface.play.saved", file=str(path)))
    return True


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
        say(words("interface.replay.seeded"))
    say(words("interface.play.help.short"))


def folded(table: Table) -> Series:
    """Fold the games of the evening so far, this one included."""
    before = table.header.evening
    series = Series(len(table.header.seats), before.games, joint(table), before.first)
    for totals in before.totals:
        series = series.with_game(before.first or 0, Outcome((), totals))
    outcome = table.game.outcome(table.state)
    return series.with_game(first_of(table), outcome) if outcome else series


def joint(table: Table) -> bool:
    """Tell whether the games of an evening are added up."""
    rules = table.game.rules
    return isinstance(rules, SheetRules) and rules.series == "agreed"


def first_of(table: Table) -> int:
    """Find out who began: agreed, or thrown for."""
    if table.header.first is not None:
        return table.header.first
    return next((first_seat(step.after) for step in table.replay.steps if first_seat(step.after) is not None), 0) or 0


def first_seat(state: Any) -> int | None:
    """Say who began, once that is settled."""
    if isinstance(state, RoundState):
        return state.opener if state.rounds else None
    return int(state.first) if state.first is not None else None


def finale(words: Words, table: Table, series: Series) -> None:
    """Say who won the evening."""
    if series.games == 1:
        return
    names = [seat.name for seat in table.header.seats]
    say()
    if not series.places:
        say(words("interface.play.no_series"))
        return
    place = 1
    for group in series.places:
        people = words.list(names[seat] for seat in group)
        say(words("interface.play.series_place", place=place, names=people, n=series.totals[group[0]]))
        place += len(group)


def read_seats(given: Given, words: Words) -> tuple[Seat, ...]:
    """Seat the players: the ones named, else one person and a bot."""
    asked = given.all("player") or (words("interface.play.you"), f"{BOT}greedy")
    if len(asked) > MOST_SEATS:
        raise NumberRange(name="--player", least=1, most=MOST_SEATS, value=len(asked))
    own, family = given.flag("own-dice"), load(given.the("edition")).family
    beginners = {called_by(name).casefold() for name in given.all("beginner")}
    if missing := beginners - {called_by(name).casefold() for name in asked}:
        raise UnknownPlayer(name=shown(min(missing)), known=tuple(map(called_by, asked)))
    seats: list[Seat] = []
    for name in asked:
        kind = name.removeprefix(BOT) if name.startswith(BOT) else None
        if kind is not None:
            bot(kind, family)
        called = cut(clean(words("interface.play.bot", kind=kind) if kind else name)[:MOST_MARKS], LONGEST_NAME)
        if not called:
            raise NameEmpty
        taken = {seat.name for seat in seats}
        unique = next(
            label for label in (called, *(f"{called} {count}" for count in range(2, 200))) if label not in taken
        )
        seats.append(Seat(unique, kind, called.casefold() in beginners, own and kind is None))
    return tuple(seats)


def called_by(name: str) -> str:
    """Give a name as it is called at the table."""
    return cut(clean(name)[:MOST_MARKS], LONGEST_NAME)


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
        LANG,
        TEXT,
        SET,
    ),
    run,
)
