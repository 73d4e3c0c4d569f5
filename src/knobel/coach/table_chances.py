"""What everybody at a table can be told about how it will end, whatever its family: who will win, or lose the round."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from knobel.coach.round_chances import compute_round_chances
from knobel.coach.win_chance import SeatPosition, compute_win_chances, list_positions
from knobel.game import Game
from knobel.games.rounds import RoundsGame
from knobel.games.sheet import SheetGame

WIN, LOSE_ROUND = "win", "lose_round"


@dataclass(frozen=True, slots=True)
class SeatInGame:
    """A seat as the game knows it that it plays in: with free columns every seat has a game of its own."""

    game: Game[Any]
    state: Any
    local_seat: int
    loss_per_turn: float = 0.0
    """What the player gives away in a turn; 0 is best play."""


@dataclass(frozen=True, slots=True)
class ToldChance:
    """The chances of one player: to win alone, to tie and the share of both; or to lose the round, and the game."""

    win: float | None = None
    tie: float | None = None
    share: float | None = None
    lose_round: float | None = None
    lose_game: float | None = None


@dataclass(frozen=True, slots=True)
class TableChances:
    """The chances of all players by seat, and of which `kind` they are; `void` is the chance that nobody loses."""

    kind: str
    seats: tuple[ToldChance, ...]
    exact: bool
    void: float = 0.0


def list_seat_positions(seats: Sequence[SeatInGame]) -> tuple[SeatPosition, ...]:
    """List where the seats of a sheet game stand."""
    return tuple(
        replace(list_positions(cast("SheetGame", one.game), one.state)[one.local_seat], loss_per_turn=one.loss_per_turn)
        for one in seats
    )


def list_no_positions(_: Sequence[SeatInGame]) -> tuple[SeatPosition, ...]:
    """Say that a family needs nothing solved before."""
    return ()


def tell_win_chances(seats: Sequence[SeatInGame]) -> TableChances:
    """Say who will win a sheet game; call it in a thread."""
    found = compute_win_chances(list_seat_positions(seats))
    told = tuple(ToldChance(win=one.win, tie=one.tie, share=one.share) for one in found.players)
    return TableChances(WIN, told, found.exact)


def tell_round_chances(seats: Sequence[SeatInGame]) -> TableChances | None:
    """Say who will lose the round; nothing while dice are rolled to break a tie. Call it in a thread."""
    found = compute_round_chances(cast("RoundsGame", seats[0].game), seats[0].state)
    if found is None:
        return None
    games = found.lose_game or (None,) * len(seats)
    told = tuple(
        ToldChance(lose_round=lost, lose_game=game) for lost, game in zip(found.lose_round, games, strict=True)
    )
    return TableChances(LOSE_ROUND, told, exact=True, void=found.void)


def tell_no_chances(_: Sequence[SeatInGame]) -> TableChances | None:
    """Say nothing: the chances of a family are not known."""
    return None
