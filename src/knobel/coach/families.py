"""How the coach treats each family of games: what it needs solved, how it reviews a seat and how it advises."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from knobel.coach.advice import Advice, advise_round, advise_sheet
from knobel.coach.ledger import PERCENT, POINTS, Review
from knobel.coach.round_review import review_rounds
from knobel.coach.sheet_review import review_column
from knobel.game import Game
from knobel.games.sheet import SheetGame
from knobel.record.track import GameTrack
from knobel.rules.families import ROUNDS, SHEET
from knobel.rules.sheet_rules import SheetRules


@dataclass(frozen=True, slots=True)
class CoachFamily:
    """One family of games: the unit of its values, and what to call.

    `find_rules` gives the rules whose book the coach opens for a seat, or None where none is needed; `review` and
    `advise` get the coach that has it open, or None.
    """

    unit: str
    find_rules: Callable[[Any, int], SheetRules | None]
    review: Callable[[Any, GameTrack, int, Any], Review]
    advise: Callable[[Any, Any, Any], tuple[Advice, ...]]


def find_family(game: Game[Any]) -> CoachFamily:
    return FAMILIES[game.rules.family]


def find_seat_rules(game: SheetGame, seat: int) -> SheetRules:
    """Give the rules a seat plays by: beginners have their own."""
    return game.rules_for(seat)


FAMILIES: dict[str, CoachFamily] = {
    SHEET: CoachFamily(POINTS, find_seat_rules, review_column, advise_sheet),
    ROUNDS: CoachFamily(PERCENT, lambda game, seat: None, review_rounds, advise_round),  # noqa: ARG005
}
