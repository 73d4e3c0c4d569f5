"""The dice of a round, and a turn with them of which it is known what standing on each hand is worth.

A total is counted from the smallest one. How good it is depends on the aim: rank 0 is the worst, and the special hand
of all ones, where it is played, ranks above every total.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from knobel.dice import Hand, sort_dice
from knobel.solver.arrays import Floats, Ints
from knobel.solver.multisets import Transitions, build_transitions

Aim: TypeAlias = Literal["over", "under"]

TIE_FACTOR = 1 + 1e-12
"""Chances closer than this, as a part of the smaller, differ only by rounding: all are sums of positive products."""


@dataclass(frozen=True)
class RoundDice:
    """The dice of a round: how many, how often they may be rolled, and whether all ones are special."""

    dice: int = 3
    faces: int = 6
    rolls: int = 3
    special: bool = True

    @cached_property
    def transitions(self) -> Transitions:
        return build_transitions(self.dice, self.faces)

    @property
    def sets(self) -> tuple[Hand, ...]:
        """Every multiset that can be kept, the full hands last."""
        return self.transitions.sets

    @cached_property
    def first_hand(self) -> int:
        return next(place for place, kept in enumerate(self.sets) if len(kept) == self.dice)

    @cached_property
    def hands(self) -> tuple[Hand, ...]:
        """The full hands, all ones first."""
        return self.sets[self.first_hand :]

    @cached_property
    def roll_chances(self) -> Floats:
        """The chance of each hand after each smaller multiset was kept."""
        return self.transitions.chances[: self.first_hand]

    @cached_property
    def keep_options(self) -> Ints:
        """For each hand what may be done, best liked first: stand, then every keep; rows are filled up with stand."""
        rows = [
            sorted(places, key=lambda place: (-len(self.sets[place]), self.sets[place]))
            for places in self.transitions.keeps_of_hand
        ]
        width = max(map(len, rows))
        return np.array([row + [row[0]] * (width - len(row)) for row in rows], np.int64)

    @cached_property
    def totals(self) -> Ints:
        """For each hand its total, counted from the smallest one."""
        return np.array([sum(dice) - self.dice for dice in self.hands], np.int64)

    @property
    def total_count(self) -> int:
        return self.dice * (self.faces - 1) + 1

    def rank_totals(self, aim: Aim) -> Ints:
        """Rank every total, counted from the smallest one, as a result of a follower."""
        ranks = np.arange(self.total_count) if aim == "over" else np.arange(self.total_count)[::-1].copy()
        if self.special:
            ranks[0] = self.total_count
        return ranks

    def rank_total(self, aim: Aim, total: int) -> int:
        """Rank a total as the target or as a failure; neither is ever special."""
        return total - self.dice if aim == "over" else self.dice * self.faces - total

    def mark_better_hands(self, aim: Aim, total: int) -> Floats:
        """Mark the hands that do better than a total."""
        return (self.rank_totals(aim)[self.totals] > self.rank_total(aim, total)).astype(np.float64)

    def find_place(self, dice: Iterable[int]) -> int:
        return self.sets.index(sort_dice(dice))

    def choose_options(self, set_values: Floats) -> Ints:
        """Choose for each hand the first of its options that nothing beats."""
        offered = set_values[:, self.keep_options]
        best = offered.min(axis=2, keepdims=True)
        liked = np.argmax(offered <= best * TIE_FACTOR, axis=2)
        chosen: Ints = self.keep_options[np.arange(len(self.hands)), liked]
        return chosen


@dataclass(frozen=True)
class DiceTurn:
    """A turn played for the smallest value, with what standing on each hand is worth after each roll.

    Several cases are worked out side by side: a row of each array is a case, a column a hand.
    """

    round_dice: RoundDice
    stand_values: Sequence[Floats]

    @cached_property
    def set_values(self) -> list[Floats]:
        """The value of every set after each roll but the last: smaller ones kept, full ones stood on."""
        found: list[Floats] = []
        value = self.stand_values[-1]
        for standing in reversed(self.stand_values[:-1]):
            found.insert(0, np.hstack((value @ self.round_dice.roll_chances.T, standing)))
            value = np.take_along_axis(found[0], self.round_dice.choose_options(found[0]), axis=1)
        return found

    def find_stop_chances(self) -> Floats:
        """Give the chance to stop after each roll on each hand under best play: roll, case, hand."""
        first_roll = np.repeat(self.round_dice.roll_chances[0][None, :], len(self.stand_values[0]), axis=0)
        return self.follow_hands(first_roll, 1)

    def follow_hand(self, dice: Iterable[int], rolled: int) -> Floats:
        """Give where best play of the first case stops, with this hand after so many rolls: roll, hand."""
        here = np.zeros((1, len(self.round_dice.hands)))
        here[0, self.round_dice.find_place(dice) - self.round_dice.first_hand] = 1.0
        return self.follow_hands(here, rolled)[:, 0]

    def follow_keep(self, kept: Hand, rolled: int) -> Floats:
        """Give the same while the dice beside those kept are rolling, after so many rolls before."""
        here = self.round_dice.roll_chances[self.round_dice.find_place(kept)][None, :]
        return self.follow_hands(here, rolled + 1)[:, 0]

    def follow_hands(self, here: Floats, rolled: int) -> Floats:
        """Follow the chances of all hands after so many rolls to the chance to stop after each roll on each hand."""
        round_dice, cases = self.round_dice, len(here)
        stops: list[Floats] = [np.zeros_like(here)] * (rolled - 1)
        for values in self.set_values[rolled - 1 :]:
            cells = round_dice.choose_options(values[:cases]) + np.arange(cases)[:, None] * len(round_dice.sets)
            counted = np.bincount(cells.ravel(), here.ravel(), cases * len(round_dice.sets))
            moved = counted.astype(np.float64).reshape(cases, -1)
            stops.append(moved[:, round_dice.first_hand :])
            here = moved[:, : round_dice.first_hand] @ round_dice.roll_chances
        return np.array([*stops, here])

    def find_start_value(self) -> float:
        """Give the value of the first case before the first roll."""
        value = self.stand_values[-1]
        if self.set_values:
            value = np.take_along_axis(self.set_values[0], self.round_dice.choose_options(self.set_values[0]), axis=1)
        return float((value @ self.round_dice.roll_chances[0])[0])

    def find_success_chances(self, wanted: Floats, dice: Iterable[int], rolled: int) -> dict[Hand, float]:
        """Give for each option of a hand, itself for standing, how likely best play ends on one of the wanted hands."""
        round_dice, place = self.round_dice, self.round_dice.find_place(dice)
        if rolled == len(self.stand_values):
            return {round_dice.sets[place]: float(wanted[place - round_dice.first_hand])}
        standing = wanted[None, :]
        success = np.hstack((standing @ round_dice.roll_chances.T, standing))
        for values in reversed(self.set_values[rolled:]):
            chosen = np.take_along_axis(success, round_dice.choose_options(values), axis=1)
            success = np.hstack((chosen @ round_dice.roll_chances.T, standing))
        options = round_dice.keep_options[place - round_dice.first_hand].tolist()
        return {round_dice.sets[option]: float(success[0, option]) for option in options}

    def value_options(self, dice: Iterable[int], rolled: int) -> list[tuple[Hand | None, float]]:
        """Give each option of a hand after this many rolls with its value, in the order they are liked; None stands."""
        round_dice, place = self.round_dice, self.round_dice.find_place(dice)
        if rolled == len(self.stand_values):
            return [(None, float(self.stand_values[-1][0, place - round_dice.first_hand]))]
        values = self.set_values[rolled - 1][0]
        offered = dict.fromkeys(round_dice.keep_options[place - round_dice.first_hand].tolist())
        return [(None if option == place else round_dice.sets[option], float(values[option])) for option in offered]
