"""Who will win: the chance of every player to win, to tie and to come in at each place, at any moment of a sheet game.

Everybody's final total has a distribution of its own that does not depend on the others: all play for points. It is
exact where few boxes are open or where it was worked out before, and otherwise approximated from its mean, variance
and skewness; `WinChances.exact` says which.

    positions = list_positions(game, state)
    chances = compute_win_chances(positions)             # at once
    requests = list_exact_requests(positions)            # for the solve queue; then ask again: exact
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from knobel.coach.sheet import SheetCoach, add_points_so_far, open_coach
from knobel.dice import sort_dice
from knobel.errors import NotInBook
from knobel.game import CHANCE
from knobel.games.sheet import SheetGame, SheetState
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.approximate_totals import approximate_points_to_come
from knobel.solver.arrays import Floats
from knobel.solver.column_position import ColumnPosition, TurnPosition
from knobel.solver.final_totals import PointsDistribution
from knobel.solver.known_totals import build_request, compute_totals, find_known_totals
from knobel.solver.lost_points import subtract_losses
from knobel.solver.moments import open_moments
from knobel.solver.request import BOOK, MOMENTS, SolveRequest

EXACT_OPEN_BOXES = 10
"""With so many open boxes or fewer the exact distribution is worked out at once: it takes about a tenth of a second."""


@dataclass(frozen=True, slots=True)
class SeatPosition:
    """Where a seat stands: its rules, its column and its turn.

    Who left ranks behind all who stayed. `loss_per_turn` is how many points this person gives away in a turn on
    average; 0 is best play.
    """

    rules: SheetRules
    position: ColumnPosition
    has_left: bool = False
    loss_per_turn: float = 0.0

    @property
    def points_so_far(self) -> int:
        """What is scored, without the bonus, which is among the points to come."""
        return add_points_so_far(self.rules, self.position.column)


@dataclass(frozen=True, slots=True)
class SeatChances:
    """The chances of one player.

    `win` is to be first alone, `tie` to be first with others; `share` counts a tie by the part of it that is one's own,
    so that all shares add up to 1. `places` are the chances of each place from the first on; who tie share theirs.
    """

    win: float
    tie: float
    share: float
    places: tuple[float, ...]
    expected_total: float


@dataclass(frozen=True, slots=True)
class WinChances:
    """The chances of all players by seat, and whether they are exact or approximated."""

    players: tuple[SeatChances, ...]
    exact: bool


def list_positions(game: SheetGame, state: SheetState, losses: Sequence[float] = ()) -> tuple[SeatPosition, ...]:
    """List where all seats of a game stand; `losses` are the points each gives away in a turn, if that is asked."""
    return tuple(
        SeatPosition(
            game.rules_for(seat),
            ColumnPosition(column, read_turn(game.rules_for(seat), state) if seat == state.player else TurnPosition()),
            seat in state.left,
            losses[seat] if losses else 0.0,
        )
        for seat, column in enumerate(state.columns)
    )


def read_turn(rules: SheetRules, state: SheetState) -> TurnPosition:
    """Say where the turn of the player stands; the roll-off for the start is not part of one."""
    if state.seat is None or state.rolloff:
        return TurnPosition()
    kept = None
    if state.seat == CHANCE:
        kept = sort_dice(die for place, die in enumerate(state.dice) if place not in state.rolling)
    turn = TurnPosition(
        hand=state.hand,
        rolls_left=rules.rolls - state.rolls_used,
        kept=kept,
        locked=sort_dice(state.dice[place] for place in state.locked) if state.dice else (),
        announced=state.announced,
    )
    return turn if turn.has_begun else TurnPosition()


def compute_win_chances(positions: Sequence[SeatPosition], exact_open_boxes: int = EXACT_OPEN_BOXES) -> WinChances:
    """Work out everybody's chances, as exactly as is possible at once; call it in a thread.

    Books and moments that are missing are worked out here: a server waits for `list_needed_requests` first.
    """
    found = [find_final_total(seat, exact_open_boxes) for seat in positions]
    exact = all(is_exact for _, is_exact in found)
    return WinChances(rank_players([total for total, _ in found], [seat.has_left for seat in positions]), exact)


def find_final_total(seat: SeatPosition, exact_open_boxes: int = EXACT_OPEN_BOXES) -> tuple[PointsDistribution, bool]:
    """Find the distribution of a seat's final total, and whether it is exact."""
    if not is_playing(seat):
        return find_reached_total(seat), True
    request = build_request(seat.rules, seat.position)
    if find_known_totals(request) is None and seat.position.open_boxes > exact_open_boxes:
        return approximate_final_total(seat), False
    return complete_total(seat, compute_totals(require_coach(seat).book, request)), True


