"""The questions both databases answer."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from knobel.store import CommandResult, EventRow, StoredGame, StoredRoom
from knobel.store.statements import build_stored_game


class StoreReader(ABC):
    """What can be read from a store; a database says how a named statement is run."""

    @abstractmethod
    async def _read(self, name: str, *values: object) -> list[Any]:
        """Fetch the rows of a named statement."""

    @staticmethod
    @abstractmethod
    def _encode_list(items: Sequence[str]) -> object: ...

    @staticmethod
    @abstractmethod
    def _decode_list(value: Any) -> tuple[str, ...]: ...

    async def find_room(self, room_id: str) -> StoredRoom | None:
        found = await self._read("find_room", room_id)
        return StoredRoom(*found[0]) if found else None

    async def find_room_by_code(self, code: str) -> str | None:
        found = await self._read("find_room_by_code", code)
        return str(found[0][0]) if found else None

    async def list_rooms(self) -> Sequence[StoredRoom]:
        """List all rooms, the most recently used first."""
        return [StoredRoom(*row) for row in await self._read("list_rooms")]

    async def find_game(self, game_id: str) -> StoredGame | None:
        found = await self._read("find_game", game_id)
        return build_stored_game(found[0][:-1], self._decode_list(found[0][-1])) if found else None

    async def list_games(self, *, unfinished: bool = False, limit: int = 1000) -> Sequence[StoredGame]:
        """List games, the most recently used first."""
        found = await self._read("list_games", 0 if unfinished else 1, limit)
        return [build_stored_game(row[:-1], self._decode_list(row[-1])) for row in found]

    async def list_events(self, game_id: str, after: int = 0) -> Sequence[EventRow]:
        """List the events of a game that come after a number."""
        return [EventRow(*row) for row in await self._read("list_events", game_id, after)]

    async def find_command(self, game_id: str, command: str) -> CommandResult | None:
        """Find what a command did, if it was carried out."""
        found = await self._read("find_command", game_id, command)
        return CommandResult(*found[0]) if found else None

    async def count_events(self, game_ids: Sequence[str]) -> dict[str, int]:
        """Count the events of each game; games that do not exist are left out."""
        return dict(await self._read("count_events", self._encode_list(game_ids)))

    async def find_house_rules(self, fingerprint: str) -> str | None:
        """Find the text of a house-rule file."""
        found = await self._read("find_house_rules", fingerprint)
        return str(found[0][0]) if found else None
