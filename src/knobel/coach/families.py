"""How the coach treats each family of games: what it needs solved, how it reviews a seat and how it advises."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from knobel.coach.advice import Advice, advise_round, advise_sheet
from knobel.coach.ledger import PERCENT, POINTS, Review
from knobel.coach.round_review import review_rounds
from knobel.coach.sheet_review import review_column
from knobel.coach.table_chances import (
    SeatInGame,
    TableChances,
    list_no_positions,
    list_seat_positions,
    tell_no_chances,
    tell_round_chances,
    tell_win_chances,
)
from knobel.coach.win_chance import SeatPosition
from knobel.coach.win_chart import WinChart, chart_wins
from knobel.game import Game
from knobel.games.sheet import SheetGame
from knobel.record.duplicate import is_duplicate
from knobel.record.replay import Replay
from knobel.record.track import GameTrack
from knobel.rules.families import ROUNDS, SHEET
from knobel.rules.sheet_rules import SheetRules


@dataclass(frozen=True, slots=True)
class CoachFamily:
    """One family of games: the unit of its values, and what to call.

    `find_rules` gives the rules whose book the coach opens for a seat, or None where none is needed; `review` and
    `advise` get the coach that has it open, or None. `tell_chances` says how it will end for everybody at a table, once
    what `list_positions` gives can be looked up; `chart_wins` follows that through a whole game, if it can.
    """

    unit: str
    find_rules: Callable[[Any, int], SheetRules | None]
    review: Callable[[Any, GameTrack, int, Any], Review]
    advise: Callable[[Any, Any, Any], tuple[Advice, ...]]
    list_positions: Callable[[Sequence[SeatInGame]], tuple[SeatPosition, ...]] = list_no_positions
    tell_chances: Callable[[Sequence[SeatInGame]], TableChances | None] = tell_no_chances
    chart_wins: Callable[..., WinChart] | None = None


def find_family(game: Game[Any]) -> CoachFamily:
    return FAMILIES[game.rules.family]


def find_chart_maker(replay: Replay) -> Callable[..., WinChart] | None:
    """Find what follows the chances to win through a game.

    A game of one has none, and neither has a duplicate game: turns with the same dice count at once, in no order.
    """
    if len(replay.header.seats) < 2 or is_duplicate(replay.header):
        return None
    return find_family(replay.track(0).game).chart_wins


def find_seat_rules(game: SheetGame, seat: int) -> SheetRules:
    """Give the rules a seat plays by: beginners have their own."""
    return game.rules_for(seat)


FAMILIES: dict[str, CoachFamily] = {
    SHEET: CoachFamily(
        POINTS,
        find_seat_rules,
        review_column,
        advise_sheet,
        list_seat_positions,
        tell_win_chances,
        chart_wins,
    ),
    ROUNDS: CoachFamily(
        PERCENT,
        lambda game, seat: None,  # noqa: ARG005
        review_rounds,
        advise_round,
        tell_chances=tell_round_chances,
    ),
}
