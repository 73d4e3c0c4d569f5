"""What a record remembers: what was agreed, then everything that happened, event by event."""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

Small: TypeAlias = Annotated[int, Meta(ge=0, le=255)]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000)]
Word: TypeAlias = Annotated[str, Meta(max_length=80)]
Said: TypeAlias = Annotated[str, Meta(max_length=131_072)]
"""Words of people: a title, a name, a seed; as long as a house-rule file or a command line can make them."""
Seed: TypeAlias = Annotated[str, Meta(min_length=64, max_length=64, pattern="^[0-9a-f]{64}$")]


class Seat(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who sits there: a person, or a bot of some kind; with our dice or with real ones; names stand beside the log."""

    name: Word = ""
    bot: Word | None = None
    beginner: bool = False
    own_dice: bool = False


class Box(Struct, frozen=True, forbid_unknown_fields=True):
    """Which box is on the table, as far as one must know to speak about it."""

    id: Said
    title: Said
    publisher: Said
    base: Said | None = None
    names: dict[Word, dict[Word, Said]] = {}


class Seeds(Struct, frozen=True, forbid_unknown_fields=True):
    """Where the dice come from, in hex."""

    server: Seed
    clients: tuple[Seed, ...] = ()


class Dice(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How the dice are drawn, with the seals of the players' seeds; a seeded game is repeatable, so not fair play."""

    scheme: Word
    commitment: Word
    seed: Said | None = None
    seals: dict[Small, Seed] = {}
    secret: Seeds | None = None
    """Only in unfinished records of format 1."""


class Evening(Struct, frozen=True, forbid_unknown_fields=True):
    """The place of a game in a series, and the totals of the games before it."""

    games: Number
    number: Number
    totals: tuple[tuple[Number, ...], ...] = ()
    first: Small | None = None


class Quoted(Struct, frozen=True, forbid_unknown_fields=True):
    """The beginning of another game, told again up to a position from which this one goes on; its dice were its own."""

    game: Word
    first: Small | None
    actions: Annotated[tuple[Word, ...], Meta(max_length=5000)]


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """What was agreed before the first throw; the rules are the resolved ones, so a record outlives its edition."""

    knobel: int
    game: Word
    edition: Box
    text: Word
    switches: dict[Word, Word]
    fingerprint: Word
    seats: Annotated[tuple[Seat, ...], Meta(min_length=1, max_length=99)]
    first: Small | None
    practice: bool
    dice: Dice
    evening: Evening
    rules: dict[str, object]
    free: bool = False
    """Whether each column is a game of its own, filled whenever its player likes."""
    quoted: Quoted | UnsetType = UNSET


class Acted(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="acted"):
    """A seat did something, as text."""

    seat: Small
    action: Word


class Landed(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="landed"):
    """Dice came to rest: whose, where in the stream, which positions, what they show, and whether they were real."""

    seat: Small
    turn: Number
    throw: Small
    faces: Small
    positions: tuple[Small, ...]
    dice: tuple[Small, ...]
    own: bool = False


class Undone(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="undone"):
    """The last entry or announcement was taken back."""

    number: Number


class Mended(Struct, frozen=True, forbid_unknown_fields=True):
    """A turn as it should have been entered."""

    turn: Number
    actions: Annotated[tuple[Word, ...], Meta(min_length=1, max_length=3)]


class Corrected(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="corrected"):
    """A turn of somebody with real dice was entered wrongly: it is played again, and all that came after it.

    If two turns were mixed up, both are mended in one stroke: neither could be without the other.
    """

    seat: Small
    turn: Number
    actions: Annotated[tuple[Word, ...], Meta(min_length=1, max_length=3)]
    other: Mended | UnsetType = UNSET

    @property
    def turns(self) -> dict[int, tuple[str, ...]]:
        """The turns that are played again, with what they consist of."""
        other = {} if self.other is UNSET else {self.other.turn: self.other.actions}
        return {self.turn: self.actions} | other


class Revealed(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="revealed"):
    """A player showed the seed behind the seal."""

    seat: Small
    seed: Seed


class Without(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="without"):
    """The game starts without the seed of a player who did not show it."""

    seat: Small


class Away(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="away"):
    """A player is not there; the table waits."""

    seat: Small


class StandIn(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="stand_in"):
    """A bot plays the seat until its player returns."""

    seat: Small
    bot: Word


class Back(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="back"):
    """A player is there again."""

    seat: Small


class Assisted(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="assisted"):
    """A player asked the coach from here on."""

    seat: Small


class Closed(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="event", tag="closed"):
    """Nothing comes after this, and the seeds are shown: the game is over, was stopped, or waited too long."""

    seeds: Seeds
    why: Literal["over", "stopped", "expired"] = "over"


Event: TypeAlias = Acted | Landed | Undone | Corrected | Revealed | Without | Away | StandIn | Back | Assisted | Closed


class Record(Struct, frozen=True):
    """A game and everything that happened in it."""

    header: Header
    events: tuple[Event, ...] = ()

    @property
    def closed(self) -> bool:
        """Whether the game was brought to its end."""
        return bool(self.events) and isinstance(self.events[-1], Closed)
