"""Room documents of earlier schemas.

Schema 2 has other keys than schema 1, and house rules by their fingerprint; schema 3 has the commands beside the rooms.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from knobel.store.schema import Statement

SEAT_KEYS = {"owner": "device", "own_dice": "real_dice"}
ROOM_KEYS = {"room": "id", "chairs": "seats"}


@dataclass(frozen=True, slots=True)
class UpgradedRoom:
    """A room document with the text that was lifted out of it, and the game that is played by that text."""

    body: str
    house_rules: str | None = None
    text: str | None = None
    game: str | None = None


def upgrade_room(body: str) -> UpgradedRoom:
    """Rewrite one document; one that is no room of ours stays as it is."""
    try:
        document = json.loads(body)
    except ValueError:
        return UpgradedRoom(body)
    if not isinstance(document, dict) or not {"room", "settings", "chairs"} <= document.keys():
        return UpgradedRoom(body)
    room = rename_keys(document, ROOM_KEYS)
    room["seats"] = [rename_keys(seat, SEAT_KEYS) for seat in room["seats"]]
    text = room["settings"].pop("house", None)
    fingerprint = None if text is None else hashlib.sha256(text.encode()).hexdigest()
    room["settings"]["house_rules"] = fingerprint
    upgraded = json.dumps({"format": 2, "room": room}, ensure_ascii=False, separators=(",", ":"))
    return UpgradedRoom(upgraded, fingerprint, text, room.get("game") if room.get("running") else None)


def rename_keys(table: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    return {names.get(key, key): value for key, value in table.items()}


def plan_room_upgrades(rooms: Iterable[Sequence[Any]]) -> Iterator[Statement]:
    """Plan the statements that rewrite rooms, each given as its id, document and time of last use."""
    for room_id, body, touched in rooms:
        room = upgrade_room(body)
        if room.house_rules is not None:
            yield "upgrade_house_rules", (room.house_rules, room.text, touched), False
            yield "upgrade_game", (room.house_rules, room.game), False
        yield "upgrade_room", (room.body, room.house_rules, room_id), True


def list_commands(body: str) -> list[tuple[str, str]]:
    """List the commands a document of schema 2 remembers; one that is no room of ours remembers none."""
    try:
        return [(command, asked) for command, asked in json.loads(body)["room"]["done"]]
    except (ValueError, KeyError, TypeError):
        return []


def plan_command_upgrades(rooms: Iterable[Sequence[Any]]) -> Iterator[Statement]:
    """Plan the statements that remember beside the rooms what was remembered in them."""
    for room_id, body, touched in rooms:
        for command, asked in list_commands(body):
            yield "remember_command", (room_id, command, asked, touched), False


UPGRADES: Mapping[int, Callable[[Iterable[Sequence[Any]]], Iterator[Statement]]] = {
    2: plan_room_upgrades,
    3: plan_command_upgrades,
}
"""What a migration does that SQL alone cannot, by its number."""


def upgrade_backup_2(chunks: Iterable[tuple[str, list[Any]]]) -> Iterator[tuple[str, list[Any]]]:
    """Give the rows of a backup of schema 2 as rows of schema 3."""
    for table, rows in chunks:
        match table:
            case "heads":
                yield table, [[*row, None] for row in rows]
            case "rooms":
                yield table, rows
                remembered = [[row[0], *command, row[4]] for row in rows for command in list_commands(row[2])]
                if remembered:
                    yield "commands", remembered
            case _:
                yield table, rows


def upgrade_backup(chunks: Iterable[tuple[str, list[Any]]]) -> Iterator[tuple[str, list[Any]]]:
    """Give the rows of a backup of schema 1 as rows of schema 2; in a backup rooms come before games."""
    house_rules_of = dict[str, str]()
    for table, rows in chunks:
        match table:
            case "rooms":
                upgraded = [(row, upgrade_room(row[2])) for row in rows]
                house_rules_of |= {
                    room.game: room.house_rules for _, room in upgraded if room.game and room.house_rules
                }
                texts = [[room.house_rules, room.text, row[4]] for row, room in upgraded if room.house_rules]
                if texts:
                    yield "house_rules", texts
                yield table, [[row[0], row[1], room.body, *row[3:], room.house_rules] for row, room in upgraded]
            case "games":
                yield table, [[*row, house_rules_of.get(row[0])] for row in rows]
            case _:
                yield table, rows
