"""The formats of records: 3 is written for new games; a game that began in 1 or 2 is read and continued in it.

Formats 1 and 2 call a roll `throw`, and real dice `own` in a landing and `own_dice` in a seat. Format 1 has no chain,
and the names stand in its header. Hashes are made from the bytes, so each game keeps the keys it began with.
"""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, field
from msgspec.structs import asdict, astuple

from knobel.record.events import (
    Acted,
    Assisted,
    Away,
    Back,
    Closed,
    Corrected,
    Drawn,
    Event,
    Header,
    Hex256,
    Landed,
    Revealed,
    Seat,
    Small,
    StandIn,
    StartedWithout,
    Undone,
)

FORMAT = 3


class OldSeat(Seat, frozen=True):
    """A seat in the header of formats 1 and 2."""

    real_dice: bool = field(default=False, name="own_dice")


class OldHeader(Header, frozen=True):
    """The header of formats 1 and 2."""

    seats: Annotated[tuple[OldSeat, ...], Meta(min_length=1, max_length=99)]


class OldLanded(Landed, frozen=True, tag_field="event", tag="landed"):
    """Dice that came to rest, in formats 1 and 2."""

    roll: Small = field(name="throw")
    real: bool = field(default=False, name="own")


OldEvent: TypeAlias = (
    Acted
    | OldLanded
    | Undone
    | Corrected
    | Revealed
    | StartedWithout
    | Drawn
    | Away
    | StandIn
    | Back
    | Assisted
    | Closed
)


class ChainLink(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event and the hash of the line before it."""

    after: Hex256
    event: Event


class OldChainLink(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A link in formats 1 and 2."""

    after: Hex256
    event: OldEvent


class FormatNumber(msgspec.Struct, frozen=True):
    """The first thing to know about a record."""

    knobel: int


@dataclass(frozen=True)
class RecordFormat:
    """How the lines of one format are read and written."""

    number: int
    first_event_line: int
    header_decoder: "msgspec.json.Decoder[Header] | msgspec.json.Decoder[OldHeader]"
    event_decoder: "msgspec.json.Decoder[Event] | msgspec.json.Decoder[OldEvent]"
    link_decoder: "msgspec.json.Decoder[ChainLink] | msgspec.json.Decoder[OldChainLink]"

    @property
    def is_chained(self) -> bool:
        return self.number > 1

    def decode_header(self, line: str | bytes) -> Header:
        header = self.header_decoder.decode(line)
        return from_old_header(header) if isinstance(header, OldHeader) else header

    def decode_event(self, line: str | bytes) -> Event:
        return from_old_event(self.event_decoder.decode(line))

    def decode_link(self, line: str | bytes) -> tuple[str, Event]:
        """Read an event of a chain, and the hash of the line before it."""
        link = self.link_decoder.decode(line)
        return link.after, from_old_event(link.event)

    def encode_header(self, header: Header) -> str:
        return encode_json(header if self.number == FORMAT else to_old_header(header))

    def encode_event(self, event: Event) -> str:
        is_renamed = self.number != FORMAT and isinstance(event, Landed)
        return encode_json(OldLanded(*astuple(event)) if is_renamed else event)


def from_old_event(event: Event | OldLanded) -> Event:
    return Landed(*astuple(event)) if isinstance(event, OldLanded) else event


def from_old_header(header: OldHeader) -> Header:
    seats = tuple(Seat(*astuple(seat)) for seat in header.seats)
    return Header(**{**asdict(header), "seats": seats})


def to_old_header(header: Header) -> OldHeader:
    seats = tuple(OldSeat(*astuple(seat)) for seat in header.seats)
    return OldHeader(**{**asdict(header), "seats": seats})


def encode_json(thing: msgspec.Struct) -> str:
    return msgspec.json.encode(thing).decode()


OLD_DECODERS = (
    msgspec.json.Decoder(OldHeader),
    msgspec.json.Decoder[OldEvent](OldEvent),
    msgspec.json.Decoder(OldChainLink),
)
FORMATS = {
    1: RecordFormat(1, 2, *OLD_DECODERS),
    2: RecordFormat(2, 3, *OLD_DECODERS),
    3: RecordFormat(
        3, 3, msgspec.json.Decoder(Header), msgspec.json.Decoder[Event](Event), msgspec.json.Decoder(ChainLink)
    ),
}
NUMBER_DECODER = msgspec.json.Decoder(FormatNumber)


def decode_header(line: str) -> Header:
    """Read a header of any format that Knobel itself has written."""
    return FORMATS[NUMBER_DECODER.decode(line).knobel].decode_header(line)
