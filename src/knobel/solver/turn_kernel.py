"""Compiled: follows best play forwards through the rolls of one turn."""

# Which of several choices is best is marked with bits, one a lane: set where a choice beats all those before it. So
# the last one set is the best, and of choices as good as equal the first one counts: to keep rather than to let go,
# and the lowest dice go first. Whoever follows the marks therefore walks through them backwards, and takes from the
# lanes that are left those whose bit is set.

import numpy as np

from knobel.solver.arrays import LANES, TIE_TOLERANCE, Floats, LaneMasks, LockArrays, TurnDice, TurnScratch
from knobel.solver.compiled import ZERO, U, part
from knobel.solver.simd import Strip, add, broadcast, greater_mask, load, maximum, scale, select_lanes, store
from knobel.solver.value_kernel import average_first_roll, average_rolls

ALL_LANES = np.uint16((1 << LANES) - 1)


@part
def zero_range(numbers: Floats, begin: int, end: int) -> None:
    for place in range(begin, end):
        numbers[U(place)] = 0.0


@part
def mark_best_keeps(dice: TurnDice, set_values: Floats, marks: LaneMasks) -> None:
    """Value every multiset as the best one to keep of it, and mark which die goes."""
    starts, smaller = dice.smaller_starts, dice.smaller
    for kept in range(1, starts.size - 1):
        best = load(set_values, U(kept * LANES))
        for step in range(starts[U(kept)], starts[U(kept + 1)]):
            other = load(set_values, U(smaller[U(step)]))
            marks[U(step)] = greater_mask(other, add(best, broadcast(TIE_TOLERANCE)))
            best = maximum(other, best)
        store(set_values, U(kept * LANES), best)


@part
def spread_to_keeps(dice: TurnDice, marks: LaneMasks, set_chances: Floats) -> None:
    """Send the chance of every multiset to what is kept of it, one die at a time, so the largest come first."""
    starts, smaller = dice.smaller_starts, dice.smaller
    for kept in range(starts.size - 2, 0, -1):
        left = ALL_LANES
        here = load(set_chances, U(kept * LANES))
        for step in range(starts[U(kept + 1)] - 1, starts[U(kept)] - 1, -1):
            taken = marks[U(step)] & left
            if taken:
                target = U(smaller[U(step)])
                store(set_chances, target, add(load(set_chances, target), select_lanes(here, taken)))
                left &= ~taken
        if left != ALL_LANES:
            store(set_chances, U(kept * LANES), select_lanes(here, left))


@part
def spread_rolls(dice: TurnDice, set_chances: Floats) -> None:
    """Spread the chance of every kept multiset over the hands it may become, one die after the other.

    The smallest come first, and each collects from those one die smaller; a full hand that was kept keeps its own.
    """
    starts, smaller = dice.smaller_starts, dice.smaller
    share = 1.0 / dice.faces
    for larger in range(1, starts.size - 1):
        total = broadcast(0.0)
        for step in range(starts[U(larger)], starts[U(larger + 1)]):
            total = add(total, load(set_chances, U(smaller[U(step)])))
        store(set_chances, U(larger * LANES), add(load(set_chances, U(larger * LANES)), scale(total, share)))
    zero_range(set_chances, ZERO, dice.first_hand * LANES)


@part
def start_first_roll(dice: TurnDice, lanes: int, set_chances: Floats) -> None:
    """Begin with the chances of all hands, in the lanes that are wanted."""
    first_hand, chances = dice.first_hand, dice.hand_chances
    for hand in range(chances.size):
        store(set_chances, U((first_hand + hand) * LANES), select_lanes(broadcast(chances[U(hand)]), lanes))


@part
def plan_free_turn(dice: TurnDice, set_values: Floats, marks: LaneMasks) -> Strip:
    """Value a turn with free dice from its last hands back to the first roll, and mark what is kept.

    Each roll but the last has its own stretch of marks, one for each step to a smaller multiset.
    """
    steps = dice.smaller.size
    for roll in range(dice.rolls - 2, -1, -1):
        average_rolls(dice, set_values)
        mark_best_keeps(dice, set_values, marks[roll * steps : (roll + 1) * steps])
    return average_first_roll(dice, set_values)


@part
def follow_free_turn(dice: TurnDice, lanes: int, marks: LaneMasks, set_chances: Floats) -> None:
    """Follow best play through a turn with free dice to the chances of the last hands."""
    steps = dice.smaller.size
    zero_range(set_chances, ZERO, dice.first_hand * LANES)
    start_first_roll(dice, lanes, set_chances)
    for roll in range(dice.rolls - 1):
        spread_to_keeps(dice, marks[roll * steps : (roll + 1) * steps], set_chances)
        spread_rolls(dice, set_chances)


