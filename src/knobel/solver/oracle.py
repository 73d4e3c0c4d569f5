"""The same values by slow plain numpy: every hand asks the rules themselves; the truth the kernel is tested against."""

from collections.abc import Callable
from functools import cache, lru_cache
from math import factorial, prod

import numpy as np

from knobel.dice import Hand
from knobel.rules.column import Column, options, tally
from knobel.rules.ruleset import SheetRules
from knobel.solver.tables import Floats, multisets

Later = Callable[[Column], float]


def value(rules: SheetRules, column: Column, later: Later) -> float:
    """Value a column before its turn, given the value of every column one box fuller."""
    if column.full:
        return float(tally(rules, column).bonus)
    if rules.order != "announced":
        return turn(rules, [best(rules, column, hand, None, later) for hand in hands(rules)])
    rows = [rules.boxes[place].id for place in column.open]
    return max(turn(rules, [best(rules, column, hand, row, later) for hand in hands(rules)]) for row in rows)


def solve(rules: SheetRules, column: Column) -> float:
    """Value a column of a small game by walking through every position below it."""
    seen: dict[Column, float] = {}

    def later(below: Column) -> float:
        if below not in seen:
            seen[below] = value(rules, below, later)
        return seen[below]

    return later(column)


def best(rules: SheetRules, column: Column, hand: Hand, announced: str | None, later: Later) -> float:
    """Value a hand as the best box it may be written in, a deliberate zero included where zeros are free."""
    found = []
    for place, (_, option) in enumerate(options(rules, column, hand, announced).items()):
        if option.refusal is None:
            entries = tuple(option.points if here == place else old for here, old in enumerate(column.entries))
            after = Column(entries, column.extra + option.extra, column.yatzys + (hand[0] == hand[-1]))
            found.append(option.points + option.extra + later(after))
    return max(found)


def turn(rules: SheetRules, stopped: list[float]) -> float:
    """Value a turn from the values of its final hands, by the full table of what can follow what."""
    follow, kept_of, kept_sets = transitions(rules.dice, rules.faces)
    values = np.array(stopped)
    if rules.locked_dice:
        return locked(rules, values)
    for _ in range(rules.throws - 1):
        keeps = follow @ values
        values = np.array([max(keeps[place] for place in subsets) for subsets in kept_of])
    return float((follow @ values)[kept_sets.index(())])


def locked(rules: SheetRules, stopped: Floats) -> float:
    """Value a turn in which kept dice stay, straight from its definition."""
    follow, _, kept_sets = transitions(rules.dice, rules.faces)
    every = hands(rules)
    index = {kept: place for place, kept in enumerate(kept_sets)}

    @cache
    def after(kept: Hand, left: int) -> float:
        chances = follow[index[kept]]
        reached = [place for place in range(len(every)) if chances[place]]
        return float(sum(chances[place] * choose(kept, every[place], place, left - 1) for place in reached))

    def choose(kept: Hand, hand: Hand, place: int, left: int) -> float:
        if left == 0:
            return float(stopped[place])
        more = [larger for larger in subsets_of(hand) if contains(larger, kept)]
        return max(float(stopped[place]) if len(larger) == len(hand) else after(larger, left) for larger in more)

    return float(after((), rules.throws))


@lru_cache(maxsize=4)
def transitions(dice: int, faces: int) -> tuple[Floats, list[list[int]], list[Hand]]:
    """Give the chance of each hand from each kept multiset, and which multisets each hand contains."""
    sets = multisets(dice, faces)
    kept_sets, every = list(sets.sets), list(sets.hands)
    index = {kept: place for place, kept in enumerate(kept_sets)}
    follow = np.zeros((len(kept_sets), len(every)))
    for row, kept in enumerate(kept_sets):
        for column, hand in enumerate(every):
            if contains(hand, kept):
                rest = [hand.count(face) - kept.count(face) for face in range(1, faces + 1)]
                ways = factorial(sum(rest)) / prod(map(factorial, rest))
                follow[row, column] = ways / faces ** sum(rest)
    return follow, [[index[kept] for kept in subsets_of(hand)] for hand in every], kept_sets


def hands(rules: SheetRules) -> list[Hand]:
    """List the hands."""
    return list(multisets(rules.dice, rules.faces).hands)


@cache
def subsets_of(hand: Hand) -> list[Hand]:
    """List every multiset within a hand."""
    found: set[Hand] = {()}
    for die in hand:
        found |= {tuple(sorted((*kept, die))) for kept in found}
    return sorted(kept for kept in found if contains(hand, kept))


def contains(hand: Hand, kept: Hand) -> bool:
    """Tell whether a hand contains a multiset."""
    return all(hand.count(face) >= kept.count(face) for face in set(kept))
