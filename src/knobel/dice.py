"""Hands of dice as sorted tuples."""

from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement
from typing import TypeAlias

Hand: TypeAlias = tuple[int, ...]


def sort_dice(dice: Iterable[int]) -> Hand:
    """Sort dice: their order on the table never matters to the rules."""
    return tuple(sorted(dice))


def all_hands(dice: int, faces: int) -> Iterator[Hand]:
    """Iterate over every different hand of this many dice."""
    return combinations_with_replacement(range(1, faces + 1), dice)


def is_all_alike(hand: Hand) -> bool:
    """Tell whether all dice show the same face."""
    return hand[0] == hand[-1]