def find_reached_total(seat: SeatPosition) -> PointsDistribution:
    """Give the final total of a seat that plays no more."""
    bonus, entries = seat.rules.bonus, seat.position.column.entries
    upper = sum(points or 0 for box, points in zip(seat.rules.boxes, entries, strict=True) if box.upper)
    earned = bonus.points if bonus and bonus.is_earned(upper) else 0
    return PointsDistribution(seat.points_so_far + earned, np.ones(1))


def approximate_final_total(seat: SeatPosition) -> PointsDistribution:
    """Approximate the distribution of a seat's final total from its moments."""
    moments = open_moments(require_coach(seat).book)
    return complete_total(seat, approximate_points_to_come(moments, seat.position))


def complete_total(seat: SeatPosition, to_come: PointsDistribution) -> PointsDistribution:
    """Turn points to come under best play into a final total: what is lost on average is taken away."""
    if seat.loss_per_turn > 0:
        to_come = subtract_losses(to_come, len(seat.position.column.open_boxes), seat.loss_per_turn)
    return to_come.shift(seat.points_so_far)


def require_coach(seat: SeatPosition) -> SheetCoach:
    coach = open_coach(seat.rules)
    if not coach.has_column(seat.position.column):
        raise NotInBook
    return coach


def list_needed_requests(
    positions: Sequence[SeatPosition], exact_open_boxes: int = EXACT_OPEN_BOXES
) -> tuple[SolveRequest, ...]:
    """List what must be solved before chances can be given at once: books, and moments where many boxes are open."""
    most_open: dict[SheetRules, int] = {}
    for seat in filter(is_playing, positions):
        most_open[seat.rules] = max(seat.position.open_boxes, most_open.get(seat.rules, 0))
    return tuple(
        SolveRequest(rules, MOMENTS if boxes > exact_open_boxes else BOOK) for rules, boxes in most_open.items()
    )


def list_exact_requests(
    positions: Sequence[SeatPosition], exact_open_boxes: int = EXACT_OPEN_BOXES
) -> tuple[SolveRequest, ...]:
    """List what the solve queue has to work out so that the chances of just these positions are exact."""
    requests = [
        build_request(seat.rules, seat.position)
        for seat in positions
        if is_playing(seat) and seat.position.open_boxes > exact_open_boxes
    ]
    return tuple(one for one in dict.fromkeys(requests) if find_known_totals(one) is None)


def is_playing(seat: SeatPosition) -> bool:
    return not seat.has_left and not seat.position.column.is_full


def rank_players(totals: Sequence[PointsDistribution], have_left: Sequence[bool] = ()) -> tuple[SeatChances, ...]:
    """Rank players by independent final totals; those who left are ranked among themselves, behind all others."""
    left = list(have_left) or [False] * len(totals)
    ranked: dict[int, SeatChances] = {}
    staying = [seat for seat in range(len(totals)) if not left[seat]]
    leaving = [seat for seat in range(len(totals)) if left[seat]]
    for seats, better in ((staying, 0), (leaving, len(staying))):
        for seat, joint in zip(seats, count_better_and_equal([totals[one] for one in seats]), strict=True):
            ranked[seat] = describe_chances(joint, better, len(totals), totals[seat].mean)
    return tuple(ranked[seat] for seat in range(len(totals)))


def count_better_and_equal(totals: Sequence[PointsDistribution]) -> list[Floats]:
    """Give for each player how likely so many others have more points, a row, and so many equally many, a column.

    The others are counted one after the other, separately for each total a player may have.
    """
    if not totals:
        return []
    lowest, highest = min(one.lowest for one in totals), max(one.highest for one in totals)
    equal = np.array([one.spread(lowest, highest) for one in totals])
    fewer = np.cumsum(equal, axis=1) - equal
    more = np.cumsum(equal[:, ::-1], axis=1)[:, ::-1] - equal
    found = []
    for player, own in enumerate(equal):
        counts = np.zeros((len(totals), len(totals), own.size))
        counts[0, 0] = own
        for number, other in enumerate(one for one in range(len(totals)) if one != player):
            known = counts[: number + 1, : number + 1].copy()
            counts[: number + 1, : number + 1] = known * fewer[other]
            counts[1 : number + 2, : number + 1] += known * more[other]
            counts[: number + 1, 1 : number + 2] += known * equal[other]
        found.append(counts.sum(axis=2))
    return found


def describe_chances(joint: Floats, better: int, players: int, expected_total: float) -> SeatChances:
    """Turn the chances of so many better and equal others into places; `better` are those who are better anyway."""
    places = np.zeros(players)
    for more, equal in np.argwhere(joint > 0):
        places[better + more : better + more + equal + 1] += joint[more, equal] / (equal + 1)
    is_first = better == 0
    return SeatChances(
        win=float(joint[0, 0]) if is_first else 0.0,
        tie=float(joint[0, 1:].sum()) if is_first else 0.0,
        share=float(places[0]),
        places=tuple(places.tolist()),
        expected_total=expected_total,
    )
