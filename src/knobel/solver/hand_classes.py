"""The dice of a turn with everything put together that an announced box cannot tell apart.

Whoever has announced Sixes and can no longer score Chance cares for the number of sixes alone: six kinds of hands
instead of 252, and 21 multisets to keep instead of 462. Which ones are alike is found from what the hands score, for
any box: multisets are alike as long as the same number of faces leads from them to equal ones, and dropping a die does.
"""

from dataclasses import dataclass

import numpy as np

from knobel.solver.arrays import ANNOUNCED, LANES, NO_BOX, Ints, TurnDice
from knobel.solver.multisets import Multisets, group_steps
from knobel.solver.table_checks import check_turn_dice
from knobel.solver.tables import Tables

ROUNDING = 1e-9
"""Far more than values are rounded by, far less than they differ by."""


@dataclass(frozen=True)
class TurnClasses:
    """The dice of a turn in which a box was announced, or none; of equal hands one stands for all.

    They are for columns on which the boxes of `open_bits` are open and those of `used_bits` are not. Where every hand
    scores in the announced box and changes nothing else, `sure_points` is what the box brings on average, a trifle more
    than exact: a turn that is worth less than another one with it need not be worked out.
    """

    announced: int
    open_bits: int
    used_bits: int
    hands: Ints
    dice: TurnDice
    sure_points: float | None = None

    def select_columns(self, masks: Ints) -> Ints:
        """List the places of the columns this is for."""
        return np.flatnonzero((masks & (self.open_bits | self.used_bits)) == self.used_bits)


def list_turn_classes(tables: Tables) -> list[TurnClasses]:
    """List the turns a column may need: a single one, or one for each box that may be announced on it."""
    hands = np.arange(len(tables.multisets.hands))
    if tables.offer.order != ANNOUNCED:
        return [TurnClasses(NO_BOX, 0, 0, hands, tables.turn_dice)]
    found, chance = list[TurnClasses](), tables.offer.chance_bit
    for box in range(tables.offer.box_count):
        bit, worth = 1 << box, tables.worth[: hands.size, box]
        if tables.rules.locked_dice or is_alike_special(tables):
            found.append(TurnClasses(box, bit, 0, hands, tables.turn_dice))
            continue
        if bit == chance:
            is_sure = worth.all() and not tables.is_upper[box]
            sure_points = average_best(tables, worth) + ROUNDING if is_sure else None
            found.append(TurnClasses(box, bit, 0, hands, tables.turn_dice, sure_points))
            continue
        if chance:
            # Where Chance is open, its points are what a hand is worth that misses the announced box.
            found.append(TurnClasses(box, bit | chance, 0, hands, tables.turn_dice))
        found.append(TurnClasses(box, bit, chance, *merge_equal_hands(tables, worth)))
    # What may turn out to be worth less than another one comes last.
    return sorted(found, key=lambda turn: turn.sure_points is not None)


def average_best(tables: Tables, worth: Ints) -> float:
    """Say what hands with these worths bring on average if nothing else counts and any dice may be rolled again."""
    sets, values = tables.multisets, np.zeros(len(tables.multisets.sets))
    values[sets.first_hand :] = worth
    for _ in range(tables.rules.rolls - 1):
        for begin, end in reversed(sets.size_ranges[:-1]):
            values[begin:end] = values[sets.larger.reshape(-1, sets.faces)[begin:end]].mean(axis=1)
        for begin, end in sets.size_ranges[1:]:
            values[begin:end] = np.maximum(values[begin:end], values[sets.smaller_padded[begin:end]].max(axis=1))
    return float(sets.hand_chances @ values[sets.first_hand :])


def is_alike_special(tables: Tables) -> bool:
    """Tell whether dice all alike are worth different things on different columns, or change what follows."""
    hands = len(tables.multisets.hands)
    if tables.flags or tables.extra.any():
        return True
    alike = np.flatnonzero(tables.alike_faces)
    rows = tables.situation_rows.reshape(tables.multisets.faces + 1, -1)
    return any(
        (tables.worth[row] != tables.worth[hand]).any()
        for hand in alike
        for row in rows[tables.alike_faces[hand]]
        if row >= hands
    )


def merge_equal_hands(tables: Tables, worth: Ints) -> tuple[Ints, TurnDice]:
    """Put together what a turn that ends with these worths cannot tell apart; give who stands for all, and the dice."""
    sets = tables.multisets
    classes = refine_classes(sets, worth)
    if is_hardly_merged(sets, int(classes.max()) + 1):
        return np.arange(len(sets.hands)), tables.turn_dice
    _, chosen = np.unique(classes, return_index=True)
    # In the order of the multisets chosen: smaller ones come first, as everywhere.
    order = np.argsort(chosen)
    chosen, number = chosen[order], np.empty_like(order)
    number[order] = np.arange(order.size)
    classes = number[classes]
    kept = chosen[chosen < sets.first_hand]
    smaller = [
        np.unique(classes[sets.smaller[begin:end]]) for begin, end in zip(*find_bounds(sets, chosen), strict=True)
    ]
    starts, below = np.cumsum([0, *map(len, smaller)]), np.concatenate(smaller)
    groups, steps = group_steps(starts, below)
    dice = TurnDice(
        rolls=tables.rules.rolls,
        first_hand=kept.size,
        faces=sets.faces,
        larger=classes[sets.larger.reshape(-1, sets.faces)[kept]].reshape(-1) * LANES,
        smaller_starts=starts,
        smaller=below * LANES,
        keep_groups=groups,
        keep_steps=steps * LANES,
        hand_chances=np.bincount(classes[sets.first_hand :], sets.hand_chances)[kept.size :].astype(np.float64),
    )
    return chosen[kept.size :] - sets.first_hand, check_turn_dice(dice)


def is_hardly_merged(sets: Multisets, classes: int) -> bool:
    """Tell whether classes are so many that it is not worth the trouble."""
    return 2 * classes > len(sets.sets)


def find_bounds(sets: Multisets, chosen: Ints) -> tuple[Ints, Ints]:
    return sets.smaller_starts[chosen], sets.smaller_starts[chosen + 1]


def refine_classes(sets: Multisets, worth: Ints) -> Ints:
    """Number the classes of multisets: begin with size and worth, and split a class as long as something differs."""
    larger = np.full((len(sets.sets), sets.faces), -1, np.int64)
    larger[: sets.first_hand] = sets.larger.reshape(-1, sets.faces)
    is_hand = larger < 0
    classes = np.array([len(chosen) for chosen in sets.sets], np.int64)
    classes[sets.first_hand :] += 1 + np.unique(worth, return_inverse=True)[1]
    count = np.unique(classes).size
    while True:
        after = np.sort(np.where(is_hand, -1, classes[larger]), axis=1)
        before = np.sort(classes[sets.smaller_padded], axis=1)
        before[:, 1:][before[:, 1:] == before[:, :-1]] = -1  # which ones there are, not how often
        before.sort(axis=1)
        classes = number_rows(np.column_stack((classes, after, before)))
        before_count, count = count, int(classes.max()) + 1
        if count == before_count or is_hardly_merged(sets, count):
            return classes


def number_rows(rows: Ints) -> Ints:
    """Give equal rows the same number, in the order in which they come."""
    numbers: dict[bytes, int] = {}
    return np.array([numbers.setdefault(row.tobytes(), len(numbers)) for row in rows], np.int64)
