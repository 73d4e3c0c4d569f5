"""What people may do in a room before and between games, some of it during one; each change gives a new room."""

from msgspec.structs import replace

from knobel.errors import (
    GameRunning,
    NoSuchSeat,
    NotHost,
    RoomLocked,
    RoomOfTournament,
    SeatNotYours,
    SeatsFull,
    StaleRequest,
    TooManySeats,
)
from knobel.rooms.intents import (
    ChangeSettings,
    HandOverHost,
    LeaveSeat,
    LockRoom,
    RealDice,
    RenameSeat,
    RestartSeries,
    SealSeed,
    SetHandicap,
    Sit,
    SitBot,
    SwapSeats,
    TakeSeat,
)
from knobel.rooms.names import make_unique_name
from knobel.rooms.room import EveningGame, EveningResult, FormerPlayer, Room, RoomSeat, build_settings

MAX_SEATS = 99
MAX_SEATS_PER_DEVICE = 4
"""The most seats of a device other than the host's: a family around one phone."""
MAX_FORMER = 99


def apply_lobby_intent(
    room: Room,
    device: str,
    intent: Sit
    | TakeSeat
    | SitBot
    | RenameSeat
    | LeaveSeat
    | SwapSeats
    | ChangeSettings
    | SetHandicap
    | RestartSeries
    | RealDice
    | HandOverHost
    | LockRoom
    | SealSeed,
) -> Room:
    """Give the room after an intent, or refuse it."""
    match intent:
        case SealSeed(game, seal):
            return add_seal(room, device, game, seal)
        case HandOverHost(seat):
            require_host(room, device)
            heir = find_seat(room, seat).device
            return replace(room, host=heir, acting_host=None) if heir else room
        case LockRoom(locked):
            require_host(room, device)
            return replace(room, locked=locked)
        case RenameSeat(seat, name):
            return rename_seat(room, device, seat, name)
    if room.running:
        raise GameRunning
    match intent:
        case Sit(name, beginner, real_dice, offered, person):
            check_seat_limit(room, device)
            unique = make_unique_name(room, name)
            return add_seat(room, RoomSeat(unique, device, None, beginner, real_dice, offered, person))
        case TakeSeat(seat):
            return claim_seat(room, device, seat)
        case SitBot(bot, name):
            require_leader(room, device)
            return add_seat(room, RoomSeat(make_unique_name(room, name), None, bot))
        case LeaveSeat(seat):
            return remove_seat(room, device, seat)
        case RealDice(seat, real):
            return set_real_dice(room, device, seat, real)
        case SwapSeats() | ChangeSettings() | SetHandicap() | RestartSeries():
            require_host(room, device)
            return agree(room, intent)


def agree(room: Room, intent: SwapSeats | ChangeSettings | SetHandicap | RestartSeries) -> Room:
    """Give the room after something that only the host may agree on for everybody."""
    match intent:
        case SwapSeats(seat):
            return swap_seats(room, seat)
        case ChangeSettings():
            if room.tournament is not None:
                raise RoomOfTournament
            # The evening goes on with another game; with more games than before it goes on after its last one.
            settings = build_settings(intent, room.settings.seed)
            seats = tuple(replace(seat, real_dice=False) for seat in room.seats) if settings.duplicate else room.seats
            return ask_for_seals(replace(room, settings=settings, seats=seats))
        case SetHandicap(seat, points):
            return replace_seat(room, seat, replace(find_seat(room, seat), handicap=points))
        case RestartSeries():
            return begin_series(room)


def require_host(room: Room, device: str) -> None:
    if device != room.host:
        raise NotHost


def require_leader(room: Room, device: str) -> None:
    """Refuse whoever is neither the host nor acts for the host."""
    if not room.is_led_by(device):
        raise NotHost


def check_seat_limit(room: Room, device: str) -> None:
    """Refuse a seat in a locked room, and to a device that has enough seats; the host may seat anybody."""
    if device == room.host:
        return
    if room.locked:
        raise RoomLocked
    if len(room.seats_of(device)) >= MAX_SEATS_PER_DEVICE:
        raise TooManySeats(n=MAX_SEATS_PER_DEVICE)


def find_seat(room: Room, seat: int) -> RoomSeat:
    if seat >= len(room.seats):
        raise NoSuchSeat(seat=seat + 1, n=len(room.seats))
    return room.seats[seat]


def add_seal(room: Room, device: str, game_id: str, seal: str) -> Room:
    """Keep the seal of a device that has a seat; one for another game comes too late."""
    if device not in room.devices:
        raise SeatNotYours
    if game_id != room.coming.game:
        raise StaleRequest
    coming = room.coming
    return replace(room, coming=replace(coming, seals={**coming.seals, device: seal}))


def add_seat(room: Room, seat: RoomSeat) -> Room:
    if len(room.seats) >= MAX_SEATS:
        raise SeatsFull(n=MAX_SEATS)
    known = next((one for one in room.former if (one.device, one.name) == (seat.device, seat.name)), None)
    scored, results = (known.totals, known.results) if known else ((), ())
    totals = tuple((*row, scored[game] if game < len(scored) else 0) for game, row in enumerate(room.totals))
    played = tuple(
        replace(one, results=(*one.results, results[game] if game < len(results) else EveningResult()))
        for game, one in enumerate(room.played)
    )
    former = tuple(one for one in room.former if one is not known)
    seat = replace(seat, handicap=known.handicap) if known else seat
    return ask_for_seals(replace(room, seats=(*room.seats, seat), totals=totals, former=former, played=played))


