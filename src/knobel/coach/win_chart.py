"""Who was how likely to win, step by step through a sheet game: luck and choices in chances to win instead of points.

Before each step and after it everybody's chance to win is worked out under best play for points, ties shared. All
changes together are the result, 1 for the winner and 0 for the others, minus the chances at the start: exactly.

Turns that begin with ten or fewer open boxes are followed exactly, all moments of a turn in one pass; before that
chances are approximated. Where a player's column becomes exact, the difference is a change of its own.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import merge
from itertools import accumulate
from operator import attrgetter
from typing import TypeAlias, cast

import numpy as np

from knobel.coach.ledger import AGAINST_RULES, DICE, UNSEEN
from knobel.coach.total_moves import build_win_worth
from knobel.coach.win_chance import (
    EXACT_OPEN_BOXES,
    SeatPosition,
    approximate_final_total,
    complete_total,
    find_reached_total,
    is_playing,
    list_positions,
    require_coach,
)
from knobel.game import Announce, EnterDice, EnterPoints, Land, Leave, Roll, Score, is_against_rules
from knobel.games.sheet import SheetGame, SheetState
from knobel.record.replay import Replay
from knobel.record.track import GameTrack, Step
from knobel.solver.final_totals import PointsDistribution
from knobel.solver.known_totals import compute_all_totals

CHOICE, LEFT, MADE_EXACT = "choice", "left", "made_exact"
"""Where a change comes from, beside dice, turns nobody saw and entries against the rules."""

StopOrGoOn: TypeAlias = Callable[[float], None]
Shares: TypeAlias = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class WinChange:
    """How one step changed everybody's chance to win; `seat` is whose step it was, `turn` which of its turns."""

    kind: str
    event_number: int
    seat: int
    turn: int
    dice: tuple[int, ...]
    changes: Shares


@dataclass(frozen=True, slots=True)
class WinTurn:
    """Everybody's chance to win after a turn, whether it is exact, and the entry of the turn."""

    seat: int
    turn: int
    event_number: int
    box: str
    points: int
    shares: Shares
    exact: bool


@dataclass(frozen=True, slots=True)
class WinChart:
    """The chances to win of all seats: at the start, after each turn, and how each step changed them."""

    start: Shares
    start_exact: bool
    turns: tuple[WinTurn, ...]
    changes: tuple[WinChange, ...]
    final: Shares

    def find_choice_changes(self, seat: int) -> dict[int, float]:
        """Give what the choices of a seat changed its chance to win by, by the number of the event."""
        found = dict[int, float]()
        for one in self.changes:
            if one.seat == seat and one.kind == CHOICE:
                found[one.event_number] = found.get(one.event_number, 0.0) + one.changes[seat]
        return found


@dataclass(slots=True)
class Moment:
    """A step of one seat, with where the seat stands after it; the distributions are found turn by turn.

    `was_exact` says whether the turn is followed exactly, `is_same` that nothing has happened yet: dice leave the hand.
    """

    order: int
    seat: int
    turn: int
    step: Step
    position: SeatPosition
    was_exact: bool
    is_same: bool
    total: PointsDistribution | None = None
    exact_total: PointsDistribution | None = None


def chart_wins(replay: Replay, progress: StopOrGoOn | None = None, losses: Sequence[float] = ()) -> WinChart:
    """Follow a sheet game step by step; call it in a thread, and let `progress` raise to stop it.

    `losses` are the points each seat gives away in a turn on average, by default none: best play. Books and moments
    that are missing are worked out here: a server waits for them first.
    """
    starts = list_start_positions(replay, losses)
    moments = list_moments(replay, losses)
    totals = [find_total(seat) for seat in starts]
    follow_turns(moments, progress)
    return ChartWriter(totals, [not is_playing(seat) or is_exact(seat) for seat in starts]).write(moments)


def is_exact(seat: SeatPosition) -> bool:
    """Tell whether a turn of this column is followed exactly."""
    return len(seat.position.column.open_boxes) <= EXACT_OPEN_BOXES


def find_total(seat: SeatPosition) -> PointsDistribution:
    """Find the distribution of a seat's final total, exact where it is quick."""
    if not is_playing(seat):
        return find_reached_total(seat)
    return find_exact_totals([seat])[0] if is_exact(seat) else approximate_final_total(seat)


def list_start_positions(replay: Replay, losses: Sequence[float] = ()) -> list[SeatPosition]:
    """List where all seats stand before the first step."""
    found = []
    for seat in range(len(replay.header.seats)):
        track = replay.track(seat)
        position = list_positions(cast("SheetGame", track.game), track.start)[track.local_seat(seat)]
        found.append(replace(position, loss_per_turn=losses[seat] if losses else 0.0))
    return found


def list_moments(replay: Replay, losses: Sequence[float] = ()) -> list[Moment]:
    """List the steps of all seats in the order of the game; after a correction those that stand now."""
    tracks = (follow_track(track, losses) for track in replay.tracks)
    return list(merge(*tracks, key=attrgetter("order")))


