"""What players were promised, compared with what is stored: lost, done twice, missing, forked or contradictory."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from knobel.errors import RecordUnfinished
from knobel.host.room_store import read_room
from knobel.record.chain import encode_link, hash_line
from knobel.record.file import encode_log
from knobel.record.verify import verify
from knobel.rooms.room import Room
from knobel.store import EventRow, Store, StoredGame
from knobel.store.address import open_store

Faults: TypeAlias = dict[str, list[str]]


@dataclass(frozen=True)
class Acknowledgement:
    """A command the server said it had carried out, and where the log stood then."""

    room: str
    command: str
    intent: str
    count: int | None
    head: str | None


@dataclass(frozen=True)
class PendingCommand:
    """A command that waits for its answer; it is sent again, with the same id, until there is one."""

    id: str
    intent: str
    message: str


class PromisedGroup(Protocol):
    """Players who meet in one room."""

    @property
    def room(self) -> str | None: ...


class PromisedPlayer(Protocol):
    """A player who notes what was promised and shown to them."""

    name: str
    acknowledgements: dict[str, Acknowledgement]
    refusals: dict[str, str]
    seen_heads: dict[tuple[str, int], str]
    contradictions: list[str]
    pending: PendingCommand | None

    @property
    def device_id(self) -> str: ...

    @property
    def group(self) -> PromisedGroup: ...


class PromisedPool(Protocol):
    """Everybody who plays."""

    @property
    def players(self) -> Sequence[PromisedPlayer]: ...

    @property
    def groups(self) -> Sequence[PromisedGroup]: ...


@dataclass(frozen=True)
class StoredLog:
    """The log of a game as it is stored, and the hash after each of its events."""

    game: StoredGame
    rows: Sequence[EventRow]
    heads: tuple[str, ...]


@dataclass(frozen=True)
class DatabaseContents:
    """Everything a database holds."""

    rooms: Mapping[str, Room]
    logs: Mapping[str, StoredLog]


async def read_database(database: str) -> DatabaseContents:
    """Open a database, and read all of it."""
    store = await open_store(database, Path())
    try:
        return await read_contents(store)
    finally:
        await store.close()


async def read_contents(store: Store) -> DatabaseContents:
    """Read what a store holds, and hash every chain again."""
    rooms = {stored.id: await read_room(store, stored) for stored in await store.list_rooms()}
    logs = {}
    for game in await store.list_games(limit=1_000_000):
        rows = await store.list_events(game.id)
        heads = hash_line(game.header), *(hash_line(encode_link(row.previous, row.body)) for row in rows)
        logs[game.id] = StoredLog(game, rows, heads)
    return DatabaseContents(rooms, logs)


def find_faults(pool: PromisedPool, stored: DatabaseContents) -> Faults:
    """Compare what was promised with what is stored: what is lost, done twice, missing, forked or contradictory."""
    found: Faults = {"lost": [], "duplicated": [], "gaps": [], "forked": [], "contradicted": []}
    by_room: defaultdict[str, list[StoredLog]] = defaultdict(list)
    for log in stored.logs.values():
        by_room[log.game.room_id].append(log)
        check_log(log, found)
    for player in pool.players:
        found["contradicted"] += player.contradictions
        check_seen_positions(player, stored, found)
        check_seats(player, stored, found)
    for group in pool.groups:
        check_room(pool, group, by_room[group.room or ""], found)
    if len(stored.rooms) > len(pool.groups):
        found["duplicated"].append(f"{len(stored.rooms)} rooms of {len(pool.groups)} groups")
    return found


def check_log(log: StoredLog, found: Faults) -> None:
    """Find gaps in a log, and links that do not hold; bots move under the number of their first event."""
    name = log.game.id
    if [row.seq for row in log.rows] != list(range(1, len(log.rows) + 1)) or log.game.event_count != len(log.rows):
        found["gaps"].append(f"{name}: {log.game.event_count} events, {len(log.rows)} rows")
    for row, head in zip(log.rows, log.heads, strict=False):
        if row.previous != head:
            found["forked"].append(f"{name}/{row.seq}")
        kind, _, number = original_command_id(row.command or "").partition(":")
        if kind == "bot" and int(number) != row.seq:
            found["duplicated"].append(f"{name}/{row.seq}: {row.command}")


def check_seen_positions(player: PromisedPlayer, stored: DatabaseContents, found: Faults) -> None:
    """Find positions that were shown and are not stored."""
    for (game, number), head in player.seen_heads.items():
        log = stored.logs.get(game)
        if log is None or number >= len(log.heads):
            found["lost"].append(f"{player.name} saw {game}/{number}")
        elif log.heads[number] != head:
            found["forked"].append(f"{player.name} saw another {game}/{number}")


def check_seats(player: PromisedPlayer, stored: DatabaseContents, found: Faults) -> None:
    """Find seats that were promised and are gone, or that somebody has twice."""
    sat = any(acknowledgement.intent == "sit" for acknowledgement in player.acknowledgements.values())
    room = stored.rooms.get(player.group.room or "")
    seats = len(room.seats_of(player.device_id)) if room else 0
    if seats < sat:
        found["lost"].append(f"{player.name} has no seat")
    if seats > 1:
        found["duplicated"].append(f"{player.name} has {seats} seats")


def check_room(pool: PromisedPool, group: PromisedGroup, logs: list[StoredLog], found: Faults) -> None:
    """Compare the promises of a room with its logs: each is there once, where it was promised to be."""
    players = [player for player in pool.players if player.group is group]
    carried_out = Counter(
        original_command_id(row.command)
        if ":" not in row.command
        else f"{log.game.id}/{original_command_id(row.command)}"  # the server's own
        for log in logs
        for row in log.rows
        if row.command is not None
    )
    ends = {
        original_command_id(row.command): (log, row.last_seq)
        for log in logs
        for row in log.rows
        if row.command is not None
    }
    found["duplicated"] += [command for command, times in carried_out.items() if times > 1]
    for player in players:
        for acknowledgement in player.acknowledgements.values():
            if acknowledgement.count is not None:
                log, end = ends.get(acknowledgement.command, (None, None))
                if log is None or end != acknowledgement.count or log.heads[end] != acknowledgement.head:
                    found["lost"].append(acknowledgement.command)
        for command, code in player.refusals.items():
            if command in carried_out:
                found["contradicted"].append(f"{command} was carried out, and refused: {code}")
    begun = sum(
        acknowledgement.intent == "begin" for player in players for acknowledgement in player.acknowledgements.values()
    )
    waiting = sum(player.pending is not None and player.pending.intent == "begin" for player in players)
    if len(logs) < begun:
        found["lost"].append(f"{begun - len(logs)} games of {group.room}")
    if len(logs) > begun + waiting:
        found["duplicated"].append(f"{len(logs) - begun} games of {group.room}")


def original_command_id(command: str) -> str:
    """Give the id as the player chose it; a server that forgets ids had to add something to it."""
    return command.partition("#")[0]


def find_wrong_records(stored: DatabaseContents) -> list[str]:
    """Verify every game as a stranger would: the finished ones wholly, the others by their chain."""
    wrong = []
    for name, log in stored.logs.items():
        content = encode_log(log.game.header, log.game.names, [(row.previous, row.body) for row in log.rows])
        try:
            verdict = verify(content, name)
        except RecordUnfinished:
            if log.game.is_closed:
                wrong.append(f"{name} is closed, and unfinished")
        else:
            wrong += [] if verdict.is_verified and verdict.head == log.heads[-1] else [f"{name}: {verdict.why}"]
    return wrong
