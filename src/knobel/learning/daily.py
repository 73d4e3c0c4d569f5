"""The position of the day: the same for everybody at the same UTC date, without a server; and streaks of days."""

from collections.abc import Collection
from datetime import UTC, date, datetime, timedelta
from typing import Any

from knobel.game import Game
from knobel.learning.generator import PuzzleGenerator, Watcher
from knobel.learning.puzzle import Puzzle

DAY = timedelta(days=1)
FORGIVEN_DAYS = 1
"""So many days in a row may be missed without ending a streak."""


def name_day(at: float) -> str:
    """Name the UTC date of a moment, in whatever time zone the machine is."""
    return datetime.fromtimestamp(at, UTC).date().isoformat()


def list_open_days(at: float) -> tuple[str, str]:
    """List the days that can still be answered or played: today, and yesterday for what was begun before midnight."""
    return name_day(at), name_day(at - DAY.total_seconds())


def find_position_of_day(game: Game[Any], coach: Any, day: str, watch: Watcher | None = None) -> Puzzle:
    """Find the position of a day; it follows from the date, the rules and the version of the generator alone."""
    return PuzzleGenerator(game, coach, f"day {day}").find_puzzle(0, watch=watch)


def count_streak(days: Collection[str], today: str) -> int:
    """Count the days of the streak that reaches today, or yesterday while today may still come."""
    known = sorted((date.fromisoformat(day) for day in set(days) if day <= today), reverse=True)
    length, last = 0, date.fromisoformat(today)
    for day in known:
        if last - day > (1 + FORGIVEN_DAYS) * DAY:
            break
        length, last = length + 1, day
    return length