def follow_track(track: GameTrack, losses: Sequence[float]) -> Iterator[Moment]:
    """Follow the steps of one game; the steps of a turn that was corrected are where the turn was."""
    game = cast("SheetGame", track.game)
    numbers = [step.number for step in track.steps]
    orders = list(accumulate(reversed(numbers), min))[::-1]
    turns = [1] * len(track.start.columns)
    for order, step in zip(orders, track.steps, strict=True):
        before: SheetState = step.before
        if step.action is None or (before.rolloff is not None and not isinstance(step.action, Leave)):
            continue
        local = step.action.seat if isinstance(step.action, Leave) else before.player
        seat = local if track.seat is None else track.seat
        position = replace(list_positions(game, step.after)[local], loss_per_turn=losses[seat] if losses else 0.0)
        yield Moment(
            order,
            seat,
            turns[local],
            step,
            position,
            was_exact=len(before.columns[local].open_boxes) <= EXACT_OPEN_BOXES,
            is_same=isinstance(step.action, Roll) and not before.dice,
        )
        turns[local] += isinstance(step.action, Score | EnterPoints)


def follow_turns(moments: Iterable[Moment], progress: StopOrGoOn | None) -> None:
    """Find the distributions of all moments, one turn after the other."""
    turns: dict[tuple[int, int], list[Moment]] = {}
    for moment in moments:
        turns.setdefault((moment.seat, moment.turn), []).append(moment)
    costs = [estimate_turn(turn) for turn in turns.values()]
    done = 0.0
    for turn, cost in zip(turns.values(), costs, strict=True):
        follow_turn(turn)
        done += cost
        if progress:
            progress(done / sum(costs))


def estimate_turn(turn: Sequence[Moment]) -> float:
    """Estimate how long a turn takes, compared with other turns: twice as long for each open box."""
    boxes = len(turn[0].step.before.columns[0].open_boxes)
    return 2.0**boxes if turn[0].was_exact else 1.0


def follow_turn(turn: Sequence[Moment]) -> None:
    """Find the distributions of the moments of one turn."""
    wanted = [one for one in turn if not one.is_same]
    playing = [one for one in wanted if is_playing(one.position)]
    for one in wanted:
        if not is_playing(one.position):
            one.total = find_reached_total(one.position)
    if playing and playing[0].was_exact:
        for one, total in zip(playing, find_exact_totals([one.position for one in playing]), strict=True):
            one.total = total
        return
    for one in playing:
        one.total = approximate_final_total(one.position)
        if is_exact(one.position):
            one.exact_total = find_total(one.position)


def find_exact_totals(seats: Sequence[SeatPosition]) -> list[PointsDistribution]:
    """Find the exact distributions of the final total of one seat at the moments of one turn."""
    coaches = [require_coach(seat) for seat in seats]
    found = compute_all_totals(coaches[0].book, [seat.position for seat in seats])
    return [complete_total(seat, to_come) for seat, to_come in zip(seats, found, strict=True)]


class ChartWriter:
    """Goes through the moments of a game; it knows everybody's distribution, and whether it is exact."""

    def __init__(self, totals: list[PointsDistribution], exact: list[bool]) -> None:
        self.totals = totals
        self.exact = exact
        self.left = set[int]()
        self.shares = compute_shares(totals, self.left)
        self.turns = list[WinTurn]()
        self.changes = list[WinChange]()

    def write(self, moments: Iterable[Moment]) -> WinChart:
        start, start_exact = self.shares, all(self.exact)
        for moment in moments:
            if moment.total is not None:
                self.take_step(moment, moment.total)
        return WinChart(start, start_exact, tuple(self.turns), tuple(self.changes), self.shares)

    def take_step(self, moment: Moment, total: PointsDistribution) -> None:
        """Note what a step changed, and the turn if it ends with it."""
        action, seat = moment.step.action, moment.seat
        if isinstance(action, Leave):
            self.left.add(seat)
        self.note_change(moment, total, name_kind(moment.step))
        self.exact[seat] = moment.was_exact or not is_playing(moment.position)
        if moment.exact_total is not None:
            self.note_change(moment, moment.exact_total, MADE_EXACT)
            self.exact[seat] = True
        if isinstance(action, Score | EnterPoints):
            local = moment.step.before.player
            points = moment.step.after.columns[local].entries[moment.position.rules.index[action.box]] or 0
            number = moment.step.number
            self.turns.append(WinTurn(seat, moment.turn, number, action.box, points, self.shares, all(self.exact)))

    def note_change(self, moment: Moment, total: PointsDistribution, kind: str) -> None:
        before, self.totals[moment.seat] = self.shares, total
        self.shares = compute_shares(self.totals, self.left)
        changes = tuple(now - then for now, then in zip(self.shares, before, strict=True))
        step = moment.step
        dice = step.after.dice if kind == DICE else step.before.dice
        self.changes.append(WinChange(kind, step.number, moment.seat, moment.turn, dice, changes))


def name_kind(step: Step) -> str:
    """Say where the change of a step comes from."""
    match step.action:
        case Score() | EnterPoints() if is_against_rules(step.action):
            return AGAINST_RULES
        case EnterPoints() | EnterDice():
            return UNSEEN
        case Land():
            return DICE
        case Roll() | Announce() | Score():
            return CHOICE
    return LEFT


def compute_shares(totals: Sequence[PointsDistribution], left: set[int]) -> Shares:
    """Give everybody's chance to win, ties shared; if all left, they are ranked among themselves."""
    staying = [seat for seat in range(len(totals)) if seat not in left] or list(range(len(totals)))
    lowest, highest = min(totals[one].lowest for one in staying), max(totals[one].highest for one in staying)
    rows = {seat: totals[seat].spread(lowest, highest) for seat in staying}
    found = [0.0] * len(totals)
    for seat, own in rows.items():
        others = np.array([row for one, row in rows.items() if one != seat]).reshape(-1, own.size)
        found[seat] = float(own @ build_win_worth(others, lowest).values)
    return tuple(found)
