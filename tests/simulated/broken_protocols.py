"""Ways to break the protocol between host and store, each by one change, to see that the simulation notices."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias
from unittest import mock

from knobel.errors import DatabaseError, KnobelError, StaleRequest
from knobel.host.command_memory import CommandMemory, RoomRequest
from knobel.host.commands import MAX_TRIES, CommandRunner
from knobel.host.registry import SessionRegistry
from knobel.host.room_store import plan_room_writes
from knobel.host.session import CommandReply, RoomSession, SessionUpdate
from knobel.record.chain import link_events
from knobel.rooms.room import Room
from knobel.store import AppendEvents, EventRow, PutRoom, RememberCommand, RepeatedCommand, StoreWrite, WriteConflict
from knobel.table import Table, TableDecision
from tests.simulated.shared_database import SharedDatabase, SimulatedStore

COMMIT_ROOM = RoomSession.commit_room
COMMIT, LIST_EVENTS, WRITE = SimulatedStore.commit, SimulatedStore.list_events, SharedDatabase.write
LATE_SECONDS = 0.2


async def apply_before_commit(
    session: RoomSession, request: RoomRequest, decision: TableDecision, at: float, room: Room, *others: StoreWrite
) -> CommandReply:
    """Show what happened before it is stored."""
    table = session.require_table()
    links, head = link_events(table.head, decision.events, table.header.knobel)
    closes = room.running != session.room.running
    append = AppendEvents(table.header.game, table.replay.count, request.id, request.body, links, at, closes, head)
    session.notify(SessionUpdate(session, table.apply(decision)))
    rooms = plan_room_writes(room, session.version, at, session.room) if room is not session.room else ()
    await session.store.commit(append, *others, *rooms)
    session.room, session.version = room, session.version + bool(rooms)
    session.memory.add(request, table.replay.count)
    return session.build_reply(table.replay.count)


async def acknowledge_before_commit(store: SimulatedStore, *writes: StoreWrite) -> None:
    """Answer at once, and store a moment later."""
    if not isinstance(writes[0], AppendEvents) or len(writes) > 1:
        return await COMMIT(store, *writes)
    loop = asyncio.get_running_loop()
    loop.call_later(LATE_SECONDS, lambda: loop.create_task(commit_late(store, writes)))
    return None


async def commit_late(store: SimulatedStore, writes: tuple[StoreWrite, ...]) -> None:
    with contextlib.suppress(WriteConflict, RepeatedCommand, KnobelError):
        await COMMIT(store, *writes)


def forget_stored_commands(_: CommandMemory, _rows: Sequence[EventRow]) -> None:
    """Remember only the commands this process carried out itself."""


async def forget_room_commands(
    session: RoomSession,
    room: Room,
    request: RoomRequest,
    at: float,
    *others: StoreWrite,
    new_table: Table | None = None,
) -> CommandReply:
    """Remember no command that changes a room."""
    return await COMMIT_ROOM(session, room, replace(request, device=""), at, *others, new_table=new_table)


async def ignore_conflicts(store: SimulatedStore, *writes: StoreWrite) -> None:
    """Go on as if a refused commit had been carried out."""
    with contextlib.suppress(WriteConflict, RepeatedCommand):
        await COMMIT(store, *writes)


async def ignore_errors(store: SimulatedStore, *writes: StoreWrite) -> None:
    """Go on as if a commit had been carried out whose answer never came."""
    with contextlib.suppress(DatabaseError):
        await COMMIT(store, *writes)


async def trust_notifications(_: SessionRegistry) -> None:
    """Hear what others tell, and never look for what was missed."""


def hear_only_names(registry: SessionRegistry, room_id: str | None) -> None:
    """Refresh a room that is named; what may have been missed is nobody's business."""
    if room_id in registry.sessions:
        registry.tasks.spawn(registry.refresh(registry.sessions[room_id]))


@contextlib.asynccontextmanager
async def hold_nothing(registry: SessionRegistry, room_id: str) -> AsyncIterator[RoomSession]:
    """Let several commands of a room run at the same time."""
    yield await registry.find(room_id)


