"""Writes as named statements and rows, the same for both databases."""

from collections.abc import Iterator
from typing import TypeAlias

from knobel.store import (
    AppendEvents,
    DropGame,
    DropRoom,
    DropUnusedHouseRules,
    NewGame,
    PutHouseRules,
    PutRoom,
    StoredGame,
    StoreWrite,
)
from knobel.store.schema import Statement

EventValues: TypeAlias = tuple[str, int, str | None, str | None, int | None, str, str, float]


def plan_statements(write: StoreWrite) -> Iterator[Statement]:
    match write:
        case PutRoom(room, 0, body, code, touched, house_rules):
            yield "insert_room", (room, body, code, touched, house_rules), True
        case PutRoom(room, version, body, code, touched, house_rules):
            yield "update_room", (body, code, touched, house_rules, room, version), True
        case DropRoom(room, version):
            yield "delete_room", (room, version), True
        case NewGame(game, room, header, seed, names, opened, house_rules):
            yield "insert_game", (game, room, header, seed, opened, house_rules), True
            yield "insert_head", (game, opened), True
            yield from (("insert_name", (game, seat, name), True) for seat, name in enumerate(names))
        case AppendEvents(game, after, _, _, links, at, closes):
            yield "update_head", (after + len(links), at, int(closes), game, after), True
            yield from (("insert_event", row, True) for row in build_event_rows(write))
        case PutHouseRules(fingerprint, text, at):
            yield "put_house_rules", (fingerprint, text, at), True
        case DropUnusedHouseRules(before):
            yield "delete_unused_house_rules", (before,), False
        case DropGame(game):
            yield from (
                (name, (game,), False) for name in ("delete_events", "delete_names", "delete_head", "delete_game")
            )


def build_event_rows(append: AppendEvents) -> list[EventValues]:
    """Build the rows of a command's events; the first carries the command."""
    game, seq, at, links = append.game_id, append.after + 1, append.at, append.links
    previous, body = links[0]
    first: EventValues = (game, seq, append.command, append.request_body, append.after + len(links), previous, body, at)
    if len(links) == 1:
        return [first]
    return [first, *((game, seq + n, None, None, None, *link, at) for n, link in enumerate(links[1:], 1))]


def check_writes(writes: tuple[StoreWrite, ...]) -> None:
    """Refuse a command without events: nothing would remember it."""
    for write in writes:
        if type(write) is AppendEvents and not write.links:
            raise ValueError(write)


def build_stored_game(
    row: tuple[str, str, str, str, float, str | None, float, int, int], names: tuple[str, ...]
) -> StoredGame:
    game, room, header, seed, opened, house_rules, touched, closed, count = row
    return StoredGame(game, room, header, seed, names, opened, touched, bool(closed), count, house_rules)
