"""Compiled: the spread of the points to come from every position under best play, worked backwards."""

# The values are known, so everything is counted from the value of the column whose turn it is: such distances are
# small, and single precision is enough for them and their powers. It halves what is moved, which is most of the work;
# the price is that moves less than SINGLE_TIE_TOLERANCE apart count as equal. Distance, square and cube of the same
# multiset are three strips next to one another: whoever needs one of them needs all. They go through a turn together,
# by the same averages; where the distance takes the larger of two, a mask of the lanes in which that is the new one
# moves the other two strips with it. Of choices as good as equal the first one counts, in the order of the odds.

from knobel.solver.arrays import (
    ANY_ZERO,
    LANES,
    MOMENT_STRIPS,
    NO_ZERO,
    SINGLE_TIE_TOLERANCE,
    WORST_VALUE,
    ChoiceList,
    ColumnBatch,
    ColumnModel,
    Floats,
    Ints,
    LockArrays,
    MomentArrays,
    SingleFloats,
    SolveScratch,
    StripAt,
    TurnDice,
    TurnScratch,
)
from knobel.solver.compiled import ZERO, S, U, compiled, inlined, part
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
from knobel.solver.value_kernel import find_address, list_choices

WIDTH = LANES * MOMENT_STRIPS

Three = tuple[Strip, Strip, Strip]
Strips = Floats | SingleFloats


@inlined
def load_three(numbers: Strips, place: int, apart: int = LANES) -> Three:
    return load(numbers, U(place)), load(numbers, U(place + apart)), load(numbers, U(place + 2 * apart))


@inlined
def store_three(numbers: Strips, place: int, three: Three, apart: int = LANES) -> None:
    store(numbers, U(place), three[0])
    store(numbers, U(place + apart), three[1])
    store(numbers, U(place + 2 * apart), three[2])


@inlined
def add_three(left: Three, right: Three) -> Three:
    return add(left[0], right[0]), add(left[1], right[1]), add(left[2], right[2])


@inlined
def scale_three(three: Three, factor: float) -> Three:
    return scale(three[0], factor), scale(three[1], factor), scale(three[2], factor)


@inlined
def take_better(best: Three, other: Three) -> Three:
    """Take the lanes of all three in which the other value is larger; without a branch, which would be guessed."""
    better = greater_mask(other[0], add(best[0], broadcast_single(S(SINGLE_TIE_TOLERANCE))))
    return blend(better, other[0], best[0]), blend(better, other[1], best[1]), blend(better, other[2], best[2])


@part
def spread_hands(at: StripAt, model: ColumnModel, moments: MomentArrays, choices: ChoiceList, sets: Strips) -> None:
    """Value every hand as the best of its choices; give the square and cube of its distance from the column's value.

    After the choice the points to come have a variance and a third moment of their own: both are moved to where they
    are counted from here.
    """
    values, variances, thirds, sheet = model.values, moments.variances, moments.thirds, model.sheet
    opposite = scale(load(values, U(find_address(at.mask, at.flag_state, sheet) + at.lane)), -1.0)
    nothing = broadcast_single(S(0.0))
    worst = (broadcast_single(S(WORST_VALUE)), nothing, nothing)
    any_zero, other_zero = worst, worst
    for box in range(sheet.offer.box_count):
        bit = 1 << box
        if not at.mask & bit:
            place = U(find_address(at.mask | bit, at.flag_state, sheet) + at.lane)
            after = narrow(add(load(values, place), opposite)), load(variances, place), load(thirds, place)
            any_zero = take_better(any_zero, after)
            if not sheet.offer.chance_bit & bit:
                other_zero = take_better(other_zero, after)
    zero_kind, starts, address, points = choices.zero_kind, choices.starts, choices.address, choices.points
    first_hand = model.dice.first_hand
    for hand in range(zero_kind.size):
        best = worst
        if zero_kind[U(hand)] == ANY_ZERO:
            best = any_zero
        elif zero_kind[U(hand)] != NO_ZERO:
            best = other_zero
        for choice in range(starts[U(hand)], starts[U(hand + 1)]):
            place = U(address[U(choice)] + at.lane)
            value = narrow(add(add(load(values, place), opposite), broadcast(points[U(choice)])))
            best = take_better(best, (value, load(variances, place), load(thirds, place)))
        value, variance, third = best
        square = multiply(value, value)
        cube = add(third, multiply(value, add(square, scale(variance, S(3.0)))))
        store_three(sets, (first_hand + hand) * WIDTH, (value, add(square, variance), cube))


@part
def average_rolls_of_three(dice: TurnDice, sets: Strips) -> None:
    """Average all three over the face of one more die; the largest multisets come first."""
    larger, faces = dice.larger, dice.faces
    share = S(1.0 / faces)
    for kept in range(dice.first_hand - 1, -1, -1):
        first = kept * faces
        # `larger` names the place of a single strip.
        total = load_three(sets, larger[U(first)] * MOMENT_STRIPS)
        for face in range(1, faces):
            total = add_three(total, load_three(sets, larger[U(first + face)] * MOMENT_STRIPS))
        store_three(sets, kept * WIDTH, scale_three(total, share))


