"""Compiled: the values of all positions, worked backwards by bits and numbers, without rules or names."""

# A value is worked out for a strip of LANES neighbouring upper totals at once: what a hand is offered depends on the
# used boxes and flags alone, so all lanes do the same steps, and scoring n upper points means reading n places on.
# Arrays are flat, and what an inner loop reads of a tuple is taken out before the loop: taking an array out of a tuple
# counts a reference, which would happen every time round.

from knobel.solver import arrays
from knobel.solver.arrays import (
    AFTER_ALIKE,
    AFTER_PLAIN,
    ANY_ZERO,
    IF_SCORED,
    LANES,
    LAST_BOX,
    LAST_RESORT,
    NO_BOX,
    NO_ZERO,
    OPEN_SIZE,
    SITUATIONS,
    TOP_DOWN,
    WORST_VALUE,
    ZERO_EXCEPT_CHANCE,
    ChoiceList,
    ColumnBatch,
    Floats,
    Ints,
    LockArrays,
    OfferRules,
    SheetArrays,
    SolveScratch,
    StripAt,
    TurnDice,
    TurnScratch,
)
from knobel.solver.compiled import ZERO, U, compiled, inlined, part, signed
from knobel.solver.simd import Strip, add, broadcast, load, maximum, scale, store

encode_situation = part(arrays.encode_situation)
allocate_choices = inlined(arrays.allocate_choices)
allocate_strips = part(arrays.allocate_strips)
lay_out_turn = inlined(arrays.lay_out_turn)


@part
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


@part
def count_bits(bits: int) -> int:
    count = 0
    while bits > 0:
        bits &= bits - 1  # clears the lowest bit that is set
        count += 1
    return count


@part
def find_book_row(mask: int, offer: OfferRules) -> int:
    """Say which row of the book, flags left aside, has a set of used boxes; filled top down, their number says all."""
    return count_bits(mask) if offer.order == TOP_DOWN else mask


@part
def find_address(mask: int, flag_state: int, sheet: SheetArrays) -> int:
    """Say where the values of a column begin in the book."""
    return (find_book_row(mask, sheet.offer) * sheet.flag_states + flag_state) * sheet.stride


@part
def list_open_boxes(mask: int, flag_state: int, sheet: SheetArrays, open_places: Ints) -> int:
    """List the open boxes with where the book has the values after each, and say how many there are."""
    offer, count = sheet.offer, 0
    for box in range(offer.box_count):
        bit = 1 << box
        if not mask & bit:
            place = count * OPEN_SIZE
            open_places[U(place)] = box
            open_places[U(place + AFTER_PLAIN)] = find_address(mask | bit, flag_state, sheet)
            open_places[U(place + AFTER_ALIKE)] = find_address(mask | bit, flag_state | offer.rolled_flag, sheet)
            scored = flag_state | offer.scored_flag if offer.yatzy_bit & bit else flag_state
            open_places[U(place + IF_SCORED)] = (scored - flag_state) * sheet.stride
            count += 1
    return count


@part
def list_hand(
    row: int, wanted: int, counted: int, after: int, count: int, sheet: SheetArrays, choices: ChoiceList
) -> int:
    """List the wanted boxes of a hand behind the choices before it; those not `counted` score nothing."""
    boxes, worth, is_upper, open_places = sheet.offer.box_count, sheet.worth, sheet.is_upper, choices.open_places
    of_box, address, points_of, extra = choices.boxes, choices.address, choices.points, sheet.extra[U(row)]
    place = 0
    while wanted:
        box = open_places[U(place)]
        if (wanted >> box) & 1:
            wanted ^= 1 << box
            points = worth[U(row * boxes + box)] if (counted >> box) & 1 else 0
            of_box[U(count)] = box
            scored = open_places[U(place + IF_SCORED)] if points > 0 else 0
            address[U(count)] = open_places[U(place + after)] + scored + (points if is_upper[U(box)] else 0)
            points_of[U(count)] = points + extra
            count += 1
        place += OPEN_SIZE
    return count


