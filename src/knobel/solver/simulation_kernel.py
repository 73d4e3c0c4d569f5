"""The compiled player: best play of a position is worked out once, then every game that stands there is played on."""

# A game is one number, its record: from the top the row of the book it stands in (24 bits), its upper total (16) and
# its points so far (24). Sorted records therefore lie position by position, and a choice is played by one addition.
# The values of a turn carry in their last bits, their tag, which choice they come from: the larger value brings its
# choice along, and the functions that work out values work out best play. With 13 such bits a choice may be worse than
# the best by 2**-39 of its value. Only `play_turn` is compiled; all the rest is put into it, which halves the time
# that takes.

import numpy as np

from knobel.solver.arrays import (
    ANNOUNCED,
    ANY_ZERO,
    LANES,
    NO_BOX,
    TOP_DOWN,
    WORST_VALUE,
    ZERO_EXCEPT_CHANCE,
    Floats,
    Ints,
    SheetArrays,
    StripAt,
)
from knobel.solver.compiled import ZERO, U, compiled_as_one, inlined, signed
from knobel.solver.simd import Strip, add, broadcast, load, maximum, store, store_tags, tag_lanes
from knobel.solver.simulation_arrays import Batch, RollTable, SimulationScratch, SimulationTables
from knobel.solver.value_kernel import (
    average_first_roll,
    average_rolls,
    find_address,
    keep_best,
    list_choices,
    value_locked_keep,
)

ROW_UNIT, UPPER_UNIT = 1 << 40, 1 << 24
BELOW_ROW_MASK, POINTS_MASK = np.uint64(ROW_UNIT - 1), np.uint64(UPPER_UNIT - 1)
UPPER_SHIFT, UPPER_MASK = np.uint64(24), np.uint64(0xFFFF)
LANE_SHIFT, LANE_MASK = np.uint64(4), np.uint64(LANES - 1)
STRIP_SHIFT, STRIP_ROW_SHIFT = np.uint64(28), np.uint64(12)
"""A record without its lane and points says which strip it stands in; of that, all but 12 bits are the row."""
HALF_SHIFT, LOW_HALF_MASK = np.uint64(32), np.uint64(0xFFFFFFFF)

SPLITMIX_GAMMA = np.uint64(0x9E3779B97F4A7C15)
FIRST_MULTIPLIER, SECOND_MULTIPLIER = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
FIRST_SHIFT, SECOND_SHIFT, THIRD_SHIFT = np.uint64(30), np.uint64(27), np.uint64(31)

VALUE_TOLERANCE = 1e-6
"""A turn this close to the value in the book is the best one: what the tags take away is far less."""


@inlined
def mix_bits(bits: np.uint64) -> np.uint64:
    """Turn a counter into 64 random bits (SplitMix64)."""
    bits = (bits ^ (bits >> FIRST_SHIFT)) * FIRST_MULTIPLIER
    bits = (bits ^ (bits >> SECOND_SHIFT)) * SECOND_MULTIPLIER
    return bits ^ (bits >> THIRD_SHIFT)


@inlined
def roll_dice(spot: int, bits: np.uint64, rolls: RollTable) -> int:
    """Roll until no die is left to roll, and give the spot reached.

    32 random bits times the number of outcomes have the outcome in their upper half. Where the number does not divide
    2**32, some outcomes would come once more often than others: those draws are known by their lower half, and drawn
    again.
    """
    while rolls.outcome_counts[U(spot)]:
        drawn = (bits >> HALF_SHIFT) * rolls.outcome_counts[U(spot)]
        if drawn & LOW_HALF_MASK >= rolls.reject_below[U(spot)]:
            spot = rolls.outcome_spots[U(rolls.outcome_starts[U(spot)] + (drawn >> HALF_SHIFT))]
        bits = mix_bits(bits + SPLITMIX_GAMMA)
    return spot


@inlined
def decode_book_row(row: int, sheet: SheetArrays) -> tuple[int, int]:
    """Give the used boxes and the flag state of a row of the book."""
    mask = row // sheet.flag_states
    if sheet.offer.order == TOP_DOWN:
        mask = (1 << mask) - 1
    return mask, row % sheet.flag_states


@inlined
def list_record_steps(mask: int, flag_state: int, slot: int, sheet: SheetArrays, scratch: SimulationScratch) -> None:
    """List the choices of every hand, and what each does to a record; behind them the zeros, one for each box.

    A choice carries upper points in its address, which is why the rest of it is what to add to the upper total.
    """
    choices, boxes = scratch.choices, sheet.offer.box_count
    hands = choices.zero_kind.size
    list_choices(mask, flag_state, slot if sheet.offer.order == ANNOUNCED else NO_BOX, sheet, choices)
    base = slot * (hands + 1) * boxes
    for choice in range(choices.starts[hands]):
        row, upper_points = choices.address[choice] // sheet.stride, choices.address[choice] % sheet.stride
        step = row * ROW_UNIT + upper_points * UPPER_UNIT + signed(choices.points[choice])
        scratch.record_steps[base + choice] = step
    for box in range(boxes):
        row = find_address(mask | (1 << box), flag_state, sheet) // sheet.stride
        scratch.record_steps[base + hands * boxes + box] = row * ROW_UNIT


