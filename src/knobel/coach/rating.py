"""How well somebody played: what they lost per real decision, as a share of what random moves lose there.

0 is best play, 1 a player who moves at random, by any rules. One game tells little, so a level comes with the levels
between which it probably lies: losses are rare and of all sizes, and their sum is uncertain like a sum of weighted
counts, for which Fay and Feuer (1997) give limits by the gamma distribution.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

LEVELS = (
    (0.328, "distracted"),
    (0.207, "beginner"),
    (0.127, "casual"),
    (0.078, "intermediate"),
    (0.046, "advanced"),
    (0.026, "expert"),
    (0.014, "world_class"),
    (0.008, "supernatural"),
    (0.0, "perfect"),
)
"""The least share of each level. In a game on the standard sheet that is a loss of 80, 50, 30, 18, 10, 5, 2 and 0.5."""

DOUBT = 0.25
"""How much of a random move is added to what was lost: nobody is perfect after three decisions."""
WHOLE_GAME = 42
"""How many real decisions a game on the standard sheet has, in which the limits of the levels allow for the doubt."""
TYPICAL_LOSS = 0.25
"""The size of a mistake nobody has seen yet, as a part of a random move."""
QUANTILE = 1.2816
"""The limits of a level are the 10 % and 90 % quantiles: four times out of five the truth lies between them."""


@dataclass(frozen=True, slots=True)
class RatedPlay:
    """What was lost in some real decisions, and what random moves lose there on average."""

    losses: tuple[float, ...]
    random_losses: tuple[float, ...]

    @property
    def count(self) -> int:
        return len(self.losses)

    @property
    def lost(self) -> float:
        return sum(self.losses)

    @property
    def rate(self) -> float:
        """What was lost per real decision."""
        return self.lost / self.count

    @property
    def random_rate(self) -> float:
        """What random moves lose per real decision."""
        return sum(self.random_losses) / self.count

    @property
    def share(self) -> float:
        """What was lost as a share of what random moves lose, with the doubt that few decisions leave."""
        return (self.lost + DOUBT * self.random_rate) / sum(self.random_losses)

    @property
    def level(self) -> str:
        return name_level(self.share)

    @property
    def limits(self) -> tuple[float, float]:
        """The shares between which that of this player probably lies, four times out of five."""
        low, high = find_loss_limits(self.losses, TYPICAL_LOSS * self.random_rate)
        return low / sum(self.random_losses), high / sum(self.random_losses)

    @property
    def best_level(self) -> str:
        """The best level that fits; never worse than the level itself.

        Few decisions are no reason to doubt that somebody is good: only what was lost is.
        """
        return name_level(min(self.limits[0] + DOUBT / max(self.count, WHOLE_GAME), self.share))

    @property
    def worst_level(self) -> str:
        return name_level(max(self.limits[1], self.share))

    @property
    def tells_level(self) -> bool:
        """Whether some level is unlikely: one or two decisions fit any."""
        return (self.best_level, self.worst_level) != (LEVELS[-1][1], LEVELS[0][1])

    @property
    def error(self) -> float:
        """How far what is lost in a game like this one may be from what was lost: half of the range of its limits."""
        low, high = find_loss_limits(self.losses, TYPICAL_LOSS * self.random_rate)
        return (high - low) / 2


def name_level(share: float) -> str:
    return next(name for least, name in LEVELS if share >= least)


def find_loss_limits(losses: Sequence[float], unseen: float) -> tuple[float, float]:
    """Find between which sums the average sum of such losses lies, with one more of this size that was not seen."""
    lost, squares = sum(losses), sum(loss * loss for loss in losses)
    low = find_gamma_quantile(lost, squares, -QUANTILE) if lost else 0.0
    return low, find_gamma_quantile(lost + unseen, squares + unseen * unseen, QUANTILE)


def find_gamma_quantile(mean: float, variance: float, normal_quantile: float) -> float:
    """Find a quantile of a gamma distribution, by the approximation of Wilson and Hilferty."""
    shape = mean * mean / variance
    spread = 1 / (9 * shape)
    return mean * max(0.0, 1 - spread + normal_quantile * sqrt(spread)) ** 3