@part
def keep_best_of_three_in_group(width: int, count: int, at: int, steps: Ints, sets: Strips) -> int:
    """Let multisets that each have `width` smaller ones keep the best; say where the steps of the next group begin."""
    for _ in range(count):
        place = steps[U(at)] * MOMENT_STRIPS
        best = load_three(sets, place)
        for step in range(1, width + 1):
            best = take_better(best, load_three(sets, steps[U(at + step)] * MOMENT_STRIPS))
        store_three(sets, place, best)
        at += 1 + width
    return at


@part
def keep_best_of_three(dice: TurnDice, sets: Strips) -> None:
    """Let every multiset keep what is best kept of it, smallest first."""
    groups, steps, at = dice.keep_groups, dice.keep_steps, ZERO
    for group in range(0, groups.size, 2):
        at = keep_best_of_three_in_group(groups[U(group + 1)], groups[U(group)], at, steps, sets)


@part
def average_first_roll_of_three(dice: TurnDice, sets: Strips) -> Three:
    first_hand, chances = dice.first_hand, dice.hand_chances
    total = scale_three(load_three(sets, first_hand * WIDTH), S(chances[0]))
    for hand in range(1, chances.size):
        total = add_three(total, scale_three(load_three(sets, (first_hand + hand) * WIDTH), S(chances[U(hand)])))
    return total


@part
def spread_free_turn(dice: TurnDice, sets: Strips) -> Three:
    for _ in range(dice.rolls - 1):
        average_rolls_of_three(dice, sets)
        keep_best_of_three(dice, sets)
    return average_first_roll_of_three(dice, sets)


@part
def spread_locked_turn(dice: TurnDice, lock: LockArrays, scratch: TurnScratch) -> Three:
    """Take all three through a turn in which kept dice stay; the new ones go to spare strips, as in `value_kernel`."""
    sets, spare = scratch.set_values, scratch.spare_values
    if dice.rolls == 1:
        return average_first_roll_of_three(dice, sets)
    average_rolls_of_three(dice, sets)
    for _ in range(2, dice.rolls):
        for kept in range(dice.first_hand):
            store_three(spare, kept * WIDTH, spread_locked_keep(kept, lock, scratch))
        for kept in range(dice.first_hand):
            store_three(sets, kept * WIDTH, load_three(spare, kept * WIDTH))
    return spread_locked_keep(ZERO, lock, scratch)


@part
def spread_locked_keep(kept: int, lock: LockArrays, scratch: TurnScratch) -> Three:
    """Roll the dice beside a kept multiset, and keep the best of them besides."""
    sets, pairs = scratch.set_values, scratch.pair_values
    union, starts, smaller, chances = lock.union, lock.smaller_starts, lock.smaller, lock.roll_chances
    first, end = lock.pair_starts[U(kept)], lock.pair_starts[U(kept + 1)]
    nothing = broadcast_single(S(0.0))
    total = (nothing, nothing, nothing)
    for pair in range(first, end):
        best = load_three(sets, union[U(pair)] * WIDTH)
        for step in range(starts[U(pair)], starts[U(pair + 1)]):
            best = take_better(best, load_three(pairs, smaller[U(step)] * WIDTH))
        store_three(pairs, (pair - first) * WIDTH, best)
        if chances[U(pair)] > 0.0:
            total = add_three(total, scale_three(best, S(chances[U(pair)])))
    return total


@compiled
def spread_columns(
    columns: ColumnBatch,
    places: Ints,
    announced: int,
    model: ColumnModel,
    moments: MomentArrays,
    best: SingleFloats,
    lock: LockArrays | None,
    scratch: SolveScratch,
) -> None:
    """Take the turns of some of the columns from those one box fuller, and write what is better than `best` there.

    Free dice have no `lock`, which must be an argument of its own, as in `value_columns`.
    """
    sheet, dice, choices, turn = model.sheet, model.dice, scratch.choices, scratch.turn
    last_strip, apart = sheet.upper_cap // LANES * LANES, best.size // MOMENT_STRIPS
    for place in places:
        number = columns.numbers[U(place)]
        mask, flag_state = number // sheet.flag_states, number % sheet.flag_states
        list_choices(mask, flag_state, announced, sheet, choices)
        for lane in range(columns.lowest_totals[U(place)], columns.highest_totals[U(place)] + 1, LANES):
            at = StripAt(mask, flag_state, min(lane, last_strip))
            spread_hands(at, model, moments, choices, turn.set_values)
            sets = turn.set_values
            found = spread_free_turn(dice, sets) if lock is None else spread_locked_turn(dice, lock, turn)
            target = place * (last_strip + LANES) + at.lane
            store_three(best, target, take_better(load_three(best, target, apart), found), apart)
