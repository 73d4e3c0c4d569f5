"""Rooms as the documents a store keeps: their format, and house rules by fingerprint instead of text."""

import hashlib
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from knobel.errors import RoomDamaged
from knobel.rooms.room import Room

FORMAT = 2
"""Documents of format 1, which had no number, are rewritten when a database is migrated."""


class RoomDocument(msgspec.Struct, frozen=True):
    """A room as it is stored."""

    format: int
    room: Room


DOCUMENT_DECODER = msgspec.json.Decoder(RoomDocument)


@lru_cache(maxsize=256)
def fingerprint_house_rules(text: str) -> str:
    """Give the fingerprint of a house-rule file: the SHA-256 of its text."""
    return hashlib.sha256(text.encode()).hexdigest()


def find_fingerprint(room: Room) -> str | None:
    """Give the fingerprint of the house-rule file a room refers to."""
    return None if room.settings.house_rules is None else fingerprint_house_rules(room.settings.house_rules)


def encode_room(room: Room) -> str:
    settings = replace(room.settings, house_rules=find_fingerprint(room))
    return msgspec.json.encode(RoomDocument(FORMAT, replace(room, settings=settings))).decode()


def decode_room(body: str, house_rules: str | None, name: str = "") -> Room:
    """Read a room, with the text of the house-rule file it refers to."""
    try:
        room = DOCUMENT_DECODER.decode(body).room
    except (msgspec.MsgspecError, ValueError):
        raise RoomDamaged(name=name) from None
    return replace(room, settings=replace(room.settings, house_rules=house_rules))
