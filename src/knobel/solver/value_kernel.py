"""Compiled: the values of all positions, worked backwards by bits and numbers, without rules or names."""

# A value is worked out for a strip of LANES neighbouring upper totals at once: what a hand is offered depends on the
# used boxes and flags alone, so all lanes do the same steps, and scoring n upper points means reading n places on.
# Arrays are flat, and what an inner loop reads of a tuple is taken out before the loop: taking an array out of a tuple
# counts a reference, which would happen every time round.

import numpy as np

from knobel.solver import arrays
from knobel.solver.arrays import (
    ANNOUNCED,
    ANY_ZERO,
    LANES,
    LAST_BOX,
    LAST_RESORT,
    NO_BOX,
    NO_ZERO,
    SITUATIONS,
    TOP_DOWN,
    WORST_VALUE,
    ZERO_EXCEPT_CHANCE,
    ChoiceList,
    Floats,
    Ints,
    LockArrays,
    OfferRules,
    SheetArrays,
    StripAt,
    TurnDice,
    TurnScratch,
)
from knobel.solver.compiled import ZERO, U, compiled, inlined
from knobel.solver.simd import Strip, add, broadcast, load, maximum, scale, store

encode_situation = inlined(arrays.encode_situation)
allocate_choices = inlined(arrays.allocate_choices)
allocate_turn = inlined(arrays.allocate_turn)


@inlined
def find_allowed_boxes(scoring: int, face: int, open_boxes: int, offer: OfferRules) -> int:
    """Say in which open boxes a hand may be scored, as bits.

    `scoring` are the boxes in which the hand is worth more than nothing, `face` that of dice all alike or 0.
    """
    if offer.order == TOP_DOWN:
        return open_boxes & -open_boxes  # the lowest bit that is set
    chance = offer.chance_bit & open_boxes
    others = open_boxes & ~chance
    waits = chance != 0 and offer.chance_rule == LAST_BOX and others != 0
    allowed = open_boxes
    if face > 0 and offer.is_joker_forced and not open_boxes & offer.yatzy_bit:
        match = open_boxes & offer.match_bits[face]
        lower = open_boxes & ~offer.upper_bits
        if match != 0 and not (waits and match == chance):
            allowed = match
        elif (lower & ~chance if waits else lower) != 0:
            allowed = lower
    fits = (scoring & others & allowed) != 0
    usable = chance & allowed != 0 and not waits
    if waits or (fits and (offer.must_fit or offer.chance_rule == LAST_RESORT)):
        allowed &= ~chance
    if offer.must_fit and (fits or usable):
        allowed &= scoring | chance
    return allowed


@inlined
def find_book_row(mask: int, offer: OfferRules) -> int:
    """Say which row of the book, flags left aside, has a set of used boxes; filled top down, their number says all."""
    if offer.order != TOP_DOWN:
        return mask
    count = 0
    while mask:
        mask &= mask - 1  # clears the lowest bit that is set
        count += 1
    return count


@inlined
def find_address(mask: int, flag_state: int, sheet: SheetArrays) -> int:
    """Say where the values of a column begin in the book."""
    return (find_book_row(mask, sheet.offer) * sheet.flag_states + flag_state) * sheet.stride


@compiled
def list_choices(mask: int, flag_state: int, announced: int, sheet: SheetArrays, choices: ChoiceList) -> None:
    """List for each hand where its choices lead and what they score; zeros open to most hands are not listed.

    Dice all alike are always listed in full: a zero of theirs may pay a prime and changes the flags.
    """
    offer = sheet.offer
    boxes, chance = offer.box_count, offer.chance_bit
    open_boxes = ((1 << boxes) - 1) & ~mask
    count = 0
    for hand in range(sheet.alike_faces.size):
        face = sheet.alike_faces[hand]
        row, state_after = hand, flag_state
        if face > 0:
            situation = encode_situation(mask, flag_state, offer.match_bits[face], offer)
            row = sheet.situation_rows[face * SITUATIONS + situation]
            state_after = flag_state | offer.rolled_flag
        zero_kind, is_missed = NO_ZERO, False
        scoring = sheet.scoring_boxes[row]
        if announced == NO_BOX:
            wanted = find_allowed_boxes(scoring, face, open_boxes, offer)
            if face == 0 and wanted == open_boxes:
                zero_kind, wanted = ANY_ZERO, wanted & scoring
            elif face == 0 and wanted == open_boxes & ~chance:
                zero_kind, wanted = ZERO_EXCEPT_CHANCE, wanted & scoring
        elif (scoring >> announced) & 1:
            wanted = 1 << announced
        else:
            # Whoever misses the announced box crosses out any box, or scores Chance.
            wanted, is_missed = open_boxes, True
            if face == 0:
                zero_kind, wanted = ANY_ZERO, open_boxes & chance
        choices.zero_kind[hand], choices.starts[hand] = zero_kind, count
        for box in range(boxes):
            bit = 1 << box
            if wanted & bit:
                points = 0 if is_missed and not chance & bit else sheet.worth[row * boxes + box]
                scored = offer.scored_flag if offer.yatzy_bit & bit and points > 0 else 0
                address = find_address(mask | bit, state_after | scored, sheet)
                choices.boxes[count] = box
                choices.address[count] = address + (points if sheet.is_upper[box] else 0)
                choices.points[count] = points + sheet.extra[row]
                count += 1
    choices.starts[sheet.alike_faces.size] = count


