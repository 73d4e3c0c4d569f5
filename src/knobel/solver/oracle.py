"""The same values by slow plain numpy: every hand asks the rules themselves, and the kernels must agree."""

from collections.abc import Callable
from functools import cache

import numpy as np

from knobel.dice import Hand
from knobel.rules.column import Column, list_options, tally
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.arrays import Floats
from knobel.solver.multisets import build_multisets, build_transitions, contains, list_subsets

ColumnValuation = Callable[[Column], float]


def value_column(rules: SheetRules, column: Column, later: ColumnValuation) -> float:
    """Value a column before its turn, given the value of every column one box fuller."""
    if column.is_full:
        return float(tally(rules, column).bonus)
    if rules.order != "announced":
        return value_turn(rules, [value_hand(rules, column, hand, None, later) for hand in list_hands(rules)])
    boxes = [rules.boxes[place].id for place in column.open_boxes]
    return max(
        value_turn(rules, [value_hand(rules, column, hand, box, later) for hand in list_hands(rules)]) for box in boxes
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
    """Value a hand as the best box it may be scored in, a deliberate zero included where zeros are free."""
    found = []
    for place, (_, option) in enumerate(list_options(rules, column, hand, announced).items()):
        if option.refusal is None:
            entries = tuple(option.points if here == place else old for here, old in enumerate(column.entries))
            after = Column(entries, column.extra + option.extra, column.yatzys + (hand[0] == hand[-1]))
            found.append(option.points + option.extra + later(after))
    return max(found)


def value_turn(rules: SheetRules, hand_values: list[float]) -> float:
    """Value a turn from the values of its final hands, by the full table of what can follow what."""
    known = build_transitions(rules.dice, rules.faces)
    values = np.array(hand_values)
    if rules.locked_dice:
        return value_locked_turn(rules, values)
    for _ in range(rules.rolls - 1):
        keep_values = known.chances @ values
        values = np.array([max(keep_values[place] for place in keeps) for keeps in known.keeps_of_hand])
    return float((known.chances @ values)[known.sets.index(())])


def value_locked_turn(rules: SheetRules, hand_values: Floats) -> float:
    """Value a turn in which kept dice stay, straight from its definition."""
    known = build_transitions(rules.dice, rules.faces)
    every = list_hands(rules)
    index = {kept: place for place, kept in enumerate(known.sets)}

    @cache
    def value_kept(kept: Hand, left: int) -> float:
        chances = known.chances[index[kept]]
        reached = [place for place in range(len(every)) if chances[place]]
        return float(sum(chances[place] * value_choice(kept, every[place], place, left - 1) for place in reached))

    def value_choice(kept: Hand, hand: Hand, place: int, left: int) -> float:
        if left == 0:
            return float(hand_values[place])
        keeps = [keep for keep in list_subsets(hand) if contains(keep, kept)]
        return max(float(hand_values[place]) if len(keep) == len(hand) else value_kept(keep, left) for keep in keeps)

    return float(value_kept((), rules.rolls))


def list_hands(rules: SheetRules) -> list[Hand]:
    return list(build_multisets(rules.dice, rules.faces).hands)
