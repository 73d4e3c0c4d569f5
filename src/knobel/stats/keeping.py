"""Which summaries a game belongs to, and what they are after it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from knobel.stats.summary import FinishedGame, OutOfOrder, SeatScore, Summary, add_game, add_review
from knobel.stats.versus import Versus, add_meeting

REVIEWED = 2
"""So much of a result is counted when its review is."""


class SummaryKey(NamedTuple):
    """Whose summary it is: a person's, two people's against each other, or everybody's, in one edition."""

    person: str
    other: str
    edition: str


@dataclass(frozen=True, slots=True)
class SeatNews:
    """How much of a seat is counted already, and how much there is to count: 1 the result, 2 its review, too."""

    counted: int
    available: int


class SummaryBook:
    """Summaries by their keys while games are added to them; `stale` are people whose games came out of order."""

    def __init__(self, known: dict[SummaryKey, Summary | Versus] | None = None) -> None:
        self.summaries = dict(known or {})
        self.stale: set[str] = set()

    def add(self, game: FinishedGame, news: dict[int, SeatNews]) -> None:
        """Count what is new of a game."""
        fresh = {seat.seat for seat in game.seats if news[seat.seat].counted == 0}
        if 0 in fresh and any(seat.counts for seat in game.seats):
            add_game(self.find(SummaryKey("", "", game.edition)), game, None)
        self.add_people(game, news)
        self.add_pairs(game, fresh)

    def add_people(self, game: FinishedGame, news: dict[int, SeatNews], only: str | None = None) -> None:
        for seat in game.seats:
            if seat.person is None or not seat.counts or only not in (None, seat.person):
                continue
            summary, now = self.find(SummaryKey(seat.person, "", game.edition)), news[seat.seat]
            if now.counted == 0:
                try:
                    add_game(summary, game, seat)
                except OutOfOrder:
                    self.stale.add(seat.person)
            if now.counted < REVIEWED <= now.available:
                add_review(summary, game, seat)

    def add_pairs(self, game: FinishedGame, fresh: set[int], only: str | None = None) -> None:
        for first, second in list_pairs(game):
            if only in (None, first.person, second.person) and first.seat in fresh:
                key = SummaryKey(first.person or "", second.person or "", game.edition)
                versus = self.summaries.setdefault(key, Versus())
                if isinstance(versus, Versus):
                    add_meeting(versus, game, first, second)

    def find(self, key: SummaryKey) -> Summary:
        """Find a summary of one person or of everybody; one that is not there begins empty."""
        found = self.summaries.setdefault(key, Summary())
        if not isinstance(found, Summary):
            raise TypeError(key)
        return found


def list_pairs(game: FinishedGame) -> Iterator[tuple[SeatScore, SeatScore]]:
    """List the people who met, the one whose id comes first first; nobody meets themselves."""
    people = sorted((seat for seat in game.seats if seat.person and seat.counts), key=lambda seat: seat.person or "")
    for first, second in combinations(people, 2):
        if first.person != second.person:
            yield first, second


def list_keys(games: Iterable[FinishedGame]) -> set[SummaryKey]:
    """List the summaries that games belong to."""
    found = set[SummaryKey]()
    for game in games:
        found.add(SummaryKey("", "", game.edition))
        found |= {SummaryKey(seat.person, "", game.edition) for seat in game.seats if seat.person}
        found |= {SummaryKey(a.person or "", b.person or "", game.edition) for a, b in list_pairs(game)}
    return found


def summarize_person(person: str, games: Iterable[tuple[FinishedGame, dict[int, SeatNews]]]) -> SummaryBook:
    """Make all summaries of a person anew from the games that are counted, in the order in which they ended."""
    book = SummaryBook()
    for game, counted in sorted(games, key=lambda one: one[0].key):
        news = {seat: SeatNews(0, one.counted) for seat, one in counted.items()}
        fresh = {seat for seat, one in counted.items() if one.counted > 0}
        mine = {seat.seat for seat in game.seats if seat.person == person}
        if mine & fresh:
            book.add_people(game, news, person)
            book.add_pairs(game, fresh, person)
    return book
