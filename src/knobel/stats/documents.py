"""Summaries as JSON documents: equal summaries have equal texts."""

import json
from typing import Any, TypeVar

from knobel.stats.summary import RecordMark, Streaks, Summary, Sums, Trend
from knobel.stats.versus import Versus

T = TypeVar("T", Summary, Versus)
MARKS = {
    *("highest", "lowest", "table_highest", "table_lowest_win", "table_closest", "table_comeback"),
    *("first_best_win", "second_best_win"),
}
SUMS = {"totals", "lost", "luck", "first_totals", "second_totals"}
SUMS_BY_KEY = {"counters", "hours", "months", "lost_months", "luck_months"}
TRENDS = {"lost_trend", "total_trend"}
PARTS = (Sums, RecordMark, Trend, Streaks)
EMPTY = {kind: {name: getattr(kind(), name) for name in kind.__slots__} for kind in (Summary, Versus)}


def encode_summary(summary: Summary | Versus) -> str:
    """Write what differs from an empty summary, in a fixed order."""
    empty = EMPTY[type(summary)]
    found = {name: flatten(value) for name in summary.__slots__ if (value := getattr(summary, name)) != empty[name]}
    return json.dumps(found, sort_keys=True, separators=(",", ":"))


def flatten(value: Any) -> Any:
    """Write a value as plain lists and tables."""
    if isinstance(value, dict):
        return {key: flatten(item) for key, item in value.items()}
    return [getattr(value, name) for name in value.__slots__] if isinstance(value, PARTS) else value


def decode_summary(body: str, kind: type[T]) -> T:
    return kind(**{name: restore(name, value) for name, value in json.loads(body).items()})


def restore(name: str, value: Any) -> Any:
    """Read a value of a field back."""
    if name in MARKS:
        return RecordMark(*value)
    if name in SUMS:
        return Sums(*value)
    if name in TRENDS:
        return Trend(*value)
    if name == "streaks":
        return Streaks(*value)
    if name in SUMS_BY_KEY:
        return {key: Sums(*sums) for key, sums in value.items()}
    return tuple(value) if isinstance(value, list) else value
