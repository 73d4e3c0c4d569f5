"""Check the arrays before compiled code gets them: it looks nowhere whether an index is in range."""

from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import compress, product
from operator import or_

import numpy as np

from knobel.errors import SolveFailed
from knobel.solver.arrays import (
    LANES,
    SCORED_BEFORE,
    SITUATIONS,
    Floats,
    Ints,
    LockArrays,
    OfferRules,
    SheetArrays,
    TurnDice,
    encode_situation,
)


def check_sheet_arrays(sheet: SheetArrays) -> SheetArrays:
    """Insist that no hand, situation, box or number of points leads outside these arrays."""
    offer, hands, rows = sheet.offer, sheet.alike_faces.size, sheet.scoring_boxes.size
    boxes, faces = offer.box_count, offer.match_bits.size - 1
    widest = (sheet.upper_cap + LANES) // LANES * LANES
    highest = int(sheet.worth.reshape(rows, -1)[:, sheet.is_upper > 0].max(initial=0))
    require(
        {
            "alike_faces": is_within(sheet.alike_faces, faces + 1),
            "scoring_boxes": is_within(sheet.scoring_boxes, 1 << boxes),
            "worth": sheet.worth.size == rows * boxes and is_within(sheet.worth, sheet.points_limit),
            "extra": sheet.extra.size == rows and set(sheet.extra.tolist()) <= {0, sheet.prime},
            "is_upper": sheet.is_upper.size == boxes and is_within(sheet.is_upper, 2),
            "stride": sheet.stride >= widest + highest,
            "bits": all(is_within(bits, 1 << boxes) for bits in list_box_bits(offer)),
            "flags": 0 <= offer.scored_flag | offer.rolled_flag < sheet.flag_states,
            "situation_rows": sheet.situation_rows.size == (faces + 1) * SITUATIONS
            and bool((sheet.situation_rows < rows).all()),
        }
    )
    require({"situations": all(has_row(sheet, face, one, hands) for face, one in list_situations(sheet))})
    return sheet


def list_box_bits(offer: OfferRules) -> Iterator[Ints]:
    """List everything that names boxes as bits."""
    yield offer.match_bits
    yield np.array([offer.chance_bit, offer.yatzy_bit, offer.upper_bits], np.int64)


def list_situations(sheet: SheetArrays) -> Iterator[tuple[int, int]]:
    """List every face with the situations it can be in; boxes may be the same one."""
    offer = sheet.offer
    for face in sorted(set(sheet.alike_faces.tolist()) - {0}):
        match = int(offer.match_bits[face])
        for used in product((False, True), repeat=4):
            mask = reduce(or_, compress((offer.yatzy_bit, match, offer.chance_bit, offer.upper_bits), used), 0)
            for flag_state in range(sheet.flag_states):
                if mask & offer.yatzy_bit or not flag_state & offer.scored_flag:
                    yield face, encode_situation(mask, flag_state, match, offer)


def has_row(sheet: SheetArrays, face: int, situation: int, hands: int) -> bool:
    """Tell whether dice all alike have their row here, with the prime just where the Yatzy box holds points."""
    row = int(sheet.situation_rows[face * SITUATIONS + situation])
    return row >= hands and int(sheet.extra[row]) == (sheet.prime if situation & SCORED_BEFORE else 0)


def check_turn_dice(dice: TurnDice) -> TurnDice:
    """Insist that no die leads from a multiset to one that is not there."""
    sets = dice.smaller_starts.size - 1
    require(
        {
            "hand_chances": dice.first_hand >= 0 and dice.first_hand + dice.hand_chances.size == sets,
            "larger": dice.larger.size == dice.first_hand * dice.faces and is_within(dice.larger, sets * LANES),
            "smaller": is_within(dice.smaller, sets * LANES),
            "smaller_starts": are_starts(dice.smaller_starts, dice.smaller.size),
            "keep_steps": is_within(dice.keep_steps, sets * LANES),
            "keep_groups": int((dice.keep_groups[::2] * (dice.keep_groups[1::2] + 1)).sum()) == dice.keep_steps.size,
        }
    )
    return dice


def check_lock_arrays(lock: LockArrays, sets: int) -> LockArrays:
    """Insist that pairs of kept and added dice stay among their own, and that a turn has room for them."""
    pairs = np.diff(lock.pair_starts)
    smaller_counts = np.diff(lock.smaller_starts)
    room = np.repeat(np.repeat(pairs, pairs), smaller_counts) if smaller_counts.size == pairs.sum() else pairs[:0]
    require(
        {
            "pair_starts": are_starts(lock.pair_starts, lock.union.size) and bool((pairs <= sets).all()),
            "union": is_within(lock.union, sets),
            "smaller_starts": are_starts(lock.smaller_starts, lock.smaller.size),
            "smaller": room.size == lock.smaller.size and bool(((lock.smaller >= 0) & (lock.smaller < room)).all()),
            "parts": lock.parts.size == 2 * lock.union.size
            and is_within(lock.parts, (lock.union.size + sets - lock.pair_starts.size + 1) * LANES),
            "roll_chances": lock.roll_chances.size == lock.union.size,
        }
    )
    return lock


def check_values(values: Floats, columns: int, stride: int) -> None:
    """Insist that every column has its values."""
    require({"values": values.size == columns * stride})


def is_within(numbers: Ints, limit: int) -> bool:
    return bool(((numbers >= 0) & (numbers < limit)).all())


def are_starts(starts: Ints, size: int) -> bool:
    """Tell whether these are the starts of lists that lie one behind the other, and fill an array of this size."""
    return starts.size > 0 and int(starts[0]) == 0 and int(starts[-1]) == size and bool((np.diff(starts) >= 0).all())


def require(checks: Mapping[str, bool]) -> None:
    """Refuse to solve if a check failed; which one is for whoever looks into it."""
    failed = [name for name, passed in checks.items() if not passed]
    if failed:
        raise SolveFailed from ValueError(failed)
