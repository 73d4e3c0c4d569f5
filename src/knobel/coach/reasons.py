"""Why a move is worse than the best one: what it loses, and what it gains in exchange.

The difference between two moves is made up of parts: one for each box, one for the bonus, one for extra Yatzys. Their
weights add up to the loss; parts with a negative weight are gains. A reason names the few parts that make up most of
the loss, and if few cannot, what all the others come to. A part as large as the loss itself is not left out, even if
another one outweighs it: who takes four sixes as four of a kind gains there what the bonus loses.
"""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from knobel.coach.figures import NOTICEABLE_CHANCE, format_percents, format_points
from knobel.coach.ledger import MoveComparison
from knobel.game import Announce, Move, Roll, Score
from knobel.phrase import BoxName, Phrase, Value, phrase
from knobel.rules.sheet_rules import SheetRules

TOLERATED_SHARE = 0.3
"""How far what is named may be from the loss, as a part of it, before the rest is named too."""
WORTH_NAMING = 0.15
"""How much of the loss a part must make up to be named alone."""
LARGE = 1.0
"""From how much of the loss a part is left out only where there is no other way."""
MAX_ALONE, GROUP_SIZES = 3, (2, 3, 4)
"""How many losses are named one by one, and how many boxes may be named together."""
DOMINANT_SHARE = 0.65
"""A box that makes up so much of what several lose is named alone."""
MUCH_LESS_LIKELY = 0.1
"""A loss of this much of the chance of the bonus is called much less likely."""
MANY_ZEROS = 0.05
"""From how many more turns that end with a zero that is the reason for what several boxes lose."""


@dataclass(frozen=True, slots=True)
class LossPart:
    """A difference between two moves, how many points of the loss it makes up, and how to say so; perhaps of a box."""

    weight: float
    text: Phrase
    box: str | None = None


def find_reasons(
    rules: SheetRules,
    played: Move,
    best: Move,
    comparison: MoveComparison,
    loss: float,
    announced: str | None = None,
) -> tuple[Phrase, ...]:
    """Find the fewest parts that explain the loss; where boxes are announced, the announced ones and what is left."""
    if announced is not None and Roll in (type(played), type(best)):
        return name_with_rest([explain_turn(rules, rules.index[announced], comparison)], loss)
    if isinstance(played, Announce) and isinstance(best, Announce):
        boxes = [rules.index[move.box] for move in (played, best)]
        return name_with_rest([explain_box(rules, box, played, best, comparison) for box in boxes], loss)
    entered = {move.box for move in (played, best) if isinstance(move, Score)}
    parts = list_parts(rules, played, best, comparison, loss)
    return tuple(one.text for one in choose_parts(parts, loss, comparison, entered))


def name_with_rest(parts: Sequence[LossPart], loss: float) -> tuple[Phrase, ...]:
    """Name these parts as far as they matter, and what all others come to; gains last."""
    named = [one for one in parts if abs(one.weight) >= WORTH_NAMING * loss]
    rest = explain_amount("others", loss - sum_weights(named))
    if not named or abs(rest.weight) >= WORTH_NAMING * loss:
        named.append(rest)
    return tuple(one.text for one in sorted(named, key=lambda one: one.weight < 0))


def list_parts(rules: SheetRules, played: Move, best: Move, comparison: MoveComparison, loss: float) -> list[LossPart]:
    """List the parts that make up a loss: one for each box, one for the bonus, one for what these leave open."""
    parts = [explain_box(rules, place, played, best, comparison) for place in range(len(rules.boxes))]
    if (bonus := explain_bonus(rules, comparison)) is not None:
        parts.append(bonus)
    if comparison.best.final_means is None:
        parts.append(explain_amount("later", loss - sum_weights(parts)))
    elif rules.yatzy and rules.yatzy.prime:
        parts.append(explain_amount("primes", loss - sum_weights(parts)))
    return parts


