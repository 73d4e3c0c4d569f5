"""What can be read, the same for both databases."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from knobel.store import CommandResult, EventRow, StoredGame, StoredRoom
from knobel.store.statements import build_stored_game


class StoreReader(ABC):
    """The questions of a store; a database says how one of them is put."""

    @abstractmethod
    async def _read(self, name: str, *values: object) -> list[Any]:
        """Fetch what a named statement finds."""

    @staticmethod
    @abstractmethod
    def _encode_list(items: Sequence[str]) -> object:
        """Write a list as one value."""

    @staticmethod
    @abstractmethod
    def _decode_list(value: Any) -> tuple[str, ...]:
        """Read a list from one value."""

    async def find_room(self, room_id: str) -> StoredRoom | None:
        """Find a room."""
        found = await self._read("room", room_id)
        return StoredRoom(*found[0]) if found else None

    async def find_room_by_code(self, code: str) -> str | None:
        """Find the room with a spoken code."""
        found = await self._read("room_of_code", code)
        return str(found[0][0]) if found else None

    async def list_rooms(self) -> Sequence[StoredRoom]:
        """List all rooms, the one touched last first."""
        return [StoredRoom(*row) for row in await self._read("rooms")]

    async def find_game(self, game_id: str) -> StoredGame | None:
        """Find a game."""
        found = await self._read("game", game_id)
        return build_stored_game(found[0][:-1], self._decode_list(found[0][-1])) if found else None

    async def list_games(self, *, unfinished: bool = False, limit: int = 1000) -> Sequence[StoredGame]:
        """List games, the one touched last first."""
        found = await self._read("games", 0 if unfinished else 1, limit)
        return [build_stored_game(row[:-1], self._decode_list(row[-1])) for row in found]

    async def list_events(self, game_id: str, after: int = 0) -> Sequence[EventRow]:
        """List the events of a game that come after a number."""
        return [EventRow(*row) for row in await self._read("events", game_id, after)]

    async def find_command(self, game_id: str, command: str) -> CommandResult | None:
        """Find what a command did, if it was carried out."""
        found = await self._read("done", game_id, command)
        return CommandResult(*found[0]) if found else None

    async def count_events(self, game_ids: Sequence[str]) -> dict[str, int]:
        """Say of each game how many events it has."""
        return dict(await self._read("heads", self._encode_list(game_ids)))
