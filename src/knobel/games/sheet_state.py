"""The state of a score-sheet game: columns, the tray, the roll-off for the start, and how turns pass on."""

from dataclasses import dataclass
from typing import NamedTuple

from knobel.dice import Hand, sort_dice
from knobel.game import count_turn
from knobel.rules.column import Column


@dataclass(frozen=True, slots=True)
class StartRollOff:
    """The roll-off for the start: the seats still in it, and what they have rolled so far."""

    seats: tuple[int, ...]
    sums: tuple[int, ...] = ()

    @property
    def best(self) -> tuple[int, ...]:
        """The seats with the highest sum."""
        return tuple(seat for seat, total in zip(self.seats, self.sums, strict=True) if total == max(self.sums))


class SheetState(NamedTuple):
    """The state of a game."""

    columns: tuple[Column, ...]
    player: int
    seat: int | None
    dice: tuple[int, ...] = ()
    rolls_used: int = 0
    rolling: tuple[int, ...] = ()
    locked: tuple[int, ...] = ()
    announced: str | None = None
    turns: tuple[int, ...] = ()
    left: frozenset[int] = frozenset()
    rolloff: StartRollOff | None = None
    first: int | None = None

    @property
    def column(self) -> Column:
        """The column of the player whose turn it is."""
        return self.columns[self.player]

    @property
    def hand(self) -> Hand:
        """The dice on the tray, sorted."""
        return sort_dice(self.dice)


def count_rolloff_roll(state: SheetState, rolloff: StartRollOff, total: int) -> SheetState:
    """Count one roll for the start; the highest starts, ties roll again."""
    state = state._replace(rolling=(), turns=count_turn(state.turns, state.player))
    return continue_rolloff(state, StartRollOff(rolloff.seats, (*rolloff.sums, total)))


def continue_rolloff(state: SheetState, rolloff: StartRollOff) -> SheetState:
    """Let the next seat roll for the start; when all have rolled, the best start."""
    rolled = len(rolloff.sums)
    if rolled < len(rolloff.seats):
        player = rolloff.seats[rolled]
        return state._replace(player=player, seat=player, rolloff=rolloff)
    return decide_start(state, rolloff.best)


def decide_start(state: SheetState, best: tuple[int, ...]) -> SheetState:
    """Let the best of a roll-off start, or those who tie roll again."""
    tied = StartRollOff(best) if len(best) > 1 else None
    return state._replace(player=best[0], seat=best[0], rolloff=tied, first=None if tied else best[0])


def leave_rolloff(state: SheetState, rolloff: StartRollOff, seat: int) -> SheetState:
    """Take a seat out of the roll-off; the last one left starts."""
    seats = tuple(other for other in rolloff.seats if other != seat)
    sums = tuple(total for other, total in zip(rolloff.seats, rolloff.sums, strict=False) if other != seat)
    return continue_rolloff(state, StartRollOff(seats, sums)) if len(seats) > 1 else decide_start(state, seats)


def list_active_seats(state: SheetState) -> tuple[int, ...]:
    return tuple(seat for seat in range(len(state.columns)) if seat not in state.left)


def pass_turn(state: SheetState) -> SheetState:
    """Clear the tray and give the turn to the next seat clockwise that still has an open box."""
    seats = len(state.columns)
    state = clear_tray(state)
    for step in range(1, seats + 1):
        seat = (state.player + step) % seats
        if seat not in state.left and not state.columns[seat].is_full:
            return state._replace(player=seat, seat=seat)
    return end_game(state)


def end_game(state: SheetState) -> SheetState:
    return clear_tray(state)._replace(seat=None, rolloff=None)


def clear_tray(state: SheetState) -> SheetState:
    return state._replace(dice=(), rolls_used=0, locked=(), announced=None)
