"""Records kept and found again, and rooms nobody came back to."""

from pathlib import Path

import platformdirs

from knobel.errors import GameUnknown
from knobel.host.desk import ROOM, table_of
from knobel.record.chain import chained
from knobel.record.file import bound
from knobel.room.chairs import Room
from knobel.rules.fields import shown
from knobel.store import Append, DropRoom, Repeated, Store, StoredGame, StoredRoom, Taken
from knobel.table import Table

DAY = 86400.0
LOBBY_DAYS, OVER_DAYS, GAME_DAYS = 1, 30, 365
"""How long a room waits for somebody: before its first game, after its last, in the middle of one."""


def database_file() -> Path:
    """Say where games are kept when nobody says otherwise."""
    return platformdirs.user_data_path("knobel") / "knobel.db"


async def table_again(store: Store, game: str) -> tuple[Table, StoredGame]:
    """Play a kept game up to where it stands."""
    stored = await store.game(game)
    if stored is None:
        raise GameUnknown(name=game)
    return table_of(stored, await store.events(game)), stored


async def exported(store: Store, game: str) -> bytes:
    """Write a kept game as a record; its seeds are in it once the game is closed."""
    stored = await store.game(game)
    if stored is None:
        raise GameUnknown(name=shown(game))
    rows = await store.events(game)
    return bound(stored.header, stored.names, [(row.previous, row.body) for row in rows])


async def tidy(store: Store, now: float) -> int:
    """Let go of rooms nobody came back to; a game that waited too long is closed, and its seeds are shown."""
    gone = 0
    for stored in await store.rooms():
        room = ROOM.decode(stored.body)
        game = await store.game(room.game) if room.game else None
        touched = max(stored.touched, game.touched if game else 0.0)
        days = GAME_DAYS if room.running else OVER_DAYS if game else LOBBY_DAYS
        if now - touched > days * DAY:
            gone += await let_go(store, stored, room, now)
    return gone


async def let_go(store: Store, stored: StoredRoom, room: Room, now: float) -> bool:
    """Close what is left of a room, and forget it; somebody who comes back in this moment keeps it."""
    drop = DropRoom(stored.room, stored.version)
    try:
        if room.running and room.game:
            table, _ = await table_again(store, room.game)
            links, _ = chained(table.head, table.stop(expired=True) if not table.replay.over else table.close())
            count = table.replay.count
            await store.commit(Append(room.game, count, f"tidy:{count + 1}", "", links, now, closes=True), drop)
        else:
            await store.commit(drop)
    except (Taken, Repeated):
        return False
    return True
