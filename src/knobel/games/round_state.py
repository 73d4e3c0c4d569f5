"""Where a game of rounds stands: who is in it, who holds chips, what this round has come to."""

from dataclasses import dataclass, replace

OVER, UNDER = "over", "under"
AIMS = (OVER, UNDER)
START, OPEN, FOLLOW = "start", "open", "follow"
WORST, BEST, GIVER = "worst", "best", "giver"


@dataclass(frozen=True, slots=True)
class RoundRollOff:
    """Seats whose totals are equal and who throw once each: for the start, the worst, the best, or who gives a chip."""

    kind: str
    seats: tuple[int, ...]
    sums: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundResult:
    """What a finished round came to, and how; a void one has neither loser nor winner."""

    loser: int | None = None
    winner: int | None = None
    chip_from: int | None = None
    out: tuple[int, ...] = ()
    opener: int | None = None
    aim: str | None = None
    totals: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class RoundState:
    """Where a game stands; `chip_from` of a chip out of the kitty is nobody."""

    chips: tuple[int, ...]
    kitty: int
    active: tuple[int, ...]
    opener: int
    player: int
    seat: int | None
    phase: str
    dice: tuple[int, ...] = ()
    rolls_used: int = 0
    rolling: tuple[int, ...] = ()
    rolls_allowed: int = 0
    aim: str | None = None
    totals: tuple[tuple[int, int], ...] = ()
    players_at_start: int = 0
    out_this_round: tuple[int, ...] = ()
    places: tuple[tuple[int, ...], ...] = ()
    quit: tuple[int, ...] = ()
    rolloff: RoundRollOff | None = None
    loser: int | None = None
    chip_from: int | None = None
    best: int | None = None
    turns: tuple[int, ...] = ()
    result: RoundResult | None = None
    rounds: int = 0

    @property
    def target(self) -> int:
        """The opener's total."""
        return dict(self.totals).get(self.opener, 0)


def give_dice(state: RoundState, player: int) -> RoundState:
    """Give the dice to a player."""
    return replace(state, player=player, seat=player, dice=(), rolls_used=0, rolling=())


def end_game(state: RoundState) -> RoundState:
    """End the game."""
    return replace(state, seat=None, dice=(), rolls_used=0, rolling=(), rolloff=None)


def list_clockwise(state: RoundState, seat: int) -> list[int]:
    """List the seats still in the game, clockwise after a seat."""
    return sorted((other for other in state.active if other != seat), key=lambda other: steps_from_opener(state, other))


def steps_from_opener(state: RoundState, seat: int) -> int:
    """Count the steps clockwise from the opener."""
    return (seat - state.opener) % len(state.chips)


def find_next_seat(state: RoundState, seat: int) -> int:
    """Find the next seat clockwise that is still in the game."""
    seats = len(state.chips)
    return next(
        (seat + step) % seats for step in range(1, seats + 1) if (seat + step) % seats in state.active and step % seats
    )
