"""Exact chances of dice that lessons speak of: what one more roll, or several, make of the dice that are kept."""

from collections.abc import Callable
from itertools import product
from math import comb, factorial, prod
from typing import Any

from knobel.dice import Hand, sort_dice
from knobel.learning.scenes import count_faces


def chance_in_one_roll(kept: Hand, rules: Any, wanted: Callable[[Hand], object]) -> float:
    """Give how likely one roll of the other dice makes a wanted hand."""
    rolled = list(product(range(1, rules.faces + 1), repeat=rules.dice - len(kept)))
    return sum(bool(wanted(sort_dice((*kept, *dice)))) for dice in rolled) / len(rolled)


def chance_of_face(faces: int, rolls: int) -> float:
    """Give how likely a die shows a certain face at least once in so many rolls."""
    return 1 - (1 - 1 / faces) ** rolls


def chance_at_least(wanted: int, dice: int, chance: float) -> float:
    """Give how likely at least so many of these dice succeed, each with the same chance."""
    return sum(comb(dice, n) * chance**n * (1 - chance) ** (dice - n) for n in range(wanted, dice + 1))


def average_of_die(faces: int, rolls: int) -> float:
    """Give what a die shows on average if it may be rolled so many times, and stays as soon as that is better."""
    average = 0.0
    for _ in range(rolls):
        average = sum(max(face, average) for face in range(1, faces + 1)) / faces
    return average


def chance_of_hand(hand: Hand, faces: int) -> float:
    """Give how likely a roll of all dice shows this hand."""
    ways = factorial(len(hand)) // prod(factorial(count) for _, count in count_faces(hand))
    return float(ways / faces ** len(hand))
