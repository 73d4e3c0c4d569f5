"""Room for strips begins where lines of the cache do, in Python and in compiled code."""

from typing import Any

import numpy as np
import pytest

from knobel.rules import load_edition
from knobel.solver.arrays import CACHE_LINE, LANES, allocate_strips
from knobel.solver.lane_kernel import allocate_lane_scratch
from knobel.solver.tables import build_tables


@pytest.mark.parametrize("kind", [np.dtype(np.float32), np.dtype(np.float64)])
def test_strips_begin_where_a_line_of_the_cache_does(kind: np.dtype[Any]) -> None:
    rooms: list[Any] = [allocate_strips(count, kind) for count in (1, 2, 462, 463)]
    assert [room.size for room in rooms] == [LANES, 2 * LANES, 462 * LANES, 463 * LANES]
    tables = build_tables(load_edition("tactic-xl-yatzy").rules("en"))
    scratch = allocate_lane_scratch(tables.sheet_arrays, tables.turn_dice, 0, np.zeros(1, kind))
    rooms += [*scratch.turn, scratch.strips]
    assert all(room.ctypes.data % CACHE_LINE == 0 and room.dtype == kind and not room.any() for room in rooms)
