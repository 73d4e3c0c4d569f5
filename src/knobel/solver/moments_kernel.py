"""Compiled: the spread of the points to come from every position under best play, worked backwards."""

# The values are known, so everything is counted from the value of the column whose turn it is: such distances are
# small, and single precision is enough for them and their powers. It halves what is moved, which is most of the work;
# the price is that moves less than SINGLE_TIE_TOLERANCE apart count as equal. Distance, square and cube of the same
# multiset are three strips next to one another: whoever needs one of them needs all. They go through a turn together,
# by the same averages; where the distance takes the larger of two, a mask of the lanes in which that is the new one
# moves the other two strips with it. Of choices as good as equal the first one counts, in the order of the odds.

import numpy as np

from knobel.solver.arrays import (
    ANNOUNCED,
    ANY_ZERO,
    LANES,
    MOMENT_STRIPS,
    NO_BOX,
    NO_ZERO,
    SINGLE_TIE_TOLERANCE,
    WORST_VALUE,
    ChoiceList,
    ColumnModel,
    Ints,
    LockArrays,
    MomentArrays,
    SingleFloats,
    StripAt,
    TurnDice,
)
from knobel.solver.compiled import ZERO, S, U, compiled, inlined
from knobel.solver.simd import (
    Strip,
    add,
    blend,
    broadcast,
    broadcast_single,
    greater_mask,
    load,
    multiply,
    narrow,
    scale,
    store,
)
from knobel.solver.value_kernel import allocate_choices, find_address, find_highest_total, list_choices

WIDTH = LANES * MOMENT_STRIPS


@inlined
def load_three(numbers: SingleFloats, place: int) -> tuple[Strip, Strip, Strip]:
    return load(numbers, U(place)), load(numbers, U(place + LANES)), load(numbers, U(place + 2 * LANES))


@inlined
def store_three(numbers: SingleFloats, place: int, value: Strip, square: Strip, cube: Strip) -> None:
    store(numbers, U(place), value)
    store(numbers, U(place + LANES), square)
    store(numbers, U(place + 2 * LANES), cube)


@compiled
def spread_hands(
    at: StripAt, model: ColumnModel, moments: MomentArrays, choices: ChoiceList, sets: SingleFloats
) -> None:
    """Value every hand as the best of its choices; give the square and cube of its distance from the column's value.

    After the choice the points to come have a variance and a third moment of their own: both are moved to where they
    are counted from here.
    """
    values, variances, thirds, sheet = model.values, moments.variances, moments.thirds, model.sheet
    opposite = scale(load(values, U(find_address(at.mask, at.flag_state, sheet) + at.lane)), -1.0)
    tolerance, worst = broadcast_single(S(SINGLE_TIE_TOLERANCE)), broadcast_single(S(WORST_VALUE))
    any_zero, any_variance, any_third = worst, broadcast_single(S(0.0)), broadcast_single(S(0.0))
    other_zero, other_variance, other_third = worst, broadcast_single(S(0.0)), broadcast_single(S(0.0))
    for box in range(sheet.offer.box_count):
        bit = 1 << box
        if not at.mask & bit:
            place = U(find_address(at.mask | bit, at.flag_state, sheet) + at.lane)
            after = narrow(add(load(values, place), opposite))
            variance, third = load(variances, place), load(thirds, place)
            better = greater_mask(after, add(any_zero, tolerance))
            any_zero = blend(better, after, any_zero)
            any_variance, any_third = blend(better, variance, any_variance), blend(better, third, any_third)
            if not sheet.offer.chance_bit & bit:
                better = greater_mask(after, add(other_zero, tolerance))
                other_zero = blend(better, after, other_zero)
                other_variance = blend(better, variance, other_variance)
                other_third = blend(better, third, other_third)
    zero_kind, starts, address, points = choices.zero_kind, choices.starts, choices.address, choices.points
    first_hand = model.dice.first_hand
    for hand in range(zero_kind.size):
        best, variance, third = worst, broadcast_single(S(0.0)), broadcast_single(S(0.0))
        if zero_kind[U(hand)] != NO_ZERO:
            if zero_kind[U(hand)] == ANY_ZERO:
                best, variance, third = any_zero, any_variance, any_third
            else:
                best, variance, third = other_zero, other_variance, other_third
        for choice in range(starts[U(hand)], starts[U(hand + 1)]):
            place = U(address[U(choice)] + at.lane)
            after = narrow(add(add(load(values, place), opposite), broadcast(points[U(choice)])))
            better = greater_mask(after, add(best, tolerance))
            if better:
                best = blend(better, after, best)
                variance, third = (
                    blend(better, load(variances, place), variance),
                    blend(better, load(thirds, place), third),
                )
        square = multiply(best, best)
        cube = add(third, multiply(best, add(square, scale(variance, S(3.0)))))
        store_three(sets, (first_hand + hand) * WIDTH, best, add(square, variance), cube)


