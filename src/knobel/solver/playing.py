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

from knobel.solver.kernel import (
    ANNOUNCED,
    ANY_ZERO,
    BOXES,
    CHANCE,
    FLAGS,
    HELD,
    NEVER,
    ORDER,
    OTHER_ZERO,
    SEEN,
    TOP_DOWN,
    U,
    add_to,
    box_row,
    keep_best,
    mean,
    prepare,
    throw_all,
)
from knobel.solver.simd import STRIP, VECTOR, WIDTH, add, larger, load, store, strip

ONE_ROW, ONE_UPPER = 1 << 40, 1 << 24
BELOW_ROW, POINTS_BITS = np.uint64(ONE_ROW - 1), np.uint64(ONE_UPPER - 1)
UPPER_AT, UPPER_BITS = np.uint64(24), np.uint64(0xFFFF)
LANE_SIZE, LANE_BITS = np.uint64(4), np.uint64(WIDTH - 1)
STRIP_AT, STRIP_BITS = np.uint64(28), np.uint64(12)
HALF, LOW_HALF = np.uint64(32), np.uint64(0xFFFFFFFF)

GAMMA = np.uint64(0x9E3779B97F4A7C15)
FIRST_MIX, SECOND_MIX = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))

WHOLE = ir.VectorType(ir.IntType(64), WIDTH)
NEARLY = 1e-6


class Game(NamedTuple):
    """What stays the same in every turn of every game."""

    throws: Any
    faces: Any
    locked: Any
    cap: Any
    stride: Any
    clear: Any
    values: Any
    offer: Any
    hands: Any
    sets: Any
    lock: Any


class Falls(NamedTuple):
    """How dice fall, from each spot a turn can be in: so many ways, all alike likely, and the spot each leads to."""

    base: Any
    ways: Any
    limit: Any
    outcome: Any
    start: Any
    hand: Any


class Desk(NamedTuple):
    """Room to work in: the choices of the column at hand, the values of its turn, and the best play."""

    zero: Any
    begin: Any
    address: Any
    points: Any
    work: Any
    spare: Any
    more: Any
    policy: Any
    step: Any
    value: Any
    best: Any
    named: Any


def bits_of(builder: Any, value: Any, number: Any, how: str) -> Any:
    """Combine the bits of every lane with one number."""
    first = builder.insert_element(ir.Constant(WHOLE, ir.Undefined), number, cgutils.int32_t(0))
    everywhere = ir.Constant(ir.VectorType(cgutils.int32_t, WIDTH), [0] * WIDTH)
    spread = builder.shuffle_vector(first, ir.Constant(WHOLE, ir.Undefined), everywhere)
    return getattr(builder, how)(value, spread)


@intrinsic
def tag(typing: Any, value: Any, clear: Any, number: Any) -> Any:  # noqa: ARG001
    """Write a number into the last bits of every lane."""

    def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        bits = bits_of(builder, builder.bitcast(arguments[0], WHOLE), arguments[1], "and_")
        return builder.bitcast(bits_of(builder, bits, arguments[2], "or_"), VECTOR)

    return STRIP(value, types.int64, types.int64), code


