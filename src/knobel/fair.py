"""Dice anyone can verify: every roll follows from seeds nobody could choose alone.

By scheme `knobel-dice-1` every seat has dice of its own, by `knobel-dice-2`, which is for duplicate, all have the same.
"""

import hashlib
import hmac
from collections.abc import Sequence

SCHEME = "knobel-dice-1"
DUPLICATE_SCHEME = "knobel-dice-2"
SCHEMES = (SCHEME, DUPLICATE_SCHEME)
SEED_BYTES = 32


def pack(*fields: bytes) -> bytes:
    """Join fields unambiguously: their number, then each with its length."""
    return encode_uint32(len(fields)) + b"".join(encode_uint32(len(field)) + field for field in fields)


def encode_uint32(value: int) -> bytes:
    """Encode a number as four bytes, big-endian."""
    return value.to_bytes(4, "big")


def commit_server_seed(game: str, rules_hash: bytes, server_seed: bytes) -> bytes:
    """Commit to a server seed before anybody joins, without revealing it."""
    return hashlib.sha256(pack(b"yz-commit-v1", game.encode(), rules_hash, server_seed)).digest()


def commit_client_seed(game: str, seat: int, client_seed: bytes) -> bytes:
    """Commit to a player's seed before the start, without revealing it."""
    return hashlib.sha256(pack(b"yz-cs-v1", game.encode(), encode_uint32(seat), client_seed)).digest()


def derive_game_seed(seed: str, number: int, rules_hash: bytes = b"") -> tuple[bytes, str]:
    """Derive the server seed and the id of a game from a typed seed, by its place in the series."""
    server_seed = hashlib.sha256(f"{seed}/{number}".encode()).digest()
    return server_seed, hashlib.sha256(server_seed + rules_hash).hexdigest()[:16]


def derive_dice_key(game: str, rules_hash: bytes, server_seed: bytes, client_seeds: Sequence[bytes]) -> bytes:
    """Mix all seeds into the key of the game's dice, players in seat order."""
    message = pack(b"yz-key-v1", game.encode(), rules_hash, *client_seeds)
    return hmac.digest(server_seed, message, "sha256")


def draw_lot(dice_key: bytes, seats: int) -> int:
    """Draw the seat that starts; bytes that would favour a seat are passed over."""
    limit = 256 - 256 % seats
    block = 0
    while True:
        stream = hmac.digest(dice_key, b"yz-lot-v1" + encode_uint32(seats) + encode_uint32(block), "sha256")
        for byte in stream:
            if byte < limit:
                return byte % seats
        block += 1


def roll(dice_key: bytes, seat: int, turn: int, roll_number: int, dice: int, faces: int = 6) -> tuple[int, ...]:
    """Draw the values of all positions for one address of a seat."""
    return draw_values(dice_key, b"yz-roll-v1", (seat, turn, roll_number, faces), dice, faces)


def roll_duplicate(dice_key: bytes, turn: int, roll_number: int, dice: int, faces: int = 6) -> tuple[int, ...]:
    """Draw the values of all positions for one address that all seats share."""
    return draw_values(dice_key, b"yz-roll-v2", (turn, roll_number, faces), dice, faces)


def roll_by_scheme(
    scheme: str, dice_key: bytes, seat: int, turn: int, roll_number: int, dice: int, faces: int = 6
) -> tuple[int, ...]:
    """Draw the values of all positions, as a record says that its dice are drawn."""
    if scheme == DUPLICATE_SCHEME:
        return roll_duplicate(dice_key, turn, roll_number, dice, faces)
    return roll(dice_key, seat, turn, roll_number, dice, faces)


def draw_values(dice_key: bytes, label: bytes, numbers: Sequence[int], dice: int, faces: int) -> tuple[int, ...]:
    """Draw the values of all positions for one address; bytes that would favour a face are passed over."""
    limit = 256 - 256 % faces
    address = label + b"".join(map(encode_uint32, numbers))
    values: list[int] = []
    block = 0
    while len(values) < dice:
        # Other ways to compute this release the GIL, and getting it back may mean waiting for other threads.
        stream = hmac.new(dice_key, address + encode_uint32(block), "sha256").digest()
        values += [byte % faces + 1 for byte in stream if byte < limit]
        block += 1
    return tuple(values[:dice])
