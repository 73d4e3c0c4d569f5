"""A room as one frozen value: its chairs, what was agreed, the game to come; a change gives a new room."""

import unicodedata
from functools import lru_cache

from msgspec import UNSET, Struct
from msgspec.structs import replace

from knobel import fair
from knobel.errors import (
    ChairsFull,
    GameRunning,
    NameEmpty,
    NoChair,
    NotHost,
    NotYours,
    Stale,
    SwitchValue,
    UnknownSwitch,
)
from knobel.phrase import Phrase, phrase
from knobel.record.events import Box, Dice, Evening, Header, Quoted, Seat
from knobel.record.file import FORMAT
from knobel.room.intents import GetUp, HandOver, OwnDice, Seal, Settle, Sit, SitBot, Swap, Take
from knobel.rules import Edition, load, read_house
from knobel.rules.fields import clean, cut, shown
from knobel.rules.rounds import RoundRules
from knobel.rules.ruleset import SheetRules
from knobel.rules.switches import VALUES

MOST_CHAIRS = 99
LONGEST_NAME = 20


class Chair(Struct, frozen=True):
    """Somebody who plays: a person at some device, or a bot; offered: whoever comes with a device may take it."""

    name: str
    owner: str | None
    bot: str | None = None
    beginner: bool = False
    own_dice: bool = False
    offered: bool = False


class Settings(Struct, frozen=True):
    """What was agreed on; `house` is the text of a house-rule file, `seed` makes the dice repeatable."""

    edition: str
    text: str
    switches: dict[str, str] = {}
    games: int = 1
    house: str | None = None
    free: bool = False
    pace: float = 1.0
    seed: str | None = None
    quoted: Quoted | None = None
    """Where the games of this room begin, if not at the beginning."""


class Coming(Struct, frozen=True):
    """The next game: its name, the seed nobody may see yet, the promise of it, and the seals of the devices."""

    game: str
    seed: str
    commitment: str
    seals: dict[str, str] = {}


class Room(Struct, frozen=True):
    """Chairs around a table; `game` is the one being played or played last, `done` the last commands."""

    room: str
    host: str
    settings: Settings
    coming: Coming
    chairs: tuple[Chair, ...] = ()
    code: str | None = None
    game: str | None = None
    running: bool = False
    totals: tuple[tuple[int, ...], ...] = ()
    first: int | None = None
    done: tuple[tuple[str, str], ...] = ()

    @property
    def number(self) -> int:
        """Which game of the evening is played now, or comes next."""
        return len(self.totals) + 1

    def seats_of(self, owner: str) -> tuple[int, ...]:
        """List the seats of a device."""
        return tuple([place for place, chair in enumerate(self.chairs) if chair.owner == owner])

    @property
    def owners(self) -> tuple[str, ...]:
        """List the devices, by their lowest seats."""
        return tuple(dict.fromkeys(chair.owner for chair in self.chairs if chair.owner is not None))

    @property
    def unsealed(self) -> tuple[str, ...]:
        """List the devices that have not promised a seed yet."""
        return tuple(owner for owner in self.owners if owner not in self.coming.seals)


def changed(
    room: Room, owner: str, wanted: Sit | Take | SitBot | GetUp | Swap | Settle | OwnDice | HandOver | Seal
) -> Room:
    """Give the room after somebody got what he wanted, or refuse it."""
    match wanted:
        case Seal(game, seal):
            return sealed(room, owner, game, seal)
        case HandOver(chair):
            need_host(room, owner)
            heir = chair_at(room, chair).owner
            return replace(room, host=heir) if heir else room
    if room.running:
        raise GameRunning
    match wanted:
        case Sit(name, beginner, own_dice, offered):
            return seated(room, Chair(called(room, name), owner, None, beginner, own_dice, offered))
        case Take(chair):
            return taken(room, owner, chair)
        case SitBot(bot, name):
            need_host(room, owner)
            return seated(room, Chair(called(room, name), None, bot))
        case GetUp(chair):
            return got_up(room, owner, chair)
        case OwnDice(chair, own):
            return with_dice(room, owner, chair, own)
        case Swap(chair):
            need_host(room, owner)
            if not chair:
                raise NoChair(chair=chair, n=len(room.chairs))
            chair_at(room, chair)
            chairs = list(room.chairs)
            chairs[chair - 1], chairs[chair] = chairs[chair], chairs[chair - 1]
            return anew(replace(room, chairs=tuple(chairs)))
        case Settle():
            need_host(room, owner)
            settings = agreed(wanted, room.settings.seed)
            return anew(replace(room, settings=settings))


