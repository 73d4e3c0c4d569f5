"""One sentence about a game that is over: what stands out most, luck or choices."""

from operator import attrgetter

from knobel.coach.grades import DECISION_GRADES, compute_luck_scale
from knobel.coach.ledger import POINTS, Review
from knobel.coach.report import describe_level
from knobel.phrase import FormattedNumber, Phrase, phrase

GOOD_LUCK, BAD_LUCK = 25.0, -15.0
"""From how much luck in a game of the standard sheet the dice are what stands out; luck is skewed."""
NEXT_TO_NOTHING = 0.5
"""What may be lost in a game of the standard sheet while every choice was fine."""
COSTLY = next(least for least, grade in DECISION_GRADES if grade == "blunder")


def summarize(review: Review) -> Phrase | None:
    """Say what stands out in a game; nothing about one that was not played to its end."""
    if not review.finished or not review.in_book or not review.decisions:
        return None
    if review.unit != POINTS:
        return describe_level(review)
    return summarize_points(review)


def tell_luck_and_loss(review: Review) -> Phrase | None:
    """Say in plain words what the dice did and what choices cost; only points can be told so."""
    if review.unit != POINTS or not review.in_book:
        return None
    lost, luck = FormattedNumber(review.lost), FormattedNumber(abs(review.luck))
    if review.luck < 0:
        return phrase("coach.summary.both", luck=luck, lost=lost)
    return phrase("coach.summary.lucky", luck=luck, lost=lost)


def summarize_points(review: Review) -> Phrase:
    scale = compute_luck_scale(review.par, len(review.turn_summaries))
    lost, luck = FormattedNumber(review.lost), FormattedNumber(abs(review.luck))
    costliest = max(review.decisions, key=attrgetter("loss"))
    if review.lost < NEXT_TO_NOTHING * scale:
        return phrase("coach.summary.perfect")
    if review.luck <= BAD_LUCK * scale and review.lost < -review.luck:
        return phrase("coach.summary.unlucky", luck=luck, lost=lost)
    if review.luck >= GOOD_LUCK * scale:
        return phrase("coach.summary.lucky", luck=luck, lost=lost)
    if costliest.loss >= COSTLY:
        return phrase("coach.summary.costly", lost=lost, most=FormattedNumber(costliest.loss), turn=costliest.turn)
    level = phrase(f"coach.class.{review.level}") if review.level else phrase("coach.report.no_level")
    return phrase("coach.summary.solid", lost=lost, rating=level)
