"""Writes as named statements and rows, the same for both databases."""

from collections.abc import Iterator
from typing import TypeAlias

from knobel.store import AppendEvents, DropGame, DropRoom, NewGame, PutRoom, StoredGame, StoreWrite

Statement: TypeAlias = tuple[str, tuple[object, ...], bool]
"""A statement, its values, and whether it must change exactly one row: if not, another writer was faster."""

EventValues: TypeAlias = tuple[str, int, str | None, str | None, int | None, str, str, float]


def plan_statements(write: StoreWrite) -> Iterator[Statement]:
    match write:
        case PutRoom(room, 0, body, code, touched):
            yield "insert_room", (room, body, code, touched), True
        case PutRoom(room, version, body, code, touched):
            yield "update_room", (body, code, touched, room, version), True
        case DropRoom(room, version):
            yield "delete_room", (room, version), True
        case NewGame(game, room, header, seed, names, opened):
            yield "insert_game", (game, room, header, seed, opened), True
            yield "insert_head", (game, opened), True
            yield from (("insert_name", (game, seat, name), True) for seat, name in enumerate(names))
        case AppendEvents(game, after, _, _, links, at, closes):
            yield "update_head", (after + len(links), at, int(closes), game, after), True
            yield from (("insert_event", row, True) for row in build_event_rows(write))
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


def build_stored_game(row: tuple[str, str, str, str, float, float, int, int], names: tuple[str, ...]) -> StoredGame:
    game, room, header, seed, opened, touched, closed, count = row
    return StoredGame(game, room, header, seed, names, opened, touched, bool(closed), count)
