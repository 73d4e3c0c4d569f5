"""A review as JSON values, for programs and for the browser; the caller chooses the language."""

from collections.abc import Callable
from typing import TypeAlias

from knobel.coach.ledger import Decision, Headline, LuckEvent, Review, ReviewPart, TurnSummary
from knobel.coach.rating import RatedPlay
from knobel.coach.sheet import Outlook
from knobel.phrase import Phrase, phrase

Translate: TypeAlias = Callable[[Phrase], str]
REASON_SEPARATOR = phrase("coach.report.join")
"""The text between two reasons."""


def serialize_review(review: Review, say: Translate, separator: str | None = None) -> dict[str, object]:
    """Serialize a review; its reasons are joined by the separator, by default that of the language."""
    return {
        **serialize_headline(review),
        "headlines": [serialize_ledger(one) for one in review.headlines],
        "unit": review.unit,
        "over": review.finished,
        "written": review.scored,
        "rest": review.still_expected,
        "unseen": review.unseen_luck,
        "undone": review.undo_count,
        "stood_in": review.stand_in_count,
        "corrected": review.correction_count,
        "against_rules": review.against_rules_count,
        "in_book": review.in_book,
        "decisions": [serialize_decision(review, decision, say, separator) for decision in review.decisions],
        "rolls": [serialize_luck_event(event) for event in review.luck_events],
        "turns": [serialize_turn(turn) for turn in review.turn_summaries],
        "parts": [serialize_part(part) for part in review.parts],
    }


def serialize_headline(review: Review) -> dict[str, object]:
    """Serialize the ledger: final = par + luck - lost."""
    return {
        "player": review.seat + 1,
        "par": review.par,
        "luck": review.luck,
        "lost": review.lost,
        "final": review.final,
        "class": review.level,
        "level": serialize_level(review.rated_play) if review.rated_play else None,
    }


def serialize_level(play: RatedPlay) -> dict[str, object]:
    """Serialize how well somebody played: 0 is best play, 1 random moves; the limits are those of 80 %."""
    return {
        "class": play.level,
        "best": play.best_level,
        "worst": play.worst_level,
        "share": play.share,
        "limits": play.limits,
        "decisions": play.count,
        "rate": play.rate,
        "random_rate": play.random_rate,
    }


def serialize_ledger(line: Headline) -> dict[str, object]:
    """Serialize one headline: final = par + luck - lost."""
    return {
        "kind": line.kind,
        "n": line.count,
        "par": line.par,
        "luck": line.luck,
        "lost": line.lost,
        "final": line.final,
        "adjusted": line.adjusted,
        "error": line.error,
    }


def serialize_decision(
    review: Review, decision: Decision, say: Translate, separator: str | None = None
) -> dict[str, object]:
    """Serialize a decision with the numbers behind its reasons."""
    comparison = decision.comparison
    boxes = [box for box, _ in review.entries]
    numbers = {
        "best": serialize_outlook(comparison.best, boxes) if comparison else None,
        "played": serialize_outlook(comparison.played, boxes) if comparison else None,
    }
    return {
        "event": decision.event_number,
        "turn": decision.turn,
        "roll": decision.roll_number,
        "dice": decision.dice,
        "played": say(decision.played),
        "best": say(decision.best),
        "action": decision.action,
        "best_action": decision.best_action,
        "value": decision.value,
        "loss": decision.loss,
        "grade": decision.grade,
        "real": decision.is_real,
        "why": (separator or say(REASON_SEPARATOR)).join(say(reason) for reason in decision.reasons),
        **({"plan": say(decision.plan)} if decision.plan else {}),
        **({"numbers": numbers} if comparison else {}),
    }


def serialize_outlook(outlook: Outlook, boxes: list[str]) -> dict[str, object]:
    """Serialize what a move leads to; boxes without any chance are left out."""
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
    return {
        "kind": event.kind,
        "event": event.event_number,
        "turn": event.turn,
        "roll": event.roll_number,
        "dice": event.dice,
        "luck": event.luck,
        "grade": event.grade,
    }


def serialize_turn(turn: TurnSummary) -> dict[str, object]:
    return {
        "turn": turn.turn,
        "luck": turn.luck,
        "lost": turn.lost,
        "value": turn.value,
        "box": turn.box,
        "points": turn.points,
    }


def serialize_part(part: ReviewPart) -> dict[str, object]:
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