@part
def list_choices(mask: int, flag_state: int, announced: int, sheet: SheetArrays, choices: ChoiceList) -> None:
    """List for the hands asked for where choices lead and what they score; zeros open to most hands are not listed.

    Dice all alike are always listed in full: a zero of theirs may pay a prime and changes the flags.
    """
    offer, alike_faces, scoring_boxes, hands = sheet.offer, sheet.alike_faces, sheet.scoring_boxes, choices.hands
    zero_kinds, starts, chance = choices.zero_kind, choices.starts, sheet.offer.chance_bit
    open_boxes = ((1 << offer.box_count) - 1) & ~mask
    list_open_boxes(mask, flag_state, sheet, choices.open_places)
    is_free = offer.order == 0 and not offer.must_fit and offer.chance_rule == 0
    count = ZERO
    for place in range(hands.size):
        row, after = hands[U(place)], AFTER_PLAIN
        face = alike_faces[U(row)]
        if face > 0:
            situation = encode_situation(mask, flag_state, offer.match_bits[U(face)], offer)
            row, after = sheet.situation_rows[U(face * SITUATIONS + situation)], AFTER_ALIKE
        scoring, zero_kind, counted = scoring_boxes[U(row)], NO_ZERO, open_boxes
        if announced != NO_BOX:
            wanted = 1 << announced
            if not scoring & wanted:
                # Whoever misses the announced box crosses out any box, or scores Chance.
                wanted, counted = open_boxes, chance
                if face == 0:
                    zero_kind, wanted = ANY_ZERO, open_boxes & chance
        elif is_free and face == 0:
            zero_kind, wanted = ANY_ZERO, open_boxes & scoring
        else:
            wanted = find_allowed_boxes(scoring, face, open_boxes, offer)
            if face == 0 and wanted == open_boxes:
                zero_kind, wanted = ANY_ZERO, wanted & scoring
            elif face == 0 and wanted == open_boxes & ~chance:
                zero_kind, wanted = ZERO_EXCEPT_CHANCE, wanted & scoring
        zero_kinds[U(place)], starts[U(place)] = zero_kind, count
        count = list_hand(row, wanted, counted, after, count, sheet, choices)
    starts[U(hands.size)] = count


@part
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


@part
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


@part
def keep_best_of_group(width: int, count: int, at: int, steps: Ints, set_values: Floats) -> int:
    """Value multisets that each have `width` smaller ones; say where the steps of the next group begin."""
    for _ in range(count):
        place = U(steps[U(at)])
        best = load(set_values, place)
        for step in range(1, width + 1):
            best = maximum(best, load(set_values, U(steps[U(at + step)])))
        store(set_values, place, best)
        at += 1 + width
    return at


@part
def keep_best(dice: TurnDice, set_values: Floats) -> None:
    """Value every multiset as the best one to keep of it.

    The smallest come first, so it is enough to compare with those one die smaller. The empty one has none. Widths that
    are written out make the compiler unroll the inner loop; `signed` keeps each from being a type, and a function, of
    its own.
    """
    groups, steps, at = dice.keep_groups, dice.keep_steps, ZERO
    for group in range(0, groups.size, 2):
        count, width = groups[U(group)], groups[U(group + 1)]
        if width == 1:
            at = keep_best_of_group(signed(1), count, at, steps, set_values)
        elif width == 2:
            at = keep_best_of_group(signed(2), count, at, steps, set_values)
        elif width == 3:
            at = keep_best_of_group(signed(3), count, at, steps, set_values)
        elif width == 4:
            at = keep_best_of_group(signed(4), count, at, steps, set_values)
        elif width == 5:
            at = keep_best_of_group(signed(5), count, at, steps, set_values)
        elif width == 6:
            at = keep_best_of_group(signed(6), count, at, steps, set_values)
        else:
            at = keep_best_of_group(width, count, at, steps, set_values)


@part
def average_first_roll(dice: TurnDice, set_values: Floats) -> Strip:
    """Value the first roll as the mean of all hands."""
    first_hand, chances = dice.first_hand, dice.hand_chances
    total = scale(load(set_values, U(first_hand * LANES)), chances[0])
    for hand in range(1, chances.size):
        total = add(total, scale(load(set_values, U((first_hand + hand) * LANES)), chances[U(hand)]))
    return total