@compiled
def average_rolls_of_three(dice: TurnDice, sets: SingleFloats) -> None:
    """Average all three over the face of one more die; the largest multisets come first."""
    larger, faces = dice.larger, dice.faces
    share = S(1.0 / faces)
    for kept in range(dice.first_hand - 1, -1, -1):
        value, square, cube = broadcast_single(S(0.0)), broadcast_single(S(0.0)), broadcast_single(S(0.0))
        for face in range(faces):
            # `larger` names the place of a single strip.
            one, two, three = load_three(sets, larger[U(kept * faces + face)] * MOMENT_STRIPS)
            value, square, cube = add(value, one), add(square, two), add(cube, three)
        store_three(sets, kept * WIDTH, scale(value, share), scale(square, share), scale(cube, share))


@compiled
def keep_best_of_three(dice: TurnDice, sets: SingleFloats) -> None:
    """Let every multiset keep what is best kept of it, smallest first."""
    starts, smaller, tolerance = dice.smaller_starts, dice.smaller, broadcast_single(S(SINGLE_TIE_TOLERANCE))
    for kept in range(1, starts.size - 1):
        value, square, cube = load_three(sets, kept * WIDTH)
        for step in range(starts[U(kept)], starts[U(kept + 1)]):
            place = smaller[U(step)] * MOMENT_STRIPS
            other = load(sets, U(place))
            better = greater_mask(other, add(value, tolerance))
            if better:
                value = blend(better, other, value)
                square = blend(better, load(sets, U(place + LANES)), square)
                cube = blend(better, load(sets, U(place + 2 * LANES)), cube)
        store_three(sets, kept * WIDTH, value, square, cube)


@compiled
def average_first_roll_of_three(dice: TurnDice, sets: SingleFloats) -> tuple[Strip, Strip, Strip]:
    first_hand, chances = dice.first_hand, dice.hand_chances
    value, square, cube = broadcast_single(S(0.0)), broadcast_single(S(0.0)), broadcast_single(S(0.0))
    for hand in range(chances.size):
        one, two, three = load_three(sets, (first_hand + hand) * WIDTH)
        chance = S(chances[U(hand)])
        value, square, cube = (
            add(value, scale(one, chance)),
            add(square, scale(two, chance)),
            add(cube, scale(three, chance)),
        )
    return value, square, cube


@compiled
def spread_free_turn(dice: TurnDice, sets: SingleFloats) -> tuple[Strip, Strip, Strip]:
    for _ in range(dice.rolls - 1):
        average_rolls_of_three(dice, sets)
        keep_best_of_three(dice, sets)
    return average_first_roll_of_three(dice, sets)


@compiled
def spread_locked_turn(
    dice: TurnDice, lock: LockArrays, sets: SingleFloats, spare: SingleFloats, pairs: SingleFloats
) -> tuple[Strip, Strip, Strip]:
    """Take all three through a turn in which kept dice stay; the new ones go to spare strips, as in `value_kernel`."""
    if dice.rolls == 1:
        return average_first_roll_of_three(dice, sets)
    average_rolls_of_three(dice, sets)
    for _ in range(2, dice.rolls):
        for kept in range(dice.first_hand):
            value, square, cube = spread_locked_keep(kept, lock, sets, pairs)
            store_three(spare, kept * WIDTH, value, square, cube)
        for kept in range(dice.first_hand):
            value, square, cube = load_three(spare, kept * WIDTH)
            store_three(sets, kept * WIDTH, value, square, cube)
    return spread_locked_keep(ZERO, lock, sets, pairs)


