"""Rooms between a host and its store: read with their house rules, written with a reference to them."""

from knobel.errors import RoomNotFound
from knobel.rooms.documents import decode_room, encode_room, find_fingerprint
from knobel.rooms.room import Room
from knobel.store import PutHouseRules, PutRoom, Store, StoredRoom, StoreWrite


async def read_room(store: Store, stored: StoredRoom, known: Room | None = None) -> Room:
    """Read a room; the text of its house rules is fetched unless a known room has the same."""
    fingerprint = stored.house_rules
    if fingerprint is None:
        return decode_room(stored.body, None, stored.id)
    if known is not None and find_fingerprint(known) == fingerprint:
        return decode_room(stored.body, known.settings.house_rules, stored.id)
    text = await store.find_house_rules(fingerprint)
    if text is None:
        raise RoomNotFound
    return decode_room(stored.body, text, stored.id)


def plan_room_writes(room: Room, version: int, at: float, before: Room | None = None) -> tuple[StoreWrite, ...]:
    """Plan how a room is written over a version; its house rules go along if it did not refer to them before."""
    fingerprint, text = find_fingerprint(room), room.settings.house_rules
    write = PutRoom(room.id, version, encode_room(room), room.code, at, fingerprint)
    if fingerprint is None or text is None or (before is not None and before.settings.house_rules == text):
        return (write,)
    return PutHouseRules(fingerprint, text, at), write
