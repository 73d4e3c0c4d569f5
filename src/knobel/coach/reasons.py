"""Why a move is worse than the best one: the one or two numbers that make up most of what it cost."""

from dataclasses import dataclass

from knobel.coach.ledger import MoveComparison
from knobel.game import Move, Score
from knobel.phrase import BoxName, FormattedNumber, Phrase, phrase
from knobel.rules.sheet_rules import SheetRules

SECOND_REASON_SHARE = 0.25
"""A second reason must make up so much of the loss."""
BONUS_GIVEN_UP = 0.1
"""Who lets so much of the chance of the bonus go has given it up."""
NOTICEABLE_CHANCE = 0.02
"""A chance that differs by less is not worth a word."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Something that differs, and how many points of the loss it makes up."""

    weight: float
    text: Phrase


def find_reasons(
    rules: SheetRules, played: Move, best: Move, comparison: MoveComparison, loss: float
) -> tuple[Phrase, ...]:
    """Give the one or two reasons that explain most."""
    found = [explain_box(rules, place, played, best, comparison) for place in range(len(rules.boxes))]
    if (bonus := explain_bonus(rules, comparison)) is not None:
        found.append(bonus)
    if comparison.best.final_means is None:
        found.append(explain_later(loss - sum(one.weight for one in found)))
    elif rules.yatzy and rules.yatzy.prime:
        found.append(explain_extra_yatzys(loss - sum(one.weight for one in found)))
    found.sort(key=lambda one: -one.weight)
    first, second = (*found[:2], Reason(0.0, found[0].text))[:2]
    if second.weight >= SECOND_REASON_SHARE * loss or first.weight < SECOND_REASON_SHARE * loss < 2 * (
        first.weight + second.weight
    ):
        return first.text, second.text
    return (first.text,)


def explain_bonus(rules: SheetRules, comparison: MoveComparison) -> Reason | None:
    """Compare the chances of the upper bonus."""
    best, played = comparison.best.bonus_chance, comparison.played.bonus_chance
    if rules.bonus is None or best is None or played is None:
        return None
    shown = format_percents(played, best)
    said = phrase("coach.why.bonus_less", played=shown[0], best=shown[1])
    if best - played >= BONUS_GIVEN_UP:
        said = phrase("coach.why.bonus", played=shown[0], best=shown[1])
    return Reason(rules.bonus.points * (best - played), said)


def explain_extra_yatzys(weight: float) -> Reason:
    """Say what further yatzys bring less: all that boxes and bonus leave open."""
    return Reason(weight, phrase("coach.why.primes", points=format_points(weight)))


def explain_later(weight: float) -> Reason:
    """Say what later turns bring less, where they cannot be told apart: all that this turn leaves open."""
    return Reason(weight, phrase("coach.why.later", points=format_points(weight)))


def explain_box(rules: SheetRules, place: int, played: Move, best: Move, comparison: MoveComparison) -> Reason:
    """Compare what a box brings: by the end of the game, else this turn."""
    box, b, p = rules.boxes[place], comparison.best, comparison.played
    ends = (
        (b.final_means, p.final_means)
        if b.final_means is not None and p.final_means is not None
        else (b.turn_means, p.turn_means)
    )
    better, worse = ends[0][place], ends[1][place]
    name = BoxName(box.id)
    known = b.final_means is not None
    if isinstance(played, Score) and played.box == box.id and known:
        wasted = "coach.why.uses_up" if p.turn_means[place] else "coach.why.strikes"
        said = phrase(wasted, box=name, points=round(p.turn_means[place]), best=format_points(better))
    elif isinstance(best, Score) and best.box == box.id and known:
        said = phrase("coach.why.passes_up", box=name, points=round(b.turn_means[place]), played=format_points(worse))
    elif b.chances[place] - p.chances[place] >= NOTICEABLE_CHANCE and is_pattern(rules, place):
        shown = format_percents(p.chances[place], b.chances[place])
        said = phrase("coach.why.comes_up", box=name, played=shown[0], best=shown[1])
    elif known:
        said = phrase("coach.why.brings", box=name, played=format_points(worse), best=format_points(better))
    else:
        said = phrase("coach.why.brings_now", box=name, played=format_points(worse), best=format_points(better))
    return Reason(better - worse, said)


def is_pattern(rules: SheetRules, place: int) -> bool:
    """Tell whether a box wants a pattern that comes up or does not, rather than dice that always bring something."""
    chance = rules.chance is not None and rules.boxes[place].id == rules.chance.box
    return not rules.boxes[place].upper and not chance


def format_percents(played: float, best: float) -> tuple[FormattedNumber, FormattedNumber]:
    """Write two chances as percentages, with as many digits as it takes to tell them apart."""
    digits = 0 if abs(best - played) >= NOTICEABLE_CHANCE else 1
    return FormattedNumber(100 * played, digits), FormattedNumber(100 * best, digits)


def format_points(number: float) -> FormattedNumber:
    """Write points."""
    return FormattedNumber(number, 1)