@inlined
def choose_entries(at: StripAt, game: SimulationTables, scratch: SimulationScratch) -> None:
    """Value every hand as the best of its choices, tagged with its number among the record steps."""
    values, sheet, clear = game.model.values, game.model.sheet, game.tag_clear_mask
    choices, set_values, first_hand = scratch.choices, scratch.turn.set_values, game.model.dice.first_hand
    boxes, hands = sheet.offer.box_count, choices.zero_kind.size
    any_zero, other_zero = broadcast(WORST_VALUE), broadcast(WORST_VALUE)
    for box in range(boxes):
        bit = 1 << box
        if not at.mask & bit:
            after = load(values, U(find_address(at.mask | bit, at.flag_state, sheet) + at.lane))
            after = tag_lanes(after, clear, hands * boxes + box)
            any_zero = maximum(any_zero, after)
            if not sheet.offer.chance_bit & bit:
                other_zero = maximum(other_zero, after)
    zero_kind, starts, address, points = choices.zero_kind, choices.starts, choices.address, choices.points
    for hand in range(hands):
        best = broadcast(WORST_VALUE)
        if zero_kind[U(hand)] == ANY_ZERO:
            best = any_zero
        elif zero_kind[U(hand)] == ZERO_EXCEPT_CHANCE:
            best = other_zero
        for choice in range(starts[U(hand)], starts[U(hand + 1)]):
            after = add(load(values, U(address[U(choice)] + at.lane)), broadcast(points[U(choice)]))
            best = maximum(best, tag_lanes(after, clear, choice))
        store(set_values, U((first_hand + hand) * LANES), best)


@inlined
def tag_keeps(keep_spots: Ints, clear: int, set_values: Floats) -> None:
    """Tag the value of every multiset with the spot from which one who keeps it rolls."""
    for kept in range(keep_spots.size):
        strip = load(set_values, U(kept * LANES))
        store(set_values, U(kept * LANES), tag_lanes(strip, clear, keep_spots[U(kept)]))


@inlined
def build_policy(slot: int, game: SimulationTables, rolls: RollTable, scratch: SimulationScratch) -> Strip:
    """Work the turn backwards from the valued hands, note the best play after every roll, and value the turn.

    Where kept dice stay, the value of a kept multiset is already that of rolling the rest after the first time round;
    before the first roll nothing is kept, so there only the empty multiset has to be valued.
    """
    dice, set_values, clear = game.model.dice, scratch.turn.set_values, game.tag_clear_mask
    is_locked = game.model.lock.enabled
    stage = rolls.outcome_counts.size * LANES
    base = slot * dice.rolls * stage
    last = base + (dice.rolls - 1) * stage
    for hand in range(scratch.choices.zero_kind.size):
        strip = load(set_values, U((dice.first_hand + hand) * LANES))
        store_tags(scratch.policy, U(last + hand * LANES), strip, clear)
    for roll in range(dice.rolls - 2, -1, -1):
        if not is_locked or roll == dice.rolls - 2:
            average_rolls(dice, set_values)
        tag_keeps(rolls.keep_spots, clear, set_values)
        if is_locked:
            build_locked_policy(dice.first_hand if roll else 1, base + roll * stage, game, scratch)
        else:
            build_keep_policy(base + roll * stage, game, scratch)
    if is_locked and dice.rolls > 1:
        return load(set_values, U(0))
    return average_first_roll(dice, set_values)


@inlined
def build_keep_policy(base: int, game: SimulationTables, scratch: SimulationScratch) -> None:
    """Note for every hand which of its dice are best kept."""
    dice, set_values = game.model.dice, scratch.turn.set_values
    keep_best(dice, set_values)
    for hand in range(dice.first_hand, dice.smaller_starts.size - 1):
        strip = load(set_values, U(hand * LANES))
        store_tags(scratch.policy, U(base + hand * LANES), strip, game.tag_clear_mask)


