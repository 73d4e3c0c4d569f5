"""What dice are worth to keep, from what each hand is worth: in plain Python, for bots that need no solver.

It gives the same values as the solver's `compute_keep_values`, more slowly, and without numpy.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod

from knobel.dice import Hand, sort_dice


@dataclass(frozen=True, slots=True)
class DiceSets:
    """Every multiset of up to so many dice, smallest first, the full hands last, and how they grow and shrink."""

    sets: tuple[Hand, ...]
    index: dict[Hand, int]
    first_hand: int
    larger: tuple[tuple[int, ...], ...]
    smaller: tuple[tuple[int, ...], ...]

    @property
    def hands(self) -> tuple[Hand, ...]:
        return self.sets[self.first_hand :]


@dataclass(frozen=True, slots=True)
class Addition:
    """Dice that may be kept besides others: the set they make together, the additions one die smaller, their chance.

    Only additions of all the dice that are rolled have a chance: they are what a roll may show.
    """

    union: int
    smaller: tuple[int, ...]
    chance: float


@lru_cache(maxsize=8)
def list_dice_sets(dice: int, faces: int) -> DiceSets:
    sides = range(1, faces + 1)
    sets = tuple(chosen for size in range(dice + 1) for chosen in combinations_with_replacement(sides, size))
    index = {chosen: place for place, chosen in enumerate(sets)}
    first_hand = index[(1,) * dice]
    larger = tuple(tuple(index[sort_dice((*chosen, face))] for face in sides) for chosen in sets[:first_hand])
    smaller = tuple(tuple(index[less] for less in drop_one_die(chosen)) for chosen in sets)
    return DiceSets(sets, index, first_hand, larger, smaller)


def drop_one_die(dice: Hand) -> list[Hand]:
    """List the multisets with one die less."""
    return [dice[:place] + dice[place + 1 :] for place in map(dice.index, sorted(set(dice)))]


@lru_cache(maxsize=2)
def list_additions(dice: int, faces: int) -> tuple[tuple[Addition, ...], ...]:
    """List for each multiset that is not a full hand what may be kept besides it, fewer dice first."""
    every = list_dice_sets(dice, faces)
    found = []
    for kept in every.sets[: every.first_hand]:
        room = dice - len(kept)
        more = [one for one in every.sets if len(one) <= room]
        index = {one: place for place, one in enumerate(more)}
        found.append(
            tuple(
                Addition(
                    every.index[sort_dice(kept + one)],
                    tuple(index[less] for less in drop_one_die(one)),
                    count_orders(one) / faces**room if len(one) == room else 0.0,
                )
                for one in more
            )
        )
    return tuple(found)


def count_orders(dice: Hand) -> int:
    """Count the orders in which these dice can be rolled."""
    return factorial(len(dice)) // prod(map(factorial, map(dice.count, set(dice))))


def value_keeps(dice: int, faces: int, hand_values: Sequence[float], rolls_left: int, locked: bool) -> list[float]:
    """Value keeping each multiset and rolling the rest, with this many rolls left to do."""
    every = list_dice_sets(dice, faces)
    values = [0.0] * every.first_hand + list(hand_values)
    average_rolls(every, values)
    for _ in range(rolls_left - 1):
        if locked:
            values[: every.first_hand] = [average_locked(more, values) for more in list_additions(dice, faces)]
        else:
            keep_best(every, values)
            average_rolls(every, values)
    return values


def average_rolls(every: DiceSets, values: list[float]) -> None:
    """Value every kept multiset as the mean over the face of one more die, largest first."""
    for place in range(every.first_hand - 1, -1, -1):
        larger = every.larger[place]
        values[place] = sum([values[one] for one in larger]) / len(larger)


def keep_best(every: DiceSets, values: list[float]) -> None:
    """Value every multiset as the best one to keep of it, smallest first."""
    for place, smaller in enumerate(every.smaller):
        values[place] = max([values[place], *[values[one] for one in smaller]])


def average_locked(additions: tuple[Addition, ...], values: Sequence[float]) -> float:
    """Value a kept multiset when the rest is rolled and the best of it is kept besides."""
    best = [values[one.union] for one in additions]
    for place, one in enumerate(additions):
        best[place] = max([best[place], *[best[less] for less in one.smaller]])
    return sum(value * one.chance for value, one in zip(best, additions, strict=True))