def choose_parts(
    parts: Sequence[LossPart], loss: float, comparison: MoveComparison, entered: Set[str]
) -> list[LossPart]:
    """Choose the fewest parts that add up to about the loss, gains last; else name the rest as well.

    What is lost in a box that was or should have been filled comes first, and is never named together with others;
    it is not named at all where it hardly matters.
    """
    found = [one for one in parts if one.weight > (WORTH_NAMING * loss if one.box in entered else 0)]
    losses = sorted(found, key=lambda one: (one.box not in entered, -one.weight))
    gains = sorted((one for one in parts if one.weight < 0), key=lambda one: one.weight)
    has_zeros = not entered and count_more_zeros(comparison) >= MANY_ZEROS
    zeros = (comparison.played.zero_chance, comparison.best.zero_chance) if has_zeros else None
    choices = [
        [*lost, *gained]
        for lost in list_losses(losses, loss, entered, zeros)
        for gained in ([], gains[:1], *group_boxes(gains, "but_together"))
    ]
    large = [one for one in parts if abs(one.weight) >= LARGE * loss]
    fewest = min(count_left_out(large, chosen) for chosen in choices)
    complete = [chosen for chosen in choices if count_left_out(large, chosen) == fewest]
    fitting = [chosen for chosen in complete if is_close(chosen, loss)]
    if fitting:
        return min(fitting, key=lambda chosen: rate_choice(chosen, loss))
    nearest = min(complete, key=lambda chosen: abs(sum_weights(chosen) - loss))
    *others, last = nearest
    is_vague_gain = last.weight < 0 and last.box is None and count_left_out(large, others) == fewest
    if is_vague_gain and sum_weights(nearest) > loss:
        nearest = others  # gains of several boxes and of all others are one gain elsewhere
    return [*nearest, explain_amount("others", loss - sum_weights(nearest))]


def count_left_out(parts: Sequence[LossPart], chosen: Sequence[LossPart]) -> int:
    """Count the parts that are named neither alone nor together with others."""
    groups = [one.text.values.get("boxes", ()) for one in chosen]
    together = {name.box for group in groups if isinstance(group, tuple) for name in group if isinstance(name, BoxName)}
    return sum(one not in chosen and one.box not in together for one in parts)


def list_losses(
    losses: Sequence[LossPart], loss: float, entered: Set[str], zeros: tuple[float, float] | None
) -> Iterator[list[LossPart]]:
    """List what may be said about the losses: the largest one by one, several boxes together, or both."""
    yield list(losses[:1])
    for alone in range(2, min(MAX_ALONE, len(losses)) + 1):
        if losses[alone - 1].weight >= WORTH_NAMING * loss:
            yield list(losses[:alone])
    for alone in range(min(MAX_ALONE, len(losses))):
        others = [one for one in losses[alone:] if one.box is not None]
        if any(one.box in entered for one in others) or (alone and losses[alone - 1].weight < WORTH_NAMING * loss):
            continue
        for group in group_boxes(others, "zeros" if zeros else "together", zeros):
            if alone or others[0].weight < DOMINANT_SHARE * sum_weights(group):
                yield [*losses[:alone], *group]


def group_boxes(
    parts: Sequence[LossPart], name: str, zeros: tuple[float, float] | None = None
) -> Iterator[list[LossPart]]:
    """Name the boxes with the largest parts together, if so with how often the turn ends with a zero."""
    boxes = [one for one in parts if one.box is not None]
    for size in GROUP_SIZES:
        if size <= len(boxes):
            weight, names = sum_weights(boxes[:size]), tuple(BoxName(one.box or "") for one in boxes[:size])
            shown: dict[str, Value] = {"boxes": names, "points": format_points(abs(weight))}
            if zeros:
                shown |= dict(zip(("played", "best"), format_percents(*zeros), strict=True))
            yield [LossPart(weight, phrase(f"coach.why.{name}", **shown))]


def is_close(chosen: Sequence[LossPart], loss: float) -> bool:
    return bool(chosen) and abs(sum_weights(chosen) - loss) <= TOLERATED_SHARE * loss


def rate_choice(chosen: Sequence[LossPart], loss: float) -> tuple[int, int, float]:
    """Rate what could be said, less is better: how many phrases, how many boxes in them, how far from the loss."""
    boxes = [one.text.values.get("boxes", ()) for one in chosen]
    named = sum(len(group) for group in boxes if isinstance(group, tuple))
    return len(chosen), named, abs(sum_weights(chosen) - loss)


def count_more_zeros(comparison: MoveComparison) -> float:
    """Say how much more often the turn ends with a zero."""
    return comparison.played.zero_chance - comparison.best.zero_chance


def sum_weights(parts: Sequence[LossPart]) -> float:
    return sum(one.weight for one in parts)


