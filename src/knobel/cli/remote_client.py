"""A room at a server elsewhere, as a conversation uses it: one request at a time, each done before the next."""

import asyncio
from collections.abc import Iterable

from knobel.cli.room_lines import RoomLines
from knobel.cli.table_client import TableClient
from knobel.client import RemoteRoom
from knobel.errors import NoGameRunning, RoomNotFound
from knobel.rooms.intents import AnyIntent
from knobel.table import Table
from knobel.view.lobby import RoomView


class RemoteClient(TableClient):
    """The seats of this terminal in a room; `names` are those that are played here, if not all of this device."""

    def __init__(self, runner: asyncio.Runner, room: RemoteRoom, lines: RoomLines) -> None:
        self.runner = runner
        self.room = room
        self.lines = lines
        self.names: frozenset[str] | None = None

    @property
    def table(self) -> Table:
        if self.room.table is None:
            raise NoGameRunning
        return self.room.table

    @property
    def view(self) -> RoomView:
        """The room as it is now; it is known since it was entered."""
        if self.room.view is None:
            raise RoomNotFound
        return self.room.view

    @property
    def seats(self) -> list[int]:
        """The seats that are played here."""
        return [seat for seat in self.room.own_seats if self.names is None or self.view.seats[seat].name in self.names]

    def restrict(self, names: Iterable[str]) -> None:
        """Play only the seats with these names here."""
        self.names = frozenset(names)

    def plays(self, seat: int) -> bool:
        return seat in self.seats and self.table.find_bot(seat) is None

    def send(self, intent: AnyIntent) -> None:
        self.runner.run(self.room.want(intent))

    def wait_for_others(self) -> None:
        """Wait until something happens; a connection that ended for good is an error."""
        self.lines.wait_for_news()
        self.check_connection()

    def check_connection(self) -> None:
        connection = self.room.connection
        if connection is not None and connection.done():
            connection.result()

    def export_record(self) -> bytes:
        return self.runner.run(self.room.requests.fetch_record(self.table.header.game))
