"""Find the games of a device that can be continued."""

from collections.abc import AsyncIterator

from knobel.errors import GameDamaged, KnobelError, NothingToResume, RoomDamaged
from knobel.host.integrity import load_checked_table
from knobel.host.room_store import read_room
from knobel.rooms.room import Room
from knobel.store import Store, StoredGame


async def find_last_room(store: Store, device: str) -> Room:
    """Find the room of the unfinished game that was played last; damaged ones are passed over if there is another."""
    problem: KnobelError = NothingToResume()
    async for found in walk_unfinished_rooms(store, device):
        if isinstance(found, Room):
            return found
        problem = found
    raise problem


async def walk_unfinished_rooms(store: Store, device: str) -> AsyncIterator[Room | KnobelError]:
    """Walk through the rooms in whose unfinished games a device is the host, last played first, or what is damaged."""
    for unfinished in await store.list_games(unfinished=True):
        try:
            room = await read_room_of_game(store, unfinished)
        except (GameDamaged, RoomDamaged) as damage:
            yield damage
            continue
        if room and room.game == unfinished.id and room.host == device:
            yield room


async def read_room_of_game(store: Store, game: StoredGame) -> Room | None:
    """Read the room of a game, if there is one; refuse a damaged room, and a damaged game."""
    stored = await store.find_room(game.room_id)
    if stored is None:
        return None
    room = await read_room(store, stored)
    await load_checked_table(store, game.id)
    return room
