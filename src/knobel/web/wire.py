"""Every message between a browser and the house, in and out, as a typed value."""

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from knobel.record.events import Event
from knobel.rooms.intents import AnyIntent, ChangeSettings, Sit, SitBot
from knobel.view.lobby import RoomView
from knobel.view.rounds import RoundsView
from knobel.view.sheet import SheetView
from knobel.view.turns import RoundTurnView, TurnView

CommandId: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[\w.-]+(?!\n)$")]
"""The client's own name for a command; the same one again is the same command."""
RoomId: TypeAlias = Annotated[str, Meta(max_length=64)]
Remark: TypeAlias = Literal["hello", "thanks", "well_played", "lucky", "ouch", "your_turn", "moment", "again", "bye"]


class ClientMessage(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """A message of a client."""


class EnterRoom(ClientMessage, frozen=True, tag="enter"):
    """Look at a room from now on; the answer is the room and where its game stands."""

    room: RoomId


class EnterCode(ClientMessage, frozen=True, tag="enter_code"):
    """Find the room with a spoken code and look at it."""

    code: Annotated[str, Meta(max_length=16)]


class OpenRoom(ClientMessage, frozen=True, tag="open", rename={"seats": "chairs"}):
    """Open a room with these chairs."""

    id: CommandId
    settle: ChangeSettings
    seats: Annotated[tuple[Sit | SitBot, ...], Meta(max_length=99)] = ()


class RoomCommand(ClientMessage, frozen=True, tag="want"):
    """Want something in a room."""

    id: CommandId
    room: RoomId
    intent: AnyIntent


class PlayOn(ClientMessage, frozen=True, tag="play_on"):
    """Open a room in which a game that is over goes on after one of its events; the other seats are bots."""

    id: CommandId
    game: RoomId
    event: Annotated[int, Meta(ge=0, le=1_000_000)]
    seat: Annotated[int, Meta(ge=0, le=98)]
    bot: Annotated[str, Meta(max_length=80)]


class AskHint(ClientMessage, frozen=True, tag="hint"):
    """Ask the coach what is best for a seat now; from then on the record says that it was assisted."""

    id: CommandId
    room: RoomId
    seat: Annotated[int, Meta(ge=0, le=98)]


class AskLedger(ClientMessage, frozen=True, tag="ledger"):
    """Ask the coach how a seat stands so far: par, luck, what was given away; that is assistance, too."""

    id: CommandId
    room: RoomId
    seat: Annotated[int, Meta(ge=0, le=98)]


class AskTurn(ClientMessage, frozen=True, tag="turn"):
    """Ask what the turn behind an entry of real dice was, and what it could be instead, perhaps with other dice.

    In a game of rounds the number of the round stands for the box.
    """

    id: CommandId
    room: RoomId
    seat: Annotated[int, Meta(ge=0, le=98)]
    box: Annotated[str, Meta(max_length=32)]
    dice: Annotated[str, Meta(max_length=8)] = ""


class SayRemark(ClientMessage, frozen=True, tag="say"):
    """Say one of the ready-made remarks."""

    room: RoomId
    seat: Annotated[int, Meta(ge=0, le=98)]
    remark: Remark


class Ping(ClientMessage, frozen=True, tag="knock"):
    """Ask whether the line still holds."""


class SetLanguage(ClientMessage, frozen=True, tag="speak"):
    """Be spoken to in another language from now on."""

    lang: Annotated[str, Meta(max_length=8)]


Incoming: TypeAlias = (
    EnterRoom
    | EnterCode
    | OpenRoom
    | RoomCommand
    | PlayOn
    | AskHint
    | AskLedger
    | AskTurn
    | SayRemark
    | Ping
    | SetLanguage
)


class ServerMessage(Struct, frozen=True, tag_field="is"):
    """A message to a client."""


class RoomMessage(ServerMessage, frozen=True, tag="room"):
    """The room as it is now."""

    view: RoomView


class BoxInfo(Struct, frozen=True):
    """A row of the sheet in words: its name, and how it scores."""

    box: str
    name: str
    how: str
    upper: bool
    face: int | None


class BonusInfo(Struct, frozen=True):
    """The bonus line: the upper total it wants, and what it brings."""

    goal: int
    points: int


class SheetMessage(ServerMessage, frozen=True, tag="block", rename={"rolls": "throws"}):
    """The printed block of a game; it never changes while the game is played."""

    game: str
    title: str
    publisher: str
    text: str
    dice: int
    faces: int
    rolls: int
    boxes: tuple[BoxInfo, ...]
    bonus: BonusInfo | None
    prime: bool
    locked_dice: bool
    announced: bool


class PositionMessage(ServerMessage, frozen=True, tag="position", rename={"narration": "told"}):
    """Where the game stands, what just happened, and the same in sentences."""

    room: str
    view: SheetView
    last: tuple[Event, ...]
    narration: tuple[str, ...]


class BoardMessage(ServerMessage, frozen=True, tag="board", rename={"rolls": "throws"}):
    """What a game of rounds is played with; it never changes while the game is played."""

    game: str
    title: str
    publisher: str
    text: str
    dice: int
    faces: int
    rolls: int
    chips: int


class RoundsPositionMessage(ServerMessage, frozen=True, tag="rounds", rename={"narration": "told"}):
    """Where a game of rounds stands, what just happened, and the same in sentences."""

    room: str
    view: RoundsView
    last: tuple[Event, ...]
    narration: tuple[str, ...]


class Pong(ServerMessage, frozen=True, tag="here"):
    """Somebody knocked, and the line holds."""


class DoneMessage(ServerMessage, frozen=True, tag="done"):
    """A command was carried out and is on disk; of a game, with its last event and the head of its chain."""

    id: str
    room: str
    count: int | None = None
    head: str | None = None


class HintMove(Struct, frozen=True):
    """A move the coach has judged: as an action and in words, what it may expect and what it costs."""

    action: str
    words: str
    value: float
    loss: float
    grade: str


class HintMessage(ServerMessage, frozen=True, tag="hint"):
    """The best moves of a seat, best first, in points or percentage points."""

    id: str
    room: str
    seat: int
    ply: int
    unit: str
    moves: tuple[HintMove, ...]


class LedgerMessage(ServerMessage, frozen=True, tag="ledger"):
    """How a seat stands: final = par + luck - lost."""

    id: str
    room: str
    seat: int
    unit: str
    par: float
    luck: float
    lost: float
    final: float


class TurnMessage(ServerMessage, frozen=True, tag="turn"):
    """The turn behind an entry, and what could be written in its place."""

    id: str
    room: str
    view: TurnView


class RoundTurnMessage(ServerMessage, frozen=True, tag="round_turn"):
    """A turn in a round, and how it could have ended."""

    id: str
    room: str
    view: RoundTurnView


class RefusedMessage(ServerMessage, frozen=True, tag="refused"):
    """A command or message was refused: a stable code, and why."""

    id: str | None
    code: str
    text: str


class RemarkMessage(ServerMessage, frozen=True, tag="said"):
    """Somebody said a remark."""

    room: str
    seat: int
    remark: str


class SolvingMessage(ServerMessage, frozen=True, tag="solving", rename={"progress": "done"}):
    """How far the rules are worked out for a bot that needs it: from 0 to 1, None at the end; in words, or why not."""

    room: str
    progress: float | None
    text: str | None = None
    refusal: str | None = None


Outgoing: TypeAlias = (
    RoomMessage
    | SheetMessage
    | PositionMessage
    | BoardMessage
    | RoundsPositionMessage
    | Pong
    | DoneMessage
    | HintMessage
    | LedgerMessage
    | TurnMessage
    | RoundTurnMessage
    | RefusedMessage
    | RemarkMessage
    | SolvingMessage
)


def build_schema() -> dict[str, Any]:
    """Describe every message as JSON Schema."""
    (incoming, outgoing), parts = msgspec.json.schema_components((Incoming, Outgoing), ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "in": incoming,
        "out": outgoing,
        "$defs": parts,
    }
