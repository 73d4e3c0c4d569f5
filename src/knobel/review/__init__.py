"""A finished game looked at again: what it cost, what was luck, and why."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from knobel.coach import Coach, coach
from knobel.games.rounds import Rounds
from knobel.games.sheet import Sheet
from knobel.record.events import Acted, Back, Corrected, Record, StandIn, Undone
from knobel.record.replay import Replay
from knobel.review.columns import review_column
from knobel.review.ledger import Review
from knobel.review.rounds import review_rounds
from knobel.rules.ruleset import SheetRules

CoachOf: TypeAlias = Callable[[SheetRules], Coach]


def review(record: Record, replay: Replay, seat: int, coach_of: CoachOf = coach) -> Review:
    """Review one seat of a record that was played again; only what stands counts."""
    lane = replay.lane(seat)
    if isinstance(lane.game, Rounds):
        found = review_rounds(lane, seat)
    else:
        found = review_column(lane, seat, coach_of(rules_of(replay, seat)))
    numbers = {decision.number for decision in found.decisions}
    return replace(
        found,
        undone=taken_back(record, seat),
        stood_in=len(numbers & by_stand_in(record, seat)),
        corrected=sum(
            len(event.turns) for event in record.events if isinstance(event, Corrected) and event.seat == seat
        ),
    )


def rules_of(replay: Replay, seat: int) -> SheetRules:
    """Give the rules a seat of a score-sheet game plays by; beginners have their own."""
    lane = replay.lane(seat)
    game: Sheet = lane.game  # type: ignore[assignment]
    return game.rules_of(lane.within(seat))


def taken_back(record: Record, seat: int) -> int:
    """Count what a seat has taken back."""
    gone = [record.events[event.number - 1] for event in record.events if isinstance(event, Undone)]
    return sum(isinstance(event, Acted | Corrected) and event.seat == seat for event in gone)


def by_stand_in(record: Record, seat: int) -> set[int]:
    """Find the events of a seat that a stand-in made for it."""
    found, there = set[int](), False
    for number, event in enumerate(record.events, 1):
        match event:
            case StandIn() | Back() if event.seat == seat:
                there = isinstance(event, StandIn)
            case Acted() if event.seat == seat and there:
                found.add(number)
    return found


__all__ = ["Review", "review", "rules_of"]
