"""A finished game looked at again: what it cost, what was luck, and why."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from knobel.coach.ledger import Review
from knobel.coach.round_review import review_rounds
from knobel.coach.sheet import SheetCoach, open_coach
from knobel.coach.sheet_review import review_column
from knobel.games.rounds import RoundsGame
from knobel.games.sheet import SheetGame
from knobel.record.events import Acted, Back, Corrected, Record, StandIn, Undone
from knobel.record.replay import Replay
from knobel.rules.sheet_rules import SheetRules

FindCoach: TypeAlias = Callable[[SheetRules], SheetCoach]


def review_seat(record: Record, replay: Replay, seat: int, find_coach: FindCoach = open_coach) -> Review:
    """Review one seat of a record that was played again; only what stands counts."""
    lane = replay.track(seat)
    if isinstance(lane.game, RoundsGame):
        found = review_rounds(lane, seat)
    else:
        found = review_column(lane, seat, find_coach(find_seat_rules(replay, seat)))
    numbers = {decision.event_number for decision in found.decisions}
    return replace(
        found,
        undo_count=count_undone(record, seat),
        stand_in_count=len(numbers & find_stand_in_events(record, seat)),
        correction_count=sum(
            len(event.turns) for event in record.events if isinstance(event, Corrected) and event.seat == seat
        ),
    )


def find_seat_rules(replay: Replay, seat: int) -> SheetRules:
    """Give the rules a seat of a score-sheet game plays by; beginners have their own."""
    lane = replay.track(seat)
    game: SheetGame = lane.game  # type: ignore[assignment]
    return game.rules_for(lane.local_seat(seat))


def count_undone(record: Record, seat: int) -> int:
    """Count what a seat has taken back."""
    gone = [record.events[event.number - 1] for event in record.events if isinstance(event, Undone)]
    return sum(isinstance(event, Acted | Corrected) and event.seat == seat for event in gone)


def find_stand_in_events(record: Record, seat: int) -> set[int]:
    """Find the events of a seat that a stand-in made for it."""
    found, there = set[int](), False
    for number, event in enumerate(record.events, 1):
        match event:
            case StandIn() | Back() if event.seat == seat:
                there = isinstance(event, StandIn)
            case Acted() if event.seat == seat and there:
                found.add(number)
    return found


__all__ = ["Review", "find_seat_rules", "review_seat"]
