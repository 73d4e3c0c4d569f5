"""Load and export stored games, and expire abandoned rooms."""

import logging
from collections.abc import Sequence
from pathlib import Path

import platformdirs

from knobel.errors import GameDamaged, GameNotFound, KnobelError
from knobel.host.integrity import check_log, hides_stored_turns, load_checked_table, read_log
from knobel.host.results import plan_results
from knobel.host.room_store import read_room
from knobel.record.chain import link_events
from knobel.record.duplicate import count_public_events, hides_turns
from knobel.record.file import encode_log
from knobel.rooms.room import Room
from knobel.rules.fields import abbreviate
from knobel.store import (
    AgeRooms,
    AppendEvents,
    DropRoom,
    DropUnusedHouseRules,
    EventRow,
    RepeatedCommand,
    Store,
    StoredGame,
    StoredRoom,
    WriteConflict,
)
from knobel.table import Table

LOG = logging.getLogger("knobel")
DAY_SECONDS = 86400.0
CLOCK_TOLERANCE = 60.0
"""How far a clock may go back before that counts as a jump."""
MAX_DAYS_OFF, JUMP_FACTOR = 30, 2
"""How much time may pass before that counts as a jump: days without a server, times the usual while one runs."""
LOBBY_DAYS, OVER_DAYS, GAME_DAYS = 1, 30, 365
"""How long an abandoned room is kept: before its first game, after its last, in the middle of one."""


def default_database_path() -> Path:
    """Give the path of the database where none is named."""
    return platformdirs.user_data_path("knobel") / "knobel.db"


async def load_table(store: Store, game_id: str) -> tuple[Table, StoredGame]:
    """Replay a stored game up to its last event."""
    if (found := await load_checked_table(store, game_id)) is None:
        raise GameNotFound(name=game_id)
    table, stored, _ = found
    return table, stored


async def export_record(store: Store, game_id: str) -> bytes:
    """Write a stored game as a record; it includes the seeds once the game is closed.

    A duplicate game that is being played ends before the first turn that somebody still plays.
    """
    if (log := await read_log(store, game_id)) is None:
        raise GameNotFound(name=abbreviate(game_id))
    stored, rows = log
    check_log(stored, rows)
    rows = await cut_hidden_events(store, stored, rows)
    return encode_log(stored.header, stored.names, [(row.previous, row.body) for row in rows])


async def cut_hidden_events(store: Store, stored: StoredGame, rows: Sequence[EventRow]) -> Sequence[EventRow]:
    """Leave out the events of a log that not everybody may see yet."""
    if not hides_stored_turns(stored):
        return rows
    table, _ = await load_table(store, stored.id)
    if not hides_turns(table.replay):
        return rows
    return rows[: count_public_events(table.replay, table.events)]


async def tidy_rooms(store: Store, now: float, most: float) -> int:
    """Age the rooms by the time that has passed since the last time, but never by more than `most`; expire the old.

    A clock that was wrong then or is wrong now so ages no room by years; that it jumped is logged.
    """
    last = await store.find_upkeep()
    passed = 0.0 if last is None else now - last
    if passed < -CLOCK_TOLERANCE or passed > most * (JUMP_FACTOR if most < DAY_SECONDS else MAX_DAYS_OFF):
        LOG.warning("clock jumped by %.0f s since the last upkeep; rooms age by at most %.0f s", passed, most)
    return await expire_rooms(store, min(max(passed, 0.0), most), now)


async def expire_rooms(store: Store, elapsed: float, now: float) -> int:
    """Delete rooms nobody has touched for long; a game in one of them is closed, and its seeds are revealed."""
    await store.commit(AgeRooms(elapsed, now))
    gone = 0
    for stored in await store.list_rooms():
        try:
            room = await read_room(store, stored)
        except KnobelError:
            continue  # what is damaged is left as it is, and harms no other room
        days = GAME_DAYS if room.running else OVER_DAYS if room.game else LOBBY_DAYS
        if stored.idle > days * DAY_SECONDS:
            gone += await expire_room(store, stored, room, now)
    await store.commit(DropUnusedHouseRules(now - LOBBY_DAYS * DAY_SECONDS))
    return gone


async def expire_room(store: Store, stored: StoredRoom, room: Room, now: float) -> bool:
    """Close the game of a room and delete the room, unless somebody comes back at this moment."""
    drop = DropRoom(stored.id, stored.version)
    try:
        if room.running and room.game:
            table, _ = await load_table(store, room.game)
            links, head = link_events(table.head, table.decide_end("expired").events, table.header.knobel)
            count = table.replay.count
            append = AppendEvents(room.game, count, f"tidy:{count + 1}", "", links, now, True, head)
            people = await store.list_players(room.game)
            await store.commit(append, drop, *plan_results(table, room.id, people, now))
        else:
            await store.commit(drop)
    except (WriteConflict, RepeatedCommand, GameDamaged, GameNotFound):
        return False
    return True
