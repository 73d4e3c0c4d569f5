"""The interface of all games: actions in, states out; pure, without randomness, clocks or names."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Protocol, TypeAlias, TypeVar

from knobel.dice import Hand, sort_dice
from knobel.errors import IllegalAction
from knobel.phrase import Phrase, phrase
from knobel.rules.families import Rules

CHANCE = -1
"""The seat of the dice themselves: what it does next is to land."""


@dataclass(frozen=True, slots=True)
class Announce:
    """Name the box before the first roll."""

    box: str


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll all dice but those at the kept positions."""

    keep: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """Score the dice in a box; `cross_out` scores zero on purpose, `anyway` although the rules forbid it."""

    box: str
    cross_out: bool = False
    anyway: bool = False


@dataclass(frozen=True, slots=True)
class Stand:
    """Roll no more; an opener says which way to beat the total."""

    aim: str | None = None


@dataclass(frozen=True, slots=True)
class Land:
    """Say what the rolled dice show, by position."""

    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EnterDice:
    """Enter the real dice a turn ended with, and where that matters the number of rolls it took."""

    dice: tuple[int, ...]
    rolls: int = 0


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the game for good."""

    seat: int


@dataclass(frozen=True, slots=True)
class EnterPoints:
    """Enter points of real dice without the dice; `all_alike` says so where the points cannot tell."""

    box: str
    points: int
    extra: int = 0
    all_alike: bool = False
    anyway: bool = False


Move: TypeAlias = Announce | Roll | Score | Stand
Action: TypeAlias = Move | Land | Leave | EnterDice | EnterPoints


def is_against_rules(action: Action) -> bool:
    """Tell whether an action is played although the rules forbid it."""
    return isinstance(action, Score | EnterPoints) and action.anyway


def needs_real_dice(action: Action) -> bool:
    """Tell whether an action is only for real dice, which we did not see."""
    return isinstance(action, EnterDice | EnterPoints) or is_against_rules(action)


@dataclass(frozen=True, slots=True)
class PendingRoll:
    """What must land next, and its address in the stream of dice: no address is ever used twice."""

    seat: int
    turn: int
    roll_number: int
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How it ended: places are groups of seats, best first."""

    places: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]


class State(Protocol):
    """What every state shows: whose move it is (`CHANCE` while dice roll, `None` when over), the turn and the tray."""

    @property
    def seat(self) -> int | None:
        """Whose move it is."""

    @property
    def player(self) -> int:
        """Whose turn it is, or was last."""

    @property
    def dice(self) -> tuple[int, ...]:
        """The tray, by position, never sorted."""

    @property
    def rolls_used(self) -> int:
        """How often the dice on the tray were rolled."""

    @property
    def rolling(self) -> tuple[int, ...]:
        """The positions that are rolling now."""

    @property
    def turns(self) -> tuple[int, ...]:
        """How many turns each seat has had, roll-offs included: part of the address of every roll."""

    @property
    def rolloff(self) -> object:
        """The roll-off that is going on, if one is."""


S = TypeVar("S", bound=State)


class Game(Protocol[S]):
    """What every game answers."""

    @property
    def rules(self) -> Rules:
        """The rules it is played by."""

    def start(self, seats: int, first: int | None = None, roll_off: bool = False) -> S:
        """Set up; `first` is agreed, drawn or rotated, else the highest roll starts where rules or players want it."""

    def refusal(self, state: S, action: Action) -> Phrase | None:
        """Say why an action is not allowed; the only authority on legality."""

    def legal_moves(self, state: S) -> Iterator[Move]:
        """Iterate over the moves of the seat whose turn it is; keeps that differ only in equal dice are one."""

    def apply(self, state: S, action: Action) -> S:
        """Give the state after a legal action."""

    def pending_roll(self, state: S) -> PendingRoll | None:
        """Say what must land next."""

    def has_left(self, state: S, seat: int) -> bool:
        """Tell whether a seat has left the game before its end."""

    def outcome(self, state: S) -> Outcome | None:
        """Say how it ended, once it has."""

    def find_positions(self, state: S, values: tuple[int, ...]) -> tuple[int, ...] | None:
        """Find the positions of typed values; none if they do not lie there."""


def play(game: Game[S], state: S, action: Action) -> S:
    """Carry out an action, or refuse it."""
    refusal = game.refusal(state, action)
    if refusal is not None:
        raise IllegalAction(why=refusal)
    return game.apply(state, action)


def find_pending_roll(state: State) -> PendingRoll | None:
    """Say what must land next, for a game that counts turns by seat."""
    if state.seat != CHANCE:
        return None
    return PendingRoll(state.player, state.turns[state.player], state.rolls_used, state.rolling)


def refuse_land(state: State, action: Land, count: int, faces: int) -> Phrase | None:
    """Refuse anything but the dice that are rolling, each with a valid face."""
    return phrase("rules.refusal.not_rolled") if state.seat != CHANCE else refuse_faces(action.dice, count, faces)


def refuse_faces(dice: tuple[int, ...], count: int, faces: int) -> Phrase | None:
    """Refuse a wrong number of dice, or faces they do not have."""
    if len(dice) != count:
        return phrase("rules.refusal.land_count", n=len(dice), wanted=count)
    wrong = [die for die in dice if not 1 <= die <= faces]
    return phrase("rules.refusal.land_face", value=wrong[0], faces=faces) if wrong else None


def positions_to_roll(dice: int, keep: tuple[int, ...]) -> tuple[int, ...]:
    """List the positions that roll when some are kept."""
    return tuple([place for place in range(dice) if place not in keep])


def place_dice(tray: tuple[int, ...], positions: tuple[int, ...], dice: tuple[int, ...]) -> tuple[int, ...]:
    """Put dice that landed on the tray, beside those that were kept."""
    placed = list(tray) or [0] * len(dice)
    for place, die in zip(positions, dice, strict=True):
        placed[place] = die
    return tuple(placed)


def find_dice(
    dice: tuple[int, ...], values: tuple[int, ...], preferred: tuple[int, ...] = ()
) -> tuple[int, ...] | None:
    """Find the positions of these values, preferred ones first, then the lowest; none if a value is missing."""
    missing = Counter(values)
    found = []
    for place in (*preferred, *(place for place in range(len(dice)) if place not in preferred)):
        if missing[dice[place]] > 0:
            missing[dice[place]] -= 1
            found.append(place)
    return None if any(missing.values()) else tuple(sorted(found))


def count_turn(turns: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """Count one more turn of a seat."""
    return tuple(count + (place == seat) for place, count in enumerate(turns))


@lru_cache(maxsize=4096)
def list_keeps(dice: tuple[int, ...], locked: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """List what can be kept of a tray besides the locked dice; before the first roll, nothing."""
    if not dice:
        return ((),)
    free = [place for place in range(len(dice)) if place not in locked]
    found: dict[Hand, tuple[int, ...]] = {}
    for size in range(len(free)):
        for chosen in combinations(free, size):
            found.setdefault(sort_dice(dice[place] for place in chosen), tuple(sorted((*locked, *chosen))))
    return tuple(found.values())
