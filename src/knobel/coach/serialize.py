"""A review as plain values, for machines and for windows; whoever asks brings a tongue."""

from collections.abc import Callable
from typing import TypeAlias

from knobel.coach.ledger import Decision, LuckEvent, Review, ReviewPart, TurnSummary
from knobel.coach.sheet import Outlook
from knobel.phrase import Phrase, phrase

Translate: TypeAlias = Callable[[Phrase], str]
REASON_SEPARATOR = phrase("coach.report.join")
"""What stands between two reasons."""


def serialize_review(review: Review, say: Translate, separator: str | None = None) -> dict[str, object]:
    """Write a review; its reasons are joined as whoever says them likes."""
    return {
        **serialize_headline(review),
        "unit": review.unit,
        "over": review.finished,
        "written": review.scored,
        "rest": review.still_expected,
        "unseen": review.unseen_luck,
        "undone": review.undo_count,
        "stood_in": review.stand_in_count,
        "corrected": review.correction_count,
        "bent": review.against_rules_count,
        "in_book": review.in_book,
        "decisions": [serialize_decision(review, decision, say, separator) for decision in review.decisions],
        "rolls": [serialize_luck_event(roll) for roll in review.luck_events],
        "turns": [serialize_turn(line) for line in review.turn_summaries],
        "parts": [serialize_part(part) for part in review.parts],
    }


def serialize_headline(review: Review) -> dict[str, object]:
    """Write the ledger in one line: final = par + luck - lost."""
    return {
        "player": review.seat + 1,
        "par": review.par,
        "luck": review.luck,
        "lost": review.lost,
        "final": review.final,
        "class": review.rating,
    }


def serialize_decision(
    review: Review, decision: Decision, say: Translate, separator: str | None = None
) -> dict[str, object]:
    """Write a decision; the numbers behind its reasons beside it."""
    compared = decision.comparison
    boxes = [box for box, _ in review.entries]
    numbers = {
        "best": serialize_outlook(compared.best, boxes) if compared else None,
        "played": serialize_outlook(compared.played, boxes) if compared else None,
    }
    return {
        "event": decision.event_number,
        "turn": decision.turn,
        "throw": decision.roll_number,
        "dice": decision.dice,
        "played": say(decision.played),
        "best": say(decision.best),
        "action": decision.action,
        "best_action": decision.best_action,
        "value": decision.value,
        "loss": decision.loss,
        "grade": decision.grade,
        "why": (separator or say(REASON_SEPARATOR)).join(say(reason) for reason in decision.reasons),
        **({"numbers": numbers} if compared else {}),
    }


def serialize_outlook(outlook: Outlook, boxes: list[str]) -> dict[str, object]:
    """Write what a move leads to, by box as far as there is anything to tell."""
    means = outlook.final_means or (None,) * len(boxes)
    rows = zip(boxes, outlook.chances, outlook.turn_means, means, strict=True)
    return {
        "bonus": outlook.bonus_chance,
        "zero": outlook.zero_chance,
        "boxes": {
            box: {"chance": chance, "now": now, "mean": mean}
            for box, chance, now, mean in rows
            if chance or now or mean
        },
    }


def serialize_luck_event(event: LuckEvent) -> dict[str, object]:
    """Write a roll, a turn nobody saw, or what the others did."""
    return {
        "kind": event.kind,
        "event": event.event_number,
        "turn": event.turn,
        "throw": event.roll_number,
        "dice": event.dice,
        "luck": event.luck,
        "grade": event.grade,
    }


def serialize_turn(turn: TurnSummary) -> dict[str, object]:
    """Write a turn in one line."""
    return {
        "turn": turn.turn,
        "luck": turn.luck,
        "lost": turn.lost,
        "value": turn.value,
        "box": turn.box,
        "points": turn.points,
    }


def serialize_part(part: ReviewPart) -> dict[str, object]:
    """Write the ledger of a part of a game of rounds."""
    return {
        "kind": part.kind,
        "turn": part.turn,
        "players": part.players,
        "par": part.par,
        "luck": part.luck,
        "lost": part.lost,
        "final": part.final,
        "closed": part.closed,
    }