@compiled
def value_hands(
    at: StripAt, values: Floats, sheet: SheetArrays, choices: ChoiceList, first_hand: int, set_values: Floats
) -> None:
    """Value every hand as the best of its choices; the zeros that are not listed are compared once for all hands."""
    any_zero, other_zero = broadcast(WORST_VALUE), broadcast(WORST_VALUE)
    for box in range(sheet.offer.box_count):
        bit = 1 << box
        if not at.mask & bit:
            after = load(values, U(find_address(at.mask | bit, at.flag_state, sheet) + at.lane))
            any_zero = maximum(any_zero, after)
            if not sheet.offer.chance_bit & bit:
                other_zero = maximum(other_zero, after)
    zero_kind, starts, address, points = choices.zero_kind, choices.starts, choices.address, choices.points
    for hand in range(zero_kind.size):
        best = broadcast(WORST_VALUE)
        if zero_kind[U(hand)] == ANY_ZERO:
            best = any_zero
        elif zero_kind[U(hand)] == ZERO_EXCEPT_CHANCE:
            best = other_zero
        for choice in range(starts[U(hand)], starts[U(hand + 1)]):
            after = load(values, U(address[U(choice)] + at.lane))
            best = maximum(best, add(after, broadcast(points[U(choice)])))
        store(set_values, U((first_hand + hand) * LANES), best)


@compiled
def average_rolls(dice: TurnDice, set_values: Floats) -> None:
    """Value every kept multiset as the mean over the face of one more die.

    The largest come first: a multiset one die larger has its value already, down to the empty one. Two faces are
    added before the loop, which saves a zero; every die has at least two.
    """
    larger, faces = dice.larger, dice.faces
    share = 1.0 / faces
    for kept in range(dice.first_hand - 1, -1, -1):
        first = kept * faces
        total = add(load(set_values, U(larger[U(first)])), load(set_values, U(larger[U(first + 1)])))
        for face in range(2, faces):
            total = add(total, load(set_values, U(larger[U(first + face)])))
        store(set_values, U(kept * LANES), scale(total, share))


@compiled
def keep_best(dice: TurnDice, set_values: Floats) -> None:
    """Value every multiset as the best one to keep of it.

    The smallest come first, so it is enough to compare with those one die smaller. The empty one has none.
    """
    starts, smaller = dice.smaller_starts, dice.smaller
    for kept in range(1, starts.size - 1):
        best = load(set_values, U(kept * LANES))
        for step in range(starts[U(kept)], starts[U(kept + 1)]):
            best = maximum(best, load(set_values, U(smaller[U(step)])))
        store(set_values, U(kept * LANES), best)


@compiled
def average_first_roll(dice: TurnDice, set_values: Floats) -> Strip:
    """Value the first roll as the mean of all hands."""
    first_hand, chances = dice.first_hand, dice.hand_chances
    total = scale(load(set_values, U(first_hand * LANES)), chances[0])
    for hand in range(1, chances.size):
        total = add(total, scale(load(set_values, U((first_hand + hand) * LANES)), chances[U(hand)]))
    return total


@compiled
def value_free_turn(dice: TurnDice, set_values: Floats) -> Strip:
    """Value a turn from its last hands back to the first roll, in which any dice may be rolled again."""
    for _ in range(dice.rolls - 1):
        average_rolls(dice, set_values)
        keep_best(dice, set_values)
    return average_first_roll(dice, set_values)


