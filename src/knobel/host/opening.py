"""How a room and its next game come about: names nobody can guess, seeds nobody can see."""

import base64
import hashlib
import secrets

from msgspec.structs import replace

from knobel import fair
from knobel.room.chairs import Coming, Room, Settings, rules_of

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""What a spoken code is made of: nothing that sounds or looks like something else."""
CODE = 8
ID = 16


def room_id(owner: str, command: str) -> str:
    """Name a room by the command that opened it, so that the same command again finds the same room."""
    return base64.urlsafe_b64encode(hashlib.sha256(f"{owner}/{command}".encode()).digest()).decode()[:ID]


def spoken_code() -> str:
    """Draw a code to be spoken."""
    return "".join(secrets.choice(LETTERS) for _ in range(CODE))


def coming_of(settings: Settings, number: int) -> Coming:
    """Draw the next game: its name, its secret, and the promise of it."""
    rules_hash = bytes.fromhex(rules_of(settings).fingerprint)
    if settings.seed is None:
        seed, game = secrets.token_bytes(fair.SEED_BYTES), secrets.token_hex(8)
    else:
        seed, game = fair.seeded(settings.seed, number, rules_hash)
    return Coming(game, seed.hex(), fair.commitment(game, rules_hash, seed).hex())


def with_coming(room: Room) -> Room:
    """Promise the next game anew, as after a change of what is played; after an evening, its first."""
    return replace(room, coming=coming_of(room.settings, (room.number - 1) % room.settings.games + 1))