def need_host(room: Room, owner: str) -> None:
    """Let only the host decide."""
    if owner != room.host:
        raise NotHost


def chair_at(room: Room, chair: int) -> Chair:
    """Find a chair."""
    if chair >= len(room.chairs):
        raise NoChair(chair=chair + 1, n=len(room.chairs))
    return room.chairs[chair]


def sealed(room: Room, owner: str, game: str, seal: str) -> Room:
    """Note the promise of a device that has a chair; one for another game comes too late."""
    if owner not in room.owners:
        raise NotYours
    if game != room.coming.game:
        raise Stale
    coming = room.coming
    return replace(room, coming=replace(coming, seals={**coming.seals, owner: seal}))


def seated(room: Room, chair: Chair) -> Room:
    """Put a chair to the table."""
    if len(room.chairs) >= MOST_CHAIRS:
        raise ChairsFull(n=MOST_CHAIRS)
    return anew(replace(room, chairs=(*room.chairs, chair)))


def taken(room: Room, owner: str, place: int) -> Room:
    """Give an offered chair to the device of whoever it was laid for; the same people play, only the seals are new."""
    chair = chair_at(room, place)
    if not chair.offered:
        raise NotYours
    mine = replace(chair, owner=owner, offered=False)
    chairs = (*room.chairs[:place], mine, *room.chairs[place + 1 :])
    return replace(room, chairs=chairs, coming=replace(room.coming, seals={}))


def got_up(room: Room, owner: str, place: int) -> Room:
    """Take a chair away; when the host's last one goes, the next person is host."""
    if owner not in (chair_at(room, place).owner, room.host):
        raise NotYours
    left = anew(replace(room, chairs=room.chairs[:place] + room.chairs[place + 1 :]))
    gone = room.host in room.owners and room.host not in left.owners
    return passed_on(left, frozenset(left.owners)) if gone else left


def with_dice(room: Room, owner: str, place: int, own: bool) -> Room:
    """Give a person real dice, or ours; bots have no hands."""
    chair = chair_at(room, place)
    if owner not in (chair.owner, room.host) or chair.bot is not None:
        raise NotYours
    return replace(room, chairs=(*room.chairs[:place], replace(chair, own_dice=own), *room.chairs[place + 1 :]))


def passed_on(room: Room, present: frozenset[str]) -> Room:
    """Give the host's role to the first person who is there, if the host is not; nobody there: it stays."""
    here = [owner for owner in room.owners if owner in present]
    return replace(room, host=here[0]) if here and room.host not in present else room


def anew(room: Room) -> Room:
    """Ask every device for its seal again: seats have moved, so the old ones no longer fit; a new evening begins."""
    return replace(room, coming=replace(room.coming, seals={}), totals=(), first=None)


def called(room: Room, name: str) -> str:
    """Give a name as it is called at this table: readable, short, and nobody else's."""
    label = label_of(name)
    if not label:
        raise NameEmpty
    taken = {sound(chair.name) for chair in room.chairs}
    return next(one for count in range(1, 200) if sound(one := numbered(label, count)) not in taken)


def label_of(name: str) -> str:
    """Make a name readable and short."""
    return cut(clean(name), LONGEST_NAME)


def numbered(label: str, count: int) -> str:
    """Tell the second of a name from the first, and so on."""
    return label if count == 1 else f"{cut(label, LONGEST_NAME - len(f' {count}'))} {count}"


