"""The best total of a game whose dice are known before it begins: what a clairvoyant could have made of them."""

from collections.abc import Sequence
from itertools import product

import numpy as np

from knobel.dice import Hand, sort_dice
from knobel.solver.arrays import LANES, Ints
from knobel.solver.solve import (
    ProgressCallback,
    check_size,
    count_columns,
    group_columns_by_level,
    run_levels,
)
from knobel.solver.tables import Tables


def list_reachable_hands(rolls: Sequence[Sequence[int]]) -> set[Hand]:
    """List the hands one turn can end with, from what every die shows in every roll.

    Each die may stay at what it showed in any of the rolls, whatever the others do. That holds where kept dice must
    stay, too: a die is rolled until it shows what is wanted.
    """
    return {sort_dice(dice) for dice in product(*(set(faces) for faces in zip(*rolls, strict=True)))}


def find_best_total(
    tables: Tables, turns: Sequence[Sequence[Sequence[int]]], progress: ProgressCallback | None = None
) -> int:
    """Find the highest total of a game; `turns` says what each die shows in each roll of each turn."""
    check_size(tables.rules)
    from knobel.solver.known_dice_kernel import value_known_columns

    values = np.zeros(count_columns(tables.rules) * tables.stride)
    values.reshape(-1, tables.stride)[-tables.flag_states :, tables.upper_cap :] = tables.bonus
    sets, max_upper_totals = tables.multisets, tables.max_upper_totals
    by_turn = [
        np.array(sorted(sets.index[hand] - sets.first_hand for hand in list_reachable_hands(turn)), np.int64)
        for turn in turns
    ]
    levels, done = group_columns_by_level(tables), 0
    every = sum(map(len, levels))
    for level, hands in zip(levels, reversed(by_turn), strict=True):

        def value_some(columns: Ints, hands: Ints = hands) -> None:
            room = np.empty(len(sets.hands) * LANES)
            value_known_columns(columns, hands, values, max_upper_totals, tables.sheet_arrays, room)

        run_levels(value_some, [level], None)
        done += len(level)
        if progress:
            progress(done / every)
    return round(float(values[0]))
