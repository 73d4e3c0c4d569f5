"""A verifier by a stranger: written from docs/fair-dice.md alone, with nothing but Python's own library."""

import hashlib
import hmac
import json
import struct
from typing import Any


def hash_hex(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def pack(*fields: bytes) -> bytes:
    return struct.pack(">I", len(fields)) + b"".join(struct.pack(">I", len(field)) + field for field in fields)


LABELS = {"knobel-dice-1": b"yz-roll-v1", "knobel-dice-2": b"yz-roll-v2"}


def draw_dice(scheme: str, key: bytes, event: dict[str, Any], roll: int) -> list[int]:
    """Draw the dice of an address, for the places that fell; where all have the same dice, without the seat."""
    faces, dice, block = event["faces"], list[int](), 0
    seat = struct.pack(">I", event["seat"]) if scheme == "knobel-dice-1" else b""
    while len(dice) <= max(event["positions"]):
        address = seat + struct.pack(">4I", event["turn"], roll, faces, block)
        stream = hmac.new(key, LABELS[scheme] + address, hashlib.sha256).digest()
        dice += [byte % faces + 1 for byte in stream if byte < 256 - 256 % faces]
        block += 1
    return [dice[place] for place in event["positions"]]


def draw_lot(key: bytes, seats: int) -> int:
    """Draw the seat that begins."""
    block = 0
    while True:
        stream = hmac.new(key, b"yz-lot-v1" + struct.pack(">2I", seats, block), hashlib.sha256).digest()
        for byte in stream:
            if byte < 256 - 256 % seats:
                return byte % seats
        block += 1


def find_wrong_line(content: bytes) -> int:
    """Give the first line that is wrong, or 0; whatever cannot be read is an error."""
    *lines, digest, nothing = content.split(b"\n")
    if nothing or set(json.loads(digest)) != {"sha256"}:
        raise ValueError(digest)
    header = json.loads(lines[0])
    dice, game, rules = header["dice"], header["game"].encode(), bytes.fromhex(header["fingerprint"])
    chained = {1: False, 2: True, 3: True}[header["knobel"]]
    roll, real = ("throw", "own") if header["knobel"] < 3 else ("roll", "real")
    start = 2 if chained else 1
    closed = json.loads(lines[-1])
    seeds = (closed["event"] if chained else closed)["seeds"]
    server = bytes.fromhex(seeds["server"])
    typed = hashlib.sha256(f"{dice.get('seed')}/{header['evening']['number']}".encode()).digest()
    canonical = json.dumps(header["rules"], sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    kept = hash_hex(pack(b"yz-commit-v1", game, rules, server)) == dice["commitment"]
    if dice["scheme"] not in LABELS or hash_hex(canonical) != header["fingerprint"]:
        return 1
    if dice.get("seed") is not None and header["game"] != hash_hex(typed + (rules if chained else b""))[:16]:
        return 1
    head, seals, shown = hash_hex(lines[0]), dict(dice.get("seals") or {}), dict[int, str]()
    waits = header.get("start") == "random"
    for number, line in enumerate(lines[start:], start + 1):
        try:
            link = json.loads(line)
            event = link["event"] if chained else link
            clients = [shown[seat] for seat in sorted(shown)] if chained else seeds["clients"]
            right = not chained or link["after"] == head
            if event["event"] == "revealed":
                seat, seed = event["seat"], event["seed"]
                right &= seals.pop(str(seat), "") == hash_hex(
                    pack(b"yz-cs-v1", game, struct.pack(">I", seat), bytes.fromhex(seed))
                )
                shown[seat] = seed
            elif event["event"] == "without":
                right &= seals.pop(str(event["seat"]), "") != ""
            elif event["event"] == "drawn":
                right &= waits and not seals
                if kept:
                    message = pack(b"yz-key-v1", game, rules, *map(bytes.fromhex, clients))
                    right &= event["seat"] == draw_lot(hmac.digest(server, message, "sha256"), len(header["seats"]))
                waits = False
            elif event["event"] == "landed" and not event[real] and kept:
                message = pack(b"yz-key-v1", game, rules, *map(bytes.fromhex, clients))
                key = hmac.digest(server, message, "sha256")
                right &= not seals and not waits and event["dice"] == draw_dice(dice["scheme"], key, event, event[roll])
            elif event["event"] == "closed":
                right &= kept and seeds["clients"] == clients and number == len(lines)
                right &= dice.get("seed") is None or server == typed
        except (ValueError, KeyError, TypeError, IndexError):
            return number
        if not right:
            return number
        head = hash_hex(line)
    return 0 if hash_hex(b"".join(line + b"\n" for line in lines)) == json.loads(digest)["sha256"] else len(lines) + 1
