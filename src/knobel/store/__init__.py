"""Games and rooms as rows: SQLite at home, PostgreSQL for many; what is committed here is never lost."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias


@dataclass(frozen=True, slots=True)
class PutRoom:
    """Write a room over the version that was read; version 0 is a room nobody has written yet."""

    room: str
    version: int
    body: str
    code: str | None
    touched: float


@dataclass(frozen=True, slots=True)
class DropRoom:
    """Forget a room; its games stay."""

    room: str
    version: int


@dataclass(frozen=True, slots=True)
class NewGame:
    """Begin the log of a game: its header, the seed nobody may see yet, and the names beside it."""

    game: str
    room: str
    header: str
    seed: str
    names: tuple[str, ...]
    opened: float


@dataclass(frozen=True, slots=True)
class Append:
    """Add the events of one command to a log whose last event is number `after`; each body with the hash before it."""

    game: str
    after: int
    command: str
    asked: str
    links: tuple[tuple[str, str], ...]
    at: float
    closes: bool = False


@dataclass(frozen=True, slots=True)
class Rename:
    """Write another name beside a log, as when a guest wants to be forgotten."""

    game: str
    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class DropGame:
    """Forget a game altogether."""

    game: str


Write: TypeAlias = PutRoom | DropRoom | NewGame | Append | Rename | DropGame


class Taken(Exception):
    """Somebody else wrote there first: read again."""


class Repeated(Exception):
    """The command was carried out before: answer as then."""


@dataclass(frozen=True, slots=True)
class StoredRoom:
    """A room as it was written last."""

    room: str
    version: int
    body: str
    code: str | None
    touched: float


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game without its events; `count` is the number of the last one."""

    game: str
    room: str
    header: str
    seed: str
    names: tuple[str, ...]
    opened: float
    touched: float
    closed: bool
    count: int


@dataclass(frozen=True, slots=True)
class Row:
    """One event of a log; the first one of a command says what was asked, and where its events end."""

    seq: int
    previous: str
    body: str
    command: str | None = None
    asked: str | None = None
    ends: int | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """A command that was carried out: what was asked, and the number of its last event."""

    asked: str
    ends: int


News: TypeAlias = Callable[[str | None], None]
"""Hears the id of a room another process wrote to; `None` when anything may have been missed."""


class Store(Protocol):
    """Where rooms and games live; every method may be called from any task of one event loop."""

    async def commit(self, *writes: Write) -> None:
        """Make all writes durable together or none of them; raises `Taken` or `Repeated` when a key is used."""

    async def room(self, room: str) -> StoredRoom | None:
        """Find a room."""

    async def room_of_code(self, code: str) -> str | None:
        """Find the room with a spoken code."""

    async def rooms(self) -> Sequence[StoredRoom]:
        """List all rooms, the one touched last first."""

    async def game(self, game: str) -> StoredGame | None:
        """Find a game."""

    async def games(self, *, unfinished: bool = False, limit: int = 1000) -> Sequence[StoredGame]:
        """List games, the one touched last first."""

    async def events(self, game: str, after: int = 0) -> Sequence[Row]:
        """List the events of a game that come after a number."""

    async def done(self, game: str, command: str) -> Done | None:
        """Find what a command did, if it was carried out."""

    async def heads(self, games: Sequence[str]) -> dict[str, int]:
        """Say of each game how many events it has."""

    def listen(self, news: News) -> None:
        """Tell about what other processes write."""

    async def close(self) -> None:
        """Finish what is being written, and let go."""
