"""What a device sees of a room: its seats, what is agreed, how the series stands, whether the next game can begin."""

from msgspec import Struct

from knobel.rooms.documents import find_fingerprint
from knobel.rooms.inks import choose_inks
from knobel.rooms.intents import Start
from knobel.rooms.room import Room, RoomSeat, explain_cannot_begin, open_edition
from knobel.rooms.series import find_series
from knobel.series import Series
from knobel.view.sentences import Translate, translate_optional


class RoomSeatView(Struct, frozen=True):
    """One seat: whose it is, whether it may be taken, and whether its device has promised a seed for the dice.

    Only the device of a seat is told which person it is; everybody sees their colour and emblem.
    """

    name: str
    bot: str | None
    beginner: bool
    real_dice: bool
    offered: bool
    yours: bool
    host: bool
    sealed: bool
    present: bool
    person: str | None
    colour: int
    emblem: int


class SeriesView(Struct, frozen=True):
    """How a series stands; `sums` and `places` are null where every game stands for itself, `next`: one more comes."""

    games: int
    number: int
    independent: bool
    totals: tuple[tuple[int, ...], ...]
    sums: tuple[int, ...] | None
    places: tuple[tuple[int, ...], ...] | None
    next: bool


class RoomView(Struct, frozen=True):
    """A room as one device sees it; `names` are those the edition prints, `begin_refusal` says why none can begin."""

    id: str
    code: str | None
    running: bool
    host: bool
    acting_host: bool
    locked: bool
    edition: str
    title: str
    publisher: str
    family: str
    text: str
    texts: tuple[str, ...]
    switches: dict[str, str]
    names: dict[str, str]
    house_rules: str | None
    free: bool
    pace: float
    start: Start | None
    move_seconds: int
    series: SeriesView
    seats: tuple[RoomSeatView, ...]
    game: str | None
    next_game: str
    commitment: str
    sealed: bool
    spectators: int
    begin_refusal: str | None


def build_room_view(
    room: Room, device: str, present: frozenset[str], say: Translate, names: dict[str, str]
) -> RoomView:
    """Show a room to a device, of which `present` are connected."""
    settings = room.settings
    edition = open_edition(settings.edition, settings.house_rules)
    return RoomView(
        id=room.id,
        code=room.code,
        running=room.running,
        host=room.host == device,
        acting_host=room.acting_host == device,
        locked=room.locked,
        edition=settings.edition,
        title=edition.title,
        publisher=edition.printed_by,
        family=edition.family,
        text=settings.text,
        texts=edition.printed,
        switches=settings.switches,
        names=names,
        house_rules=find_fingerprint(room),
        free=settings.free,
        pace=settings.pace,
        start=settings.start,
        move_seconds=settings.move_seconds,
        series=build_series_view(find_series(room), room.running),
        seats=build_seat_views(room, device, present),
        game=room.game,
        next_game=room.coming.game,
        commitment=room.coming.commitment,
        sealed=device in room.coming.seals,
        spectators=len(present - set(room.devices)),
        begin_refusal=translate_optional(explain_cannot_begin(room), say),
    )


def build_seat_views(room: Room, device: str, present: frozenset[str]) -> tuple[RoomSeatView, ...]:
    seats = zip(room.seats, choose_inks(room.seats), strict=True)
    return tuple([build_seat_view(room, seat, device, present, inks) for seat, inks in seats])


def build_seat_view(
    room: Room, seat: RoomSeat, device: str, present: frozenset[str], inks: tuple[int, int]
) -> RoomSeatView:
    return RoomSeatView(
        name=seat.name,
        bot=seat.bot,
        beginner=seat.beginner,
        real_dice=seat.real_dice,
        offered=seat.offered,
        yours=seat.device == device,
        host=seat.device == room.host and not seat.offered,
        sealed=seat.device in room.coming.seals,
        present=seat.device is None or seat.device in present,
        person=seat.person if seat.device == device else None,
        colour=inks[0],
        emblem=inks[1],
    )


def build_series_view(series: Series, running: bool) -> SeriesView:
    return SeriesView(
        games=series.games,
        number=series.number,
        independent=series.is_independent,
        totals=series.totals,
        sums=series.sums,
        places=series.places,
        next=len(series.totals) + running < series.games,
    )
