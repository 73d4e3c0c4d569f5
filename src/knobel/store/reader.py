"""The questions both databases answer."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from knobel.store import CommandResult, EventRow, StoredDevice, StoredGame, StoredRoom
from knobel.store.learning import LearningReader
from knobel.store.people_reader import PeopleReader, ResultReader, RowReader
from knobel.store.statements import build_stored_game
from knobel.store.tournaments import TournamentReader


class DeviceReader(RowReader):
    """What can be read about devices."""

    async def list_device_keys(self, device: str) -> Sequence[StoredDevice]:
        """List the secrets that are known beside a cookie."""
        return [StoredDevice(*row) for row in await self._read("list_device_keys", device)]

    async def find_device_by_identity(self, identity: str) -> StoredDevice | None:
        """Find who speaks for an identity."""
        found = await self._read("find_device_by_identity", identity)
        return StoredDevice(*found[0]) if found else None

    async def find_recovery_code(self, code: str, at: float) -> str | None:
        """Find the identity a recovery code moves, unless it has expired."""
        found = await self._read("find_recovery_code", code, at)
        return str(found[0][0]) if found else None


class StoreReader(DeviceReader, PeopleReader, ResultReader, LearningReader, TournamentReader):
    """What can be read about rooms and games."""

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

    async def find_upkeep(self) -> float | None:
        """Find what the clock said when the rooms were aged last."""
        found = await self._read("find_upkeep")
        return float(found[0][0]) if found else None

    async def find_game(self, game_id: str) -> StoredGame | None:
        found = await self._read("find_game", game_id)
        return build_stored_game(found[0][:-1], self._decode_list(found[0][-1])) if found else None

    async def list_games(self, *, unfinished: bool = False, limit: int = 1000) -> Sequence[StoredGame]:
        """List games, the most recently used first."""
        found = await self._read("list_games", 0 if unfinished else 1, limit)
        return [build_stored_game(row[:-1], self._decode_list(row[-1])) for row in found]

    async def list_incomplete_games(self) -> Sequence[str]:
        """List the games of which a part is missing: what was agreed on, or how far it is."""
        return [str(game) for (game,) in await self._read("list_incomplete_games")]

    async def list_old_games(self, before: float, limit: int) -> Sequence[str]:
        """List games that ended before a moment and whose room is gone, the oldest first."""
        return [str(game) for (game,) in await self._read("list_old_games", before, limit)]

    async def list_events(self, game_id: str, after: int = 0) -> Sequence[EventRow]:
        """List the events of a game that come after a number."""
        return [EventRow(*row) for row in await self._read("list_events", game_id, after)]

    async def find_command(self, game_id: str, command: str) -> CommandResult | None:
        """Find what a command did, if it was carried out."""
        found = await self._read("find_command", game_id, command)
        return CommandResult(*found[0]) if found else None

    async def find_room_command(self, room_id: str, command: str) -> str | None:
        """Find what a command that changed a room had asked for, if it was carried out."""
        found = await self._read("find_room_command", room_id, command)
        return str(found[0][0]) if found else None

    async def list_presence(self, process: str) -> Sequence[tuple[str, str]]:
        """List which rooms have which devices connected to them through other processes than this one."""
        return [(str(room), str(device)) for room, device in await self._read("list_presence", process)]

    async def count_events(self, game_ids: Sequence[str]) -> dict[str, int]:
        """Count the events of each game; games that do not exist are left out."""
        return dict(await self._read("count_events", self._encode_list(game_ids)))

    async def find_house_rules(self, fingerprint: str) -> str | None:
        """Find the text of a house-rule file."""
        found = await self._read("find_house_rules", fingerprint)
        return str(found[0][0]) if found else None
