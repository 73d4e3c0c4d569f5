"""Reviews one seat of a record: what it cost, what was luck, and why."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from knobel.coach.families import find_family
from knobel.coach.ledger import Review
from knobel.coach.sheet import SheetCoach, open_coach
from knobel.record.events import Acted, Back, Corrected, Record, StandIn, Undone
from knobel.record.replay import Replay
from knobel.rules.sheet_rules import SheetRules

FindCoach: TypeAlias = Callable[[SheetRules], SheetCoach]


def review_seat(record: Record, replay: Replay, seat: int, find_coach: FindCoach = open_coach) -> Review:
    """Review one seat of a record that was replayed; entries that were undone do not count."""
    track, rules = replay.track(seat), find_book_rules(replay, seat)
    coach = find_coach(rules) if rules else None
    review = find_family(track.game).review(track.game, track, seat, coach)
    numbers = {decision.event_number for decision in review.decisions}
    return replace(
        review,
        undo_count=count_undone(record, seat),
        stand_in_count=len(numbers & find_stand_in_events(record, seat)),
        correction_count=sum(
            len(event.turns) for event in record.events if isinstance(event, Corrected) and event.seat == seat
        ),
    )


def find_book_rules(replay: Replay, seat: int) -> SheetRules | None:
    """Find the rules whose book the coach needs for a seat."""
    track = replay.track(seat)
    return find_family(track.game).find_rules(track.game, track.local_seat(seat))


def count_undone(record: Record, seat: int) -> int:
    undone = [record.events[event.number - 1] for event in record.events if isinstance(event, Undone)]
    return sum(isinstance(event, Acted | Corrected) and event.seat == seat for event in undone)


def find_stand_in_events(record: Record, seat: int) -> set[int]:
    """Find the numbers of the events that a stand-in made for a seat."""
    found, is_replaced = set[int](), False
    for number, event in enumerate(record.events, 1):
        match event:
            case StandIn() | Back() if event.seat == seat:
                is_replaced = isinstance(event, StandIn)
            case Acted() if event.seat == seat and is_replaced:
                found.add(number)
    return found


__all__ = ["Review", "find_book_rules", "review_seat"]