async def share_dropped_sessions(registry: SessionRegistry, room_id: str) -> RoomSession:
    """Give everybody who waited for a room the one that was read, whatever became of it since."""
    if (session := registry.sessions.get(room_id)) is not None:
        return session
    if (loading := registry.loading.get(room_id)) is not None:
        return await asyncio.shield(loading)
    return await registry.load(room_id)


async def retry_without_checking(
    runner: CommandRunner, session: RoomSession, request: RoomRequest, attempt: Callable[[], Awaitable[CommandReply]]
) -> CommandReply:
    """Try again after a conflict or an error, without looking whether the command was carried out."""
    for _ in range(MAX_TRIES):
        try:
            return await attempt()
        except (WriteConflict, RepeatedCommand, DatabaseError):
            await session.catch_up()
    raise StaleRequest


async def skip_an_event(store: SimulatedStore, game_id: str, after: int = 0) -> Sequence[EventRow]:
    """Leave out the last of several events another process has written."""
    rows = await LIST_EVENTS(store, game_id, after)
    return rows[:-1] if after and len(rows) > 1 else rows


async def keep_the_room(session: RoomSession) -> bool:
    """Read the events others wrote, and not how they changed the room."""
    steps = await session.apply_new_events()
    if steps:
        session.notify(SessionUpdate(session, steps))
    return bool(steps)


def overwrite_rooms(
    database: SharedDatabase, writes: tuple[StoreWrite, ...], writer: SimulatedStore
) -> Exception | None:
    """Write a room over whatever version is stored."""
    newest = [
        replace(write, version=database.read("find_room", (write.room_id,))[0][1])
        if isinstance(write, PutRoom) and write.version
        else write
        for write in writes
    ]
    return WRITE(database, tuple(newest), writer)


async def rename_commands(store: SimulatedStore, *writes: StoreWrite) -> None:
    """Store every command under a name of its own, so that none is ever recognized."""
    renamed = [
        replace(write, command=f"{write.command}#{store.random.getrandbits(32)}")
        if isinstance(write, AppendEvents | RememberCommand) and ":" not in write.command
        else write
        for write in writes
    ]
    await COMMIT(store, *renamed)


MethodChange: TypeAlias = tuple[type, str, Callable[..., Any]]
BROKEN: dict[str, tuple[MethodChange, ...]] = {
    "apply-before-commit": ((RoomSession, "commit_events", apply_before_commit),),
    "acknowledge-before-commit": ((SimulatedStore, "commit", acknowledge_before_commit),),
    "forget-stored-commands": ((CommandMemory, "add_rows", forget_stored_commands),),
    "forget-room-commands": ((RoomSession, "commit_room", forget_room_commands),),
    "rename-commands": (
        (SimulatedStore, "commit", rename_commands),
        (CommandMemory, "find", lambda *_: None),
    ),
    "ignore-conflicts": ((SimulatedStore, "commit", ignore_conflicts),),
    "ignore-errors": ((SimulatedStore, "commit", ignore_errors),),
    "trust-notifications": (
        (SessionRegistry, "sweep_once", trust_notifications),
        (SessionRegistry, "handle_store_change", hear_only_names),
    ),
    "drop-the-lock": ((SessionRegistry, "hold", hold_nothing),),
    "share-dropped-sessions": ((SessionRegistry, "find", share_dropped_sessions),),
    "retry-without-checking": ((CommandRunner, "run_once", retry_without_checking),),
    "skip-an-event": ((SimulatedStore, "list_events", skip_an_event),),
    "keep-the-room": ((RoomSession, "catch_up", keep_the_room),),
    "overwrite-rooms": ((SharedDatabase, "write", overwrite_rooms),),
}
"""Each broken protocol, by name: which methods it replaces."""


@contextlib.contextmanager
def break_protocol(name: str) -> Iterator[None]:
    """Break one thing for a while."""
    with contextlib.ExitStack() as stack:
        for owner, method, broken in BROKEN[name]:
            stack.enter_context(mock.patch.object(owner, method, broken))
        yield
