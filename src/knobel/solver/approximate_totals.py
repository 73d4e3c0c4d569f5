"""The distribution of the points to come, approximated from mean, variance and skewness; numpy alone, in milliseconds.

Each column that may follow the turn at hand gets a curve with its three moments, and they are mixed by their chances.
The curve is a gamma distribution, shifted and perhaps mirrored (Pearson's third type). Where further yatzys pay a
prime, a few rare hundreds make the skewness, which no gamma distribution looks like: there the curve is a bell, and
the primes are a Poisson number of them that accounts for all of the skewness.
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
MOST_PRIMES = 4
"""How many primes are reckoned with; more are too rare to matter here."""
DEVIATIONS = 9
"""How many standard deviations to either side are looked at."""


def approximate_points_to_come(moments: Moments, position: ColumnPosition) -> PointsDistribution:
    """Mix the approximate distributions of all columns that best play leads to at the end of the turn at hand."""
    columns = find_next_columns(moments.book, position)
    mean, variance, third = moments.look_up(columns.masks, columns.flag_states, columns.upper_totals)
    yatzy = moments.book.tables.rules.yatzy
    prime = yatzy.prime if yatzy else 0
    primes = np.clip(third, 0, 0.9 * variance * prime) / prime**3 if prime else np.zeros(mean.size)
    mean, variance = mean - primes * prime, np.maximum(variance - primes * prime**2, LEAST_VARIANCE)
    sd = np.sqrt(variance)
    lowest = int(max(0, (mean - DEVIATIONS * sd).min()))
    points = np.arange(lowest, int((mean + DEVIATIONS * sd).max()) + 2)
    curves = draw_curves(points, mean, sd, np.zeros(mean.size) if prime else third / (variance * sd))
    mixed = np.zeros(points.size + int(columns.points.max()) + MOST_PRIMES * prime)
    shares = columns.chances * np.exp(-primes)
    for number in range(MOST_PRIMES + 1 if prime else 1):
        for curve, share, scored in zip(curves, shares, columns.points, strict=True):
            first = scored + number * prime
            mixed[first : first + points.size] += share * curve
        shares = shares * primes / (number + 1)
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
