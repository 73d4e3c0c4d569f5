"""What can be read, the same for both databases."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from knobel.store import Done, Row, StoredGame, StoredRoom
from knobel.store.plan import stored_game


class Reading(ABC):
    """The questions of a store; a database says how one of them is put."""

    @abstractmethod
    async def _read(self, name: str, *values: object) -> list[Any]:
        """Fetch what a named statement finds."""

    @staticmethod
    @abstractmethod
    def _list(items: Sequence[str]) -> object:
        """Write a list as one value."""

    @staticmethod
    @abstractmethod
    def _listed(value: Any) -> tuple[str, ...]:
        """Read a list from one value."""

    async def room(self, room: str) -> StoredRoom | None:
        """Find a room."""
        found = await self._read("room", room)
        return StoredRoom(*found[0]) if found else None

    async def room_of_code(self, code: str) -> str | None:
        """Find the room with a spoken code."""
        found = await self._read("room_of_code", code)
        return str(found[0][0]) if found else None

    async def rooms(self) -> Sequence[StoredRoom]:
        """List all rooms, the one touched last first."""
        return [StoredRoom(*row) for row in await self._read("rooms")]

    async def game(self, game: str) -> StoredGame | None:
        """Find a game."""
        found = await self._read("game", game)
        return stored_game(found[0][:-1], self._listed(found[0][-1])) if found else None

    async def games(self, *, unfinished: bool = False, limit: int = 1000) -> Sequence[StoredGame]:
        """List games, the one touched last first."""
        found = await self._read("games", 0 if unfinished else 1, limit)
        return [stored_game(row[:-1], self._listed(row[-1])) for row in found]

    async def events(self, game: str, after: int = 0) -> Sequence[Row]:
        """List the events of a game that come after a number."""
        return [Row(*row) for row in await self._read("events", game, after)]

    async def done(self, game: str, command: str) -> Done | None:
        """Find what a command did, if it was carried out."""
        found = await self._read("done", game, command)
        return Done(*found[0]) if found else None

    async def heads(self, games: Sequence[str]) -> dict[str, int]:
        """Say of each game how many events it has."""
        return dict(await self._read("heads", self._list(games)))
