"""`knobel certificate`: the certificate of an evening, from its room or from the records of its games."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from knobel.cli.evening import HANDICAP, STANDING, read_handicaps, read_standing
from knobel.cli.parser import DATABASE, LANG, Argument, Command, CommandOption, Given
from knobel.cli.pdf_output import OUTPUT, write_output
from knobel.cli.records import is_record_path, read_record
from knobel.cli.room_client import find_game, run_with_store
from knobel.cli.screen import say
from knobel.errors import GameNotFound, KnobelError, NothingToCertify, StandingOfRoom
from knobel.extras import PAPER, SOLVER, find_missing
from knobel.host.evening_story import (
    EveningRecord,
    SeatReview,
    StoredEvening,
    add_highlights,
    list_reviewed_seats,
    load_evening,
    tell_evening,
    tell_records,
)
from knobel.host.room_store import read_room
from knobel.lang import Translator, choose_language
from knobel.record.chain import compute_head
from knobel.record.events import Record
from knobel.record.replay import replay_record
from knobel.rooms.room import Room
from knobel.rules.fields import abbreviate
from knobel.store import Store

if TYPE_CHECKING:
    from knobel.paper.certificate import EveningStory

ARGUMENT = "file|room"


def run(given: Given) -> None:
    from knobel.paper.certificate import build_certificate
    from knobel.paper.render import render_pdf

    words = Translator(choose_language(given.read_value("lang")))
    story, games, date = read_story(given, words)
    story = add_highlights(story, review_all(games, words), words.lang)
    page = build_certificate(story, words, given.read_value("size") or "a4", date)
    write_output(render_pdf("certificate", page), given, "certificate.pdf", words)


def read_story(given: Given, words: Translator) -> "tuple[EveningStory, Sequence[EveningRecord], str]":
    """Read the evening that is asked for, by default the last one of the database; with its date, where it has one."""
    names, database = given.read_values(ARGUMENT), given.read_value("database")
    if len(names) > 1 or (names and is_record_path(names[0])):
        games = [build_record(*read_record(name, database)) for name in names]
        players = [seat.name for seat in games[0].record.header.seats]
        points = [0] * len(players)
        for handicap in read_handicaps(given, players):
            points[handicap.seat] = handicap.points
        return tell_records(games, read_standing(given), points), games, ""
    if given.has("standing") or given.has("handicap"):
        raise StandingOfRoom
    evening = run_with_store(database, lambda store: find_evening(store, names[0] if names else None))
    date = "" if evening.opened_at is None else words.format_date(evening.opened_at)
    return tell_evening(evening), evening.games, date


def build_record(record: Record, name: str) -> EveningRecord:
    return EveningRecord(name, record, replay_record(record, name), compute_head(record))


async def find_evening(store: Store, name: str | None) -> StoredEvening:
    """Find an evening by the id of its room or of one of its games, else the last one."""
    if name is None:
        return await load_evening(store, await find_last_room(store))
    stored = await store.find_room(name)
    if stored is None:
        stored = await store.find_room((await find_game(store, name)).room_id)
    if stored is None:
        raise GameNotFound(name=abbreviate(name))
    return await load_evening(store, await read_room(store, stored))


async def find_last_room(store: Store) -> Room:
    """Find the room used last in which a game is over."""
    for stored in await store.list_rooms():
        try:
            room = await read_room(store, stored)
        except KnobelError:
            continue  # a damaged room keeps no other one from being found
        if room.totals:
            return room
    raise NothingToCertify


def review_all(games: Sequence[EveningRecord], words: Translator) -> list[SeatReview]:
    """Review all people of all games, where the solver is installed; what is not solved yet is solved."""
    if find_missing(SOLVER):
        say(words("interface.certificate.unreviewed"), aside=True)
        return []
    from knobel.cli.review_report import CoachLoader
    from knobel.coach.review import review_seat

    found, load_coach = [], CoachLoader(words)
    for game in games:
        for seat in list_reviewed_seats(game.replay):
            try:
                review = review_seat(game.record, game.replay, seat, load_coach)
            except KnobelError as error:
                say(words.describe_error(error), aside=True)
                continue
            found.append(SeatReview(game, review))
    return found


COMMAND = Command(
    "certificate",
    (Argument(ARGUMENT, variadic=True, optional=True),),
    (STANDING, HANDICAP, CommandOption("size", "a4|letter"), DATABASE, LANG, OUTPUT),
    run,
    PAPER,
)
