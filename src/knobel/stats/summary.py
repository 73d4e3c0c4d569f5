"""Summaries: what the results of one person, or of everybody, add up to in one edition.

A summary is kept as whole numbers alone, so that it is the same however it came about: game by game, or all at once.
Only streaks depend on the order of games; they are counted in the order in which the games ended.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

DAY_SECONDS = 86400
FIRST_DAY = 20_000
"""Days of a trend are counted from here (October 2024), so that their squares stay small."""
MILLI = 1000


@dataclass(frozen=True, slots=True)
class SeatScore:
    """One seat of a finished game, as far as statistics need it; `luck` and `lost` are thousandths."""

    seat: int
    person: str | None
    total: int
    place: int
    counts: bool
    detail: Mapping[str, int]
    assisted: bool = False
    real_dice: bool = False
    luck: int | None = None
    lost: int | None = None
    level: str | None = None


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game; `has_totals` says that totals are points."""

    game: str
    edition: str
    fingerprint: str
    ended: float
    has_totals: bool
    seats: tuple[SeatScore, ...]

    @property
    def key(self) -> tuple[int, str]:
        """Its place in time."""
        return int(self.ended * MILLI), self.game


@dataclass(frozen=True, slots=True, order=True)
class RecordMark:
    """A record: its value, and when, in which game and on which seat it was set; of equal ones the first counts."""

    value: int
    at: int
    game: str
    seat: int


@dataclass(frozen=True, slots=True)
class Sums:
    """How many numbers there were, their sum, and the sum of their squares."""

    count: int = 0
    total: int = 0
    squares: int = 0

    def add(self, value: int) -> "Sums":
        return Sums(self.count + 1, self.total + value, self.squares + value * value)


@dataclass(frozen=True, slots=True)
class Trend:
    """What a straight line through numbers over days needs."""

    count: int = 0
    days: int = 0
    values: int = 0
    products: int = 0
    day_squares: int = 0

    def add(self, day: int, value: int) -> "Trend":
        return Trend(
            self.count + 1,
            self.days + day,
            self.values + value,
            self.products + day * value,
            self.day_squares + day * day,
        )


@dataclass(frozen=True, slots=True)
class Streaks:
    """Games won in a row: now and at most; games lost in a row likewise."""

    wins: int = 0
    most_wins: int = 0
    losses: int = 0
    most_losses: int = 0

    def add(self, won: bool) -> "Streaks":
        wins, losses = (self.wins + 1, 0) if won else (0, self.losses + 1)
        return Streaks(wins, max(self.most_wins, wins), losses, max(self.most_losses, losses))


NO_SUMS, NO_TREND, NO_STREAKS = Sums(), Trend(), Streaks()


@dataclass(slots=True)
class Summary:
    """Everything that is kept of many games; it grows with each, because that happens very often."""

    games: int = 0
    first: int | None = None
    last: tuple[int, str] | None = None
    totals: Sums = NO_SUMS
    highest: RecordMark | None = None
    lowest: RecordMark | None = None
    contests: int = 0
    """Games against others; only these are won or lost."""
    wins: int = 0
    last_places: int = 0
    places: dict[str, int] = field(default_factory=dict)
    streaks: Streaks = NO_STREAKS
    assisted: int = 0
    real_dice: int = 0
    counters: dict[str, Sums] = field(default_factory=dict)
    hours: dict[str, Sums] = field(default_factory=dict)
    months: dict[str, Sums] = field(default_factory=dict)
    rulesets: dict[str, int] = field(default_factory=dict)
    lost: Sums = NO_SUMS
    luck: Sums = NO_SUMS
    lost_trend: Trend = NO_TREND
    total_trend: Trend = NO_TREND
    lost_months: dict[str, Sums] = field(default_factory=dict)
    luck_months: dict[str, Sums] = field(default_factory=dict)
    levels: dict[str, int] = field(default_factory=dict)
    level_months: dict[str, int] = field(default_factory=dict)
    """By month and level, as `2026-11 expert`."""
    table_highest: RecordMark | None = None
    table_lowest_win: RecordMark | None = None
    table_closest: RecordMark | None = None
    table_comeback: RecordMark | None = None


class OutOfOrder(Exception):
    """A game ended before one that is counted already: streaks must be counted again."""


def add_game(summary: Summary, game: FinishedGame, seat: SeatScore | None) -> None:
    """Count a game: for the person on a seat, or without a seat for everybody."""
    key = game.key
    if seat is not None and summary.last is not None and key < summary.last:
        raise OutOfOrder
    summary.games += 1
    summary.first = key[0] if summary.first is None else min(summary.first, key[0])
    summary.last = key if summary.last is None else max(summary.last, key)
    count_key(summary.rulesets, game.fingerprint)
    add_table_records(summary, game)
    if seat is not None:
        add_seat(summary, game, seat)


