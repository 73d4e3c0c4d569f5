"""What a write asks of a database, as named statements; the same for both."""

from collections.abc import Iterator
from typing import TypeAlias

from knobel.store import AppendEvents, DropGame, DropRoom, NewGame, PutRoom, RenameSeat, StoredGame, StoreWrite

Statement: TypeAlias = tuple[str, tuple[object, ...], bool]
"""A statement, its values, and whether it must find exactly one row: if not, somebody was faster."""

EventValues: TypeAlias = tuple[str, int, str | None, str | None, int | None, str, str, float]


def plan_statements(write: StoreWrite) -> Iterator[Statement]:
    """Give the statements of a write."""
    match write:
        case PutRoom(room, 0, body, code, touched):
            yield "new_room", (room, body, code, touched), True
        case PutRoom(room, version, body, code, touched):
            yield "put_room", (body, code, touched, room, version), True
        case DropRoom(room, version):
            yield "drop_room", (room, version), True
        case NewGame(game, room, header, seed, names, opened):
            yield "new_game", (game, room, header, seed, opened), True
            yield "new_head", (game, opened), True
            yield from (("new_name", (game, seat, name), True) for seat, name in enumerate(names))
        case AppendEvents(game, after, _, _, links, at, closes):
            yield "move_game", (after + len(links), at, int(closes), game, after), True
            yield from (("new_event", row, True) for row in build_event_rows(write))
        case RenameSeat(game, seat, name):
            yield "rename", (name, game, seat), True
        case DropGame(game):
            yield from ((name, (game,), False) for name in ("drop_events", "drop_names", "drop_head", "drop_game"))


def build_event_rows(append: AppendEvents) -> list[EventValues]:
    """Give the events of a command as rows; the first carries the command."""
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
    """Make a game of its row."""
    game, room, header, seed, opened, touched, closed, count = row
    return StoredGame(game, room, header, seed, names, opened, touched, bool(closed), count)
