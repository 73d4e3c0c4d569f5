"""Games and rooms as rows: SQLite on one machine, PostgreSQL for many processes; a commit that returned is durable."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias


@dataclass(frozen=True, slots=True)
class PutRoom:
    """Write a room over the version that was read; version 0 creates it."""

    room_id: str
    version: int
    body: str
    code: str | None
    touched_at: float
    house_rules: str | None = None
    """The fingerprint of the house-rule file the room refers to."""


@dataclass(frozen=True, slots=True)
class DropRoom:
    """Delete a room; its games stay."""

    room_id: str
    version: int


@dataclass(frozen=True, slots=True)
class NewGame:
    """Begin the log of a game: its header, its secret seed, and the names beside it."""

    game_id: str
    room_id: str
    header: str
    seed: str
    names: tuple[str, ...]
    opened_at: float
    house_rules: str | None = None


@dataclass(frozen=True, slots=True)
class AppendEvents:
    """Add the events of one command to a log whose last event is number `after`; each body with the hash before it."""

    game_id: str
    after: int
    command: str
    request_body: str
    links: tuple[tuple[str, str], ...]
    at: float
    closes_game: bool = False


@dataclass(frozen=True, slots=True)
class DropGame:
    """Delete a game and its log."""

    game_id: str


@dataclass(frozen=True, slots=True)
class PutHouseRules:
    """Store a house-rule file by the SHA-256 of its text; one that is there already stays, for a while longer."""

    fingerprint: str
    text: str
    at: float


@dataclass(frozen=True, slots=True)
class DropUnusedHouseRules:
    """Delete the house-rule files that no room and no game refers to, if they were stored before a moment."""

    before: float


StoreWrite: TypeAlias = PutRoom | DropRoom | NewGame | AppendEvents | DropGame | PutHouseRules | DropUnusedHouseRules


class WriteConflict(Exception):
    """Another writer was faster: read again."""


class RepeatedCommand(Exception):
    """The command was carried out before: repeat its answer."""


@dataclass(frozen=True, slots=True)
class StoredRoom:
    """A room as it was written last."""

    id: str
    version: int
    body: str
    code: str | None
    touched_at: float
    house_rules: str | None = None


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game without its events; `event_count` is the number of the last one."""

    id: str
    room_id: str
    header: str
    seed: str
    names: tuple[str, ...]
    opened_at: float
    touched_at: float
    is_closed: bool
    event_count: int
    house_rules: str | None = None


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event of a log; the first one of a command holds its request and the number of its last event."""

    seq: int
    previous: str
    body: str
    command: str | None = None
    request_body: str | None = None
    last_seq: int | None = None


@dataclass(frozen=True, slots=True)
class CommandResult:
    """A command that was carried out: its request, and the number of its last event."""

    request_body: str
    last_seq: int


ChangeListener: TypeAlias = Callable[[str | None], None]
"""Called with the id of a room another process wrote to; `None` when anything may have been missed."""


class Store(Protocol):
    """Where rooms and games live; every method may be called from any task of one event loop."""

    async def commit(self, *writes: StoreWrite) -> None:
        """Make all writes durable together or none of them; raises `WriteConflict` or `RepeatedCommand`."""

    async def find_room(self, room_id: str) -> StoredRoom | None: ...

    async def find_room_by_code(self, code: str) -> str | None: ...

    async def list_rooms(self) -> Sequence[StoredRoom]:
        """List all rooms, the most recently used first."""

    async def find_game(self, game_id: str) -> StoredGame | None: ...

    async def list_games(self, *, unfinished: bool = False, limit: int = 1000) -> Sequence[StoredGame]:
        """List games, the most recently used first."""

    async def list_events(self, game_id: str, after: int = 0) -> Sequence[EventRow]:
        """List the events of a game that come after a number."""

    async def find_command(self, game_id: str, command: str) -> CommandResult | None:
        """Find what a command did, if it was carried out."""

    async def count_events(self, game_ids: Sequence[str]) -> dict[str, int]:
        """Count the events of each game; games that do not exist are left out."""

    async def find_house_rules(self, fingerprint: str) -> str | None:
        """Find the text of a house-rule file."""

    def subscribe(self, listener: ChangeListener) -> None:
        """Call the listener when another process has written."""

    async def close(self) -> None:
        """Finish what is being written, and let go."""
