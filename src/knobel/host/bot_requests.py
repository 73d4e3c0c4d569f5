"""What the bots of a room need solved before they can move."""

from knobel.bots import find_request, find_seat_request
from knobel.errors import StillSolving
from knobel.host.decisions import find_bot_seat, has_bots
from knobel.host.session import RoomSession
from knobel.rooms.room import resolve_rules
from knobel.solve_worker import is_ready
from knobel.solver.request import SolveRequest
from knobel.table import Table


def list_requests(session: RoomSession) -> list[SolveRequest]:
    """List what the bots on the seats of a room need; in a game, those who stand in too."""
    room, table = session.room, session.table
    if room.running and table is not None:
        if not has_bots(table):
            return []
        requests = [request_for_seat(table, seat) for seat in range(len(table.header.seats))]
    else:
        bots = sorted({seat.bot for seat in room.seats if seat.bot is not None})
        requests = [find_request(bot, resolve_rules(room.settings)) for bot in bots]
    return [request for request in requests if request is not None]


def request_for_seat(table: Table, seat: int) -> SolveRequest | None:
    """Find what the bot on a seat needs, if one sits there."""
    bot, track = table.find_bot(seat), table.replay.track(seat)
    return find_seat_request(bot, track.game, track.state, track.local_seat(seat)) if bot else None


def require_book(table: Table, seat: int) -> None:
    """Refuse the move of a bot whose book is not solved yet."""
    request = request_for_seat(table, seat)
    if request and not is_ready(request):
        raise StillSolving


def must_wait_for_book(session: RoomSession) -> bool:
    request = find_next_request(session)
    return request is not None and not is_ready(request)


def find_next_request(session: RoomSession) -> SolveRequest | None:
    """Find what the bot needs whose turn it is."""
    table = session.table
    if table is None or not session.room.running or table.replay.is_over:
        return None
    seat = find_bot_seat(table)
    return None if seat is None else request_for_seat(table, seat)