def claim_seat(room: Room, device: str, place: int) -> Room:
    """Give an offered seat to a device; the same people play, so only the seals are asked for again."""
    seat = find_seat(room, place)
    if not seat.offered:
        raise SeatNotYours
    if device != room.host and len(room.seats_of(device)) >= MAX_SEATS_PER_DEVICE:
        raise TooManySeats(n=MAX_SEATS_PER_DEVICE)
    mine = replace(seat, device=device, offered=False, person=None, colour=None, emblem=None)
    return ask_for_seals(replace_seat(room, place, mine))


def remove_seat(room: Room, device: str, place: int) -> Room:
    """Remove a seat; what it has scored is kept. When the host's last one goes, the next person is host.

    A seat saved for somebody else is not the host's, and whoever holds a tournament need not play. Whoever
    acts for the host removes nobody but bots: a person may only be away for a moment.
    """
    seat = find_seat(room, place)
    if device not in (seat.device, room.host) and not (seat.bot is not None and device == room.acting_host):
        raise SeatNotYours
    scored = tuple(row[place] for row in room.totals)
    results = tuple(game.results[place] for game in room.played)
    # Whoever has scored nothing needs no place here, of which there are few: a newcomer has nothing, too.
    known = any(scored) or any(one.place for one in results)
    gone = FormerPlayer(seat.device, seat.name, scored, results, seat.handicap, seat.person)
    former = (*room.former, gone) if known else room.former
    others = [one for one in range(len(room.seats)) if one != place]
    seats = room.seats[:place] + room.seats[place + 1 :]
    totals = tuple(row[:place] + row[place + 1 :] for row in room.totals)
    left = ask_for_seals(
        replace(
            room,
            seats=seats,
            totals=totals,
            former=former[-MAX_FORMER:],
            first=find_first_after(room, place),
            played=reorder_results(room.played, others),
        )
    )
    if seat.offered or room.tournament is not None:
        return left
    if room.host in room.devices and room.host not in left.devices and left.devices:
        return replace(left, host=left.devices[0], acting_host=None)
    return left


def find_first_after(room: Room, removed: int) -> int | None:
    """Say which seat began the series once a seat is removed; if that is the one, the next seat counts as it."""
    if room.first is None or len(room.seats) == 1:
        return None
    return (room.first - (removed < room.first)) % (len(room.seats) - 1)


def swap_seats(room: Room, place: int) -> Room:
    """Swap a seat with the one before it, and what both have scored."""
    if not place:
        raise NoSuchSeat(seat=place, n=len(room.seats))
    find_seat(room, place)
    order = list(range(len(room.seats)))
    order[place - 1], order[place] = place, place - 1
    return ask_for_seals(
        replace(
            room,
            seats=tuple(room.seats[one] for one in order),
            totals=tuple(tuple(row[one] for one in order) for row in room.totals),
            first=None if room.first is None else order[room.first],
            played=reorder_results(room.played, order),
        )
    )


def reorder_results(played: tuple[EveningGame, ...], order: list[int]) -> tuple[EveningGame, ...]:
    """Give each seat, in its new order, what it brought home from each game."""
    return tuple(replace(game, results=tuple(game.results[one] for one in order)) for game in played)


def begin_series(room: Room) -> Room:
    """Begin another series: nobody has scored anything in it; the handicaps stay agreed."""
    return replace(room, totals=(), first=None, former=(), played=())


def rename_seat(room: Room, device: str, place: int, name: str) -> Room:
    """Give a person another name: the seat, its scores and the promised seeds stay."""
    seat = find_seat(room, place)
    if device not in (seat.device, room.host) or seat.bot is not None:
        raise SeatNotYours
    others = replace(room, seats=room.seats[:place] + room.seats[place + 1 :])
    return replace_seat(room, place, replace(seat, name=make_unique_name(others, name)))


def set_real_dice(room: Room, device: str, place: int, real: bool) -> Room:
    """Give a person real dice, or ours; bots cannot roll real ones."""
    seat = find_seat(room, place)
    if device not in (seat.device, room.host) or seat.bot is not None:
        raise SeatNotYours
    return replace_seat(room, place, replace(seat, real_dice=real))


def replace_seat(room: Room, place: int, seat: RoomSeat) -> Room:
    return replace(room, seats=(*room.seats[:place], seat, *room.seats[place + 1 :]))


def choose_acting_host(room: Room, present: frozenset[str]) -> Room:
    """Let the first person who is there act for a host who is not; with the host the role comes back."""
    here = [device for device in room.devices if device in present]
    acting = room.acting_host
    if room.host in present:
        acting = None
    elif here and acting not in here:
        acting = here[0]
    return room if acting == room.acting_host else replace(room, acting_host=acting)


def ask_for_seals(room: Room) -> Room:
    """Ask every device for its seal again: seats or rules are others now, so the old ones no longer fit."""
    return replace(room, coming=replace(room.coming, seals={}))