def sound(name: str) -> str:
    """Give a name as it sounds, in whatever letters it is written."""
    return unicodedata.normalize("NFKC", name).casefold()


def agreed(wanted: Settle, seed: str | None = None) -> Settings:
    """Check what is wanted, and choose the text where none was named."""
    edition = edition_of(wanted.edition, wanted.house)
    text = edition.text_for(wanted.text, None)
    known = VALUES[edition.family]
    for name, value in wanted.switches.items():
        if name not in known:
            raise UnknownSwitch(name=shown(name), known=tuple(known))
        if value not in known[name]:
            raise SwitchValue(name=name, value=shown(value), allowed=known[name])
    free = wanted.free and edition.family == "sheet"
    settings = Settings(edition.id, text, dict(wanted.switches), wanted.games, wanted.house, free, wanted.pace, seed)
    rules_of(settings)
    return settings


@lru_cache(maxsize=256)
def edition_of(name: str, house: str | None) -> Edition:
    """Open the box, or the house rules whose text was given."""
    return load_box(name) if house is None else read_house(house.encode(), name)


def load_box(name: str) -> Edition:
    """Open a printed box; a path is none, whoever may ask."""
    return load(name.replace("/", "").removesuffix(".toml"))


def rules_of(settings: Settings) -> SheetRules | RoundRules:
    """Resolve the rules that were agreed."""
    return resolved(settings.edition, settings.house, settings.text, tuple(settings.switches.items()))


@lru_cache(maxsize=256)
def resolved(name: str, house: str | None, text: str, switches: tuple[tuple[str, str], ...]) -> SheetRules | RoundRules:
    """Resolve rules; remembered, because whoever looks at a room asks whether a game can begin."""
    edition = edition_of(name, house)
    if edition.family == "sheet":
        return edition.rules(text, dict(switches))
    return edition.round_rules(text, dict(switches))


def header_of(room: Room) -> Header:
    """Write down what was agreed as the header of the game to come."""
    settings, coming = room.settings, room.coming
    edition, rules = edition_of(settings.edition, settings.house), rules_of(settings)
    limits, seats = rules.players, len(room.chairs)
    boxes = [box.id for box in rules.boxes] if isinstance(rules, SheetRules) else []
    seals = {min(room.seats_of(owner)): seal for owner, seal in coming.seals.items() if room.seats_of(owner)}
    first = None if room.first is None else (room.first + len(room.totals)) % seats
    if settings.quoted is not None:
        first = settings.quoted.first
    return Header(
        knobel=FORMAT,
        game=coming.game,
        edition=spoken(edition, boxes),
        text=settings.text,
        switches=settings.switches,
        fingerprint=rules.fingerprint,
        seats=tuple(Seat(chair.name, chair.bot, chair.beginner, chair.own_dice) for chair in room.chairs),
        first=first,
        practice=not settings.free and (seats < limits.least or (limits.most is not None and seats > limits.most)),
        dice=Dice(fair.SCHEME, coming.commitment, settings.seed, dict(sorted(seals.items()))),
        evening=Evening(settings.games, room.number, room.totals, room.first),
        rules=rules.form,
        free=settings.free,
        quoted=settings.quoted or UNSET,
    )


def spoken(edition: Edition, boxes: list[str]) -> Box:
    """Note what is needed to speak about the box, even if its file should be gone."""
    names = {box: edition.names(box) for box in boxes if edition.names(box)}
    return Box(edition.id, edition.title, edition.publisher, edition.base, names)


def why_not_begin(room: Room) -> Phrase | None:
    """Say what is missing before the next game can begin."""
    if room.running:
        return phrase("errors.game_running")
    if not room.chairs:
        return phrase("errors.room_empty")
    rules = rules_of(room.settings)
    if isinstance(rules, RoundRules) and len(room.chairs) < rules.players.least:
        return phrase("errors.too_few", n=rules.players.least)
    return None
