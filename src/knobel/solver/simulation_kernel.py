"""The compiled player: best play of a position is worked out once, then every game that stands there is played on."""

# A game is one number: the row of the book it stands in, its upper total, its points so far (24, 16 and 24 bits).
# The values of a turn carry in their last bits which choice they come from, so the larger value brings its choice
# along and the kernel's own recurrences work out best play; with 13 such bits a choice may be worse than the best by
# 2**-39 of its value. Only `play_turn` is compiled; all the rest is put into it, which halves the time that takes.

# mypy: disable-error-code="call-arg, arg-type, no-untyped-call"

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped, unused-ignore]
from numba import njit
from numba.core import cgutils, types
from numba.core.extending import intrinsic

from knobel.solver.simd import LANES, STRIP_TYPE, VECTOR, add, broadcast, load, maximum, store
from knobel.solver.value_kernel import (
    ANNOUNCED,
    ANY_ZERO,
    BOXES,
    CHANCE,
    FLAGS,
    ORDER,
    TOP_DOWN,
    WORST_VALUE,
    YATZY_ROLLED,
    YATZY_SCORED,
    ZERO_EXCEPT_CHANCE,
    U,
    average_first_roll,
    average_rolls,
    find_book_row,
    keep_best,
    list_hand_choices,
    value_locked_keep,
)

ROW_UNIT, UPPER_UNIT = 1 << 40, 1 << 24
BELOW_ROW_MASK, POINTS_MASK = np.uint64(ROW_UNIT - 1), np.uint64(UPPER_UNIT - 1)
UPPER_SHIFT, UPPER_MASK = np.uint64(24), np.uint64(0xFFFF)
LANE_SHIFT, LANE_MASK = np.uint64(4), np.uint64(LANES - 1)
STRIP_SHIFT, STRIP_ROW_SHIFT = np.uint64(28), np.uint64(12)
HALF_SHIFT, LOW_HALF_MASK = np.uint64(32), np.uint64(0xFFFFFFFF)

SPLITMIX_GAMMA = np.uint64(0x9E3779B97F4A7C15)
FIRST_MULTIPLIER, SECOND_MULTIPLIER = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
MIX_SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))

INT_VECTOR = ir.VectorType(ir.IntType(64), LANES)
VALUE_TOLERANCE = 1e-6


class SimulationTables(NamedTuple):
    """What stays the same in every turn of every game."""

    rolls: Any
    faces: Any
    locked_dice: Any
    upper_cap: Any
    stride: Any
    tag_clear_mask: Any
    values: Any
    offer_rules: Any
    hand_arrays: Any
    set_arrays: Any
    lock_arrays: Any


class RollTable(NamedTuple):
    """How dice fall, from each spot a turn can be in: so many ways, all alike likely, and the spot each leads to."""

    outcome_starts: Any
    outcome_counts: Any
    reject_below: Any
    outcome_spots: Any
    keep_spots: Any
    spot_hands: Any


class SimulationScratch(NamedTuple):
    """Room to work in: the choices of the column at hand, the values of its turn, and the best play."""

    zero_kind: Any
    choice_starts: Any
    address: Any
    points: Any
    set_values: Any
    spare_values: Any
    pair_values: Any
    policy: Any
    record_steps: Any
    turn_values: Any
    best_values: Any
    announced_boxes: Any


def emit_lane_bits(builder: Any, value: Any, number: Any, how: str) -> Any:
    """Combine the bits of every lane with one number."""
    first = builder.insert_element(ir.Constant(INT_VECTOR, ir.Undefined), number, cgutils.int32_t(0))
    everywhere = ir.Constant(ir.VectorType(cgutils.int32_t, LANES), [0] * LANES)
    spread = builder.shuffle_vector(first, ir.Constant(INT_VECTOR, ir.Undefined), everywhere)
    return getattr(builder, how)(value, spread)


