"""Every message between a browser and the server, in and out, as a typed value; docs/wire.md explains them."""

from typing import Annotated, Generic, Literal, TypeAlias, TypeVar

from msgspec import Meta, Raw, Struct

from knobel.record.events import Event
from knobel.rooms.intents import AnyIntent
from knobel.view.address import OwnSentence
from knobel.view.lobby import RoomView

WIRE_VERSION = 5
"""Part of the socket's path, so that a page and a server of different versions never misread each other."""

CommandId: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[\w.-]+(?!\n)$")]
"""The client's own id for a command; the same one again is the same command."""
GameId: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
"""The game a command is meant for: one that comes late does nothing in the next one."""
SeatIndex: TypeAlias = Annotated[int, Meta(ge=0, le=98)]
Remark: TypeAlias = Literal["hello", "thanks", "well_played", "lucky", "ouch", "your_turn", "moment", "again", "bye"]

ViewT = TypeVar("ViewT")


class ClientMessage(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """A message of a client, about the room its socket names."""


class RoomCommand(ClientMessage, frozen=True, tag="want"):
    """Want something in the room, or in the game that is named."""

    id: CommandId
    intent: AnyIntent
    game: GameId | None = None


class RawCommand(ClientMessage, frozen=True, tag="want"):
    """A command whose intent is left as it came, so that these very bytes can be kept."""

    id: CommandId
    intent: Raw
    game: GameId | None = None


class AskHint(ClientMessage, frozen=True, tag="hint"):
    """Ask the coach what is best for a seat now; from then on the record says that it was assisted."""

    id: CommandId
    seat: SeatIndex


class AskLedger(ClientMessage, frozen=True, tag="ledger"):
    """Ask the coach how a seat stands so far: par, luck, points lost; that is assistance, too."""

    id: CommandId
    seat: SeatIndex


class AskTurn(ClientMessage, frozen=True, tag="turn"):
    """Ask what the turn behind an entry of real dice was, and what it could be instead, perhaps with other dice.

    In a game of rounds the number of the round stands for the box.
    """

    id: CommandId
    seat: SeatIndex
    box: Annotated[str, Meta(max_length=32)]
    dice: Annotated[str, Meta(max_length=8)] = ""


class AskChances(ClientMessage, frozen=True, tag="chances"):
    """Ask who will win, or lose the round; anybody may who sees the table.

    A newer question replaces an older one. With `levels` everybody is taken to play at the level they have shown.
    """

    levels: bool = False


class ReportSeen(ClientMessage, frozen=True, tag="seen"):
    """Say what of a game was seen last; a server that knows less, or something else, says so."""

    game: GameId
    count: Annotated[int, Meta(ge=0, le=1_000_000)]
    head: Annotated[str, Meta(max_length=64)]


class SayRemark(ClientMessage, frozen=True, tag="say"):
    """Say one of the ready-made remarks."""

    seat: SeatIndex
    remark: Remark


class Ping(ClientMessage, frozen=True, tag="ping"):
    """Ask whether the connection still holds."""


class SetLanguage(ClientMessage, frozen=True, tag="set_language"):
    """Switch to another language; the answer is everything there is to see, in that language."""

    lang: Annotated[str, Meta(max_length=8)]


class ServerMessage(Struct, frozen=True, tag_field="is"):
    """A message to a client."""


class RoomMessage(ServerMessage, frozen=True, tag="room"):
    """The room as it is now, as this device sees it."""

    view: RoomView


class GameMessage(ServerMessage, frozen=True, tag="game"):
    """What is printed about a game; it never changes while the game is played, and each family adds its own keys."""

    family: str
    game: str
    title: str
    publisher: str
    text: str
    dice: int
    faces: int
    rolls: int
    continues: str | None
    """The game from one of whose positions this one goes on."""


class PositionMessage(ServerMessage, Generic[ViewT], frozen=True, tag="position"):
    """Where the game stands, what just happened, and the same in sentences; equal for all viewers of a language.

    `own` has, for each sentence, the form that addresses the player it is about, if there is one; `seconds_left` is how
    long the player everybody waits for may still think, where there is a limit.
    """

    family: str
    view: ViewT
    last: tuple[Event, ...]
    narration: tuple[str, ...]
    own: tuple[OwnSentence | None, ...]
    seconds_left: float | None


class Pong(ServerMessage, frozen=True, tag="pong"):
    """The answer to a ping."""


class DoneMessage(ServerMessage, frozen=True, tag="done"):
    """A command was carried out and is on disk; in a game, with the number of its last event and the chain's head."""

    id: str
    count: int | None = None
    head: str | None = None


class HintMove(Struct, frozen=True):
    """A move the coach has judged: as an action and in words, its value and what it loses against the best."""

    action: str
    words: str
    value: float
    loss: float
    grade: str
    win: float | None = None
    """How much more likely it wins than the best move for points, 0 to 1, if that is known."""


class HintMessage(ServerMessage, frozen=True, tag="hint"):
    """The best moves of a seat, best first, in points or percentage points."""

    id: str
    seat: int
    ply: int
    unit: str
    moves: tuple[HintMove, ...]


class LedgerMessage(ServerMessage, frozen=True, tag="ledger"):
    """How a seat stands: final = par + luck - lost."""

    id: str
    seat: int
    unit: str
    par: float
    luck: float
    lost: float
    final: float
    win_luck: float | None = None
    """What one's dice changed the chance to win by, 0 to 1, if that is known."""
    win_lost: float | None = None
    """What one's choices changed it by."""


class SeatChance(Struct, frozen=True):
    """The chances of a seat, 0 to 1: to win alone, to tie, its share of both; or to lose the round, and the game."""

    win: float | None
    tie: float | None
    share: float | None
    lose_round: float | None
    lose_game: float | None


class ChancesMessage(ServerMessage, frozen=True, tag="chances"):
    """How a game will end, by seat; `void` is the chance that nobody loses the round.

    `kind` is `win` or `lose_round`, or null where there is nothing to tell just now, or a `refusal` says why not. After
    approximate chances the exact ones of the same `ply` may follow.
    """

    game: str | None
    ply: int | None
    kind: str | None = None
    exact: bool = False
    seats: tuple[SeatChance, ...] = ()
    void: float = 0.0
    refusal: str | None = None
    levels: bool = False
    """Whether everybody is taken to play at the level they have shown, not best."""


class TurnMessage(ServerMessage, Generic[ViewT], frozen=True, tag="turn"):
    """The turn behind an entry, and what could stand in its place."""

    id: str
    family: str
    view: ViewT


class RefusedMessage(ServerMessage, frozen=True, tag="refused"):
    """A command or message was refused: a stable code, and why."""

    id: str | None
    code: str
    text: str


class RemarkMessage(ServerMessage, frozen=True, tag="remark"):
    """Somebody said a remark."""

    seat: int
    remark: str


class SolvingMessage(ServerMessage, frozen=True, tag="solving"):
    """Progress of the solve a bot waits for, 0 to 1, null at the end; in words, or why there is none."""

    progress: float | None
    text: str | None = None
    refusal: str | None = None