@intrinsic
def store_tags(typing: Any, array: Any, index: Any, value: Any, clear: Any) -> Any:  # noqa: ARG001
    """Put the numbers of the last bits into an array."""
    width = array.dtype.bitwidth

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        pointer = builder.gep(data, [arguments[1]], source_etype=ir.IntType(width))
        kind = ir.VectorType(ir.IntType(width), WIDTH)
        bits = bits_of(builder, builder.bitcast(arguments[2], WHOLE), builder.not_(arguments[3]), "and_")
        builder.store(builder.trunc(bits, kind), builder.bitcast(pointer, kind.as_pointer()), align=width // 8)
        return context.get_dummy_value()

    return types.void(array, index, value, types.int64), code


@njit(nogil=True, inline="always")
def mix(bits: Any) -> Any:
    """Turn a counter into 64 random bits (SplitMix64)."""
    bits = (bits ^ (bits >> SHIFTS[0])) * FIRST_MIX
    bits = (bits ^ (bits >> SHIFTS[1])) * SECOND_MIX
    return bits ^ (bits >> SHIFTS[2])


@njit(nogil=True, inline="always")
def fall(spot: Any, bits: Any, falls: Falls) -> Any:
    """Let the dice fall, without bias: a number past the last whole round of ways is drawn again."""
    while falls.ways[U(spot)]:
        drawn = (bits >> HALF) * falls.ways[U(spot)]
        if drawn & LOW_HALF >= falls.limit[U(spot)]:
            spot = falls.outcome[U(falls.base[U(spot)] + (drawn >> HALF))]
        bits = mix(bits + GAMMA)
    return spot


@njit(nogil=True, inline="always")
def states_of(offer: Any) -> Any:
    """Say how many combinations of flags there are."""
    return 1 << ((offer[FLAGS] & HELD > 0) + (offer[FLAGS] & SEEN > 0))


@njit(nogil=True, inline="always")
def written(row: Any, game: Game) -> Any:
    """Say which boxes are written in a row of the book, and its flags."""
    states = states_of(game.offer)
    mask = row // states
    if game.offer[ORDER] == TOP_DOWN:
        mask = (1 << mask) - 1
    return mask, row % states


@njit(nogil=True, inline="always")
def list_choices(mask: Any, flag: Any, announced: Any, game: Game, desk: Desk) -> None:
    """List the choices of every hand, and what each does to the number that is a game."""
    alike, row, scores, worth, extra, upper = game.hands
    prepare(
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
        game.offer,
        desk.zero,
        desk.begin,
        desk.address,
        desk.points,
    )
    base = max(announced, 0) * desk.address.size
    for choice in range(desk.begin[alike.size]):
        there, higher = desk.address[choice] // game.stride, desk.address[choice] % game.stride
        desk.step[base + choice] = there * ONE_ROW + higher * ONE_UPPER + np.int64(desk.points[choice])
    for box in range(game.offer[BOXES]):
        there = box_row(mask | (1 << box), game.offer) * states_of(game.offer) + flag
        desk.step[base + alike.size * game.offer[BOXES] + box] = there * ONE_ROW


@njit(nogil=True, inline="always")
def choose(lane: Any, mask: Any, flag: Any, game: Game, desk: Desk) -> None:
    """Value every hand as the best of its choices, and let it carry which one that is."""
    values, offer, first = game.values, game.offer, game.sets[0]
    boxes, states = offer[BOXES], states_of(offer)
    any_zero, other_zero = strip(NEVER), strip(NEVER)
    for box in range(boxes):
        if not (mask >> box) & 1:
            after = load(values, U((box_row(mask | (1 << box), offer) * states + flag) * game.stride + lane))
            after = tag(after, game.clear, desk.zero.size * boxes + box)
            any_zero = larger(any_zero, after)
            if box != offer[CHANCE]:
                other_zero = larger(other_zero, after)
    for hand in range(desk.zero.size):
        best = strip(NEVER)
        if desk.zero[U(hand)] == ANY_ZERO:
            best = any_zero
        elif desk.zero[U(hand)] == OTHER_ZERO:
            best = other_zero
        for choice in range(desk.begin[U(hand)], desk.begin[U(hand + 1)]):
            there = load(values, U(desk.address[U(choice)] + lane))
            best = larger(best, tag(add(there, strip(desk.points[U(choice)])), game.clear, choice))
        store(desk.work, U((first + hand) * WIDTH), best)


@njit(nogil=True, inline="always")
def mark(start: Any, clear: Any, work: Any) -> None:
    """Let the value of every multiset carry the spot from which one that keeps it throws."""
    for kept in range(start.size):
        store(work, U(kept * WIDTH), tag(load(work, U(kept * WIDTH)), clear, start[U(kept)]))


@njit(nogil=True, inline="always")
def learn(slot: Any, game: Game, falls: Falls, desk: Desk) -> Any:
    """Work the turn backwards from the valued hands, note the best play after every throw, and value the turn."""
    first, grow, _, _, chance = game.sets
    stage = falls.ways.size * WIDTH
    base = slot * game.throws * stage
    last = base + (game.throws - 1) * stage
    for hand in range(desk.zero.size):
        store_tags(desk.policy, U(last + hand * WIDTH), load(desk.work, U((first + hand) * WIDTH)), game.clear)
    for throw in range(game.throws - 2, -1, -1):
        if not game.locked or throw == game.throws - 2:
            throw_all(first, game.faces, grow, desk.work)
        mark(falls.start, game.clear, desk.work)
        if game.locked:
            learn_locked(first if throw else 1, base + throw * stage, game, desk)
        else:
            learn_kept(base + throw * stage, game, desk)
    if game.locked and game.throws > 1:
        return load(desk.work, U(0))
    return mean(first, chance, desk.work)


@njit(nogil=True, inline="always")
def learn_kept(base: Any, game: Game, desk: Desk) -> None:
    """Note for every hand which of its dice are best kept."""
    first, _, starts, smaller, _ = game.sets
    keep_best(starts.size - 1, starts, smaller, desk.work)
    for hand in range(first, starts.size - 1):
        store_tags(desk.policy, U(base + hand * WIDTH), load(desk.work, U(hand * WIDTH)), game.clear)


@njit(nogil=True, inline="always")
def learn_locked(many: Any, base: Any, game: Game, desk: Desk) -> None:
    """Value the first multisets as locked dice, and note for every fall beside them what is best kept as well."""
    begin, union, starts, smaller, weights = game.lock
    for kept in range(many):
        value = add_to(kept, begin, union, starts, smaller, weights, desk.work, desk.more)
        store(desk.spare, U(kept * WIDTH), value)
        for pair in range(begin[U(kept)], begin[U(kept + 1)]):
            if weights[U(pair)] > 0.0:
                best = load(desk.more, U((pair - begin[U(kept)]) * WIDTH))
                store_tags(desk.policy, U(base + pair * WIDTH), best, game.clear)
    for kept in range(many):
        store(desk.work, U(kept * WIDTH), load(desk.spare, U(kept * WIDTH)))


@njit(nogil=True, inline="always")
def study(row: Any, lane: Any, new: Any, game: Game, falls: Falls, desk: Desk) -> None:
    """Learn the turn from a strip of positions, and where a box is announced, which is best for each upper total."""
    mask, flag = written(row, game)
    announcing = game.offer[ORDER] == ANNOUNCED
    here = row * game.stride + lane
    desk.best[:] = NEVER
    for box in range(game.offer[BOXES] if announcing else 1):
        if announcing and (mask >> box) & 1:
            continue
        if announcing or new:
            list_choices(mask, flag, box if announcing else -1, game, desk)
        choose(lane, mask, flag, game, desk)
        store(desk.value, U(0), learn(box, game, falls, desk))
        known = True
        for each in range(WIDTH):
            if desk.value[each] > desk.best[each]:
                desk.best[each], desk.named[each] = desk.value[each], box
            known &= desk.best[each] > game.values[here + each] - NEARLY
        if known:
            return


@njit(nogil=True, inline="always")
def play_strip(
    records: Any, begin: Any, end: Any, counter: Any, game: Game, falls: Falls, desk: Desk, thrown: Any
) -> None:
    """Play one turn of every game of a strip: throw, keep what is best, throw again, write where it is best."""
    policy, step, named = desk.policy, desk.step, desk.named
    last, stage, cap = game.throws - 1, falls.ways.size * WIDTH, np.uint64(game.cap)
    slot_size, choices = game.throws * stage, desk.address.size
    for one in range(begin, end):
        record = records[U(one)]
        lane = np.int64((record >> UPPER_AT) & LANE_BITS)
        slot = named[U(lane)]
        place = slot * slot_size + lane
        draw = counter + np.uint64(one * game.throws) * GAMMA
        spot = np.int64(0)
        for _ in range(last):
            fallen = np.int64(fall(spot, mix(draw), falls))
            thrown[U(spot)] -= 1
            thrown[U(fallen)] += 1
            spot = np.int64(policy[U(place + fallen * WIDTH)])
            place += stage
            draw += GAMMA
        fallen = np.int64(fall(spot, mix(draw), falls))
        thrown[U(spot)] -= 1
        thrown[U(fallen)] += 1
        choice = np.int64(policy[U(place + falls.hand[U(fallen)] * WIDTH)])
        record = (record & BELOW_ROW) + step[U(slot * choices + choice)]
        upper = (record >> UPPER_AT) & UPPER_BITS
        if upper > cap:
            record -= (upper - cap) << UPPER_AT
        records[U(one)] = record


@njit(nogil=True, cache=True, error_model="numpy")
def play_turn(
    records: Any, begin: Any, end: Any, counter: Any, game: Game, falls: Falls, desk: Desk, thrown: Any
) -> None:
    """Play one turn of some games, sorted by where they stand; count the spots thrown to less those thrown from."""
    listed = np.int64(-1)
    while begin < end:
        place = records[U(begin)] >> STRIP_AT
        until = begin + 1
        while until < end and records[U(until)] >> STRIP_AT == place:
            until += 1
        row, lane = np.int64(place >> STRIP_BITS), np.int64((place << LANE_SIZE) & UPPER_BITS)
        study(row, lane, row != listed, game, falls, desk)
        play_strip(records, begin, until, counter, game, falls, desk, thrown)
        begin, listed = until, row