@compiled
def value_locked_turn(dice: TurnDice, lock: LockArrays, scratch: TurnScratch) -> Strip:
    """Value a turn in which kept dice stay: what is kept next contains what was kept before.

    The new values go to spare strips first: the value of one kept multiset needs the old values of larger ones.
    """
    set_values, spare_values = scratch.set_values, scratch.spare_values
    if dice.rolls == 1:
        return average_first_roll(dice, set_values)
    average_rolls(dice, set_values)
    for _ in range(2, dice.rolls):
        for kept in range(dice.first_hand):
            store(spare_values, U(kept * LANES), value_locked_keep(kept, lock, scratch))
        for kept in range(dice.first_hand):
            store(set_values, U(kept * LANES), load(spare_values, U(kept * LANES)))
    return value_locked_keep(ZERO, lock, scratch)


@compiled
def value_locked_keep(kept: int, lock: LockArrays, scratch: TurnScratch) -> Strip:
    """Value a kept multiset: roll the rest, then keep the best of what was rolled besides.

    Pairs that add fewer dice come first, so the best of a pair is itself or that of a pair with one die less. Only
    pairs that make a full hand can be rolled; the others have the chance 0.
    """
    set_values, pair_values = scratch.set_values, scratch.pair_values
    union, starts, smaller, chances = lock.union, lock.smaller_starts, lock.smaller, lock.roll_chances
    first, end = lock.pair_starts[U(kept)], lock.pair_starts[U(kept + 1)]
    total = scale(load(set_values, U(union[U(first)] * LANES)), 0.0)  # nothing, in the precision of the values
    for pair in range(first, end):
        best = load(set_values, U(union[U(pair)] * LANES))
        for step in range(starts[U(pair)], starts[U(pair + 1)]):
            best = maximum(best, load(pair_values, U(smaller[U(step)] * LANES)))
        store(pair_values, U((pair - first) * LANES), best)
        if chances[U(pair)] > 0.0:
            total = add(total, scale(best, chances[U(pair)]))
    return total


@inlined
def find_highest_total(mask: int, max_upper_totals: Ints, sheet: SheetArrays) -> int:
    """Say up to which upper total positions with these boxes can occur; above it nobody ever looks."""
    if sheet.offer.order == TOP_DOWN:
        return sheet.upper_cap
    return min(sheet.upper_cap, max_upper_totals[mask & sheet.offer.upper_bits])


@compiled
def solve_columns(
    columns: Ints, values: Floats, max_upper_totals: Ints, sheet: SheetArrays, dice: TurnDice, lock: LockArrays | None
) -> None:
    """Value columns, each `mask * flag_states + flag_state`, from those with one box more.

    Free dice have no `lock`. It must be an argument of its own for the compiler to leave the other branch out.
    """
    choices = allocate_choices(sheet.alike_faces.size, sheet.offer.box_count)
    scratch = allocate_turn(dice.smaller_starts.size - 1)
    best = np.empty(sheet.stride)
    is_announcing = sheet.offer.order == ANNOUNCED
    for column in columns:
        mask, flag_state = column // sheet.flag_states, column % sheet.flag_states
        highest = find_highest_total(mask, max_upper_totals, sheet)
        for lane in range(0, highest + 1, LANES):
            store(best, U(lane), broadcast(WORST_VALUE))
        for box in range(sheet.offer.box_count if is_announcing else 1):
            if is_announcing and (mask >> box) & 1:
                continue
            list_choices(mask, flag_state, box if is_announcing else NO_BOX, sheet, choices)
            for lane in range(0, highest + 1, LANES):
                at = StripAt(mask, flag_state, lane)
                value_hands(at, values, sheet, choices, dice.first_hand, scratch.set_values)
                if lock is None:
                    value = value_free_turn(dice, scratch.set_values)
                else:
                    value = value_locked_turn(dice, lock, scratch)
                store(best, U(lane), maximum(load(best, U(lane)), value))
        address = find_address(mask, flag_state, sheet)
        for lane in range(highest + 1):
            values[address + lane] = best[lane]
        # A strip may begin near the cap and score upper points on top: what it reads there is worth the cap.
        for lane in range(sheet.upper_cap + 1, sheet.stride):
            values[address + lane] = values[address + sheet.upper_cap]