@part
def value_free_turn(dice: TurnDice, set_values: Floats) -> Strip:
    """Value a turn from its last hands back to the first roll, in which any dice may be rolled again."""
    for _ in range(dice.rolls - 1):
        average_rolls(dice, set_values)
        keep_best(dice, set_values)
    return average_first_roll(dice, set_values)


@part
def value_locked_turn(dice: TurnDice, lock: LockArrays, scratch: TurnScratch) -> Strip:
    """Value a turn in which kept dice stay: what is kept next contains what was kept before."""
    set_values = scratch.set_values
    if dice.rolls == 1:
        return average_first_roll(dice, set_values)
    average_rolls(dice, set_values)
    for _ in range(2, dice.rolls):
        roll_beside_kept(dice, lock, set_values, scratch.pair_values)
    # After the first roll nothing is locked yet.
    keep_best(dice, set_values)
    return average_first_roll(dice, set_values)


@part
def roll_beside_kept(dice: TurnDice, lock: LockArrays, set_values: Floats, pair_values: Floats) -> None:
    """Value every kept multiset: roll the rest, then keep the best of what was rolled besides.

    The best of a pair of kept and rolled dice keeps the last of these or does not: either way it is the best of a pair
    with one die less to decide on. The largest kept multisets come first, and full hands, which have nothing to roll.
    """
    starts, parts, chances, first_hand = lock.pair_starts, lock.parts, lock.roll_chances, dice.first_hand
    hands = lock.union.size - first_hand
    for hand in range(first_hand, dice.smaller_starts.size - 1):
        store(pair_values, U((hands + hand) * LANES), load(set_values, U(hand * LANES)))
    for kept in range(first_hand - 1, -1, -1):
        own = load(set_values, U(kept * LANES))
        store(pair_values, U(starts[U(kept)] * LANES), own)
        total = scale(own, 0.0)  # nothing, in the precision of the values
        for pair in range(starts[U(kept)] + 1, starts[U(kept + 1)]):
            best = maximum(load(pair_values, U(parts[U(2 * pair)])), load(pair_values, U(parts[U(2 * pair + 1)])))
            store(pair_values, U(pair * LANES), best)
            if chances[U(pair)] > 0.0:
                total = add(total, scale(best, chances[U(pair)]))
        store(set_values, U(kept * LANES), total)


@part
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


@part
def find_highest_total(mask: int, max_upper_totals: Ints, sheet: SheetArrays) -> int:
    """Say up to which upper total positions with these boxes can occur; above it nobody ever looks."""
    if sheet.offer.order == TOP_DOWN:
        return sheet.upper_cap
    return min(sheet.upper_cap, max_upper_totals[U(mask & sheet.offer.upper_bits)])


@compiled
def value_columns(
    columns: ColumnBatch,
    places: Ints,
    announced: int,
    values: Floats,
    best: Floats,
    sheet: SheetArrays,
    dice: TurnDice,
    lock: LockArrays | None,
    scratch: SolveScratch,
) -> None:
    """Value the turns of some of the columns from those with one box more, and take over what is better than `best`.

    Free dice have no `lock`. It must be an argument of its own for the compiler to leave the other branch out.
    """
    choices, turn = scratch.choices, scratch.turn
    last_strip = sheet.upper_cap // LANES * LANES
    for place in places:
        number = columns.numbers[U(place)]
        mask, flag_state = number // sheet.flag_states, number % sheet.flag_states
        list_choices(mask, flag_state, announced, sheet, choices)
        for lane in range(columns.lowest_totals[U(place)], columns.highest_totals[U(place)] + 1, LANES):
            at = StripAt(mask, flag_state, min(lane, last_strip))
            value_hands(at, values, sheet, choices, dice.first_hand, turn.set_values)
            value = value_free_turn(dice, turn.set_values) if lock is None else value_locked_turn(dice, lock, turn)
            target = U(place * (last_strip + LANES) + at.lane)
            store(best, target, maximum(load(best, target), value))
