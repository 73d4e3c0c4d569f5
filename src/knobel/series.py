"""An evening: several games in a row, perhaps of different editions; who is ahead, by the rules or as agreed."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal, TypeAlias

JOINT = "agreed"
"""The kind of series whose totals are added up; in every other one each game stands for itself."""
Standing: TypeAlias = Literal["sum", "places", "wins"]
SUM: Standing = "sum"
PLACES: Standing = "places"
WINS: Standing = "wins"
"""How games may be counted together: the points, the places (fewest is best), or the games won."""


@dataclass(frozen=True, slots=True)
class SeriesResult:
    """How somebody did in a game: points, place (0: did not play), the points given for it, and whether they left."""

    total: int
    place: int
    handicap: int = 0
    left: bool = False

    @property
    def is_absent(self) -> bool:
        return not self.place

    @property
    def adjusted_total(self) -> int:
        """The points that count for the standings."""
        return 0 if self.is_absent else self.total + self.handicap


@dataclass(frozen=True, slots=True)
class SeriesGame:
    """A game that is over; `kind` is what its rules call several games in a row."""

    results: tuple[SeriesResult, ...]
    kind: str
    has_points: bool = True

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat that counts: with handicaps if there are any; whoever was absent comes last."""
        own = [result.place for result in self.results]
        present = [result for result in self.results if not result.is_absent]
        if self.has_points and any(result.handicap for result in present):
            ranks = [(not result.is_absent, not result.left, result.adjusted_total) for result in self.results]
            own = [1 + sum(other > rank for other in ranks) for rank in ranks]
        return tuple(
            len(present) + 1 if result.is_absent else place for result, place in zip(self.results, own, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Series:
    """An agreed number of games, those that are over, and how they are counted; `kind` is that of the game to come."""

    games: int
    seats: int
    kind: str
    played: tuple[SeriesGame, ...] = ()
    agreed: Standing | None = None
    """How the games are counted, if not as the rules say."""

    @property
    def standing(self) -> Standing | None:
        """How the games are counted together; none where every game stands for itself."""
        if self.agreed is not None:
            return self.agreed
        return SUM if all(kind == JOINT for kind in (self.kind, *(game.kind for game in self.played))) else None

    @property
    def is_independent(self) -> bool:
        """Whether every game stands for itself, so that nothing may be added up."""
        return self.standing is None

    @property
    def is_over(self) -> bool:
        return len(self.played) >= self.games

    @property
    def number(self) -> int:
        """The number of the game that is played or comes next; after the last one, its own."""
        return min(len(self.played) + 1, self.games)

    @property
    def totals(self) -> tuple[tuple[int, ...], ...]:
        """The totals of each game, as they were scored."""
        return tuple(tuple(result.total for result in game.results) for game in self.played)

    @property
    def scores(self) -> tuple[int, ...] | None:
        """What each seat has by the way the games are counted; none where every game stands for itself."""
        return None if self.standing is None else COUNTED[self.standing](self.played, self.seats)

    @property
    def places(self) -> tuple[tuple[int, ...], ...] | None:
        """Groups of seats by their scores, best first; none where every game stands for itself."""
        scores = self.scores
        if scores is None:
            return None
        return tuple(
            tuple(seat for seat, own in enumerate(scores) if own == score)
            for score in sorted(set(scores), reverse=self.standing != PLACES)
        )


def add_up_points(played: Sequence[SeriesGame], seats: int) -> tuple[int, ...]:
    counted = [game for game in played if game.has_points]
    return tuple(sum(game.results[seat].adjusted_total for game in counted) for seat in range(seats))


def add_up_places(played: Sequence[SeriesGame], seats: int) -> tuple[int, ...]:
    places = [game.places for game in played]
    return tuple(sum(game[seat] for game in places) for seat in range(seats))


def count_wins(played: Sequence[SeriesGame], seats: int) -> tuple[int, ...]:
    places = [game.places for game in played]
    return tuple(sum(game[seat] == 1 for game in places) for seat in range(seats))


COUNTED = {SUM: add_up_points, PLACES: add_up_places, WINS: count_wins}


def rank_seats(groups: Sequence[Sequence[int]], seats: int) -> tuple[int, ...]:
    """Give the place of each seat by groups of seats, best first; who shares a place takes up several."""
    places, place = [0] * seats, 1
    for group in groups:
        for seat in group:
            places[seat] = place
        place += len(group)
    return tuple(places)


def rank_totals(totals: Sequence[int]) -> tuple[SeriesResult, ...]:
    """Give the results of a game of which nothing is known but its points."""
    return tuple(SeriesResult(total, 1 + sum(other > total for other in totals)) for total in totals)


def suggest_handicaps(points_lost: Sequence[Sequence[float]]) -> tuple[int, ...]:
    """Suggest the points for each game that even out what each seat lost in past games, on average.

    Whoever loses least gets none; so does anybody whose past is not known.
    """
    means = [fmean(lost) if lost else None for lost in points_lost]
    least = min((mean for mean in means if mean is not None), default=0.0)
    return tuple(0 if mean is None else round(mean - least) for mean in means)
