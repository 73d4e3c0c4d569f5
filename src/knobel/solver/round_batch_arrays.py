"""What the kernel that steps many games of rounds is given: the tables of a game, and the games."""

from typing import NamedTuple

from knobel.solver.arrays import Ints, Records

HAND, ROLLS_USED, ROLLS_ALLOWED, AIM, IS_FOLLOWING, OPENER, PLAYER, KITTY, IS_OVER = range(9)
PLAYERS_AT_START, CHIP_GIVER, PLACED, OWN_RATE = range(9, 13)
"""The numbers that say where a game stands; how many are placed, and twice the place of the first seat once it is."""
HEAD_SIZE = 13
CHIPS, IS_ACTIVE, HAS_TOTAL, TOTAL, IS_OUT = range(5)
"""The numbers of a seat, which follow one seat after another; whether it went out in this round."""
SEAT_SIZE = 5
NO_AIM, AIM_OVER, AIM_UNDER = range(3)
"""In the order of the actions that stand: plainly, over, under."""
NOBODY = -1
OWN_SEAT = 0


class RoundTables(NamedTuple):
    """What is the same for all games; multisets are named by their number, smallest first.

    `keeps` has for each hand one place for each action that keeps dice, with the multiset it keeps; `sums` has the
    total of each hand. `ones` is the hand that wins at once, if there is one.
    """

    dice: int
    faces: int
    rolls: int
    chips: int
    seats: int
    first_hand: int
    ones: int
    keep_count: int
    action_count: int
    observation_size: int
    set_sizes: Ints
    larger: Ints
    face_counts: Ints
    hand_dice: Ints
    sums: Ints
    keeps: Ints


class RoundGames(NamedTuple):
    """Games that are played together: for each HEAD_SIZE numbers and SEAT_SIZE for each seat, and a stream of dice."""

    positions: Ints
    counters: Records