def add_seat(summary: Summary, game: FinishedGame, seat: SeatScore) -> None:
    """Count what a seat did in a game."""
    if len(game.seats) > 1:
        won, is_last = seat.place == 1, seat.place == max(other.place for other in game.seats)
        summary.contests += 1
        summary.wins += won
        summary.last_places += is_last and not won
        count_key(summary.places, str(seat.place))
        summary.streaks = summary.streaks.add(won)
    for name, value in seat.detail.items():
        add_to(summary.counters, name, value)
    summary.assisted += seat.assisted
    summary.real_dice += seat.real_dice
    add_to(summary.hours, str(datetime.fromtimestamp(game.ended, UTC).hour), seat.total)
    add_to(summary.months, name_month(game.ended), seat.total)
    if game.has_totals:
        mark = RecordMark(seat.total, game.key[0], game.game, seat.seat)
        summary.totals = summary.totals.add(seat.total)
        summary.total_trend = summary.total_trend.add(count_days(game.ended), seat.total)
        summary.highest = choose_higher(summary.highest, mark)
        summary.lowest = choose_lower(summary.lowest, mark)


def add_review(summary: Summary, game: FinishedGame, seat: SeatScore) -> None:
    """Count what the review of a seat found; one that found nothing counts for nothing."""
    if seat.lost is None or seat.luck is None:
        return
    month = name_month(game.ended)
    if seat.level is not None:
        count_key(summary.levels, seat.level)
        count_key(summary.level_months, f"{month} {seat.level}")
    summary.lost = summary.lost.add(seat.lost)
    summary.luck = summary.luck.add(seat.luck)
    summary.lost_trend = summary.lost_trend.add(count_days(game.ended), seat.lost)
    add_to(summary.lost_months, month, seat.lost)
    add_to(summary.luck_months, month, seat.luck)


def add_table_records(summary: Summary, game: FinishedGame) -> None:
    """Compare a game with the records of the table: points of everybody who played there to the end."""
    seats = [seat for seat in game.seats if seat.counts]
    if not game.has_totals or not seats:
        return
    at = game.key[0]
    best = max(seats, key=lambda seat: seat.total)
    summary.table_highest = choose_higher(summary.table_highest, RecordMark(best.total, at, game.game, best.seat))
    winners = [seat for seat in game.seats if seat.place == 1]
    if len(game.seats) == 1 or not winners:
        return
    winner = winners[0]
    lowest = RecordMark(winner.total, at, game.game, winner.seat)
    summary.table_lowest_win = choose_lower(summary.table_lowest_win, lowest)
    if len(winners) == 1:
        margin = winner.total - max(seat.total for seat in game.seats if seat is not winner)
        summary.table_closest = choose_lower(summary.table_closest, RecordMark(margin, at, game.game, winner.seat))
    for seat in winners:
        if behind := seat.detail.get("comeback"):
            mark = RecordMark(behind, at, game.game, seat.seat)
            summary.table_comeback = choose_higher(summary.table_comeback, mark)


def merge_table_records(summaries: Sequence[Summary]) -> Summary:
    """Give the records of several people together."""
    found = Summary()
    for one in summaries:
        found.table_highest = choose_higher(found.table_highest, one.table_highest)
        found.table_lowest_win = choose_lower(found.table_lowest_win, one.table_lowest_win)
        found.table_closest = choose_lower(found.table_closest, one.table_closest)
        found.table_comeback = choose_higher(found.table_comeback, one.table_comeback)
    return found


def choose_higher(mark: RecordMark | None, other: RecordMark | None) -> RecordMark | None:
    """Give the higher of two records, of equal ones the earlier."""
    if mark is None or other is None:
        return mark or other
    return min(mark, other, key=lambda one: (-one.value, one.at, one.game, one.seat))


def choose_lower(mark: RecordMark | None, other: RecordMark | None) -> RecordMark | None:
    """Give the lower of two records, of equal ones the earlier."""
    return (mark or other) if mark is None or other is None else min(mark, other)


def count_key(counts: dict[str, int], key: str) -> None:
    counts[key] = counts.get(key, 0) + 1


def add_to(sums: dict[str, Sums], key: str, value: int) -> None:
    sums[key] = sums.get(key, NO_SUMS).add(value)


def name_month(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m")


def count_days(moment: float) -> int:
    return int(moment // DAY_SECONDS) - FIRST_DAY
