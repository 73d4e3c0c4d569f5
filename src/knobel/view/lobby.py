"""What a device sees of a room: its seats, what is agreed, how the series stands, whether the next game can begin."""

from msgspec import Struct

from knobel.rooms.documents import find_fingerprint
from knobel.rooms.inks import choose_inks
from knobel.rooms.intents import Start
from knobel.rooms.room import EveningGame, Room, RoomSeat, choose_start, explain_cannot_begin, open_edition
from knobel.rooms.series import find_series
from knobel.series import Standing
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
    handicap: int


class EveningGameView(Struct, frozen=True):
    """A game of the evening that is over: what was played, and the place of each seat (0: did not play)."""

    game: str
    edition: str
    title: str
    has_points: bool
    places: tuple[int, ...]


class SeriesView(Struct, frozen=True):
    """How an evening stands; `scores` and `places` are null where every game stands for itself, `next`: one more comes.

    `standing` is how its games are counted together, `agreed` what was chosen instead of what the rules say, `starter`
    who starts the next game, if that is settled. `played` may lack games that an earlier version has kept.
    """

    games: int
    number: int
    independent: bool
    standing: Standing | None
    agreed: Standing | None
    totals: tuple[tuple[int, ...], ...]
    played: tuple[EveningGameView, ...]
    scores: tuple[int, ...] | None
    places: tuple[tuple[int, ...], ...] | None
    next: bool
    starter: int | None


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
    duplicate: bool = False
    tournament: str | None = None


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
        series=build_series_view(room),
        seats=build_seat_views(room, device, present),
        game=room.game,
        next_game=room.coming.game,
        commitment=room.coming.commitment,
        sealed=device in room.coming.seals,
        spectators=len(present - set(room.devices)),
        begin_refusal=translate_optional(explain_cannot_begin(room), say),
        duplicate=settings.duplicate,
        tournament=room.tournament,
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
        handicap=seat.handicap,
    )


def build_series_view(room: Room) -> SeriesView:
    series = find_series(room)
    goes_on = len(series.played) + room.running < series.games
    return SeriesView(
        games=series.games,
        number=series.number,
        independent=series.is_independent,
        standing=series.standing,
        agreed=room.settings.standing,
        totals=series.totals,
        played=tuple(map(build_game_view, room.played)),
        scores=series.scores,
        places=series.places,
        next=goes_on,
        starter=choose_start(room)[0] if goes_on and series.played and room.seats else None,
    )


def build_game_view(game: EveningGame) -> EveningGameView:
    places = tuple(result.place for result in game.results)
    return EveningGameView(game.game, game.edition, game.title, game.has_points, places)
