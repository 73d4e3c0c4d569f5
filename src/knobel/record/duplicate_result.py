"""The result of a duplicate game, which is skill alone: everybody against the average of the table, and against par.

Par is what perfect play, which does not know the dice before, would have made of these very dice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean


@dataclass(frozen=True, slots=True)
class DuplicateScore:
    """What a seat made of the dice all had; nothing is known of par and points lost where there is no solved book."""

    total: int
    has_left: bool
    against_average: float | None
    against_par: int | None
    lost: float | None


@dataclass(frozen=True, slots=True)
class DuplicateResult:
    """How a duplicate game ended: the average of those who played to the end, par, and every seat."""

    average: float | None
    par: int | None
    seats: tuple[DuplicateScore, ...]


def compare_scores(
    totals: Sequence[int], left: frozenset[int], par: int | None = None, lost: Sequence[float | None] = ()
) -> DuplicateResult:
    """Compare everybody who played to the end with their average and with par."""
    finished = [total for seat, total in enumerate(totals) if seat not in left]
    average = fmean(finished) if finished else None
    seats = tuple(
        DuplicateScore(
            total,
            seat in left,
            None if average is None or seat in left else total - average,
            None if par is None or seat in left else total - par,
            lost[seat] if seat < len(lost) else None,
        )
        for seat, total in enumerate(totals)
    )
    return DuplicateResult(average, par, seats)
