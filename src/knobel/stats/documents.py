"""Summaries as JSON documents: equal summaries have equal texts."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
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


def encode_summary(summary: Summary | Versus) -> str:
    """Write what differs from an empty summary, in a fixed order."""
    empty = type(summary)()
    found = {
        one.name: flatten(value)
        for one in fields(summary)
        if (value := getattr(summary, one.name)) != getattr(empty, one.name)
    }
    return json.dumps(found, sort_keys=True, separators=(",", ":"))


def flatten(value: Any) -> Any:
    """Write a value as plain lists and tables."""
    if is_dataclass(value):
        return [getattr(value, one.name) for one in fields(value)]
    if isinstance(value, Mapping):
        return {key: flatten(item) for key, item in value.items()}
    return value


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
