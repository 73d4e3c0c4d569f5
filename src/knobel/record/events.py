"""What a record holds: what was agreed, then everything that happened, event by event.

These are the keys of format 3; formats.py reads and writes the older ones.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

Small: TypeAlias = Annotated[int, Meta(ge=0, le=255)]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000)]
ShortText: TypeAlias = Annotated[str, Meta(max_length=80)]
LongText: TypeAlias = Annotated[str, Meta(max_length=131_072)]
"""Text that people wrote: a title, a name, a seed; as long as a house-rule file or a command line can make it."""
Hex256: TypeAlias = Annotated[str, Meta(min_length=64, max_length=64, pattern="^[0-9a-f]{64}$")]


class Seat(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A player: a person, or a bot of some kind; with our dice or with real ones; the chain leaves the name out."""

    name: ShortText = ""
    bot: ShortText | None = None
    beginner: bool = False
    real_dice: bool = False


class EditionInfo(Struct, frozen=True, forbid_unknown_fields=True):
    """The edition that is played, as far as a reader needs it to show the game."""

    id: LongText
    title: LongText
    publisher: LongText
    base: LongText | None = None
    names: dict[ShortText, dict[ShortText, LongText]] = {}

    @property
    def printed_by(self) -> str:
        """Who printed exactly these rules: nobody, if house rules change them."""
        return "" if self.base else self.publisher


class Seeds(Struct, frozen=True, forbid_unknown_fields=True):
    """Where the dice come from, in hex."""

    server: Hex256
    clients: tuple[Hex256, ...] = ()


class DiceSource(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How the dice are drawn, and the seals of the players' seeds; a typed seed is repeatable, so not fair."""

    scheme: ShortText
    commitment: ShortText
    seed: LongText | None = None
    seals: dict[Small, Hex256] = {}
    secret: Seeds | None = None
    """Only in unfinished records of format 1."""


class SeriesPosition(Struct, frozen=True, forbid_unknown_fields=True):
    """The place of a game in a series, and the totals of the games before it."""

    games: Number
    number: Number
    totals: tuple[tuple[Number, ...], ...] = ()
    first: Small | None = None


class StartPosition(Struct, frozen=True, forbid_unknown_fields=True):
    """The actions of another game up to the position from which this one goes on; its dice were its own."""

    game: ShortText
    first: Small | None
    actions: Annotated[tuple[ShortText, ...], Meta(max_length=5000)]


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """What was agreed before the first roll; the rules are the resolved ones, so a record outlives its edition."""

    knobel: int
    game: ShortText
    edition: EditionInfo
    text: ShortText
    switches: dict[ShortText, ShortText]
    fingerprint: ShortText
    seats: Annotated[tuple[Seat, ...], Meta(min_length=1, max_length=99)]
    first: Small | None
    practice: bool
    dice: DiceSource
    evening: SeriesPosition
    rules: dict[str, object]
    free: bool = False
    """Whether each column is a game of its own, filled whenever its player likes."""
    quoted: StartPosition | UnsetType = UNSET
    start: Literal["random", "roll_off"] | UnsetType = UNSET
    """How the players agreed to find out who starts, if neither `first` nor the rules say it."""


class Acted(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="acted"):
    """A seat did something; the action is notation."""

    seat: Small
    action: ShortText


class Landed(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="landed"):
    """Dice came to rest: whose, where in the stream, which positions, what they show, and whether they were real."""

    seat: Small
    turn: Number
    roll: Small
    faces: Small
    positions: tuple[Small, ...]
    dice: tuple[Small, ...]
    real: bool = False


class Undone(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="undone"):
    """The last entry or announcement was undone."""

    number: Number


class CorrectedTurn(Struct, frozen=True, forbid_unknown_fields=True):
    """A turn as it should have been entered."""

    turn: Number
    actions: Annotated[tuple[ShortText, ...], Meta(min_length=1, max_length=3)]


class Corrected(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="corrected"):
    """A turn with real dice was entered wrongly: it is played again, and all that came after it.

    If two turns were mixed up, one event corrects both: neither could be corrected without the other.
    """

    seat: Small
    turn: Number
    actions: Annotated[tuple[ShortText, ...], Meta(min_length=1, max_length=3)]
    other: CorrectedTurn | UnsetType = UNSET

    @property
    def turns(self) -> dict[int, tuple[str, ...]]:
        """The turns that are played again, with their actions."""
        other = {} if self.other is UNSET else {self.other.turn: self.other.actions}
        return {self.turn: self.actions} | other


class Revealed(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="revealed"):
    """A player showed the seed behind the seal."""

    seat: Small
    seed: Hex256


class StartedWithout(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="without"):
    """The game starts without the seed of a player who did not show it."""

    seat: Small


class Drawn(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="drawn"):
    """Lots were drawn: this seat starts."""

    seat: Small


class Away(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="away"):
    """A player is not there; the table waits."""

    seat: Small


class StandIn(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="stand_in"):
    """A bot plays the seat until its player returns."""

    seat: Small
    bot: ShortText


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


Event: TypeAlias = (
    Acted | Landed | Undone | Corrected | Revealed | StartedWithout | Drawn | Away | StandIn | Back | Assisted | Closed
)


class Record(Struct, frozen=True):
    """A game and everything that happened in it."""

    header: Header
    events: tuple[Event, ...] = ()

    def __repr__(self) -> str:
        return f"<Record {self.header.game}: {self.header.edition.title}, {len(self.events)} events>"