@inlined
def build_locked_policy(count: int, base: int, game: SimulationTables, scratch: SimulationScratch) -> None:
    """Value the first multisets as locked dice, and note for every roll beside them what is best kept as well."""
    lock, turn = game.model.lock, scratch.turn
    set_values, spare_values, pair_values = turn.set_values, turn.spare_values, turn.pair_values
    pair_starts, chances = lock.pair_starts, lock.roll_chances
    for kept in range(count):
        store(spare_values, U(kept * LANES), value_locked_keep(kept, lock, turn))
        for pair in range(pair_starts[U(kept)], pair_starts[U(kept + 1)]):
            if chances[U(pair)] > 0.0:
                strip = load(pair_values, U((pair - pair_starts[U(kept)]) * LANES))
                store_tags(scratch.policy, U(base + pair * LANES), strip, game.tag_clear_mask)
    for kept in range(count):
        store(set_values, U(kept * LANES), load(spare_values, U(kept * LANES)))


@inlined
def plan_strip(
    row: int, lane: int, is_new_row: bool, game: SimulationTables, rolls: RollTable, scratch: SimulationScratch
) -> None:
    """Find best play for a strip of positions, and where a box is announced, which is best for each upper total.

    Every box that may be announced has its own slot of the policy. The book says what the best one is worth, so the
    search ends as soon as every lane has found it.
    """
    values, sheet = game.model.values, game.model.sheet
    mask, flag_state = decode_book_row(row, sheet)
    at = StripAt(mask, flag_state, lane)
    is_announcing = sheet.offer.order == ANNOUNCED
    address = row * sheet.stride + lane
    scratch.best_values[:] = WORST_VALUE
    for box in range(sheet.offer.box_count if is_announcing else 1):
        if is_announcing and (mask >> box) & 1:
            continue
        if is_announcing or is_new_row:
            list_record_steps(mask, flag_state, box, sheet, scratch)
        choose_entries(at, game, scratch)
        store(scratch.turn_values, U(0), build_policy(box, game, rolls, scratch))
        is_found = True
        for each in range(LANES):
            if scratch.turn_values[each] > scratch.best_values[each]:
                scratch.best_values[each], scratch.announced_boxes[each] = scratch.turn_values[each], box
            is_found &= scratch.best_values[each] > values[address + each] - VALUE_TOLERANCE
        if is_found:
            return


@inlined
def play_strip(
    batch: Batch, game: SimulationTables, rolls: RollTable, scratch: SimulationScratch, roll_counts: Ints
) -> None:
    """Play one turn of every game of a strip: roll, keep what is best, roll again, score where it is best.

    The draws of a game depend on its place among the sorted records alone, so any number of threads plays the same.
    """
    records, policy, steps = batch.records, scratch.policy, scratch.record_steps
    turn_rolls, stage, cap = game.model.dice.rolls, rolls.outcome_counts.size * LANES, game.model.sheet.upper_cap
    slot_size, slot_steps = turn_rolls * stage, scratch.choices.address.size + game.model.sheet.offer.box_count
    for place in range(batch.begin, batch.end):
        record = records[U(place)]
        lane = signed((record >> UPPER_SHIFT) & LANE_MASK)
        slot = scratch.announced_boxes[U(lane)]
        at = slot * slot_size + lane
        draw = batch.counter + np.uint64(place * turn_rolls) * SPLITMIX_GAMMA
        spot = ZERO
        for _ in range(turn_rolls - 1):
            rolled = signed(roll_dice(spot, mix_bits(draw), rolls))
            roll_counts[U(spot)] -= 1
            roll_counts[U(rolled)] += 1
            spot = signed(policy[U(at + rolled * LANES)])
            at += stage
            draw += SPLITMIX_GAMMA
        rolled = signed(roll_dice(spot, mix_bits(draw), rolls))
        roll_counts[U(spot)] -= 1
        roll_counts[U(rolled)] += 1
        choice = signed(policy[U(at + rolls.spot_hands[U(rolled)] * LANES)])
        record = (record & BELOW_ROW_MASK) + steps[U(slot * slot_steps + choice)]
        upper = (record >> UPPER_SHIFT) & UPPER_MASK
        if upper > np.uint64(cap):
            record -= (upper - np.uint64(cap)) << UPPER_SHIFT
        records[U(place)] = record


@compiled_as_one
def play_turn(
    batch: Batch, game: SimulationTables, rolls: RollTable, scratch: SimulationScratch, roll_counts: Ints
) -> None:
    """Play one turn of some games, sorted by where they stand; count the spots rolled to, less those rolled from."""
    records, begin, last_row = batch.records, batch.begin, signed(-1)
    while begin < batch.end:
        strip = records[U(begin)] >> STRIP_SHIFT
        end = begin + 1
        while end < batch.end and records[U(end)] >> STRIP_SHIFT == strip:
            end += 1
        row, lane = signed(strip >> STRIP_ROW_SHIFT), signed((strip << LANE_SHIFT) & UPPER_MASK)
        plan_strip(row, lane, row != last_row, game, rolls, scratch)
        play_strip(Batch(records, begin, end, batch.counter), game, rolls, scratch, roll_counts)
        begin, last_row = end, row
