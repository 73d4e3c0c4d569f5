"""Where the host of a room has set a limit, whoever thinks longer about a move counts as away; nothing is skipped."""

from knobel.host.decisions import find_awaited_seat
from knobel.host.session import RoomSession


def compute_seconds_left(session: RoomSession) -> float | None:
    """Say how many seconds are left for the move that is awaited; nothing where there is no limit."""
    table, seconds = session.table, session.room.settings.move_seconds
    seat = find_awaited_seat(table) if table and session.room.running and seconds else None
    if table is None or seat is None:
        session.move_clock.stop()
        return None
    return session.move_clock.compute_left((table.header.game, seat, table.replay.ply), seconds)


def find_late_seat(session: RoomSession) -> int | None:
    """Find the seat whose time is up."""
    return find_awaited_seat(session.table) if session.table and compute_seconds_left(session) == 0 else None
