"""The intents of people in a room: before, during and after a game; clients send nothing else."""

from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from knobel.series import Standing

SeatIndex: TypeAlias = Annotated[int, Meta(ge=0, le=98)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000)]
GameCount: TypeAlias = Annotated[int, Meta(ge=1, le=99)]
Pace: TypeAlias = Annotated[float, Meta(ge=0, le=10)]
MoveSeconds: TypeAlias = Literal[0, 30, 60, 120]
PlayerName: TypeAlias = Annotated[str, Meta(max_length=200)]
ShortText: TypeAlias = Annotated[str, Meta(max_length=80)]
PersonId: TypeAlias = Annotated[str, Meta(max_length=32)]
HouseRulesText: TypeAlias = Annotated[str, Meta(max_length=32 * 1024)]
Start: TypeAlias = Literal["first", "random", "roll_off"]
"""Who starts: the first seat, the one that draws the lot, or the one with the highest roll."""
Handicap: TypeAlias = Annotated[int, Meta(ge=0, le=999)]
Hash: TypeAlias = Annotated[str, Meta(max_length=64, pattern="^[0-9a-f]{64}$")]


class Intent(Struct, frozen=True, forbid_unknown_fields=True, tag_field="want"):
    """What a person in a room wants to do."""


class Sit(Intent, frozen=True, tag="sit"):
    """Take a seat under a name; offered: for somebody who may come with a device of their own.

    `person` is who plays there, one of the people this device holds.
    """

    name: PlayerName
    beginner: bool = False
    real_dice: bool = False
    offered: bool = False
    person: PersonId | None = None


class TakeSeat(Intent, frozen=True, tag="take"):
    """Take an offered seat on this device."""

    seat: SeatIndex


class SitBot(Intent, frozen=True, tag="sit_bot"):
    """Give a bot a seat."""

    bot: ShortText
    name: PlayerName


class RenameSeat(Intent, frozen=True, tag="rename"):
    """Give the person of a seat another name, also during the game."""

    seat: SeatIndex
    name: PlayerName


class LeaveSeat(Intent, frozen=True, tag="get_up"):
    """Free a seat, before the game."""

    seat: SeatIndex


class SwapSeats(Intent, frozen=True, tag="swap"):
    """Swap a seat with the one before it."""

    seat: SeatIndex


class ChangeSettings(Intent, frozen=True, tag="settle"):
    """Agree on what is played; house rules go by the fingerprint of their file.

    `start` says who starts the first game, if not whom the rules name. `move_seconds` is how long somebody may think
    about a move before they count as away; 0 is as long as they like. `standing` is how the games of the evening are
    counted together, if not as the rules say. `duplicate` gives everybody the same dice, each in a free column.
    """

    edition: ShortText
    text: ShortText | None = None
    switches: dict[ShortText, ShortText] = {}
    games: GameCount = 1
    house_rules: HouseRulesText | None = None
    free: bool = False
    pace: Pace = 1.0
    start: Start | None = None
    move_seconds: MoveSeconds = 0
    standing: Standing | None = None
    duplicate: bool = False


class SetHandicap(Intent, frozen=True, tag="handicap"):
    """Give a seat points for every game from now on; they count for the standings of the evening alone."""

    seat: SeatIndex
    points: Handicap


class RestartSeries(Intent, frozen=True, tag="restart"):
    """Begin the evening anew: the games that are over no longer count."""


class RealDice(Intent, frozen=True, tag="real_dice"):
    """Let somebody roll real dice, or ours."""

    seat: SeatIndex
    real: bool


class HandOverHost(Intent, frozen=True, tag="hand_over"):
    """Make somebody else the host."""

    seat: SeatIndex


class LockRoom(Intent, frozen=True, tag="lock"):
    """Let nobody but the host add seats, or everybody again."""

    locked: bool


class SealSeed(Intent, frozen=True, tag="seal"):
    """Promise this device's seed for the dice of the next game, by the id of that game."""

    game: ShortText
    seal: Hash


class BeginGame(Intent, frozen=True, tag="begin"):
    """Start the next game; anyway: without the seeds of devices that have not promised one."""

    anyway: bool = False


class RevealSeed(Intent, frozen=True, tag="reveal"):
    """Show this device's seed."""

    seed: Hash


class StartWithout(Intent, frozen=True, tag="start_without"):
    """Wait no longer for the seed of a seat."""

    seat: SeatIndex


class Act(Intent, frozen=True, tag="act"):
    """Do something in the game of a seat, as it stood at a ply; the action is text."""

    seat: SeatIndex
    ply: Count
    action: ShortText


class Undo(Intent, frozen=True, tag="undo"):
    """Undo a seat's last entry or announcement."""

    seat: SeatIndex
    ply: Count


class Correct(Intent, frozen=True, tag="correct"):
    """Put something else in place of an entry of real dice: another turn, from announcing to scoring.

    A box names its turn; in a game of rounds the number of the round does.
    """

    seat: SeatIndex
    ply: Count
    box: ShortText
    actions: Annotated[tuple[ShortText, ...], Meta(min_length=1, max_length=3)]


class SwapBoxes(Intent, frozen=True, tag="swap_boxes"):
    """Score two entries of real dice each in the other one's box."""

    seat: SeatIndex
    ply: Count
    box: ShortText
    other: ShortText


class Advance(Intent, frozen=True, tag="go_on"):
    """Let a bot move at once, or confirm the end."""

    ply: Count


class LeaveGame(Intent, frozen=True, tag="leave"):
    """Leave the game for good."""

    seat: SeatIndex


class SubstituteBot(Intent, frozen=True, tag="put_in"):
    """Let a bot play for somebody who is away."""

    seat: SeatIndex
    bot: ShortText


class ReturnToSeat(Intent, frozen=True, tag="return"):
    """Take one's seat back from the bot."""

    seat: SeatIndex


class AskCoach(Intent, frozen=True, tag="assist"):
    """Ask the coach from now on; the record says so."""

    seat: SeatIndex


class StopGame(Intent, frozen=True, tag="stop"):
    """End the game before its end, for all."""


LobbyIntent: TypeAlias = (
    Sit
    | TakeSeat
    | SitBot
    | RenameSeat
    | LeaveSeat
    | SwapSeats
    | ChangeSettings
    | SetHandicap
    | RestartSeries
    | RealDice
    | HandOverHost
    | LockRoom
    | SealSeed
    | BeginGame
)
GameIntent: TypeAlias = (
    RevealSeed
    | StartWithout
    | Act
    | Undo
    | Correct
    | SwapBoxes
    | Advance
    | LeaveGame
    | SubstituteBot
    | ReturnToSeat
    | AskCoach
    | StopGame
)
AnyIntent: TypeAlias = LobbyIntent | GameIntent
LOBBY_INTENTS: frozenset[type] = frozenset(get_args(LobbyIntent))
"""To ask what an intent is about without asking about each kind in turn, as every command would."""
