"""The commands that were carried out, so that one that is sent again is answered and not carried out again.

Those of a game stand with its events, for as long as the game is stored; those that changed a room as long as the room.
"""

import hashlib
from collections.abc import Sequence

from msgspec import Struct

from knobel.errors import CommandIdReused
from knobel.store import EventRow


class RoomRequest(Struct, frozen=True):
    """One request of a device, under an id of its own; the host's own requests have a colon in their id.

    `body` is what a repetition must share: a digest of the device and of the bytes of the intent as they came.
    `game` is the game it is meant for, if it is meant for one; `of_room` says that it is remembered with the room, even
    if it names a game.
    """

    id: str
    device: str = ""
    body: str = ""
    game: str | None = None
    of_room: bool = False

    @classmethod
    def receive(
        cls, command_id: str, device: str, intent: str | bytes, game: str | None = None, *, of_room: bool = True
    ) -> "RoomRequest":
        """Take a request as it came."""
        digest = hashlib.sha256(f"{device} ".encode())
        digest.update(intent if isinstance(intent, bytes) else intent.encode())
        return cls(command_id, device, digest.hexdigest(), game, of_room)

    def repeats(self, body: str) -> bool:
        """Tell whether a remembered request is this one; older versions remembered the device and its words."""
        return body == self.body or (bool(self.device) and body.startswith(f"{self.device} "))

    def check(self, body: str) -> None:
        """Refuse one id for two different requests."""
        if not self.repeats(body):
            raise CommandIdReused


class CommandMemory:
    """The commands of the game on the table, each with a digest of its request and the number of its last event."""

    def __init__(self) -> None:
        self.commands: dict[str, tuple[str, int]] = {}

    def clear(self) -> None:
        self.commands = {}

    def add(self, request: RoomRequest, last_event: int) -> None:
        self.commands[request.id] = (request.body, last_event)

    def add_rows(self, rows: Sequence[EventRow]) -> None:
        """Remember which commands made these events."""
        for row in rows:
            if row.command is not None:
                self.commands[row.command] = (row.request_body or "", row.last_seq or row.seq)

    def find(self, request: RoomRequest) -> int | None:
        """Give the number of the last event of a request that was carried out; its id for another one is refused."""
        if (found := self.commands.get(request.id)) is None:
            return None
        request.check(found[0])
        return found[1]