@intrinsic
def tag_lanes(typing: Any, value: Any, clear: Any, number: Any) -> Any:  # noqa: ARG001
    """Write a number into the last bits of every lane."""

    def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        bits = emit_lane_bits(builder, builder.bitcast(arguments[0], INT_VECTOR), arguments[1], "and_")
        return builder.bitcast(emit_lane_bits(builder, bits, arguments[2], "or_"), VECTOR)

    return STRIP_TYPE(value, types.int64, types.int64), code


@intrinsic
def store_tags(typing: Any, array: Any, index: Any, value: Any, clear: Any) -> Any:  # noqa: ARG001
    """Put the numbers of the last bits into an array."""
    width = array.dtype.bitwidth

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        pointer = builder.gep(data, [arguments[1]], source_etype=ir.IntType(width))
        kind = ir.VectorType(ir.IntType(width), LANES)
        bits = emit_lane_bits(builder, builder.bitcast(arguments[2], INT_VECTOR), builder.not_(arguments[3]), "and_")
        builder.store(builder.trunc(bits, kind), builder.bitcast(pointer, kind.as_pointer()), align=width // 8)
        return context.get_dummy_value()

    return types.void(array, index, value, types.int64), code


@njit(nogil=True, inline="always")
def mix_bits(bits: Any) -> Any:
    """Turn a counter into 64 random bits (SplitMix64)."""
    bits = (bits ^ (bits >> MIX_SHIFTS[0])) * FIRST_MULTIPLIER
    bits = (bits ^ (bits >> MIX_SHIFTS[1])) * SECOND_MULTIPLIER
    return bits ^ (bits >> MIX_SHIFTS[2])


@njit(nogil=True, inline="always")
def roll_dice(spot: Any, bits: Any, falls: RollTable) -> Any:
    """Let the dice fall, without bias: a number past the last whole round of ways is drawn again."""
    while falls.outcome_counts[U(spot)]:
        drawn = (bits >> HALF_SHIFT) * falls.outcome_counts[U(spot)]
        if drawn & LOW_HALF_MASK >= falls.reject_below[U(spot)]:
            spot = falls.outcome_spots[U(falls.outcome_starts[U(spot)] + (drawn >> HALF_SHIFT))]
        bits = mix_bits(bits + SPLITMIX_GAMMA)
    return spot


@njit(nogil=True, inline="always")
def count_flag_states(offer: Any) -> Any:
    """Say how many combinations of flags there are."""
    return 1 << ((offer[FLAGS] & YATZY_SCORED > 0) + (offer[FLAGS] & YATZY_ROLLED > 0))


@njit(nogil=True, inline="always")
def decode_book_row(row: Any, game: SimulationTables) -> Any:
    """Say which boxes are written in a row of the book, and its flags."""
    states = count_flag_states(game.offer_rules)
    mask = row // states
    if game.offer_rules[ORDER] == TOP_DOWN:
        mask = (1 << mask) - 1
    return mask, row % states


@njit(nogil=True, inline="always")
def list_record_steps(mask: Any, flag: Any, announced: Any, game: SimulationTables, desk: SimulationScratch) -> None:
    """List the choices of every hand, and what each does to the number that is a game."""
    alike, row, scores, worth, extra, upper = game.hand_arrays
    list_hand_choices(
        mask,
        flag,
        announced,
        game.stride,
        alike,
        row,
        scores,
        worth,
        extra,
        upper,
        game.offer_rules,
        desk.zero_kind,
        desk.choice_starts,
        desk.address,
        desk.points,
    )
    base = max(announced, 0) * desk.address.size
    for choice in range(desk.choice_starts[alike.size]):
        there, higher = desk.address[choice] // game.stride, desk.address[choice] % game.stride
        desk.record_steps[base + choice] = there * ROW_UNIT + higher * UPPER_UNIT + np.int64(desk.points[choice])
    for box in range(game.offer_rules[BOXES]):
        there = find_book_row(mask | (1 << box), game.offer_rules) * count_flag_states(game.offer_rules) + flag
        desk.record_steps[base + alike.size * game.offer_rules[BOXES] + box] = there * ROW_UNIT


@njit(nogil=True, inline="always")
def choose_entries(lane: Any, mask: Any, flag: Any, game: SimulationTables, desk: SimulationScratch) -> None:
    """Value every hand as the best of its choices, and let it carry which one that is."""
    values, offer, first = game.values, game.offer_rules, game.set_arrays[0]
    boxes, states = offer[BOXES], count_flag_states(offer)
    any_zero, other_zero = broadcast(WORST_VALUE), broadcast(WORST_VALUE)
    for box in range(boxes):
        if not (mask >> box) & 1:
            after = load(values, U((find_book_row(mask | (1 << box), offer) * states + flag) * game.stride + lane))
            after = tag_lanes(after, game.tag_clear_mask, desk.zero_kind.size * boxes + box)
            any_zero = maximum(any_zero, after)
            if box != offer[CHANCE]:
                other_zero = maximum(other_zero, after)
    for hand in range(desk.zero_kind.size):
        best = broadcast(WORST_VALUE)
        if desk.zero_kind[U(hand)] == ANY_ZERO:
            best = any_zero
        elif desk.zero_kind[U(hand)] == ZERO_EXCEPT_CHANCE:
            best = other_zero
        for choice in range(desk.choice_starts[U(hand)], desk.choice_starts[U(hand + 1)]):
            there = load(values, U(desk.address[U(choice)] + lane))
            best = maximum(best, tag_lanes(add(there, broadcast(desk.points[U(choice)])), game.tag_clear_mask, choice))
        store(desk.set_values, U((first + hand) * LANES), best)


@njit(nogil=True, inline="always")
def tag_keeps(start: Any, clear: Any, work: Any) -> None:
    """Let the value of every multiset carry the spot from which one that keeps it throws."""
    for kept in range(start.size):
        store(work, U(kept * LANES), tag_lanes(load(work, U(kept * LANES)), clear, start[U(kept)]))


@njit(nogil=True, inline="always")
def build_policy(slot: Any, game: SimulationTables, falls: RollTable, desk: SimulationScratch) -> Any:
    """Work the turn backwards from the valued hands, note the best play after every throw, and value the turn."""
    first, grow, _, _, chance = game.set_arrays
    stage = falls.outcome_counts.size * LANES
    base = slot * game.rolls * stage
    last = base + (game.rolls - 1) * stage
    for hand in range(desk.zero_kind.size):
        store_tags(
            desk.policy, U(last + hand * LANES), load(desk.set_values, U((first + hand) * LANES)), game.tag_clear_mask
        )
    for throw in range(game.rolls - 2, -1, -1):
        if not game.locked_dice or throw == game.rolls - 2:
            average_rolls(first, game.faces, grow, desk.set_values)
        tag_keeps(falls.keep_spots, game.tag_clear_mask, desk.set_values)
        if game.locked_dice:
            build_locked_policy(first if throw else 1, base + throw * stage, game, desk)
        else:
            build_keep_policy(base + throw * stage, game, desk)
    if game.locked_dice and game.rolls > 1:
        return load(desk.set_values, U(0))
    return average_first_roll(first, chance, desk.set_values)


@njit(nogil=True, inline="always")
def build_keep_policy(base: Any, game: SimulationTables, desk: SimulationScratch) -> None:
    """Note for every hand which of its dice are best kept."""
    first, _, starts, smaller, _ = game.set_arrays
    keep_best(starts.size - 1, starts, smaller, desk.set_values)
    for hand in range(first, starts.size - 1):
        store_tags(desk.policy, U(base + hand * LANES), load(desk.set_values, U(hand * LANES)), game.tag_clear_mask)


@njit(nogil=True, inline="always")
def build_locked_policy(many: Any, base: Any, game: SimulationTables, desk: SimulationScratch) -> None:
    """Value the first multisets as locked dice, and note for every fall beside them what is best kept as well."""
    begin, union, starts, smaller, weights = game.lock_arrays
    for kept in range(many):
        value = value_locked_keep(kept, begin, union, starts, smaller, weights, desk.set_values, desk.pair_values)
        store(desk.spare_values, U(kept * LANES), value)
        for pair in range(begin[U(kept)], begin[U(kept + 1)]):
            if weights[U(pair)] > 0.0:
                best = load(desk.pair_values, U((pair - begin[U(kept)]) * LANES))
                store_tags(desk.policy, U(base + pair * LANES), best, game.tag_clear_mask)
    for kept in range(many):
        store(desk.set_values, U(kept * LANES), load(desk.spare_values, U(kept * LANES)))


@njit(nogil=True, inline="always")
def plan_strip(
    row: Any, lane: Any, new: Any, game: SimulationTables, falls: RollTable, desk: SimulationScratch
) -> None:
    """Learn the turn from a strip of positions, and where a box is announced, which is best for each upper total."""
    mask, flag = decode_book_row(row, game)
    announcing = game.offer_rules[ORDER] == ANNOUNCED
    here = row * game.stride + lane
    desk.best_values[:] = WORST_VALUE
    for box in range(game.offer_rules[BOXES] if announcing else 1):
        if announcing and (mask >> box) & 1:
            continue
        if announcing or new:
            list_record_steps(mask, flag, box if announcing else -1, game, desk)
        choose_entries(lane, mask, flag, game, desk)
        store(desk.turn_values, U(0), build_policy(box, game, falls, desk))
        known = True
        for each in range(LANES):
            if desk.turn_values[each] > desk.best_values[each]:
                desk.best_values[each], desk.announced_boxes[each] = desk.turn_values[each], box
            known &= desk.best_values[each] > game.values[here + each] - VALUE_TOLERANCE
        if known:
            return


@njit(nogil=True, inline="always")
def play_strip(
    records: Any,
    begin: Any,
    end: Any,
    counter: Any,
    game: SimulationTables,
    falls: RollTable,
    desk: SimulationScratch,
    roll_counts: Any,
) -> None:
    """Play one turn of every game of a strip: throw, keep what is best, throw again, write where it is best."""
    policy, step, named = desk.policy, desk.record_steps, desk.announced_boxes
    last, stage, cap = game.rolls - 1, falls.outcome_counts.size * LANES, np.uint64(game.upper_cap)
    slot_size, choices = game.rolls * stage, desk.address.size
    for one in range(begin, end):
        record = records[U(one)]
        lane = np.int64((record >> UPPER_SHIFT) & LANE_MASK)
        slot = named[U(lane)]
        place = slot * slot_size + lane
        draw = counter + np.uint64(one * game.rolls) * SPLITMIX_GAMMA
        spot = np.int64(0)
        for _ in range(last):
            fallen = np.int64(roll_dice(spot, mix_bits(draw), falls))
            roll_counts[U(spot)] -= 1
            roll_counts[U(fallen)] += 1
            spot = np.int64(policy[U(place + fallen * LANES)])
            place += stage
            draw += SPLITMIX_GAMMA
        fallen = np.int64(roll_dice(spot, mix_bits(draw), falls))
        roll_counts[U(spot)] -= 1
        roll_counts[U(fallen)] += 1
        choice = np.int64(policy[U(place + falls.spot_hands[U(fallen)] * LANES)])
        record = (record & BELOW_ROW_MASK) + step[U(slot * choices + choice)]
        upper = (record >> UPPER_SHIFT) & UPPER_MASK
        if upper > cap:
            record -= (upper - cap) << UPPER_SHIFT
        records[U(one)] = record


@njit(nogil=True, cache=True, error_model="numpy")
def play_turn(
    records: Any,
    begin: Any,
    end: Any,
    counter: Any,
    game: SimulationTables,
    falls: RollTable,
    desk: SimulationScratch,
    roll_counts: Any,
) -> None:
    """Play one turn of some games, sorted by where they stand; count the spots thrown to less those thrown from."""
    listed = np.int64(-1)
    while begin < end:
        place = records[U(begin)] >> STRIP_SHIFT
        until = begin + 1
        while until < end and records[U(until)] >> STRIP_SHIFT == place:
            until += 1
        row, lane = np.int64(place >> STRIP_ROW_SHIFT), np.int64((place << LANE_SHIFT) & UPPER_MASK)
        plan_strip(row, lane, row != listed, game, falls, desk)
        play_strip(records, begin, until, counter, game, falls, desk, roll_counts)
        begin, listed = until, row
