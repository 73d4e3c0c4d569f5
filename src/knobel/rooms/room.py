"""A room as one frozen value: its seats, its settings, the next game; a change gives a new room."""

import unicodedata
from functools import lru_cache

from msgspec import UNSET, Struct
from msgspec.structs import replace

from knobel import fair
from knobel.errors import (
    GameRunning,
    NameEmpty,
    NoSuchSeat,
    NotHost,
    SeatNotYours,
    SeatsFull,
    StaleRequest,
    SwitchValue,
    UnknownSwitch,
)
from knobel.phrase import Phrase, phrase
from knobel.record.events import DiceSource, EditionInfo, Evening, Header, Seat, StartPosition
from knobel.record.formats import FORMAT
from knobel.rooms.intents import (
    ChangeSettings,
    HandOverHost,
    LeaveSeat,
    RealDice,
    SealSeed,
    Sit,
    SitBot,
    SwapSeats,
    TakeSeat,
)
from knobel.rules import Edition, load_edition, read_house_rules
from knobel.rules.families import FAMILIES, Rules, list_boxes
from knobel.rules.fields import abbreviate, clean_text, truncate

MAX_SEATS = 99
MAX_NAME_LENGTH = 20


class RoomSeat(Struct, frozen=True):
    """A player: a person on some device, or a bot; an offered seat may be taken by another device."""

    name: str
    device: str | None
    bot: str | None = None
    beginner: bool = False
    real_dice: bool = False
    offered: bool = False


class Settings(Struct, frozen=True, rename={"house": "house_rules"}):
    """What was agreed on; `house` is the text of a house-rule file, `seed` makes the dice repeatable."""

    edition: str
    text: str
    switches: dict[str, str] = {}
    games: int = 1
    house: str | None = None
    free: bool = False
    pace: float = 1.0
    seed: str | None = None
    quoted: StartPosition | None = None
    """Where the games of this room begin, if not at the beginning."""


class NextGame(Struct, frozen=True):
    """The next game: its name, the seed nobody may see yet, the promise of it, and the seals of the devices."""

    game: str
    seed: str
    commitment: str
    seals: dict[str, str] = {}


class Room(Struct, frozen=True):
    """A room; `game` is the one being played or played last, `done` the last commands."""

    id: str
    host: str
    settings: Settings
    coming: NextGame
    seats: tuple[RoomSeat, ...] = ()
    code: str | None = None
    game: str | None = None
    running: bool = False
    totals: tuple[tuple[int, ...], ...] = ()
    first: int | None = None
    done: tuple[tuple[str, str], ...] = ()

    @property
    def game_number(self) -> int:
        """Which game of the evening is played now, or comes next."""
        return len(self.totals) + 1

    def seats_of(self, device: str) -> tuple[int, ...]:
        """List the seats of a device."""
        return tuple([place for place, seat in enumerate(self.seats) if seat.device == device])

    @property
    def devices(self) -> tuple[str, ...]:
        """List the devices, by their lowest seats."""
        return tuple(dict.fromkeys(seat.device for seat in self.seats if seat.device is not None))

    @property
    def unsealed_devices(self) -> tuple[str, ...]:
        """List the devices that have not promised a seed yet."""
        return tuple(device for device in self.devices if device not in self.coming.seals)


def apply_lobby_intent(
    room: Room,
    device: str,
    intent: Sit | TakeSeat | SitBot | LeaveSeat | SwapSeats | ChangeSettings | RealDice | HandOverHost | SealSeed,
) -> Room:
    """Give the room after an intent, or refuse it."""
    match intent:
        case SealSeed(game, seal):
            return add_seal(room, device, game, seal)
        case HandOverHost(seat):
            require_host(room, device)
            heir = find_seat(room, seat).device
            return replace(room, host=heir) if heir else room
    if room.running:
        raise GameRunning
    match intent:
        case Sit(name, beginner, real_dice, offered):
            return add_seat(room, RoomSeat(make_unique_name(room, name), device, None, beginner, real_dice, offered))
        case TakeSeat(seat):
            return claim_seat(room, device, seat)
        case SitBot(bot, name):
            require_host(room, device)
            return add_seat(room, RoomSeat(make_unique_name(room, name), None, bot))
        case LeaveSeat(seat):
            return remove_seat(room, device, seat)
        case RealDice(seat, real):
            return set_real_dice(room, device, seat, real)
        case SwapSeats(seat):
            require_host(room, device)
            if not seat:
                raise NoSuchSeat(seat=seat, n=len(room.seats))
            find_seat(room, seat)
            seats = list(room.seats)
            seats[seat - 1], seats[seat] = seats[seat], seats[seat - 1]
            return reset_evening(replace(room, seats=tuple(seats)))
        case ChangeSettings():
            require_host(room, device)
            settings = build_settings(intent, room.settings.seed)
            return reset_evening(replace(room, settings=settings))


def require_host(room: Room, device: str) -> None:
    if device != room.host:
        raise NotHost


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
    return reset_evening(replace(room, seats=(*room.seats, seat)))


def claim_seat(room: Room, device: str, place: int) -> Room:
    """Give an offered seat to a device; the same people play, so only the seals are asked for again."""
    seat = find_seat(room, place)
    if not seat.offered:
        raise SeatNotYours
    mine = replace(seat, device=device, offered=False)
    seats = (*room.seats[:place], mine, *room.seats[place + 1 :])
    return replace(room, seats=seats, coming=replace(room.coming, seals={}))