def explain_turn(rules: SheetRules, place: int, comparison: MoveComparison) -> LossPart:
    """Compare what the announced box scores in this turn."""
    better, worse = comparison.best.turn_means[place], comparison.played.turn_means[place]
    name, weight = BoxName(rules.boxes[place].id), better - worse
    percents = format_percents(comparison.played.chances[place], comparison.best.chances[place])
    if weight < 0:
        text = phrase("coach.why.but_brings", box=name, points=format_points(-weight))
    elif is_pattern(rules, place) and percents[0] != percents[1]:
        text = phrase(
            "coach.why.comes_less", box=name, played=percents[0], best=percents[1], points=format_points(weight)
        )
    else:
        text = phrase("coach.why.brings_now", box=name, played=format_points(worse), best=format_points(better))
    return LossPart(weight, text, name.box)


def explain_amount(name: str, weight: float) -> LossPart:
    """Explain a part that has no other number than its points: later turns, extra Yatzys, or all that is not named."""
    key = f"coach.why.{name}" if weight > 0 else f"coach.why.but_{name}"
    return LossPart(weight, phrase(key, points=format_points(abs(weight))))


def explain_bonus(rules: SheetRules, comparison: MoveComparison) -> LossPart | None:
    """Compare the chances of the upper bonus."""
    best, played = comparison.best.bonus_chance, comparison.played.bonus_chance
    if rules.bonus is None or best is None or played is None:
        return None
    percents = format_percents(played, best)
    lost = best - played
    name = "but_bonus" if lost < 0 else "bonus" if lost >= MUCH_LESS_LIKELY else "bonus_less"
    return LossPart(rules.bonus.points * lost, phrase(f"coach.why.{name}", played=percents[0], best=percents[1]))


def explain_box(rules: SheetRules, place: int, played: Move, best: Move, comparison: MoveComparison) -> LossPart:
    """Compare what a box scores: by the end of the game if that is known, else in this turn."""
    better, worse = (
        (outlook.final_means or outlook.turn_means)[place] for outlook in (comparison.best, comparison.played)
    )
    weight, name = better - worse, BoxName(rules.boxes[place].id)
    if weight < 0:
        return LossPart(weight, phrase("coach.why.but_brings", box=name, points=format_points(-weight)), name.box)
    return LossPart(weight, describe_lost_box(rules, place, played, best, comparison), name.box)


def describe_lost_box(rules: SheetRules, place: int, played: Move, best: Move, comparison: MoveComparison) -> Phrase:
    """Say what is lost in a box: by its entry, by not filling it, by a pattern that comes up less often, or at all."""
    box, best_outlook, played_outlook = rules.boxes[place], comparison.best, comparison.played
    ends_known = best_outlook.final_means is not None
    better = (best_outlook.final_means or best_outlook.turn_means)[place]
    worse = (played_outlook.final_means or played_outlook.turn_means)[place]
    name, shown = BoxName(box.id), {"played": format_points(worse), "best": format_points(better)}
    chances = played_outlook.chances[place], best_outlook.chances[place]
    match played, best:
        case Score(box.id), _ if ends_known:
            points = played_outlook.turn_means[place]
            wasted = "coach.why.uses_up" if points else "coach.why.crosses_out"
            return phrase(wasted, box=name, points=round(points), best=shown["best"])
        case _, Score(box.id) if ends_known:
            points = best_outlook.turn_means[place]
            return phrase("coach.why.passes_up", box=name, points=round(points), played=shown["played"])
        case Announce(box.id), _ if ends_known:
            return phrase("coach.why.announces", box=name, **shown)
        case _, Announce(box.id) if ends_known:
            return phrase("coach.why.leaves", box=name, **shown)
    if chances[1] - chances[0] >= NOTICEABLE_CHANCE and is_pattern(rules, place):
        percents = format_percents(*chances)
        lost = format_points(better - worse)
        return phrase("coach.why.comes_less", box=name, played=percents[0], best=percents[1], points=lost)
    return phrase("coach.why.brings" if ends_known else "coach.why.brings_now", box=name, **shown)


def is_pattern(rules: SheetRules, place: int) -> bool:
    """Tell whether a box needs a pattern that comes up or does not, rather than dice that always score something."""
    chance = rules.chance is not None and rules.boxes[place].id == rules.chance.box
    return not rules.boxes[place].upper and not chance
