"""How the evening in a room stands: what every game brought each seat, and how the games are counted."""

from knobel.rooms.room import Room, resolve_rules
from knobel.rules.families import find_family
from knobel.series import Series, SeriesGame, SeriesResult, rank_totals


def find_series(room: Room) -> Series:
    settings = room.settings
    return Series(settings.games, len(room.seats), resolve_rules(settings).series, list_games(room), settings.standing)


def list_games(room: Room) -> tuple[SeriesGame, ...]:
    """List the games that are over; those of a room of an earlier version are known by their totals alone."""
    unknown = len(room.totals) - len(room.played)
    rules = resolve_rules(room.settings)
    early = [SeriesGame(rank_totals(row), rules.series, find_family(rules).has_points) for row in room.totals[:unknown]]
    known = [
        SeriesGame(
            tuple(
                SeriesResult(total, one.place, one.handicap, one.left)
                for total, one in zip(row, game.results, strict=True)
            ),
            game.kind,
            game.has_points,
        )
        for row, game in zip(room.totals[unknown:], room.played, strict=True)
    ]
    return (*early, *known)
