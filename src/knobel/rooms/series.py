"""How the series of games agreed on in a room stands."""

from knobel.rooms.room import Room, resolve_rules
from knobel.series import Series


def find_series(room: Room) -> Series:
    settings = room.settings
    return Series(settings.games, len(room.seats), resolve_rules(settings).series, room.totals)
