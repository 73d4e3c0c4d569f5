"""Games and rooms as rows: SQLite at home, PostgreSQL for many; what is committed here is never lost."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias


@dataclass(frozen=True, slots=True)
class PutRoom:
    """Write a room over the version that was read; version 0 is a room nobody has written yet."""

    room_id: str
    version: int
    body: str
    code: str | None
    touched_at: float


@dataclass(frozen=True, slots=True)
class DropRoom:
    """Forget a room; its games stay."""

    room_id: str
    version: int


@dataclass(frozen=True, slots=True)
class NewGame:
    """Begin the log of a game: its header, the seed nobody may see yet, and the names beside it."""

    game_id: str
    room_id: str
    header: str
    seed: str
    names: tuple[str, ...]
    opened_at: float


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
class RenameSeat:
    """Write another name beside a log, as when a guest wants to be forgotten."""

    game_id: str
    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class DropGame:
    """Forget a game altogether."""

    game_id: str


StoreWrite: TypeAlias = PutRoom | DropRoom | NewGame | AppendEvents | RenameSeat | DropGame


class WriteConflict(Exception):
    """Somebody else wrote there first: read again."""


class RepeatedCommand(Exception):
    """The command was carried out before: answer as then."""


@dataclass(frozen=True, slots=True)
class StoredRoom:
    """A room as it was written last."""

    id: str
    version: int
    body: str
    code: str | None
    touched_at: float


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game without its events; `count` is the number of the last one."""

    id: str
    room_id: str
    header: str
    seed: str
    names: tuple[str, ...]
    opened_at: float
    touched_at: float
    is_closed: bool
    event_count: int


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event of a log; the first one of a command says what was asked, and where its events end."""

    seq: int
    previous: str
    body: str
    command: str | None = None
    request_body: str | None = None
    last_seq: int | None = None


@dataclass(frozen=True, slots=True)
class CommandResult:
    """A command that was carried out: what was asked, and the number of its last event."""

    request_body: str
    last_seq: int


ChangeListener: TypeAlias = Callable[[str | None], None]
"""Hears the id of a room another process wrote to; `None` when anything may have been missed."""


class Store(Protocol):
    """Where rooms and games live; every method may be called from any task of one event loop."""

    async def commit(self, *writes: StoreWrite) -> None:
        """Make all writes durable together or none of them; raises `Taken` or `Repeated` when a key is used."""

    async def find_room(self, room_id: str) -> StoredRoom | None:
        """Find a room."""

    async def find_room_by_code(self, code: str) -> str | None:
        """Find the room with a spoken code."""

    async def list_rooms(self) -> Sequence[StoredRoom]:
        """List all rooms, the one touched last first."""

    async def find_game(self, game_id: str) -> StoredGame | None:
        """Find a game."""

    async def list_games(self, *, unfinished: bool = False, limit: int = 1000) -> Sequence[StoredGame]:
        """List games, the one touched last first."""

    async def list_events(self, game_id: str, after: int = 0) -> Sequence[EventRow]:
        """List the events of a game that come after a number."""

    async def find_command(self, game_id: str, command: str) -> CommandResult | None:
        """Find what a command did, if it was carried out."""

    async def count_events(self, game_ids: Sequence[str]) -> dict[str, int]:
        """Say of each game how many events it has."""

    def subscribe(self, listener: ChangeListener) -> None:
        """Tell about what other processes write."""

    async def close(self) -> None:
        """Finish what is being written, and let go."""
