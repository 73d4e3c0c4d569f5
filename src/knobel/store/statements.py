"""Writes as named statements and rows, the same for both databases."""

from collections.abc import Iterator
from typing import TypeAlias

from knobel.store import (
    AddDevice,
    AgeRooms,
    AppendEvents,
    BindDevice,
    DeviceWrite,
    DropGame,
    DropMoves,
    DropPresence,
    DropRoom,
    DropUnusedHouseRules,
    MoveIdentity,
    NewGame,
    PutHouseRules,
    PutPresence,
    PutRecoveryCode,
    PutRoom,
    PutSeatName,
    RememberCommand,
    StoredGame,
    StoreWrite,
    TouchDevice,
    UseRecoveryCode,
)
from knobel.store.learning import LearningWrite
from knobel.store.people import PeopleWrite
from knobel.store.people_statements import plan_people_statements
from knobel.store.schema import Statement
from knobel.store.tournaments import DropTournament, PutTournament, TournamentWrite, plan_tournament_statements

EventValues: TypeAlias = tuple[str, int, str | None, str | None, int | None, str, str, float]


MAX_IDLE_SECONDS = 400 * 86400.0
"""How long a device that does not come back is known, and a tournament that is over: longer than a cookie lives."""


DROPPED_ROWS: dict[type, tuple[str, ...]] = {
    DropGame: (
        *("delete_events", "delete_names", "delete_players", "delete_results"),
        *("delete_mistakes", "delete_searched_seats", "delete_head", "delete_game"),
    ),
    # A seat nobody can review or search any more counts as done.
    DropMoves: ("end_reviews", "end_searches", "delete_mistakes", "delete_events", "delete_head", "delete_game"),
}


def plan_statements(write: StoreWrite) -> Iterator[Statement]:
    match write:
        case PutRoom(room, 0, body, code, touched, house_rules):
            yield "insert_room", (room, body, code, touched, house_rules), True
        case PutRoom(room, version, body, code, touched, house_rules):
            yield "update_room", (body, code, touched, house_rules, room, version), True
        case DropRoom(room, version):
            yield "delete_room", (room, version), True
            yield "delete_commands", (room,), False
        case NewGame(game, room, header, seed, names, opened, house_rules, people):
            yield "insert_game", (game, room, header, seed, opened, house_rules), True
            yield "insert_head", (game, opened), True
            yield from (("insert_name", (game, seat, name), True) for seat, name in enumerate(names))
            yield from (("put_player", (game, seat, one), True) for seat, one in enumerate(people) if one is not None)
        case PutSeatName(game, seat, name):
            yield "update_name", (name, game, seat), True
        case AppendEvents(game, after, _, _, links, at, closes, head):
            yield "update_head", (after + len(links), at, int(closes), head, game, after), True
            yield from (("insert_event", row, True) for row in build_event_rows(write))
        case RememberCommand(room, command, body, at):
            yield "remember_command", (room, command, body, at), True
        case AgeRooms(seconds, at):
            yield "age_rooms", (seconds,), False
            yield "clear_upkeep", (), False
            yield "insert_upkeep", (at,), True
            yield "delete_expired_presence", (), False
            yield "age_devices", (seconds,), False
            yield "delete_idle_devices", (MAX_IDLE_SECONDS,), False
            yield "age_tournaments", (seconds,), False
            yield "delete_idle_tournaments", (MAX_IDLE_SECONDS,), False
        case PutHouseRules(fingerprint, text, at):
            yield "put_house_rules", (fingerprint, text, at), True
        case DropUnusedHouseRules(before):
            yield "delete_unused_house_rules", (before,), False
        case DropGame(game) | DropMoves(game):
            yield from ((name, (game,), False) for name in DROPPED_ROWS[type(write)])
        case _:
            yield from plan_device_statements(write)


def plan_device_statements(write: DeviceWrite | PeopleWrite | LearningWrite | TournamentWrite) -> Iterator[Statement]:
    match write:
        case PutPresence(process, room, device, seconds):
            yield "put_presence", (room, device, process, seconds), True
        case DropPresence(process, room, device):
            yield "delete_presence", (room, device, process), False
        case BindDevice(device, secret):
            yield "bind_device", (device, secret, device, device), True
        case AddDevice(device, secret, identity):
            yield "add_device", (device, secret, identity), True
        case MoveIdentity(device, secret, before, after):
            yield "move_identity", (after, device, secret, before), True
        case TouchDevice(identity):
            yield "touch_device", (identity,), False
        case PutRecoveryCode(code, identity, expires, at):
            yield "delete_recovery_codes", (identity, at), False
            yield "insert_recovery_code", (code, identity, expires), True
        case UseRecoveryCode(code, at):
            yield "use_recovery_code", (code, at), True
        case PutTournament() | DropTournament():
            yield from plan_tournament_statements(write)
        case _:
            yield from plan_people_statements(write)


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
    row: tuple[str, str, str, str, float, str | None, float, int, int, str | None], names: tuple[str, ...]
) -> StoredGame:
    game, room, header, seed, opened, house_rules, touched, closed, count, head = row
    return StoredGame(game, room, header, seed, names, opened, touched, bool(closed), count, house_rules, head)
