"""Why a move is worse than the best one: what it loses, and what it gains in exchange.

The difference between two moves is made up of parts: one for each box, one for the bonus, one for extra Yatzys. Their
weights add up to the loss; parts with a negative weight are gains. A reason names the fewest of the largest parts that
make up most of the loss, and if few cannot, what all the others come to. No part is named where a larger one is not,
and a part that makes up much of the loss is not left out, even if another one outweighs it: who takes four sixes as
four of a kind gains there what the bonus loses.
"""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from knobel.coach.figures import format_percents, format_points
from knobel.coach.ledger import MoveComparison
from knobel.game import Announce, Move, Score
from knobel.phrase import BoxName, Phrase, Value, phrase
from knobel.rules.sheet_rules import SheetRules

TOLERATED_SHARE = 0.3
"""How far what is named may be from the loss, as a part of it, before the rest is named too."""
WORTH_NAMING = 0.15
"""How much of the loss a part must make up to be named alone."""
LARGE, LEFT_OUT_COST = 0.6, 3.0
"""From how much of the loss a part is large, and how many phrases it is worth to name one as large as the loss."""
MAX_PHRASES, MAX_GAINS = 4, 2
"""How many phrases a reason has at most, and how many of them are about gains."""
GROUP_SIZES = (2, 3, 4)
"""How many boxes may be named together."""
DOMINANT_SHARE = 0.65
"""A box that makes up so much of what several lose is named alone."""
MUCH_LESS_LIKELY = 0.1
"""A loss of this much of the chance of the bonus is called much less likely."""
MANY_ZEROS = 0.05
"""From how many more turns that end with a zero that is the reason for what several boxes lose."""
TOLD_CHANCE, TOLD_SHARE = 0.005, 0.5
"""How much of the chance to fill a box this turn, and of what is lost there, makes that chance worth telling."""
COMES_LESS = "coach.why.comes_less"
TOGETHER, BUT_TOGETHER = "coach.why.together", "coach.why.but_together"
VAGUE = (TOGETHER, BUT_TOGETHER, "coach.why.others", "coach.why.but_others")
"""What is said after that which has a number of its own."""


@dataclass(frozen=True, slots=True)
class LossPart:
    """A difference between two moves, how many points of the loss it makes up, and how to say so.

    Of a box also what it scores on average after the best move.
    """

    weight: float
    text: Phrase
    box: str | None = None
    average: float = 0.0


def find_reasons(
    rules: SheetRules,
    played: Move,
    best: Move,
    comparison: MoveComparison,
    loss: float,
    announced: str | None = None,
) -> tuple[Phrase, ...]:
    """Find the fewest parts that explain the loss; the boxes scored or announced come first."""
    at_stake = {move.box for move in (played, best) if isinstance(move, Score | Announce)}
    at_stake |= {announced} if announced else set()
    parts = list_parts(rules, played, best, comparison, loss)
    chooser = PartChooser(loss, at_stake, find_more_zeros(played, comparison))
    chosen = chooser.choose(parts)
    if isinstance(played, Score) and comparison.best.final_means is not None:
        place = rules.index[played.box]
        if parts[place] in list_left_out(parts, chosen) and not chooser.explains_turn(chosen):
            filled = describe_lost_box(rules, place, played, best, comparison)
            return (filled, *(one.text for one in chooser.choose(parts, MAX_PHRASES - 1)))
    return tuple(one.text for one in chosen)


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


