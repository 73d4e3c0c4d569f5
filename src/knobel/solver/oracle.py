"""The same values by slow plain numpy: every hand asks the rules themselves; the truth the kernel is tested against."""

from collections.abc import Callable
from functools import cache, lru_cache
from math import factorial, prod

import numpy as np

from knobel.dice import Hand
from knobel.rules.column import Column, list_options, tally
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.arrays import Floats
from knobel.solver.tables import build_multisets

ColumnValuation = Callable[[Column], float]


def value_column(rules: SheetRules, column: Column, later: ColumnValuation) -> float:
    """Value a column before its turn, given the value of every column one box fuller."""
    if column.is_full:
        return float(tally(rules, column).bonus)
    if rules.order != "announced":
        return value_turn(rules, [value_hand(rules, column, hand, None, later) for hand in list_hands(rules)])
    rows = [rules.boxes[place].id for place in column.open_boxes]
    return max(
        value_turn(rules, [value_hand(rules, column, hand, row, later) for hand in list_hands(rules)]) for row in rows
    )


def solve_column(rules: SheetRules, column: Column) -> float:
    """Value a column of a small game by walking through every position below it."""
    seen: dict[Column, float] = {}

    def later(below: Column) -> float:
        if below not in seen:
            seen[below] = value_column(rules, below, later)
        return seen[below]

    return later(column)


def value_hand(rules: SheetRules, column: Column, hand: Hand, announced: str | None, later: ColumnValuation) -> float:
    """Value a hand as the best box it may be written in, a deliberate zero included where zeros are free."""
    found = []
    for place, (_, option) in enumerate(list_options(rules, column, hand, announced).items()):
        if option.refusal is None:
            entries = tuple(option.points if here == place else old for here, old in enumerate(column.entries))
            after = Column(entries, column.extra + option.extra, column.yatzys + (hand[0] == hand[-1]))
            found.append(option.points + option.extra + later(after))
    return max(found)


def value_turn(rules: SheetRules, hand_values: list[float]) -> float:
    """Value a turn from the values of its final hands, by the full table of what can follow what."""
    follow, kept_of, kept_sets = build_transitions(rules.dice, rules.faces)
    values = np.array(hand_values)
    if rules.locked_dice:
        return value_locked_turn(rules, values)
    for _ in range(rules.rolls - 1):
        keeps = follow @ values
        values = np.array([max(keeps[place] for place in subsets) for subsets in kept_of])
    return float((follow @ values)[kept_sets.index(())])


def value_locked_turn(rules: SheetRules, hand_values: Floats) -> float:
    """Value a turn in which kept dice stay, straight from its definition."""
    follow, _, kept_sets = build_transitions(rules.dice, rules.faces)
    every = list_hands(rules)
    index = {kept: place for place, kept in enumerate(kept_sets)}

    @cache
    def after(kept: Hand, left: int) -> float:
        chances = follow[index[kept]]
        reached = [place for place in range(len(every)) if chances[place]]
        return float(sum(chances[place] * choose(kept, every[place], place, left - 1) for place in reached))

    def choose(kept: Hand, hand: Hand, place: int, left: int) -> float:
        if left == 0:
            return float(hand_values[place])
        more = [larger for larger in list_subsets(hand) if contains(larger, kept)]
        return max(float(hand_values[place]) if len(larger) == len(hand) else after(larger, left) for larger in more)

    return float(after((), rules.rolls))


@lru_cache(maxsize=4)
def build_transitions(dice: int, faces: int) -> tuple[Floats, list[list[int]], list[Hand]]:
    """Give the chance of each hand from each kept multiset, and which multisets each hand contains."""
    sets = build_multisets(dice, faces)
    kept_sets, every = list(sets.sets), list(sets.hands)
    index = {kept: place for place, kept in enumerate(kept_sets)}
    follow = np.zeros((len(kept_sets), len(every)))
    for row, kept in enumerate(kept_sets):
        for column, hand in enumerate(every):
            if contains(hand, kept):
                rest = [hand.count(face) - kept.count(face) for face in range(1, faces + 1)]
                ways = factorial(sum(rest)) / prod(map(factorial, rest))
                follow[row, column] = ways / faces ** sum(rest)
    return follow, [[index[kept] for kept in list_subsets(hand)] for hand in every], kept_sets


def list_hands(rules: SheetRules) -> list[Hand]:
    """List the hands."""
    return list(build_multisets(rules.dice, rules.faces).hands)


@cache
def list_subsets(hand: Hand) -> list[Hand]:
    """List every multiset within a hand."""
    found: set[Hand] = {()}
    for die in hand:
        found |= {tuple(sorted((*kept, die))) for kept in found}
    return sorted(kept for kept in found if contains(hand, kept))


def contains(hand: Hand, kept: Hand) -> bool:
    """Tell whether a hand contains a multiset."""
    return all(hand.count(face) >= kept.count(face) for face in set(kept))
