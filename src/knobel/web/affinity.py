"""Which worker a connection belongs to, by the room its first request names; any worker could serve any room."""

import re
from zlib import crc32

MAX_REQUEST_LINE = 2048
"""How much of a request is looked at: every path of ours is shorter."""
ROOM_PATH = re.compile(rb"[A-Z]+ /(?:ws/\d+|room|rooms|api/rooms|qr)/([A-Za-z0-9_-]{16})(?![A-Za-z0-9_-])")
"""The beginning of a request for something of one room; ids have sixteen characters."""


def find_room(head: bytes) -> str | None:
    """Find the id of the room that the first line of a request names."""
    found = ROOM_PATH.match(head)
    return found[1].decode() if found else None


def choose_slot(room_id: str, slots: int) -> int:
    """Choose the worker of a room: always the same, whichever process asks."""
    return crc32(room_id.encode()) % slots
