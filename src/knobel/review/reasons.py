"""Why a move is worse than the best one: the one or two numbers that make up most of what it cost."""

from dataclasses import dataclass

from knobel.game import Fill, Move
from knobel.phrase import BoxName, Figure, Phrase, phrase
from knobel.review.ledger import Compared
from knobel.rules.ruleset import SheetRules

PART = 0.25
"""A second reason must make up so much of the loss."""
GIVEN_UP = 0.1
"""Who lets so much of the chance of the bonus go has given it up."""
NOTICEABLE = 0.02
"""A chance that differs by less is not worth a word."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Something that differs, and how many points of the loss it makes up."""

    weight: float
    said: Phrase


def reasons(rules: SheetRules, played: Move, best: Move, numbers: Compared, loss: float) -> tuple[Phrase, ...]:
    """Give the one or two reasons that explain most."""
    found = [about_box(rules, place, played, best, numbers) for place in range(len(rules.boxes))]
    if (bonus := about_bonus(rules, numbers)) is not None:
        found.append(bonus)
    if numbers.best.means is None:
        found.append(about_later(loss - sum(one.weight for one in found)))
    elif rules.yatzy and rules.yatzy.prime:
        found.append(about_primes(loss - sum(one.weight for one in found)))
    found.sort(key=lambda one: -one.weight)
    first, second = (*found[:2], Reason(0.0, found[0].said))[:2]
    if second.weight >= PART * loss or first.weight < PART * loss < 2 * (first.weight + second.weight):
        return first.said, second.said
    return (first.said,)


def about_bonus(rules: SheetRules, numbers: Compared) -> Reason | None:
    """Compare the chances of the upper bonus."""
    best, played = numbers.best.bonus, numbers.played.bonus
    if rules.bonus is None or best is None or played is None:
        return None
    shown = percents(played, best)
    said = phrase("coach.why.bonus_less", played=shown[0], best=shown[1])
    if best - played >= GIVEN_UP:
        said = phrase("coach.why.bonus", played=shown[0], best=shown[1])
    return Reason(rules.bonus.points * (best - played), said)


def about_primes(weight: float) -> Reason:
    """Say what further yatzys bring less: all that boxes and bonus leave open."""
    return Reason(weight, phrase("coach.why.primes", points=points(weight)))


def about_later(weight: float) -> Reason:
    """Say what later turns bring less, where they cannot be told apart: all that this turn leaves open."""
    return Reason(weight, phrase("coach.why.later", points=points(weight)))


def about_box(rules: SheetRules, place: int, played: Move, best: Move, numbers: Compared) -> Reason:
    """Compare what a box brings: by the end of the game, else this turn."""
    box, b, p = rules.boxes[place], numbers.best, numbers.played
    ends = (b.means, p.means) if b.means is not None and p.means is not None else (b.now, p.now)
    better, worse = ends[0][place], ends[1][place]
    name = BoxName(box.id)
    known = b.means is not None
    if isinstance(played, Fill) and played.box == box.id and known:
        wasted = "coach.why.uses_up" if p.now[place] else "coach.why.strikes"
        said = phrase(wasted, box=name, points=round(p.now[place]), best=points(better))
    elif isinstance(best, Fill) and best.box == box.id and known:
        said = phrase("coach.why.passes_up", box=name, points=round(b.now[place]), played=points(worse))
    elif b.chances[place] - p.chances[place] >= NOTICEABLE and is_pattern(rules, place):
        shown = percents(p.chances[place], b.chances[place])
        said = phrase("coach.why.comes_up", box=name, played=shown[0], best=shown[1])
    elif known:
        said = phrase("coach.why.brings", box=name, played=points(worse), best=points(better))
    else:
        said = phrase("coach.why.brings_now", box=name, played=points(worse), best=points(better))
    return Reason(better - worse, said)


def is_pattern(rules: SheetRules, place: int) -> bool:
    """Tell whether a box wants a pattern that comes up or does not, rather than dice that always bring something."""
    chance = rules.chance is not None and rules.boxes[place].id == rules.chance.box
    return not rules.boxes[place].upper and not chance


def percents(played: float, best: float) -> tuple[Figure, Figure]:
    """Write two chances as percentages, with as many digits as it takes to tell them apart."""
    digits = 0 if abs(best - played) >= NOTICEABLE else 1
    return Figure(100 * played, digits), Figure(100 * best, digits)


def points(number: float) -> Figure:
    """Write points."""
    return Figure(number, 1)