@compiled
def spread_locked_keep(
    kept: int, lock: LockArrays, sets: SingleFloats, pairs: SingleFloats
) -> tuple[Strip, Strip, Strip]:
    """Roll the dice beside a kept multiset, and keep the best of them besides."""
    union, starts, smaller, chances = lock.union, lock.smaller_starts, lock.smaller, lock.roll_chances
    first, end = lock.pair_starts[U(kept)], lock.pair_starts[U(kept + 1)]
    value, square, cube = broadcast_single(S(0.0)), broadcast_single(S(0.0)), broadcast_single(S(0.0))
    tolerance = broadcast_single(S(SINGLE_TIE_TOLERANCE))
    for pair in range(first, end):
        one, two, three = load_three(sets, union[U(pair)] * WIDTH)
        for step in range(starts[U(pair)], starts[U(pair + 1)]):
            place = smaller[U(step)] * WIDTH
            other = load(pairs, U(place))
            better = greater_mask(other, add(one, tolerance))
            if better:
                one = blend(better, other, one)
                two = blend(better, load(pairs, U(place + LANES)), two)
                three = blend(better, load(pairs, U(place + 2 * LANES)), three)
        store_three(pairs, (pair - first) * WIDTH, one, two, three)
        chance = S(chances[U(pair)])
        if chance > 0.0:
            value, square, cube = (
                add(value, scale(one, chance)),
                add(square, scale(two, chance)),
                add(cube, scale(three, chance)),
            )
    return value, square, cube


@compiled
def spread_columns(
    columns: Ints, model: ColumnModel, moments: MomentArrays, max_upper_totals: Ints, lock: LockArrays | None
) -> None:
    """Find variance and third moment of columns, each `mask * flag_states + flag_state`, from those one box fuller.

    Free dice have no `lock`, which must be an argument of its own, as in `solve_columns`.
    """
    sheet, dice = model.sheet, model.dice
    choices = allocate_choices(sheet.alike_faces.size, sheet.offer.box_count)
    size = (dice.smaller_starts.size - 1) * WIDTH
    sets, spare, pairs = np.zeros(size, np.float32), np.zeros(size, np.float32), np.zeros(size, np.float32)
    best = np.empty(sheet.stride * MOMENT_STRIPS, np.float32)
    is_announcing = sheet.offer.order == ANNOUNCED
    for column in columns:
        mask, flag_state = column // sheet.flag_states, column % sheet.flag_states
        highest = find_highest_total(mask, max_upper_totals, sheet)
        for lane in range(0, highest + 1, LANES):
            store(best, U(lane * MOMENT_STRIPS), broadcast_single(S(WORST_VALUE)))
        for box in range(sheet.offer.box_count if is_announcing else 1):
            if is_announcing and (mask >> box) & 1:
                continue
            list_choices(mask, flag_state, box if is_announcing else NO_BOX, sheet, choices)
            for lane in range(0, highest + 1, LANES):
                spread_hands(StripAt(mask, flag_state, lane), model, moments, choices, sets)
                if lock is None:
                    value, square, cube = spread_free_turn(dice, sets)
                else:
                    value, square, cube = spread_locked_turn(dice, lock, sets, spare, pairs)
                old_value, old_square, old_cube = load_three(best, lane * MOMENT_STRIPS)
                better = greater_mask(value, add(old_value, broadcast_single(S(SINGLE_TIE_TOLERANCE))))
                value, square = blend(better, value, old_value), blend(better, square, old_square)
                store_three(best, lane * MOMENT_STRIPS, value, square, blend(better, cube, old_cube))
        address = find_address(mask, flag_state, sheet)
        for total in range(highest + 1):
            place = total // LANES * WIDTH + total % LANES
            moments.variances[address + total] = best[place + LANES]
            moments.thirds[address + total] = best[place + 2 * LANES]
        # A strip may begin near the cap and score upper points on top, as in the book.
        for total in range(sheet.upper_cap + 1, sheet.stride):
            moments.variances[address + total] = moments.variances[address + sheet.upper_cap]
            moments.thirds[address + total] = moments.thirds[address + sheet.upper_cap]
