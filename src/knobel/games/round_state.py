"""The state of a game of rounds: who is in it, who holds chips, the results of this round."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from knobel.phrase import Phrase, phrase

OVER, UNDER = "over", "under"
AIMS = (OVER, UNDER)
AIM_WORDS: Mapping[str, Phrase] = {aim: phrase(f"interface.typed.{aim}") for aim in AIMS}
"""The word to type for each aim, in the language of whoever is asked for it."""
START, OPEN, FOLLOW = "start", "open", "follow"
WORST, BEST, GIVER = "worst", "best", "giver"


@dataclass(frozen=True, slots=True)
class RoundRollOff:
    """Seats that roll once each: for the start, or with equal totals for the worst, the best, or who gives a chip."""

    kind: str
    seats: tuple[int, ...]
    sums: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundResult:
    """The result of a finished round; a void one has neither loser nor winner."""

    loser: int | None = None
    winner: int | None = None
    chip_from: int | None = None
    out: tuple[int, ...] = ()
    opener: int | None = None
    aim: str | None = None
    totals: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class RoundState:
    """The state of a game; `loser` counts once a chip is to be given, `chip_from` is None for one from the kitty."""

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
    loser: int = 0
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
    return replace(state, player=player, seat=player, dice=(), rolls_used=0, rolling=())


def end_game(state: RoundState) -> RoundState:
    return replace(state, seat=None, dice=(), rolls_used=0, rolling=(), rolloff=None)


def list_clockwise(state: RoundState) -> list[int]:
    """List the seats still in the game, clockwise from the opener."""
    return sorted(state.active, key=lambda seat: steps_from_opener(state, seat))


def steps_from_opener(state: RoundState, seat: int) -> int:
    """Count the steps clockwise from the opener."""
    return (seat - state.opener) % len(state.chips)


def find_next_seat(state: RoundState, seat: int) -> int:
    """Find the next seat clockwise that is still in the game."""
    seats = len(state.chips)
    return next(other % seats for other in range(seat + 1, seat + seats) if other % seats in state.active)


def beats_opener(state: RoundState, total: int) -> bool:
    """Tell whether a total is strictly better than the opener's."""
    return total > state.target if state.aim == OVER else total < state.target


def has_failed(state: RoundState, seat: int, total: int) -> bool:
    """Tell whether a follower still in the game has not beaten the opener; equal is not beaten."""
    return seat != state.opener and seat in state.active and not beats_opener(state, total)


def rank_seat(state: RoundState, seat: int) -> tuple[int, int]:
    """Place a player in this round, the best lowest: who beat the opener, the opener, who failed."""
    total = dict(state.totals)[seat]
    group = 1 if seat == state.opener else 0 if beats_opener(state, total) else 2
    return group, -total if state.aim == OVER else total


def take_out(state: RoundState, seat: int) -> RoundState:
    """Take a seat out of the game with the next finishing place; its chips return to the kitty."""
    chips = tuple(0 if place == seat else own for place, own in enumerate(state.chips))
    return replace(
        state,
        chips=chips,
        kitty=state.kitty + state.chips[seat],
        active=tuple(other for other in state.active if other != seat),
        places=(*state.places, (seat,)),
        out_this_round=(*state.out_this_round, seat),
    )


def open_round(state: RoundState, opener: int) -> RoundState:
    fresh = replace(
        state,
        opener=opener,
        phase=OPEN,
        rolls_allowed=0,
        aim=None,
        totals=(),
        out_this_round=(),
        chip_from=None,
        best=None,
    )
    return give_dice(replace(fresh, players_at_start=len(state.active), rounds=state.rounds + 1), opener)
