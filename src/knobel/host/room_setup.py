"""Sets up rooms and their next games: ids nobody can guess, seeds nobody can see."""

import base64
import hashlib
import secrets

from msgspec.structs import replace

from knobel import fair
from knobel.bots import load_bot
from knobel.errors import CannotStart
from knobel.rooms.intents import ChangeSettings
from knobel.rooms.room import (
    NextGame,
    Room,
    Settings,
    build_settings,
    explain_cannot_begin,
    open_edition,
    resolve_rules,
)

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""The letters of a room code: none that sounds or looks like another."""
CODE_LENGTH = 8
ID_LENGTH = 16


def derive_room_id(device: str, command: str) -> str:
    """Derive the id of a room from the command that opens it, so that the same command finds the same room."""
    return base64.urlsafe_b64encode(hashlib.sha256(f"{device}/{command}".encode()).digest()).decode()[:ID_LENGTH]


def draw_room_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def draw_next_game(settings: Settings, number: int) -> NextGame:
    """Draw the next game: its id, its secret seed, and the commitment to it."""
    rules_hash = bytes.fromhex(resolve_rules(settings).fingerprint)
    if settings.seed is None:
        seed, game = secrets.token_bytes(fair.SEED_BYTES), secrets.token_hex(8)
    else:
        seed, game = fair.derive_game_seed(settings.seed, number, rules_hash)
    return NextGame(game, seed.hex(), fair.commit_server_seed(game, rules_hash, seed).hex())


def check_bots(room: Room) -> None:
    """Refuse bots that do not play such games."""
    family = open_edition(room.settings.edition, room.settings.house_rules).family
    for seat in room.seats:
        if seat.bot is not None:
            load_bot(seat.bot, family)


def check_next_game(room: Room, intent: ChangeSettings) -> None:
    """Refuse a game that those who sit in a room could not play next."""
    next_room = replace(room, running=False, settings=build_settings(intent, room.settings.seed))
    check_bots(next_room)
    if why := explain_cannot_begin(next_room):
        raise CannotStart(why=why)


def renew_next_game(room: Room) -> Room:
    """Draw the next game again, because what is played has changed."""
    return replace(room, coming=draw_next_game(room.settings, (room.game_number - 1) % room.settings.games + 1))
