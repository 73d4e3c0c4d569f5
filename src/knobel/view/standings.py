"""How an evening stands, place by place."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from knobel.series import Series, Standing

SCORE_KEYS: dict[Standing, str] = {
    "sum": "interface.play.series_place",
    "places": "interface.play.places_place",
    "wins": "interface.play.wins_place",
}
"""What is said of a place in the standings, by how the games are counted."""


@dataclass(frozen=True, slots=True)
class StandingsLine:
    """One place of the standings: the message that tells it, who has it, and their score."""

    key: str
    place: int
    names: tuple[str, ...]
    score: int


def list_standings(series: Series, names: Sequence[str]) -> Iterator[StandingsLine]:
    """List the places of an evening, best first; none where its games are not added up."""
    if series.standing is None or series.scores is None or series.places is None:
        return
    place = 1
    for group in series.places:
        people = tuple(names[seat] for seat in group)
        yield StandingsLine(SCORE_KEYS[series.standing], place, people, series.scores[group[0]])
        place += len(group)
