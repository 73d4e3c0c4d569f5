"""An evening in the terminal: how its games are counted, who gets points ahead, which game comes next, who leads."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

from knobel.cli.ending import offer_more
from knobel.cli.parser import CommandOption, Given, parse_int
from knobel.cli.room_client import RoomClient
from knobel.cli.screen import say
from knobel.cli.selection import say_notes
from knobel.errors import HandicapWithoutName, NumberOutOfRange, UnknownPlayer, UnknownStanding
from knobel.host.room_setup import check_next_game
from knobel.lang import Translator, choose_language
from knobel.rooms.intents import ChangeSettings, SetHandicap
from knobel.rooms.names import clean_name
from knobel.rooms.room import find_room_edition
from knobel.rooms.series import find_series
from knobel.rules import edition_ids, load_edition
from knobel.rules.fields import abbreviate
from knobel.rules.toml_file import MAX_BYTES, read_bytes
from knobel.series import Standing
from knobel.view.standings import list_standings

MAX_GAMES, MAX_HANDICAP = 99, 999
STANDINGS: tuple[Standing, ...] = get_args(Standing)
STANDING = CommandOption("standing", "|".join(STANDINGS))
HANDICAP = CommandOption("handicap", "NAME=N", repeatable=True)
OPTIONS = (CommandOption("games", "N"), CommandOption("then", "EDITION", repeatable=True), STANDING, HANDICAP)


def read_games(given: Given) -> int:
    """Read how many games the evening has: at least one of every edition."""
    editions = 1 + len(given.read_values("then"))
    if editions > MAX_GAMES:
        raise NumberOutOfRange(name="--then", least=1, most=MAX_GAMES - 1, value=editions - 1)
    games = given.read_number("games", 1, MAX_GAMES)
    return editions if games is None else max(games, editions)


def read_standing(given: Given) -> Standing | None:
    """Read how the games are counted, if not as the rules say."""
    name = given.read_value("standing")
    if name is None:
        return None
    for known in STANDINGS:
        if name == known:
            return known
    raise UnknownStanding(name=abbreviate(name), known=STANDINGS)


def read_handicaps(given: Given, names: Sequence[str]) -> list[SetHandicap]:
    """Read the points that players get ahead in every game."""
    seats = {clean_name(name).casefold(): seat for seat, name in enumerate(names)}
    found = []
    for word in given.read_values("handicap"):
        name, equals, points = word.rpartition("=")
        if not equals:
            raise HandicapWithoutName(value=abbreviate(word))
        seat = seats.get(clean_name(name).casefold())
        if seat is None:
            raise UnknownPlayer(name=abbreviate(name), known=tuple(map(clean_name, names)))
        found.append(SetHandicap(seat, parse_int(points, "--handicap", 0, MAX_HANDICAP)))
    return found


def read_house_rules(name: str, edition_id: str) -> str | None:
    """Read the text of a house-rule file; a printed edition has none."""
    return None if edition_id in edition_ids() else read_bytes(Path(name), MAX_BYTES).decode("utf-8")


class Evening:
    """The games of an evening that come after the first one, and the words of each."""

    def __init__(self, client: RoomClient, given: Given, words: Translator) -> None:
        self.client = client
        self.words = words
        self.asked_language = given.read_value("lang")
        self.coming = [self.read_next(name) for name in given.read_values("then")]

    def read_next(self, name: str) -> ChangeSettings:
        """Read which game comes next; refuse one that nobody here could play before the evening begins."""
        edition, settings = load_edition(name), self.client.room.settings
        say_notes(self.words, edition)
        text = edition.choose_text(None, choose_language(self.asked_language) if self.asked_language else None)
        asked = ChangeSettings(
            edition.id,
            text,
            games=settings.games,
            house_rules=read_house_rules(name, edition.id),
            start=settings.start,
            standing=settings.standing,
        )
        check_next_game(self.client.room, asked)
        return asked

    def begin_next(self) -> bool:
        """Begin the next game, if there is one: of the next edition that was named, else of the last one."""
        if find_series(self.client.room).is_over:
            return False
        if self.coming:
            self.client.send(self.coming.pop(0))
            self.words = Translator(self.words.lang, find_room_edition(self.client.room))
        say()
        self.client.begin()
        return True

    def offer_another(self, lines: Iterator[str]) -> bool:
        """Offer a review and another game after the last one; tell whether another one has begun."""
        seats = enumerate(self.client.table.header.seats)
        person = next((seat for seat, one in seats if one.bot is None), None)
        if person is None or not offer_more(self.words, lines, person, self.client.export_record):
            return False
        self.client.begin()
        return True

    def say_handicaps(self) -> None:
        """Say who gets points ahead."""
        for seat in self.client.room.seats:
            if seat.handicap:
                say(self.words("interface.play.handicap", name=seat.name, n=seat.handicap))

    def say_standings(self) -> None:
        """Say how the evening stands, or at its end that its games are not added up."""
        series = find_series(self.client.room)
        if series.games == 1 or not series.played:
            return
        lines = list(list_standings(series, [seat.name for seat in self.client.room.seats]))
        if not lines:
            if series.is_over:
                say()
                say(self.words("interface.play.no_series"))
            return
        say()
        say(self.words("interface.play.after_games", number=len(series.played), n=series.games))
        for line in lines:
            people = self.words.join_sentence(line.names)
            say(self.words(line.key, place=line.place, names=people, n=line.score))
