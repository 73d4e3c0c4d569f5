"""What a server sends, as far as a device without a browser needs it; docs/wire.md explains it all."""

from typing import Any

import msgspec
from msgspec import Struct

from knobel.record.events import Event
from knobel.rooms.intents import AnyIntent
from knobel.view.lobby import RoomView

WIRE_VERSION = 5
"""The version of the wire that is spoken here; the server of the same Knobel speaks the same."""


class PlayerName(Struct, frozen=True):
    """The name of a player in a position."""

    name: str


class PositionSummary(Struct, frozen=True):
    """How far a game is: everything else follows from its events."""

    game: str
    count: int
    head: str
    seats: tuple[PlayerName, ...]


class PositionNews(Struct, frozen=True):
    """What just happened in a game."""

    view: PositionSummary
    last: tuple[Event, ...] = ()


class RoomNews(Struct, frozen=True):
    """The room as it is now."""

    view: RoomView


class DoneNews(Struct, frozen=True):
    """A command was carried out."""

    id: str
    count: int | None = None


class RefusedNews(Struct, frozen=True):
    """A command was refused, or the room could not be entered."""

    id: str | None
    code: str
    text: str


class RemarkNews(Struct, frozen=True):
    """Somebody said a remark."""

    seat: int
    remark: str


class SolvingNews(Struct, frozen=True):
    """How far the solve is that a bot waits for."""

    progress: float | None
    text: str | None = None
    refusal: str | None = None


News = PositionNews | RoomNews | DoneNews | RefusedNews | RemarkNews | SolvingNews


class MessageKind(Struct, frozen=True, rename={"kind": "is"}):
    """Which message it is."""

    kind: str


KIND_DECODER = msgspec.json.Decoder(MessageKind)
DECODERS: dict[str, msgspec.json.Decoder[Any]] = {
    "position": msgspec.json.Decoder(PositionNews),
    "room": msgspec.json.Decoder(RoomNews),
    "done": msgspec.json.Decoder(DoneNews),
    "refused": msgspec.json.Decoder(RefusedNews),
    "remark": msgspec.json.Decoder(RemarkNews),
    "solving": msgspec.json.Decoder(SolvingNews),
}


def read_message(text: str | bytes) -> News | None:
    """Read a message; one that is of no use here gives nothing."""
    decoder = DECODERS.get(KIND_DECODER.decode(text).kind)
    news: News | None = decoder.decode(text) if decoder else None
    return news


def write_command(command: str, intent: AnyIntent, game: str | None) -> str:
    """Write a command; the same text is sent again until there is an answer."""
    message = {"do": "want", "id": command, "intent": intent, **({"game": game} if game else {})}
    return msgspec.json.encode(message).decode()


def write_seen(game: str, count: int, head: str) -> str:
    """Say what was seen last, so that a server that lost something notices."""
    return msgspec.json.encode({"do": "seen", "game": game, "count": count, "head": head}).decode()


PING = '{"do":"ping"}'