def remove_seat(room: Room, device: str, place: int) -> Room:
    """Remove a seat; when the host's last one goes, the next person is host."""
    if device not in (find_seat(room, place).device, room.host):
        raise SeatNotYours
    left = reset_evening(replace(room, seats=room.seats[:place] + room.seats[place + 1 :]))
    gone = room.host in room.devices and room.host not in left.devices
    return pass_host(left, frozenset(left.devices)) if gone else left


def set_real_dice(room: Room, device: str, place: int, real: bool) -> Room:
    """Give a person real dice, or ours; bots cannot roll real ones."""
    seat = find_seat(room, place)
    if device not in (seat.device, room.host) or seat.bot is not None:
        raise SeatNotYours
    return replace(room, seats=(*room.seats[:place], replace(seat, real_dice=real), *room.seats[place + 1 :]))


def pass_host(room: Room, present: frozenset[str]) -> Room:
    """Give the host's role to the first person who is there, if the host is not; nobody there: it stays."""
    here = [device for device in room.devices if device in present]
    return replace(room, host=here[0]) if here and room.host not in present else room


def reset_evening(room: Room) -> Room:
    """Ask every device for its seal again: seats have moved, so the old ones no longer fit; a new evening begins."""
    return replace(room, coming=replace(room.coming, seals={}), totals=(), first=None)


def make_unique_name(room: Room, name: str) -> str:
    """Make a name readable, short and unique at this table."""
    label = clean_name(name)
    if not label:
        raise NameEmpty
    taken = {fold_name(seat.name) for seat in room.seats}
    return next(one for count in range(1, 200) if fold_name(one := number_name(label, count)) not in taken)


def clean_name(name: str) -> str:
    """Make a name readable and short."""
    return truncate(clean_text(name), MAX_NAME_LENGTH)


def number_name(label: str, count: int) -> str:
    """Add a number to a name that is taken."""
    return label if count == 1 else f"{truncate(label, MAX_NAME_LENGTH - len(f' {count}'))} {count}"


def fold_name(name: str) -> str:
    """Fold a name for comparison: case and letter forms do not matter."""
    return unicodedata.normalize("NFKC", name).casefold()


def build_settings(intent: ChangeSettings, seed: str | None = None) -> Settings:
    """Check the requested settings, and choose the text if none is named."""
    edition = open_edition(intent.edition, intent.house)
    text = edition.choose_text(intent.text, None)
    known = edition.switch_values
    for name, value in intent.switches.items():
        if name not in known:
            raise UnknownSwitch(name=abbreviate(name), known=tuple(known))
        if value not in known[name]:
            raise SwitchValue(name=name, value=abbreviate(value), allowed=known[name])
    free = intent.free and FAMILIES[edition.family].free_tables
    settings = Settings(edition.id, text, dict(intent.switches), intent.games, intent.house, free, intent.pace, seed)
    resolve_rules(settings)
    return settings


@lru_cache(maxsize=256)
def open_edition(name: str, house: str | None) -> Edition:
    """Open a printed edition, or the house rules whose text is given."""
    return load_printed_edition(name) if house is None else read_house_rules(house.encode(), name)


def load_printed_edition(name: str) -> Edition:
    """Open a printed edition by its id; a path is never opened."""
    return load_edition(name.replace("/", "").removesuffix(".toml"))


def resolve_rules(settings: Settings) -> Rules:
    """Resolve the rules that were agreed."""
    return resolve_cached_rules(settings.edition, settings.house, settings.text, tuple(settings.switches.items()))


@lru_cache(maxsize=256)
def resolve_cached_rules(name: str, house: str | None, text: str, switches: tuple[tuple[str, str], ...]) -> Rules:
    """Resolve rules; cached, because every view of a room asks whether a game can begin."""
    rules: Rules = open_edition(name, house).rules(text, dict(switches))
    return rules


def build_header(room: Room) -> Header:
    """Write down what was agreed as the header of the game to come."""
    settings, coming = room.settings, room.coming
    edition, rules = open_edition(settings.edition, settings.house), resolve_rules(settings)
    limits, seats = rules.players, len(room.seats)
    seals = {min(room.seats_of(device)): seal for device, seal in coming.seals.items() if room.seats_of(device)}
    first = None if room.first is None else (room.first + len(room.totals)) % seats
    if settings.quoted is not None:
        first = settings.quoted.first
    return Header(
        knobel=FORMAT,
        game=coming.game,
        edition=describe_edition(edition, list_boxes(rules)),
        text=settings.text,
        switches=settings.switches,
        fingerprint=rules.fingerprint,
        seats=tuple(Seat(seat.name, seat.bot, seat.beginner, seat.real_dice) for seat in room.seats),
        first=first,
        practice=not settings.free and (seats < limits.least or (limits.most is not None and seats > limits.most)),
        dice=DiceSource(fair.SCHEME, coming.commitment, settings.seed, dict(sorted(seals.items()))),
        evening=Evening(settings.games, room.game_number, room.totals, room.first),
        rules=rules.as_dict,
        free=settings.free,
        quoted=settings.quoted or UNSET,
    )


def describe_edition(edition: Edition, boxes: tuple[str, ...]) -> EditionInfo:
    """Describe the edition for the record, which must stay readable without the edition's file."""
    names = {box: edition.box_names(box) for box in boxes if edition.box_names(box)}
    return EditionInfo(edition.id, edition.title, edition.publisher, edition.base, names)


def explain_cannot_begin(room: Room) -> Phrase | None:
    """Say what is missing before the next game can begin."""
    if room.running:
        return phrase("errors.game_running")
    if not room.seats:
        return phrase("errors.room_empty")
    rules = resolve_rules(room.settings)
    if len(room.seats) < rules.players.least and not FAMILIES[rules.family].playable_below_least:
        return phrase("errors.too_few", n=rules.players.least)
    return None
