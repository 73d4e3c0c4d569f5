"""The commands a room remembers, so that one that is sent again is answered and not carried out again."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from knobel.errors import CommandIdReused
from knobel.rooms.room import Room
from knobel.store import EventRow

MAX_REMEMBERED = 64
"""How many commands a room remembers, to answer a repeated one."""


@dataclass(frozen=True, slots=True)
class RoomRequest:
    """One request of a device, under an id of its own; the host's own requests have a colon in their id.

    `body` is what a repetition must share: a digest of the device and of the bytes of the intent as they came.
    """

    id: str
    device: str = ""
    body: str = ""

    @classmethod
    def receive(cls, command_id: str, device: str, intent: str | bytes) -> "RoomRequest":
        """Take a request as it came."""
        digest = hashlib.sha256(f"{device} ".encode())
        digest.update(intent if isinstance(intent, bytes) else intent.encode())
        return cls(command_id, device, digest.hexdigest())

    def repeats(self, body: str) -> bool:
        """Tell whether a remembered request is this one; older versions remembered the device and its words."""
        return body == self.body or (bool(self.device) and body.startswith(f"{self.device} "))


class CommandMemory:
    """The last commands of a room, and all commands of its game with the number of their last event."""

    def __init__(self) -> None:
        self.of_room: dict[str, str] = {}
        self.of_game: dict[str, tuple[str, int]] = {}

    def add_rows(self, rows: Sequence[EventRow]) -> None:
        """Remember which commands made these events."""
        for row in rows:
            if row.command is not None:
                self.of_game[row.command] = (row.request_body or "", row.last_seq or row.seq)

    def has(self, request: RoomRequest) -> bool:
        """Tell whether a request was carried out before; the same id for something else is refused."""
        body = self.of_game[request.id][0] if request.id in self.of_game else self.of_room.get(request.id)
        if body is not None and not request.repeats(body):
            raise CommandIdReused
        return body is not None

    def last_event(self, request: RoomRequest) -> int | None:
        """Give the number of the last event of a request; `None` if it changed only the room."""
        return self.of_game[request.id][1] if request.id in self.of_game else None

    def keep_in(self, room: Room) -> Room:
        """Let a room remember the last commands of its game, so that none acts again on the next one.

        The host's own commands are counted anew in every game.
        """
        return remember(room, [(command, body) for command, (body, _) in self.of_game.items() if ":" not in command])


def remember(room: Room, commands: Sequence[tuple[str, str]]) -> Room:
    """Give the room with more commands to remember; it forgets the oldest."""
    return replace(room, done=(*room.done, *commands)[-MAX_REMEMBERED:])
