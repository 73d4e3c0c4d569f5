"""Notes who went away and who came back, and lets somebody act for a host who is gone."""

from collections.abc import Awaitable, Callable
from functools import partial

from knobel.host.command_memory import RoomRequest
from knobel.host.commands import MAX_TRIES
from knobel.host.session import RoomSession
from knobel.record.events import Away, Back
from knobel.rooms.lobby import choose_acting_host
from knobel.store import RepeatedCommand, WriteConflict


async def record_presence(session: RoomSession, event: Away | Back, now: float) -> None:
    """Record who went away or came back, unless that is recorded already."""
    await retry_on_conflict(session, partial(commit_presence, session, event, now))


async def commit_presence(session: RoomSession, event: Away | Back, now: float) -> None:
    table = session.table
    if table and session.room.running and table.replay.attendance.refusal(event) is None:
        request = RoomRequest(f"{'back' if isinstance(event, Back) else 'away'}:{table.replay.count + 1}")
        await session.commit_events(request, table.decide_event(event), now, session.room)


async def update_acting_host(session: RoomSession, present: frozenset[str], now: float) -> None:
    """Let a person who is connected act for the host, if the host is not."""
    await retry_on_conflict(session, partial(commit_acting_host, session, present, now))


async def commit_acting_host(session: RoomSession, present: frozenset[str], now: float) -> None:
    room = choose_acting_host(session.room, present)
    if room is not session.room:
        await session.commit_room(room, RoomRequest(f"pass:{session.version}"), now)


async def retry_on_conflict(session: RoomSession, attempt: Callable[[], Awaitable[None]]) -> None:
    """Do what no device asked for; if another process was faster, catch up and try again."""
    for _ in range(MAX_TRIES):
        try:
            return await attempt()
        except (WriteConflict, RepeatedCommand):
            await session.catch_up()
    return None
