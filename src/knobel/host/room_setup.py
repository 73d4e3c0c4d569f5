"""How a room and its next game come about: names nobody can guess, seeds nobody can see."""

import base64
import hashlib
import secrets

from msgspec.structs import replace

from knobel import fair
from knobel.rooms.room import NextGame, Room, Settings, resolve_rules

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""What a spoken code is made of: nothing that sounds or looks like something else."""
CODE_LENGTH = 8
ID_LENGTH = 16


def derive_room_id(device: str, command: str) -> str:
    """Name a room by the command that opened it, so that the same command again finds the same room."""
    return base64.urlsafe_b64encode(hashlib.sha256(f"{device}/{command}".encode()).digest()).decode()[:ID_LENGTH]


def draw_room_code() -> str:
    """Draw a code to be spoken."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def draw_next_game(settings: Settings, number: int) -> NextGame:
    """Draw the next game: its name, its secret, and the promise of it."""
    rules_hash = bytes.fromhex(resolve_rules(settings).fingerprint)
    if settings.seed is None:
        seed, game = secrets.token_bytes(fair.SEED_BYTES), secrets.token_hex(8)
    else:
        seed, game = fair.derive_game_seed(settings.seed, number, rules_hash)
    return NextGame(game, seed.hex(), fair.commit_server_seed(game, rules_hash, seed).hex())


def renew_next_game(room: Room) -> Room:
    """Promise the next game anew, as after a change of what is played; after an evening, its first."""
    return replace(room, coming=draw_next_game(room.settings, (room.game_number - 1) % room.settings.games + 1))
