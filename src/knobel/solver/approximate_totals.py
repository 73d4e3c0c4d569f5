"""The distribution of the points to come, approximated from mean, variance and skewness; numpy alone, in milliseconds.

Each column that may follow the turn at hand gets a gamma distribution, shifted and perhaps mirrored, with its three
moments (Pearson's third type); they are mixed by their chances.
"""

import numpy as np

from knobel.solver.arrays import Floats, Ints
from knobel.solver.column_position import ColumnPosition
from knobel.solver.final_totals import PointsDistribution
from knobel.solver.moments import Moments
from knobel.solver.turn_entries import find_next_columns

LEAST_SKEWNESS, MOST_SKEWNESS = 1e-3, 1.9
"""Nearer to zero the formula loses digits and is a bell curve anyway; from 2 on the curve has a pole."""
LEAST_VARIANCE = 0.05
"""A distribution narrower than the distance between two whole numbers is a single number."""
DEVIATIONS = 9
"""How many standard deviations to either side are looked at."""


def approximate_points_to_come(moments: Moments, position: ColumnPosition) -> PointsDistribution:
    """Mix the approximate distributions of all columns that best play leads to at the end of the turn at hand."""
    columns = find_next_columns(moments.book, position)
    mean, variance, third = moments.look_up(columns.masks, columns.flag_states, columns.upper_totals)
    variance = np.maximum(variance, LEAST_VARIANCE)
    sd = np.sqrt(variance)
    lowest = int(max(0, (mean - DEVIATIONS * sd).min()))
    points = np.arange(lowest, int((mean + DEVIATIONS * sd).max()) + 2)
    curves = draw_curves(points, mean, sd, third / (variance * sd))
    mixed = np.zeros(points.size + int(columns.points.max()))
    for curve, chance, scored in zip(curves, columns.chances, columns.points, strict=True):
        mixed[scored : scored + points.size] += chance * curve
    mixed /= mixed.sum()
    used = np.flatnonzero(mixed)
    return PointsDistribution(lowest + int(used[0]), mixed[used[0] : used[-1] + 1])


def draw_curves(points: Ints, mean: Floats, sd: Floats, skewness: Floats) -> Floats:
    """Give a row of chances for each mean, standard deviation and skewness."""
    size = np.clip(np.abs(skewness), LEAST_SKEWNESS, MOST_SKEWNESS)
    bend = np.where(skewness < 0, -size, size)[:, None]
    away = (points - mean[:, None]) / sd[:, None]
    inside = 1 + bend * away / 2  # the curve ends where this is zero
    logs = (4 / bend**2 - 1) * np.log(np.maximum(inside, 1e-300)) - 2 * away / bend
    curves = np.where(inside > 0, np.exp(logs - logs.max(axis=1, keepdims=True)), 0.0)
    return np.asarray(curves / curves.sum(axis=1, keepdims=True))
