"""A review as plain values, for machines and for windows; whoever asks brings a tongue."""

from collections.abc import Callable
from typing import TypeAlias

from knobel.coach import Outlook
from knobel.phrase import Phrase, phrase
from knobel.review.ledger import Decision, Part, Review, Roll, TurnLine

Say: TypeAlias = Callable[[Phrase], str]
JOINED = phrase("coach.report.join")
"""What stands between two reasons."""


def form(review: Review, say: Say, join: str | None = None) -> dict[str, object]:
    """Write a review; its reasons are joined as whoever says them likes."""
    return {
        **headline(review),
        "unit": review.unit,
        "over": review.over,
        "written": review.written,
        "rest": review.rest,
        "unseen": review.unseen,
        "undone": review.undone,
        "stood_in": review.stood_in,
        "corrected": review.corrected,
        "bent": review.bent,
        "in_book": review.in_book,
        "decisions": [decision_form(review, decision, say, join) for decision in review.decisions],
        "rolls": [roll_form(roll) for roll in review.rolls],
        "turns": [turn_form(line) for line in review.turns],
        "parts": [part_form(part) for part in review.parts],
    }


def headline(review: Review) -> dict[str, object]:
    """Write the ledger in one line: final = par + luck - lost."""
    return {
        "player": review.seat + 1,
        "par": review.par,
        "luck": review.luck,
        "lost": review.lost,
        "final": review.final,
        "class": review.rating,
    }


def decision_form(review: Review, decision: Decision, say: Say, join: str | None = None) -> dict[str, object]:
    """Write a decision; the numbers behind its reasons beside it."""
    compared = decision.compared
    boxes = [box for box, _ in review.sheet]
    numbers = {
        "best": outlook_form(compared.best, boxes) if compared else None,
        "played": outlook_form(compared.played, boxes) if compared else None,
    }
    return {
        "event": decision.number,
        "turn": decision.turn,
        "throw": decision.throw,
        "dice": decision.dice,
        "played": say(decision.played),
        "best": say(decision.best),
        "action": decision.action,
        "best_action": decision.best_action,
        "value": decision.value,
        "loss": decision.loss,
        "grade": decision.grade,
        "why": (join or say(JOINED)).join(say(reason) for reason in decision.why),
        **({"numbers": numbers} if compared else {}),
    }


def outlook_form(outlook: Outlook, boxes: list[str]) -> dict[str, object]:
    """Write what a move leads to, by box as far as there is anything to tell."""
    means = outlook.means or (None,) * len(boxes)
    rows = zip(boxes, outlook.chances, outlook.now, means, strict=True)
    return {
        "bonus": outlook.bonus,
        "zero": outlook.zero,
        "boxes": {
            box: {"chance": chance, "now": now, "mean": mean}
            for box, chance, now, mean in rows
            if chance or now or mean
        },
    }


def roll_form(roll: Roll) -> dict[str, object]:
    """Write a roll, a turn nobody saw, or what the others did."""
    return {
        "kind": roll.kind,
        "event": roll.number,
        "turn": roll.turn,
        "throw": roll.throw,
        "dice": roll.dice,
        "luck": roll.luck,
        "grade": roll.grade,
    }


def turn_form(line: TurnLine) -> dict[str, object]:
    """Write a turn in one line."""
    return {
        "turn": line.turn,
        "luck": line.luck,
        "lost": line.lost,
        "value": line.value,
        "box": line.box,
        "points": line.points,
    }


def part_form(part: Part) -> dict[str, object]:
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