@part
def plan_locked_keep(kept: int, lock: LockArrays, scratch: TurnScratch, marks: LaneMasks) -> Strip:
    """Value a kept multiset as `value_locked_keep` does, and mark which of the dice just rolled goes."""
    set_values, pair_values = scratch.set_values, scratch.pair_values
    union, starts, smaller, chances = lock.union, lock.smaller_starts, lock.smaller, lock.roll_chances
    first, end = lock.pair_starts[U(kept)], lock.pair_starts[U(kept + 1)]
    total = broadcast(0.0)
    for pair in range(first, end):
        best = load(set_values, U(union[U(pair)] * LANES))
        for step in range(starts[U(pair)], starts[U(pair + 1)]):
            other = load(pair_values, U(smaller[U(step)] * LANES))
            marks[U(step)] = greater_mask(other, add(best, broadcast(TIE_TOLERANCE)))
            best = maximum(other, best)
        store(pair_values, U((pair - first) * LANES), best)
        if chances[U(pair)] > 0.0:
            total = add(total, scale(best, chances[U(pair)]))
    return total


@part
def follow_locked_keep(
    kept: int, chance: Strip, lock: LockArrays, marks: LaneMasks, pair_chances: Floats, set_chances: Floats
) -> None:
    """Roll the dice beside a kept multiset and send its chance to what is kept then.

    Pairs with more dice come first: what lets a die go is sent to a pair that is still to come.
    """
    union, starts, smaller, roll_chances = lock.union, lock.smaller_starts, lock.smaller, lock.roll_chances
    first, end = lock.pair_starts[U(kept)], lock.pair_starts[U(kept + 1)]
    for pair in range(first, end):
        store(pair_chances, U((pair - first) * LANES), scale(chance, roll_chances[U(pair)]))
    for pair in range(end - 1, first - 1, -1):
        left = ALL_LANES
        here = load(pair_chances, U((pair - first) * LANES))
        for step in range(starts[U(pair + 1)] - 1, starts[U(pair)] - 1, -1):
            taken = marks[U(step)] & left
            if taken:
                target = U(smaller[U(step)] * LANES)
                store(pair_chances, target, add(load(pair_chances, target), select_lanes(here, taken)))
                left &= ~taken
        if left:
            target = U(union[U(pair)] * LANES)
            store(set_chances, target, add(load(set_chances, target), select_lanes(here, left)))


@part
def plan_locked_turn(dice: TurnDice, lock: LockArrays, scratch: TurnScratch, marks: LaneMasks) -> Strip:
    """Value a turn in which kept dice stay, from its last hands back to the first roll, and mark what is kept."""
    set_values, spare_values = scratch.set_values, scratch.spare_values
    if dice.rolls == 1:
        return average_first_roll(dice, set_values)
    steps = lock.smaller.size
    average_rolls(dice, set_values)
    for roll in range(dice.rolls - 2, 0, -1):
        roll_marks = marks[roll * steps : (roll + 1) * steps]
        for kept in range(dice.first_hand):
            store(spare_values, U(kept * LANES), plan_locked_keep(kept, lock, scratch, roll_marks))
        for kept in range(dice.first_hand):
            store(set_values, U(kept * LANES), load(spare_values, U(kept * LANES)))
    return plan_locked_keep(ZERO, lock, scratch, marks[:steps])


@part
def follow_locked_turn(
    dice: TurnDice, lock: LockArrays, lanes: int, scratch: TurnScratch, marks: LaneMasks, set_chances: Floats
) -> None:
    """Follow best play through a turn in which kept dice stay; what a hand keeps from the empty one comes first."""
    zero_range(set_chances, ZERO, set_chances.size)
    if dice.rolls == 1:
        start_first_roll(dice, lanes, set_chances)
        return
    steps, spare_chances, pair_chances = lock.smaller.size, scratch.spare_values, scratch.pair_values
    start = select_lanes(broadcast(1.0), lanes)
    follow_locked_keep(ZERO, start, lock, marks[:steps], pair_chances, set_chances)
    for roll in range(1, dice.rolls - 1):
        roll_marks = marks[roll * steps : (roll + 1) * steps]
        for kept in range(dice.first_hand):
            store(spare_chances, U(kept * LANES), load(set_chances, U(kept * LANES)))
        zero_range(set_chances, ZERO, dice.first_hand * LANES)
        for kept in range(dice.first_hand):
            here = load(spare_chances, U(kept * LANES))
            if greater_mask(here, broadcast(0.0)):
                follow_locked_keep(kept, here, lock, roll_marks, pair_chances, set_chances)
    spread_rolls(dice, set_chances)
