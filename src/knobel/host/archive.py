"""Load and export stored games, and expire abandoned rooms."""

from pathlib import Path

import platformdirs

from knobel.errors import GameNotFound
from knobel.host.room_store import read_room
from knobel.host.session import build_table
from knobel.record.chain import link_events
from knobel.record.file import encode_log
from knobel.rooms.room import Room
from knobel.rules.fields import abbreviate
from knobel.store import (
    AppendEvents,
    DropRoom,
    DropUnusedHouseRules,
    RepeatedCommand,
    Store,
    StoredGame,
    StoredRoom,
    WriteConflict,
)
from knobel.table import Table

DAY_SECONDS = 86400.0
LOBBY_DAYS, OVER_DAYS, GAME_DAYS = 1, 30, 365
"""How long an abandoned room is kept: before its first game, after its last, in the middle of one."""


def default_database_path() -> Path:
    """Give the path of the database where none is named."""
    return platformdirs.user_data_path("knobel") / "knobel.db"


async def load_table(store: Store, game_id: str) -> tuple[Table, StoredGame]:
    """Replay a stored game up to its last event."""
    stored = await store.find_game(game_id)
    if stored is None:
        raise GameNotFound(name=game_id)
    return build_table(stored, await store.list_events(game_id)), stored


async def export_record(store: Store, game_id: str) -> bytes:
    """Write a stored game as a record; it includes the seeds once the game is closed."""
    stored = await store.find_game(game_id)
    if stored is None:
        raise GameNotFound(name=abbreviate(game_id))
    rows = await store.list_events(game_id)
    return encode_log(stored.header, stored.names, [(row.previous, row.body) for row in rows])


async def expire_rooms(store: Store, now: float) -> int:
    """Delete abandoned rooms; a game in one of them is closed, and its seeds are revealed."""
    gone = 0
    for stored in await store.list_rooms():
        room = await read_room(store, stored)
        game = await store.find_game(room.game) if room.game else None
        touched = max(stored.touched_at, game.touched_at if game else 0.0)
        days = GAME_DAYS if room.running else OVER_DAYS if game else LOBBY_DAYS
        if now - touched > days * DAY_SECONDS:
            gone += await expire_room(store, stored, room, now)
    await store.commit(DropUnusedHouseRules(now - LOBBY_DAYS * DAY_SECONDS))
    return gone


async def expire_room(store: Store, stored: StoredRoom, room: Room, now: float) -> bool:
    """Close the game of a room and delete the room, unless somebody comes back at this moment."""
    drop = DropRoom(stored.id, stored.version)
    try:
        if room.running and room.game:
            table, _ = await load_table(store, room.game)
            links, _ = link_events(table.head, table.decide_end("expired").events, table.header.knobel)
            count = table.replay.count
            await store.commit(
                AppendEvents(room.game, count, f"tidy:{count + 1}", "", links, now, closes_game=True), drop
            )
        else:
            await store.commit(drop)
    except (WriteConflict, RepeatedCommand):
        return False
    return True
