"""What is told of an evening: its standings, and from the coach's reviews its luckiest roll and costliest mistake."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING

from knobel.errors import GameNotFinished, GameNotFound, KnobelError, RecordPlayersDiffer
from knobel.extras import SOLVER, find_missing
from knobel.game import Outcome
from knobel.host.archive import load_table
from knobel.host.coach_service import CoachService
from knobel.host.record_edition import rebuild_edition
from knobel.lang import Translator
from knobel.paper.certificate import CostlyMistake, EveningStory, LuckyRoll, StoryGame
from knobel.record.events import Record
from knobel.record.marks import find_leavers
from knobel.record.replay import Replay
from knobel.rooms.room import Room
from knobel.rooms.series import find_series
from knobel.rules.families import find_family
from knobel.series import Series, SeriesGame, SeriesResult, Standing, rank_seats
from knobel.solve_worker import load_cached
from knobel.solver.request import SolveRequest
from knobel.store import Store

if TYPE_CHECKING:
    from knobel.coach.ledger import Decision, Review

BOOK_SECONDS = 10.0
"""How long a certificate waits for the book of a game; without it the story says less."""


@dataclass(frozen=True, slots=True)
class EveningRecord:
    """A game of the evening as it was recorded: by which name, and the hash its record ends with."""

    name: str
    record: Record
    replay: Replay
    chain_head: str

    @property
    def outcome(self) -> Outcome:
        """How it ended; a game that has not ended has no place in the story."""
        if (outcome := self.replay.outcome) is None:
            raise GameNotFinished(name=self.name)
        return outcome


@dataclass(frozen=True, slots=True)
class SeatReview:
    """The coach's review of a seat in a game of the evening."""

    game: EveningRecord
    review: "Review"

    @property
    def name(self) -> str:
        """Whose game it was."""
        return self.game.record.header.seats[self.review.seat].name


@dataclass(frozen=True, slots=True)
class StoredEvening:
    """The evening of a room: the games that are still stored, and when the first of them began."""

    room: Room
    games: tuple[EveningRecord, ...]
    opened_at: float | None


async def load_evening(store: Store, room: Room) -> StoredEvening:
    """Load the games of a room's evening."""
    stored = [game for one in room.played if (game := await store.find_game(one.game)) is not None]
    tables = [(await load_table(store, game.id))[0] for game in stored]
    games = tuple(EveningRecord(table.header.game, table.record, table.replay, table.head) for table in tables)
    return StoredEvening(room, games, stored[0].opened_at if stored else None)


def tell_records(
    games: Sequence[EveningRecord], standing: Standing | None = None, handicaps: Sequence[int] = ()
) -> EveningStory:
    """Tell the evening of some records: those of the same people, in the order of the first record."""
    names = tuple(seat.name for seat in games[0].record.header.seats)
    given = tuple(handicaps) or (0,) * len(names)
    played = tuple(build_series_game(game, games[0], given) for game in games)
    return EveningStory(
        names=names,
        games=tuple(describe_story_game(game) for game in games),
        series=Series(len(games), len(names), played[-1].kind, played, standing),
        handicaps=given,
    )


def build_series_game(game: EveningRecord, first: EveningRecord, handicaps: Sequence[int]) -> SeriesGame:
    """Give what a game brought everybody, in the order of the first one."""
    names, wanted = ([seat.name for seat in one.record.header.seats] for one in (game, first))
    if sorted(names) != sorted(wanted):
        raise RecordPlayersDiffer(name=game.name, first=first.name)
    order = range(len(names)) if len(set(names)) < len(names) else [names.index(name) for name in wanted]
    outcome, left = game.outcome, find_leavers(game.replay)
    places, rules = rank_seats(outcome.places, len(names)), game.replay.game.rules
    results = [
        SeriesResult(outcome.totals[seat], places[seat], handicap, seat in left)
        for seat, handicap in zip(order, handicaps, strict=True)
    ]
    return SeriesGame(tuple(results), rules.series, find_family(rules).has_points)


def describe_story_game(game: EveningRecord) -> StoryGame:
    return StoryGame(game.record.header.game, game.record.header.edition.title, game.chain_head)


def tell_evening(evening: StoredEvening) -> EveningStory:
    """Tell the evening of a room as it stands there; games that are no longer stored are known by their totals."""
    room = evening.room
    series = find_series(room)
    if not series.played:
        raise GameNotFound(name=room.id)
    known = {game.record.header.game: describe_story_game(game) for game in evening.games}
    titles = [known.get(one.game, StoryGame(one.game, one.title)) for one in room.played]
    early = [StoryGame("", titles[0].title if titles else "")] * (len(series.played) - len(titles))
    return EveningStory(
        names=tuple(seat.name for seat in room.seats),
        games=(*early, *titles),
        series=series,
        handicaps=tuple(seat.handicap for seat in room.seats),
    )


def list_reviewed_seats(replay: Replay) -> list[int]:
    """List the seats worth a review: people, or everybody where there are only bots."""
    seats = replay.header.seats
    return [place for place, seat in enumerate(seats) if seat.bot is None] or list(range(len(seats)))


async def review_games(coaching: CoachService, games: Sequence[EveningRecord]) -> list[SeatReview]:
    """Review the games whose book is solved, or soon is; the others are left out."""
    if find_missing(SOLVER):
        return []
    from knobel.coach.review import find_book_rules, review_seat

    found = []
    for game in games:
        for seat in list_reviewed_seats(game.replay):
            rules = find_book_rules(game.replay, seat)
            if rules is not None:
                await coaching.host.solve_queue.wait_briefly(SolveRequest(rules), BOOK_SECONDS)
                if not await asyncio.to_thread(load_cached, SolveRequest(rules)):
                    continue
            try:
                async with coaching.review_slots:
                    review = await asyncio.to_thread(review_seat, game.record, game.replay, seat)
            except KnobelError:
                continue  # what the coach cannot value is missing from the story, and the certificate stays
            found.append(SeatReview(game, review))
    return found


def add_highlights(story: EveningStory, reviews: Sequence[SeatReview], lang: str) -> EveningStory:
    """Add the luckiest roll and the costliest mistake, of the games that are counted in points."""
    if not reviews:
        return story
    from knobel.coach.ledger import DICE, POINTS

    numbers = {game.id: number for number, game in enumerate(story.games, 1)}
    counted = [
        (one, numbers[one.game.record.header.game])
        for one in reviews
        if one.review.unit == POINTS and one.review.in_book
    ]
    rolls = [
        LuckyRoll(one.name, number, roll.turn, tuple(sorted(roll.dice)), roll.luck)
        for one, number in counted
        for roll in one.review.luck_events
        if roll.kind == DICE and roll.luck > 0
    ]
    mistakes = [
        build_mistake(one, number, decision, lang)
        for one, number in counted
        for decision in one.review.flawed_decisions
    ]
    by_points = attrgetter("points")
    return replace(
        story, luckiest=max(rolls, key=by_points, default=None), costliest=max(mistakes, key=by_points, default=None)
    )


def build_mistake(reviewed: SeatReview, number: int, decision: "Decision", lang: str) -> CostlyMistake:
    """Tell a mistake in the words of its edition."""
    words = Translator(lang, rebuild_edition(reviewed.game.record.header))
    played, best = words.translate(decision.played), words.translate(decision.best)
    return CostlyMistake(reviewed.name, number, decision.turn, decision.dice, played, best, decision.loss)
