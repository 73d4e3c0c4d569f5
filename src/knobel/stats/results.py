"""What came of each seat of a game that was played to its end."""

from dataclasses import dataclass

from knobel.record.replay import Replay
from knobel.stats.families import count_seat, find_stats_family

COMEBACK = "comeback"
"""How far the winner was behind at the worst moment."""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What came of one seat; `is_own` says that its person played it to the end, from the beginning."""

    seat: int
    total: int
    place: int
    detail: dict[str, int]
    is_own: bool


def list_seat_results(replay: Replay) -> list[SeatResult]:
    """List what came of all seats; a game that was stopped has no results."""
    outcome = replay.outcome
    if outcome is None:
        return []
    places = list_places(outcome.places)
    comebacks = find_comebacks(replay, places)
    return [
        SeatResult(
            seat,
            total,
            places[seat],
            count_seat(replay.track(seat), seat) | comebacks.get(seat, {}),
            is_own_result(replay, seat),
        )
        for seat, total in enumerate(outcome.totals)
    ]


def list_places(groups: tuple[tuple[int, ...], ...]) -> dict[int, int]:
    """Give each seat its place; after two firsts comes the third."""
    found, place = dict[int, int](), 1
    for group in groups:
        found |= dict.fromkeys(group, place)
        place += len(group)
    return found


def is_own_result(replay: Replay, seat: int) -> bool:
    """Tell whether a result is the player's own: from the first roll, not left, not played by a stand-in at the end."""
    track = replay.track(seat)
    has_left = track.game.has_left(track.state, track.local_seat(seat))
    return not (replay.header.quoted or has_left or seat in replay.attendance.stand_ins)


def find_comebacks(replay: Replay, places: dict[int, int]) -> dict[int, dict[str, int]]:
    """Find how far each winner was behind the best of the others at the worst moment."""
    standings = find_stats_family(replay.game.rules).list_standings(replay.tracks)
    if len(places) == 1:
        return {}
    behind = {
        seat: max((max(totals) - totals[seat] for totals in standings), default=0)
        for seat, place in places.items()
        if place == 1
    }
    return {seat: {COMEBACK: points} for seat, points in behind.items() if points > 0}
