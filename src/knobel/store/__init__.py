"""Games and rooms as rows: SQLite on one machine, PostgreSQL for many processes; a commit that returned is durable."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from knobel.store.learning import LearningStore, LearningWrite
from knobel.store.people import PeopleStore, PeopleWrite, ResultStore
from knobel.store.tournaments import TournamentStore, TournamentWrite


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
    people: tuple[str | None, ...] = ()
    """Who sits where."""


@dataclass(frozen=True, slots=True)
class PutSeatName:
    """Give the player on a seat of a game another name; it stands beside the log."""

    game_id: str
    seat: int
    name: str


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
    head: str | None = None
    """The hash of the last line, by which a changed or missing end is noticed."""


@dataclass(frozen=True, slots=True)
class DropGame:
    """Delete a game and its log."""

    game_id: str


@dataclass(frozen=True, slots=True)
class DropMoves:
    """Delete the log of a game that is over; what came of it stays, with the names of its players."""

    game_id: str


@dataclass(frozen=True, slots=True)
class RememberCommand:
    """Remember a command that changes a room, with a digest of what it asked for; one known already is a conflict."""

    room_id: str
    command: str
    body: str
    at: float


@dataclass(frozen=True, slots=True)
class AgeRooms:
    """Add to the idle seconds of each room, or reset them if somebody has used the room since the last time.

    `at` is what the clock says now.
    """

    seconds: float
    at: float


@dataclass(frozen=True, slots=True)
class PutPresence:
    """Mark a device as connected to a room through a process until a deadline, `seconds` from now."""

    process: str
    room_id: str
    device: str
    seconds: float


@dataclass(frozen=True, slots=True)
class DropPresence:
    """Mark a device as no longer connected to a room through a process."""

    process: str
    room_id: str
    device: str


@dataclass(frozen=True, slots=True)
class BindDevice:
    """Bind a device to the first secret that comes with its cookie; one that is bound already is a conflict."""

    device: str
    secret: str


@dataclass(frozen=True, slots=True)
class AddDevice:
    """Let a further secret beside a cookie speak for the seats of an identity."""

    device: str
    secret: str
    identity: str


@dataclass(frozen=True, slots=True)
class MoveIdentity:
    """Let whoever has this cookie and secret speak for another identity than before."""

    device: str
    secret: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class TouchDevice:
    """Say that a device was there."""

    identity: str


@dataclass(frozen=True, slots=True)
class PutRecoveryCode:
    """Keep the hash of a recovery code until it expires; the codes of the same identity are replaced."""

    code: str
    identity: str
    expires: float
    at: float


@dataclass(frozen=True, slots=True)
class UseRecoveryCode:
    """Use up a recovery code; one that is used or expired is a conflict."""

    code: str
    at: float


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


DeviceWrite: TypeAlias = (
    PutPresence | DropPresence | BindDevice | AddDevice | MoveIdentity | TouchDevice | PutRecoveryCode | UseRecoveryCode
)
StoreWrite: TypeAlias = (
    DeviceWrite
    | PeopleWrite
    | LearningWrite
    | TournamentWrite
    | PutRoom
    | DropRoom
    | NewGame
    | PutSeatName
    | AppendEvents
    | DropGame
    | DropMoves
    | RememberCommand
    | AgeRooms
    | PutHouseRules
    | DropUnusedHouseRules
)


class WriteConflict(Exception):
    """Another writer was faster: read again."""


class DuplicateRow(Exception):
    """A backup holds a row twice, or one that no database takes."""


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
    idle: float = 0.0
    """For how many seconds nobody has touched it, whatever the clock said."""


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
    head: str | None = None
    """The hash of the last line; games written before schema 3 have none until their next event."""


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


@dataclass(frozen=True, slots=True)
class StoredDevice:
    """For which identity somebody speaks who has this cookie and secret, both as hashes."""

    device: str
    secret: str
    identity: str
    idle: float = 0.0
    """For how many seconds it was not there, counted in small steps whatever the clock said."""


MessageListener: TypeAlias = Callable[[str, str], None]
"""Called with the id of a room and a message another process sent to it."""
ChangeListener: TypeAlias = Callable[[str | None], None]
"""Called with the id of a room another process wrote to; `None` when anything may have been missed."""


CommitListener: TypeAlias = Callable[[int], None]
"""Called with how many commands a commit wrote together."""


class SharedStore(Protocol):
    """What the processes that share a database tell each other."""

    @property
    def is_shared(self) -> bool:
        """Whether several processes may use it at once."""

    async def list_presence(self, process: str) -> Sequence[tuple[str, str]]:
        """List which rooms have which devices connected to them through other processes than this one."""

    async def publish(self, room_id: str, message: str) -> None:
        """Send a message to whoever watches a room in other processes; it is not stored, and may be lost."""

    def subscribe_messages(self, listener: MessageListener) -> None:
        """Call the listener with what other processes publish; before `subscribe`."""

    def subscribe(self, listener: ChangeListener) -> None:
        """Call the listener when another process has written."""


class DeviceStore(Protocol):
    """What is known of devices."""

    async def list_device_keys(self, device: str) -> Sequence[StoredDevice]:
        """List the secrets that are known beside a cookie."""

    async def find_device_by_identity(self, identity: str) -> StoredDevice | None:
        """Find who speaks for an identity."""

    async def find_recovery_code(self, code: str, at: float) -> str | None:
        """Find the identity a recovery code moves, unless it has expired."""


class UpkeepStore(Protocol):
    """What looking after a database needs."""

    on_commit: CommitListener

    async def find_upkeep(self) -> float | None:
        """Find what the clock said when the rooms were aged last."""

    async def list_old_games(self, before: float, limit: int) -> Sequence[str]:
        """List games that ended before a moment and whose room is gone, the oldest first."""


class Store(SharedStore, UpkeepStore, DeviceStore, PeopleStore, ResultStore, LearningStore, TournamentStore, Protocol):
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

    async def list_incomplete_games(self) -> Sequence[str]:
        """List the games of which a part is missing: what was agreed on, or how far it is."""

    async def list_events(self, game_id: str, after: int = 0) -> Sequence[EventRow]:
        """List the events of a game that come after a number."""

    async def find_command(self, game_id: str, command: str) -> CommandResult | None:
        """Find what a command did, if it was carried out."""

    async def find_room_command(self, room_id: str, command: str) -> str | None:
        """Find what a command that changed a room had asked for, if it was carried out."""

    async def count_events(self, game_ids: Sequence[str]) -> dict[str, int]:
        """Count the events of each game; games that do not exist are left out."""

    async def find_house_rules(self, fingerprint: str) -> str | None:
        """Find the text of a house-rule file."""

    async def erase_traces(self) -> None:
        """Overwrite what was deleted, as far as the database allows it."""

    async def close(self) -> None:
        """Finish what is being written, and let go."""
