"""Why a move is worse than the best one: the one or two differences that make up most of what it cost."""

from dataclasses import dataclass

from knobel.coach.figures import NOTICEABLE_CHANCE, format_percents, format_points
from knobel.coach.ledger import MoveComparison
from knobel.game import Move, Score
from knobel.phrase import BoxName, Phrase, phrase
from knobel.rules.sheet_rules import SheetRules

SECOND_REASON_SHARE = 0.25
"""How much of the loss a second reason must make up."""
MUCH_LESS_LIKELY = 0.1
"""A loss of this much of the chance of the bonus is called much less likely."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A difference between two moves, and how many points of the loss it makes up."""

    weight: float
    text: Phrase


def find_reasons(
    rules: SheetRules, played: Move, best: Move, comparison: MoveComparison, loss: float
) -> tuple[Phrase, ...]:
    """Find the one or two reasons that explain most."""
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
    percents = format_percents(played, best)
    key = "coach.why.bonus" if best - played >= MUCH_LESS_LIKELY else "coach.why.bonus_less"
    return Reason(rules.bonus.points * (best - played), phrase(key, played=percents[0], best=percents[1]))


def explain_extra_yatzys(weight: float) -> Reason:
    """Explain the rest of a loss by extra Yatzys: all that boxes and bonus leave open."""
    return Reason(weight, phrase("coach.why.primes", points=format_points(weight)))


def explain_later(weight: float) -> Reason:
    """Explain the rest of a loss by later turns, where their boxes are not known: all that this turn leaves open."""
    return Reason(weight, phrase("coach.why.later", points=format_points(weight)))


def explain_box(rules: SheetRules, place: int, played: Move, best: Move, comparison: MoveComparison) -> Reason:
    """Compare what a box scores: by the end of the game if that is known, else in this turn."""
    box, best_outlook, played_outlook = rules.boxes[place], comparison.best, comparison.played
    means = best_outlook.final_means, played_outlook.final_means
    ends_known = means[0] is not None and means[1] is not None
    better = (means[0] or best_outlook.turn_means)[place]
    worse = (means[1] or played_outlook.turn_means)[place]
    name = BoxName(box.id)
    chances = played_outlook.chances[place], best_outlook.chances[place]
    if isinstance(played, Score) and played.box == box.id and ends_known:
        points = played_outlook.turn_means[place]
        wasted = "coach.why.uses_up" if points else "coach.why.crosses_out"
        text = phrase(wasted, box=name, points=round(points), best=format_points(better))
    elif isinstance(best, Score) and best.box == box.id and ends_known:
        points = best_outlook.turn_means[place]
        text = phrase("coach.why.passes_up", box=name, points=round(points), played=format_points(worse))
    elif chances[1] - chances[0] >= NOTICEABLE_CHANCE and is_pattern(rules, place):
        percents = format_percents(*chances)
        text = phrase("coach.why.comes_up", box=name, played=percents[0], best=percents[1])
    else:
        key = "coach.why.brings" if ends_known else "coach.why.brings_now"
        text = phrase(key, box=name, played=format_points(worse), best=format_points(better))
    return Reason(better - worse, text)


def is_pattern(rules: SheetRules, place: int) -> bool:
    """Tell whether a box needs a pattern that comes up or does not, rather than dice that always score something."""
    chance = rules.chance is not None and rules.boxes[place].id == rules.chance.box
    return not rules.boxes[place].upper and not chance
