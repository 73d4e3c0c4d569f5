"""How rooms stand, each in one line, for devices that have a seat there."""

from collections.abc import Iterable

from knobel.errors import DatabaseError, KnobelError
from knobel.host import Host
from knobel.rooms.room import open_edition
from knobel.rooms.series import find_series


class RoomDescriptions:
    """Describes rooms to a device."""

    def __init__(self, host: Host) -> None:
        self.host = host

    async def describe_all(self, room_ids: Iterable[str], device: str) -> list[dict[str, object]]:
        """Describe the rooms in which a device has a seat; one that is gone or damaged is left out."""
        found = []
        for room_id in room_ids:
            try:
                found.append(await self.describe(room_id, device))
            except DatabaseError:
                raise
            except KnobelError:
                continue
        return [room for room in found if room["yours"]]

    async def describe(self, room_id: str, device: str) -> dict[str, object]:
        """Say in one line how a room stands."""
        session = await self.host.find_session(room_id)
        room, table = session.room, session.table
        mine = room.seats_of(device)
        turn = table.state.player if room.running and table and not table.replay.is_over else None
        return {
            "id": room_id,
            "edition": room.settings.edition,
            "title": open_edition(room.settings.edition, room.settings.house_rules).title,
            "running": room.running,
            "over": bool(table) and not room.running and find_series(room).is_over,
            "names": [seat.name for seat in room.seats],
            "game": room.game,
            "yours": bool(mine),
            "turn": room.seats[turn].name if turn is not None else None,
            "your_turn": turn in mine,
        }
