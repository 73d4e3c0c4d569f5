"""Every message between a browser and the house, in and out, as a typed value."""

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from knobel.record.events import Event
from knobel.room.intents import Settle, Sit, SitBot, Wanted
from knobel.view.lobby import RoomView
from knobel.view.rounds import RoundsView
from knobel.view.sheet import SheetView
from knobel.view.turns import RoundTurnView, TurnView

Id: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[\w.-]+(?!\n)$")]
"""The client's own name for a command; the same one again is the same command."""
RoomId: TypeAlias = Annotated[str, Meta(max_length=64)]
Remark: TypeAlias = Literal["hello", "thanks", "well_played", "lucky", "ouch", "your_turn", "moment", "again", "bye"]


class In(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """A message of a client."""


class Enter(In, frozen=True, tag="enter"):
    """Look at a room from now on; the answer is the room and where its game stands."""

    room: RoomId


class EnterCode(In, frozen=True, tag="enter_code"):
    """Find the room with a spoken code and look at it."""

    code: Annotated[str, Meta(max_length=16)]


class Open(In, frozen=True, tag="open"):
    """Open a room with these chairs."""

    id: Id
    settle: Settle
    chairs: Annotated[tuple[Sit | SitBot, ...], Meta(max_length=99)] = ()


class Want(In, frozen=True, tag="want"):
    """Want something in a room."""

    id: Id
    room: RoomId
    intent: Wanted


class PlayOn(In, frozen=True, tag="play_on"):
    """Open a room in which a game that is over goes on after one of its events; the other seats are bots."""

    id: Id
    game: RoomId
    event: Annotated[int, Meta(ge=0, le=1_000_000)]
    seat: Annotated[int, Meta(ge=0, le=98)]
    bot: Annotated[str, Meta(max_length=80)]


class AskHint(In, frozen=True, tag="hint"):
    """Ask the coach what is best for a seat now; from then on the record says that it was assisted."""

    id: Id
    room: RoomId
    seat: Annotated[int, Meta(ge=0, le=98)]


class AskLedger(In, frozen=True, tag="ledger"):
    """Ask the coach how a seat stands so far: par, luck, what was given away; that is assistance, too."""

    id: Id
    room: RoomId
    seat: Annotated[int, Meta(ge=0, le=98)]


class AskTurn(In, frozen=True, tag="turn"):
    """Ask what the turn behind an entry of real dice was, and what it could be instead, perhaps with other dice.

    In a game of rounds the number of the round stands for the box.
    """

    id: Id
    room: RoomId
    seat: Annotated[int, Meta(ge=0, le=98)]
    box: Annotated[str, Meta(max_length=32)]
    dice: Annotated[str, Meta(max_length=8)] = ""


class Say(In, frozen=True, tag="say"):
    """Say one of the ready-made remarks."""

    room: RoomId
    seat: Annotated[int, Meta(ge=0, le=98)]
    remark: Remark


class Knock(In, frozen=True, tag="knock"):
    """Ask whether the line still holds."""


class Speak(In, frozen=True, tag="speak"):
    """Be spoken to in another language from now on."""

    lang: Annotated[str, Meta(max_length=8)]


Incoming: TypeAlias = Enter | EnterCode | Open | Want | PlayOn | AskHint | AskLedger | AskTurn | Say | Knock | Speak


class Out(Struct, frozen=True, tag_field="is"):
    """A message to a client."""


class RoomNews(Out, frozen=True, tag="room"):
    """The room as it is now."""

    view: RoomView


class BoxWords(Struct, frozen=True):
    """A row of the sheet in words: its name, and how it scores."""

    box: str
    name: str
    how: str
    upper: bool
    face: int | None


class BonusWords(Struct, frozen=True):
    """The bonus line: the upper total it wants, and what it brings."""

    goal: int
    points: int


class Block(Out, frozen=True, tag="block"):
    """The printed block of a game; it never changes while the game is played."""

    game: str
    title: str
    publisher: str
    text: str
    dice: int
    faces: int
    throws: int
    boxes: tuple[BoxWords, ...]
    bonus: BonusWords | None
    prime: bool
    locked_dice: bool
    announced: bool


class Position(Out, frozen=True, tag="position"):
    """Where the game stands, what just happened, and the same in sentences."""

    room: str
    view: SheetView
    last: tuple[Event, ...]
    told: tuple[str, ...]


class Board(Out, frozen=True, tag="board"):
    """What a game of rounds is played with; it never changes while the game is played."""

    game: str
    title: str
    publisher: str
    text: str
    dice: int
    faces: int
    throws: int
    chips: int


class RoundsPosition(Out, frozen=True, tag="rounds"):
    """Where a game of rounds stands, what just happened, and the same in sentences."""

    room: str
    view: RoundsView
    last: tuple[Event, ...]
    told: tuple[str, ...]


class Here(Out, frozen=True, tag="here"):
    """Somebody knocked, and the line holds."""


class Done(Out, frozen=True, tag="done"):
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


class Hint(Out, frozen=True, tag="hint"):
    """The best moves of a seat, best first, in points or percentage points."""

    id: str
    room: str
    seat: int
    ply: int
    unit: str
    moves: tuple[HintMove, ...]


class Ledger(Out, frozen=True, tag="ledger"):
    """How a seat stands: final = par + luck - lost."""

    id: str
    room: str
    seat: int
    unit: str
    par: float
    luck: float
    lost: float
    final: float


class Turn(Out, frozen=True, tag="turn"):
    """The turn behind an entry, and what could be written in its place."""

    id: str
    room: str
    view: TurnView


class RoundTurn(Out, frozen=True, tag="round_turn"):
    """A turn in a round, and how it could have ended."""

    id: str
    room: str
    view: RoundTurnView


class Refused(Out, frozen=True, tag="refused"):
    """A command or message was refused: a stable code, and why."""

    id: str | None
    code: str
    text: str


class Said(Out, frozen=True, tag="said"):
    """Somebody said a remark."""

    room: str
    seat: int
    remark: str


class Solving(Out, frozen=True, tag="solving"):
    """How far the rules are worked out for a bot that needs it: from 0 to 1, None at the end; in words, or why not."""

    room: str
    done: float | None
    text: str | None = None
    refusal: str | None = None


Outgoing: TypeAlias = (
    RoomNews
    | Block
    | Position
    | Board
    | RoundsPosition
    | Here
    | Done
    | Hint
    | Ledger
    | Turn
    | RoundTurn
    | Refused
    | Said
    | Solving
)


def schema() -> dict[str, Any]:
    """Describe every message as JSON Schema."""
    (incoming, outgoing), parts = msgspec.json.schema_components((Incoming, Outgoing), ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "in": incoming,
        "out": outgoing,
        "$defs": parts,
    }
