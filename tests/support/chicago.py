"""Games of Chicago for the tests: any position on the table, and rounds played with prescribed dice."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from knobel.game import Land, Roll, Stand, play
from knobel.games.round_state import FOLLOW, RoundState
from knobel.games.rounds import RoundsGame
from knobel.rules import load_edition

EDITION = "carlit-chicago"
CHIPS = 3

Dice = tuple[int, ...]


def make_game(special: bool = True) -> RoundsGame:
    """Give the game with or without the rule of the three ones."""
    return RoundsGame(load_edition(EDITION).rules(None, {"chicago_special": str(special).lower()}))


def make_position(
    game: RoundsGame,
    seats: int,
    chips: Mapping[int, int] | None = None,
    opener: int = 0,
    out: Iterable[int] = (),
    kitty: int | None = None,
) -> RoundState:
    """Put a position on the table before a round; the kitty holds what nobody has, and who is out has no place yet."""
    owned = tuple((chips or {}).get(seat, 0) for seat in range(seats))
    inside = tuple(seat for seat in range(seats) if seat not in set(out))
    left = CHIPS - sum(owned) if kitty is None else kitty
    start = game.start(seats, opener)
    return replace(start, chips=owned, kitty=left, active=inside, players_at_start=len(inside))


def roll_dice(game: RoundsGame, state: RoundState, *rolls: Sequence[int]) -> RoundState:
    """Roll dice that come to lie as prescribed, one state after the other; what does not change is kept."""
    for roll in rolls:
        lying = state.dice
        keep = tuple(place for place, die in enumerate(lying) if die == roll[place])
        keep = keep if len(keep) < len(roll) else ()
        state = play(game, state, Roll(keep))
        state = play(game, state, Land(tuple(die for place, die in enumerate(roll) if place not in keep)))
    return state


def roll_and_stand(game: RoundsGame, state: RoundState, rolls: Sequence[Sequence[int]], aim: str | None) -> RoundState:
    """Roll as prescribed and stand; an opener announces."""
    state = roll_dice(game, state, *rolls)
    opens = state.phase != FOLLOW and not game.is_all_ones(state.dice)
    return play(game, state, Stand(aim if opens else None))


def find_dice(total: int) -> Dice:
    """Find three dice with a total; never three ones by accident, for 3 is nothing else."""
    high = min(6, total - 2)
    middle = min(6, total - high - 1)
    return high, middle, total - high - middle


def play_round(game: RoundsGame, state: RoundState, aim: str | None, *totals: int) -> RoundState:
    """Play a round with one roll each, the opener first, then clockwise; roll-offs are left to be rolled."""
    for total in totals:
        assert state.rolloff is None
        state = roll_and_stand(game, state, [find_dice(total)], aim)
    return state


def play_roll_off(game: RoundsGame, state: RoundState, *totals: int) -> RoundState:
    """Roll once each for a tie, in the order in which the game asks."""
    for total in totals:
        assert state.rolloff is not None
        state = roll_dice(game, state, find_dice(total))
    return state
