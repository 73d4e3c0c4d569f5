"""Everything somebody in a room can want: before a game, during it, after it; windows send these and nothing else."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

Small: TypeAlias = Annotated[int, Meta(ge=0, le=98)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000)]
Games: TypeAlias = Annotated[int, Meta(ge=1, le=99)]
Pace: TypeAlias = Annotated[float, Meta(ge=0, le=10)]
Name: TypeAlias = Annotated[str, Meta(max_length=200)]
Word: TypeAlias = Annotated[str, Meta(max_length=80)]
House: TypeAlias = Annotated[str, Meta(max_length=32 * 1024)]
Hash: TypeAlias = Annotated[str, Meta(max_length=64, pattern="^[0-9a-f]{64}$")]


class Intent(Struct, frozen=True, forbid_unknown_fields=True, tag_field="want"):
    """Something somebody wants."""


class Sit(Intent, frozen=True, tag="sit"):
    """Take a chair under a name; offered: for somebody who may come with a device of his own."""

    name: Name
    beginner: bool = False
    own_dice: bool = False
    offered: bool = False


class Take(Intent, frozen=True, tag="take"):
    """Play on a chair that is offered, on this device."""

    chair: Small


class SitBot(Intent, frozen=True, tag="sit_bot"):
    """Put a bot on a chair."""

    bot: Word
    name: Name


class GetUp(Intent, frozen=True, tag="get_up"):
    """Free a chair, before the game."""

    chair: Small


class Swap(Intent, frozen=True, tag="swap"):
    """Let a chair change places with the one before it."""

    chair: Small


class Settle(Intent, frozen=True, tag="settle"):
    """Agree on what is played."""

    edition: Word
    text: Word | None = None
    switches: dict[Word, Word] = {}
    games: Games = 1
    house: House | None = None
    free: bool = False
    pace: Pace = 1.0


class OwnDice(Intent, frozen=True, tag="own_dice"):
    """Let somebody throw real dice, or ours."""

    chair: Small
    own: bool


class HandOver(Intent, frozen=True, tag="hand_over"):
    """Make somebody else the host."""

    chair: Small


class Seal(Intent, frozen=True, tag="seal"):
    """Promise this device's seed for the dice of the next game, by its name."""

    game: Word
    seal: Hash


class Begin(Intent, frozen=True, tag="begin"):
    """Start the next game; anyway: without the seeds of devices that have not promised one."""

    anyway: bool = False


class Reveal(Intent, frozen=True, tag="reveal"):
    """Show this device's seed."""

    seed: Hash


class StartWithout(Intent, frozen=True, tag="start_without"):
    """Wait no longer for the seed of a seat."""

    seat: Small


class Act(Intent, frozen=True, tag="act"):
    """Do something in the game of a seat, as it stood at a ply; the action is text."""

    seat: Small
    ply: Count
    action: Word


class Undo(Intent, frozen=True, tag="undo"):
    """Take back a seat's last entry or announcement."""

    seat: Small
    ply: Count


class Correct(Intent, frozen=True, tag="correct"):
    """Put something else in place of an entry of real dice: another turn, from announcing to writing.

    A box names its turn; in a game of rounds, where nothing is written, the number of the round does.
    """

    seat: Small
    ply: Count
    box: Word
    actions: Annotated[tuple[Word, ...], Meta(min_length=1, max_length=3)]


class SwapRows(Intent, frozen=True, tag="swap_rows"):
    """Write two entries of real dice each in the other one's box."""

    seat: Small
    ply: Count
    box: Word
    other: Word


class GoOn(Intent, frozen=True, tag="go_on"):
    """Let a bot move at once, or confirm the end."""

    ply: Count


class Leave(Intent, frozen=True, tag="leave"):
    """Leave the game for good."""

    seat: Small


class PutIn(Intent, frozen=True, tag="put_in"):
    """Let a bot play for somebody who is away."""

    seat: Small
    bot: Word


class Return(Intent, frozen=True, tag="return"):
    """Play one's seat oneself again."""

    seat: Small


class Assist(Intent, frozen=True, tag="assist"):
    """Ask the coach from now on; the record says so."""

    seat: Small


class Stop(Intent, frozen=True, tag="stop"):
    """End the game before its end, for all."""


Lobby: TypeAlias = Sit | Take | SitBot | GetUp | Swap | Settle | OwnDice | HandOver | Seal | Begin
Playing: TypeAlias = (
    Reveal | StartWithout | Act | Undo | Correct | SwapRows | GoOn | Leave | PutIn | Return | Assist | Stop
)
Wanted: TypeAlias = Lobby | Playing
