"""A room as one frozen value: its seats, its settings, the next game; a change gives a new room."""

from functools import lru_cache
from typing import Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from knobel import fair
from knobel.phrase import Phrase, phrase
from knobel.record.events import DiceSource, EditionInfo, Header, Seat, SeriesPosition, StartPosition
from knobel.record.formats import FORMAT
from knobel.rooms.intents import ChangeSettings, Start
from knobel.rules import Edition, load_edition, read_house_rules
from knobel.rules.families import FAMILIES, Rules, list_boxes
from knobel.series import Standing

DUPLICATE_LEAST = 2
"""How few can compare what they make of the same dice."""
HeaderStart: TypeAlias = Literal["random", "roll_off"] | UnsetType


class EveningResult(Struct, frozen=True):
    """How a seat did in a game of the evening: its place (0: did not play), its handicap then, whether it left."""

    place: int = 0
    handicap: int = 0
    left: bool = False


class EveningGame(Struct, frozen=True):
    """A game of the evening that is over; `kind` is what its rules call several games in a row."""

    game: str
    edition: str
    title: str
    kind: str
    has_points: bool
    results: tuple[EveningResult, ...]


class FormerPlayer(Struct, frozen=True):
    """Somebody who got up in the middle of a series: what they have scored is theirs again if they come back."""

    device: str | None
    name: str
    totals: tuple[int, ...]
    results: tuple[EveningResult, ...] = ()
    handicap: int = 0
    person: str | None = None


class RoomSeat(Struct, frozen=True):
    """A player: a person on some device, or a bot; an offered seat may be taken by another device."""

    name: str
    device: str | None
    bot: str | None = None
    beginner: bool = False
    real_dice: bool = False
    offered: bool = False
    person: str | None = None
    """Who plays here, if that is known; the record does not say it."""
    colour: int | None = None
    emblem: int | None = None
    handicap: int = 0
    """Points for every game, which count for the standings of the evening alone."""


class Settings(Struct, frozen=True):
    """What was agreed on; `house_rules` is the text of a house-rule file, `seed` makes the dice repeatable."""

    edition: str
    text: str
    switches: dict[str, str] = {}
    games: int = 1
    house_rules: str | None = None
    free: bool = False
    pace: float = 1.0
    seed: str | None = None
    quoted: StartPosition | None = None
    """Where the games of this room begin, if not at the beginning."""
    start: Start | None = None
    """Who starts the first game, if not whom the rules name."""
    move_seconds: int = 0
    """How long somebody may think about a move; 0: as long as they like."""
    standing: Standing | None = None
    """How the games of the evening are counted together, if not as the rules say."""
    duplicate: bool = False
    """Whether everybody has the same dice; each column is free then, and hidden until others have come as far."""


class NextGame(Struct, frozen=True):
    """The next game: its name, the seed nobody may see yet, the promise of it, and the seals of the devices."""

    game: str
    seed: str
    commitment: str
    seals: dict[str, str] = {}


class Room(Struct, frozen=True):
    """A room; `game` is the one being played or played last, `acting_host` leads while the host is away."""

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
    acting_host: str | None = None
    locked: bool = False
    former: tuple[FormerPlayer, ...] = ()
    played: tuple[EveningGame, ...] = ()
    """The games behind the totals; rooms of earlier versions have totals alone."""
    tournament: str | None = None
    """The tournament of which a round is played here."""

    def is_led_by(self, device: str) -> bool:
        """Tell whether a device is the host, or acts for the host who is away."""
        return device in (self.host, self.acting_host)

    @property
    def game_number(self) -> int:
        """Which game of the evening is played now, or comes next."""
        return len(self.totals) + 1

    def seats_of(self, device: str) -> tuple[int, ...]:
        """List the seats of a device."""
        return tuple([place for place, seat in enumerate(self.seats) if seat.device == device])

    def has_seat(self, device: str, seat: int) -> bool:
        """Tell whether a seat belongs to a device."""
        return 0 <= seat < len(self.seats) and self.seats[seat].device == device

    @property
    def devices(self) -> tuple[str, ...]:
        """List the devices, by their lowest seats."""
        return tuple(dict.fromkeys(seat.device for seat in self.seats if seat.device is not None))

    @property
    def unsealed_devices(self) -> tuple[str, ...]:
        """List the devices that have not promised a seed yet."""
        return tuple(device for device in self.devices if device not in self.coming.seals)


