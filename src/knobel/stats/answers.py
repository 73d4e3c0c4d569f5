"""Statistics as plain numbers: what a summary says, beside what perfect play does."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import sqrt

from knobel.stats.sheet import BOX_PREFIX
from knobel.stats.summary import MILLI, RecordMark, Summary, Sums, Trend
from knobel.stats.versus import Versus

TREND_DAYS = 30
HOURS = 24


@dataclass(frozen=True, slots=True)
class PerfectPlay:
    """What somebody who never errs gets on average, where that is solved."""

    average: float
    spread: float | None = None
    bonus_rate: float | None = None
    boxes: Mapping[str, float] = field(default_factory=dict)


def compute_mean(sums: Sums, scale: float = 1.0) -> float | None:
    return sums.total / sums.count / scale if sums.count else None


def compute_spread(sums: Sums, scale: float = 1.0) -> float | None:
    """Compute the standard deviation; one number has none."""
    if sums.count < 2:
        return None
    variance = (sums.squares - sums.total * sums.total / sums.count) / (sums.count - 1)
    return sqrt(max(variance, 0.0)) / scale


def compute_slope(trend: Trend, scale: float = 1.0) -> float | None:
    """Compute by how much numbers change in thirty days, on a straight line through them."""
    width = trend.count * trend.day_squares - trend.days * trend.days
    if not width:
        return None
    return (trend.count * trend.products - trend.days * trend.values) / width * TREND_DAYS / scale


def describe_mark(mark: RecordMark | None) -> dict[str, object] | None:
    return None if mark is None else {"value": mark.value, "at": mark.at / MILLI, "game": mark.game, "seat": mark.seat}


def describe_summary(summary: Summary, perfect: PerfectPlay | None = None) -> dict[str, object]:
    """Describe everything that is known of a person in an edition."""
    return {
        "games": summary.games,
        "first": None if summary.first is None else summary.first / MILLI,
        "last": None if summary.last is None else summary.last[0] / MILLI,
        "average": compute_mean(summary.totals),
        "spread": compute_spread(summary.totals),
        "best": describe_mark(summary.highest),
        "worst": describe_mark(summary.lowest),
        "trend": compute_slope(summary.total_trend),
        "contests": summary.contests,
        "wins": summary.wins,
        "last_places": summary.last_places,
        "places": {int(place): count for place, count in sorted(summary.places.items())},
        "streaks": {name: getattr(summary.streaks, name) for name in summary.streaks.__slots__},
        "assisted": summary.assisted,
        "real_dice": summary.real_dice,
        **describe_counters(summary, perfect),
        "hours": [
            {"hour": hour, "games": sums.count, "average": compute_mean(sums)}
            for hour in range(HOURS)
            if (sums := summary.hours.get(str(hour)))
        ],
        "months": describe_months(summary),
        "review": describe_review(summary),
        "perfect": None
        if perfect is None
        else {"average": perfect.average, "spread": perfect.spread, "bonus_rate": perfect.bonus_rate},
    }


def describe_review(summary: Summary) -> dict[str, object]:
    """Describe what the reviews found so far."""
    return {
        "games": summary.lost.count,
        "lost": compute_mean(summary.lost, MILLI),
        "lost_spread": compute_spread(summary.lost, MILLI),
        "lost_trend": compute_slope(summary.lost_trend, MILLI),
        "luck": compute_mean(summary.luck, MILLI),
        "luck_spread": compute_spread(summary.luck, MILLI),
        "levels": dict(sorted(summary.levels.items())),
    }


def describe_counters(summary: Summary, perfect: PerfectPlay | None) -> dict[str, object]:
    """Describe what is counted beside totals: boxes, bonus, dice all alike; in rounds openings and losses."""
    counters = summary.counters
    means = perfect.boxes if perfect else {}
    boxes = [
        {
            "box": (box := name.removeprefix(BOX_PREFIX)),
            "games": sums.count,
            "average": compute_mean(sums),
            "perfect": means.get(box),
        }
        for name, sums in counters.items()
        if name.startswith(BOX_PREFIX)
    ]
    bonus = counters.get("bonus")
    return {
        "boxes": boxes,
        "bonus_rate": compute_mean(bonus) if bonus else None,
        **{
            name: sums.total
            for name in ("alike", "first_roll", "rounds", "round_losses", "opened", "survived")
            if (sums := counters.get(name))
        },
    }


def describe_months(summary: Summary) -> list[dict[str, object]]:
    """Describe how totals, points lost, luck and level went, month by month."""
    levels: dict[str, dict[str, int]] = {}
    for key, count in sorted(summary.level_months.items()):
        month, _, level = key.partition(" ")
        levels.setdefault(month, {})[level] = count
    return [
        {
            "month": month,
            "games": sums.count,
            "average": compute_mean(sums),
            "lost": compute_mean(summary.lost_months.get(month, Sums()), MILLI),
            "luck": compute_mean(summary.luck_months.get(month, Sums()), MILLI),
            "levels": levels.get(month, {}),
        }
        for month, sums in sorted(summary.months.items())
    ]


def describe_table_records(summary: Summary) -> dict[str, object]:
    return {
        "highest": describe_mark(summary.table_highest),
        "lowest_win": describe_mark(summary.table_lowest_win),
        "closest": describe_mark(summary.table_closest),
        "comeback": describe_mark(summary.table_comeback),
    }


def describe_versus(versus: Versus, is_first: bool) -> dict[str, object]:
    """Describe what two people did against each other, as one of them sees it."""
    own, other = (versus.first_ahead, versus.second_ahead), (versus.first_totals, versus.second_totals)
    best = (versus.first_best_win, versus.second_best_win)
    if not is_first:
        own, other, best = own[::-1], other[::-1], best[::-1]
    return {
        "games": versus.games,
        "last": None if versus.last is None else versus.last / MILLI,
        "ahead": own[0],
        "behind": own[1],
        "level": versus.level,
        "average": compute_mean(other[0]),
        "other_average": compute_mean(other[1]),
        "best_win": describe_mark(best[0]),
        "worst_loss": describe_mark(best[1]),
    }
