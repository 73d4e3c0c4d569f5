"""What a person who errs gives away in the turns to come, taken from a distribution of best play.

A final total is par plus luck minus the points lost by decisions, exactly. What is known of a person is how much they
lose in a turn on average; of all ways to spread that, the exponential distribution assumes the least. So the losses of
k turns are the sum of k independent exponential ones, independent of the luck: a gamma distribution with shape k.
"""

import numpy as np

from knobel.solver.arrays import Floats, Ints
from knobel.solver.final_totals import PointsDistribution

NEGLIGIBLE_LOSS = 1e-12
"""Losses less likely than this, all together, are left out."""


def subtract_losses(to_come: PointsDistribution, turns: int, loss_per_turn: float) -> PointsDistribution:
    """Take the losses of so many turns from the points to come, which do not fall below zero."""
    losses = spread_losses(turns, loss_per_turn)
    chances = np.convolve(to_come.chances, losses[::-1])
    lowest = to_come.lowest - (losses.size - 1)
    if lowest < 0:
        chances[-lowest] += chances[:-lowest].sum()
        lowest, chances = 0, chances[-lowest:]
    return PointsDistribution(lowest, chances)


def spread_losses(turns: int, loss_per_turn: float) -> Floats:
    """Give the chances of whole losses: each loss is shared between the two nearest ones, so that the mean stays.

    With e(x) the mean of what a loss exceeds x by, the share of n is e(n - 1) - 2 e(n) + e(n + 1).
    """
    most = 16
    while find_mean_excess(np.array([most]), turns, loss_per_turn)[0] > NEGLIGIBLE_LOSS:
        most *= 2
    excess = find_mean_excess(np.arange(most + 2), turns, loss_per_turn)
    shares = np.empty(most + 1)
    shares[0] = 1 - (excess[0] - excess[1])
    shares[1:] = excess[:-2] - 2 * excess[1:-1] + excess[2:]
    shares = np.maximum(shares, 0.0)
    return np.asarray(shares / shares.sum())


def find_mean_excess(losses: Floats | Ints, turns: int, loss_per_turn: float) -> Floats:
    """Give by how much the sum of so many exponential losses exceeds each of these on average."""
    rate = np.asarray(losses, np.float64) / loss_per_turn
    term, above = np.exp(-rate), np.zeros_like(rate)
    for count in range(turns):  # the chance to exceed is that of fewer than `turns` events of a Poisson process
        above += term
        term = term * rate / (count + 1)
    mean = turns * loss_per_turn
    return np.asarray(mean * (above + term) - np.asarray(losses) * above)