def build_settings(intent: ChangeSettings, seed: str | None = None) -> Settings:
    """Check the requested settings, and choose the text if none is named."""
    edition = open_edition(intent.edition, intent.house_rules)
    text = edition.choose_text(intent.text, None)
    can_be_free = FAMILIES[edition.family].free_tables
    duplicate = intent.duplicate and can_be_free
    settings = Settings(
        edition.id,
        text,
        dict(intent.switches),
        intent.games,
        intent.house_rules,
        duplicate or (intent.free and can_be_free),
        intent.pace,
        seed,
        start=None if duplicate else intent.start,
        move_seconds=intent.move_seconds,
        standing=intent.standing,
        duplicate=duplicate,
    )
    resolve_rules(settings)
    return settings


@lru_cache(maxsize=256)
def open_edition(name: str, house_rules: str | None) -> Edition:
    """Open a printed edition, or the house rules whose text is given."""
    return load_printed_edition(name) if house_rules is None else read_house_rules(house_rules.encode(), name)


def load_printed_edition(name: str) -> Edition:
    """Open a printed edition by its id; a path is never opened."""
    return load_edition(name.replace("/", "").removesuffix(".toml"))


def resolve_rules(settings: Settings) -> Rules:
    """Resolve the rules that were agreed."""
    return resolve_cached_rules(settings.edition, settings.house_rules, settings.text, tuple(settings.switches.items()))


@lru_cache(maxsize=256)
def resolve_cached_rules(name: str, house_rules: str | None, text: str, switches: tuple[tuple[str, str], ...]) -> Rules:
    """Resolve rules; cached, because every view of a room asks whether a game can begin."""
    rules: Rules = open_edition(name, house_rules).rules(text, dict(switches))
    return rules


def build_header(room: Room) -> Header:
    """Write down what was agreed as the header of the game to come."""
    settings, coming = room.settings, room.coming
    edition, rules = open_edition(settings.edition, settings.house_rules), resolve_rules(settings)
    limits, seats = rules.players, len(room.seats)
    seals = {min(room.seats_of(device)): seal for device, seal in coming.seals.items() if room.seats_of(device)}
    first, start = choose_start(room)
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
        dice=DiceSource(choose_scheme(settings), coming.commitment, settings.seed, dict(sorted(seals.items()))),
        evening=SeriesPosition(settings.games, room.game_number, room.totals, room.first),
        rules=rules.as_dict,
        free=settings.free,
        quoted=settings.quoted or UNSET,
        start=start,
    )


def choose_scheme(settings: Settings) -> str:
    """Choose how the dice are drawn: the same for everybody in duplicate."""
    return fair.DUPLICATE_SCHEME if settings.duplicate else fair.SCHEME


def choose_start(room: Room) -> tuple[int | None, HeaderStart]:
    """Say who starts the next game, or how that is found out; a series goes round the table."""
    settings, seats = room.settings, len(room.seats)
    if room.first is not None:
        return (room.first + len(room.totals)) % seats, UNSET
    rolls_off = settings.start == "roll_off" and not settings.free
    if settings.quoted is not None:
        return settings.quoted.first, "roll_off" if rolls_off else UNSET
    if settings.start == "first":
        return 0, UNSET
    if seats > 1 and (rolls_off or settings.start == "random"):
        return None, settings.start or UNSET
    return None, UNSET


def find_room_edition(room: Room) -> Edition:
    """Find the edition that is agreed in a room."""
    return open_edition(room.settings.edition, room.settings.house_rules)


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
    return explain_not_duplicate(room) if room.settings.duplicate else None


def explain_not_duplicate(room: Room) -> Phrase | None:
    """Say what is missing for duplicate: two who compare, our dice, everybody, and a device for each person."""
    if len(room.seats) < DUPLICATE_LEAST:
        return phrase("errors.too_few", n=DUPLICATE_LEAST)
    if any(seat.real_dice for seat in room.seats):
        return phrase("errors.duplicate_real_dice")
    if waiting := [seat.name for seat in room.seats if seat.offered]:
        return phrase("web.tournament.missing", names=", ".join(waiting))
    people = [seat.device for seat in room.seats if seat.device is not None]
    return phrase("errors.duplicate_devices") if len(set(people)) < len(people) else None