@dataclass(frozen=True)
class PartChooser:
    """Chooses which parts of a loss are named.

    `at_stake` are the boxes that were or should have been scored or announced, `zeros` how often the turn ends with a
    zero, if that is more often than after the best move.
    """

    loss: float
    at_stake: Set[str]
    zeros: tuple[float, float] | None

    def choose(self, parts: Sequence[LossPart], most: int = MAX_PHRASES) -> list[LossPart]:
        """Choose the fewest parts that add up to about the loss, gains last; else name the rest as well.

        What is lost in a box at stake comes first, and is never named together with others; it is not named at all
        where it hardly matters.
        """
        losses = [one for one in parts if one.weight > 0 and (one.box not in self.at_stake or self.matters(one))]
        losses.sort(key=lambda one: (one.box not in self.at_stake, -one.weight))
        gains = sorted((one for one in parts if one.weight < 0), key=lambda one: one.weight)
        choices = [
            [*lost, *gained]
            for lost in self.list_sides(losses, most, WORTH_NAMING)
            for gained in ([], *self.list_sides(gains, MAX_GAINS, LARGE))
            if len(lost) + len(gained) <= most
        ]
        usable = [one for one in choices if self.fits(one) or (len(one) < most and self.may_name_rest(one))]
        chosen = min(usable, key=lambda one: self.rate_choice(parts, one), default=[])
        rest = [] if self.fits(chosen) else [explain_amount("others", self.find_rest(chosen))]
        return sorted([*chosen, *rest], key=self.rate_importance)

    def list_sides(self, parts: Sequence[LossPart], most: int, share: float) -> Iterator[list[LossPart]]:
        """List what may be said about losses or gains: the largest ones, one by one or some boxes together.

        What is no box is passed over where it is less than a share of the loss.
        """
        large = [one for one in parts if one.box or abs(one.weight) >= share * self.loss or one is parts[0]]
        for count in range(1, len(large) + 1):
            for size in (0, *GROUP_SIZES):
                boxes = [one for one in large[:count] if one.box]
                together = boxes[-size:] if size else []
                alone = [one for one in large[:count] if one not in together]
                if len(alone) + bool(size) > most or not all(map(self.matters, alone[1:])):
                    continue
                if not size:
                    yield alone
                elif len(together) == size and self.may_be_together(together):
                    yield [*alone, self.name_together(together)]

    def rate_importance(self, part: LossPart) -> tuple[bool, bool, int, float]:
        """Rate what comes first: losses before gains, boxes at stake, a number of its own, boxes together, the rest."""
        vague = VAGUE.index(part.text.key) if part.text.key in VAGUE else -1
        return part.weight < 0, part.weight > 0 and part.box not in self.at_stake, vague, -abs(part.weight)

    def may_be_together(self, boxes: Sequence[LossPart]) -> bool:
        """Tell whether boxes may be named together: none lost at stake, none that is worth a phrase alone."""
        if any(one.weight > 0 and one.box in self.at_stake for one in boxes):
            return False
        first, weight = boxes[0], sum_weights(boxes)
        is_told = first.text.key == COMES_LESS and self.matters(first)
        return not is_told and (self.come_from_zeros(boxes) or first.weight < max(0.0, DOMINANT_SHARE * weight))

    def come_from_zeros(self, boxes: Sequence[LossPart]) -> bool:
        """Tell whether more zeros can cost what these boxes lose: each at most what its box scores on average."""
        more = self.zeros[0] - self.zeros[1] if self.zeros else 0.0
        return 0 < sum_weights(boxes) <= more * max(one.average for one in boxes)

    def name_together(self, boxes: Sequence[LossPart]) -> LossPart:
        """Name boxes together, if they come from zeros with how often the turn ends with one."""
        weight = sum_weights(boxes)
        shown: dict[str, Value] = {
            "boxes": tuple(BoxName(one.box or "") for one in boxes),
            "points": format_points(abs(weight)),
        }
        name = TOGETHER if weight > 0 else BUT_TOGETHER
        if self.zeros and self.come_from_zeros(boxes):
            name = "coach.why.zeros"
            shown |= dict(zip(("played", "best"), format_percents(*self.zeros), strict=True))
        return LossPart(weight, phrase(name, **shown))

    def matters(self, part: LossPart) -> bool:
        return abs(part.weight) >= WORTH_NAMING * self.loss

    def must_be_named(self, part: LossPart) -> bool:
        """Tell whether a part is left out only where there is no other way: the other side of a trade."""
        is_other_side = part.weight < 0 and part.box in self.at_stake and self.matters(part)
        return abs(part.weight) >= self.loss or is_other_side

    def explains_turn(self, chosen: Sequence[LossPart]) -> bool:
        """Tell whether what is named says what the turn itself loses, rather than boxes that are filled later."""
        losses = [one for one in chosen if one.weight > 0]
        return any(one.box in self.at_stake or one.text.key == COMES_LESS for one in losses)

    def find_rest(self, chosen: Sequence[LossPart]) -> float:
        return self.loss - sum_weights(chosen)

    def fits(self, chosen: Sequence[LossPart]) -> bool:
        """Tell whether what is named comes to about the loss."""
        return abs(self.find_rest(chosen)) <= TOLERATED_SHARE * self.loss

    def may_name_rest(self, chosen: Sequence[LossPart]) -> bool:
        """Tell whether the rest may be named, too: not as a gain beside others that need no name."""
        gains = [one for one in chosen if one.weight < 0]
        needed = all(self.must_be_named(one) and one.text.key != BUT_TOGETHER for one in gains)
        return needed or self.find_rest(chosen) > 0

    def rate_choice(self, parts: Sequence[LossPart], chosen: Sequence[LossPart]) -> tuple[float, float, int, float]:
        """Rate what could be said, less is better: what it leaves out, how long it is, how many boxes it names.

        What is large and left out counts as phrases, too, and so does the rest.
        """
        left_out, rest = list_left_out(parts, chosen), abs(self.find_rest(chosen)) / self.loss
        needed = sum(abs(one.weight) for one in left_out if self.must_be_named(one))
        large = sum(abs(one.weight) for one in left_out if abs(one.weight) >= LARGE * self.loss)
        words = len(chosen) + LEFT_OUT_COST * large / self.loss + (0 if self.fits(chosen) else rest / WORTH_NAMING)
        boxes = [one.text.values.get("boxes", ()) for one in chosen]
        return needed, words, sum(len(group) for group in boxes if isinstance(group, tuple)), rest


def list_left_out(parts: Sequence[LossPart], chosen: Sequence[LossPart]) -> list[LossPart]:
    """List the parts that are named neither alone nor together with others."""
    groups = [one.text.values.get("boxes", ()) for one in chosen]
    together = {name.box for group in groups if isinstance(group, tuple) for name in group if isinstance(name, BoxName)}
    return [one for one in parts if one not in chosen and one.box not in together]


def find_more_zeros(played: Move, comparison: MoveComparison) -> tuple[float, float] | None:
    """Say how often the turn ends with a zero, if that is noticeably more often and still open."""
    zeros = comparison.played.zero_chance, comparison.best.zero_chance
    return zeros if zeros[0] - zeros[1] >= MANY_ZEROS and not isinstance(played, Score) else None


def sum_weights(parts: Sequence[LossPart]) -> float:
    return sum(one.weight for one in parts)


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
    return LossPart(weight, describe_lost_box(rules, place, played, best, comparison), name.box, better)


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
    more = chances[1] - chances[0]
    if more >= TOLD_CHANCE and more * best_outlook.turn_means[place] / chances[1] >= TOLD_SHARE * (better - worse):
        percents = format_percents(*chances)
        lost = format_points(better - worse)
        return phrase(COMES_LESS, box=name, played=percents[0], best=percents[1], points=lost)
    return phrase("coach.why.brings" if ends_known else "coach.why.brings_now", box=name, **shown)
