"""One player's column: what is scored, what may be scored now, and what it is worth."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from knobel.dice import Hand, all_hands, is_all_alike
from knobel.phrase import BoxName, Phrase, phrase
from knobel.rules.scoring import joker_worth, list_worths_if_missed, worth
from knobel.rules.sheet_rules import SheetRules, Yatzy

FILLED = phrase("rules.refusal.filled")
WITHOUT_DICE = {
    "rules.refusal.must_fit": phrase("rules.refusal.must_fit_elsewhere"),
    "rules.refusal.chance_last_resort": phrase("rules.refusal.chance_elsewhere"),
}
"""What is said where it is not known which box fits instead."""


class Column(NamedTuple):
    """The entries by position on the sheet, the primes earned, and how many turns ended with all dice alike."""

    entries: tuple[int | None, ...]
    extra: int = 0
    yatzys: int = 0

    @property
    def open_boxes(self) -> tuple[int, ...]:
        """The places still free."""
        return tuple([place for place, points in enumerate(self.entries) if points is None])

    @property
    def is_full(self) -> bool:
        """Whether every box is filled."""
        return None not in self.entries


class Option(NamedTuple):
    """What a box would score now; `refusal` says why it may not be chosen."""

    points: int
    extra: int = 0
    refusal: Phrase | None = None
    warn_zero: bool = False


class Tally(NamedTuple):
    """The sums below a column; `gap` is the running difference to the bonus, as players count it."""

    upper: int
    bonus_pace: int
    bonus: int
    lower: int
    extra: int
    total: int


def empty_column(rules: SheetRules) -> Column:
    return Column((None,) * len(rules.boxes))


def build_column(rules: SheetRules, entries: Mapping[str, int], extra: int = 0, yatzys: int = 0) -> Column:
    """Build a column with these boxes filled."""
    return Column(tuple(entries.get(box.id) for box in rules.boxes), extra, yatzys)


class ScoringContext(NamedTuple):
    """A turn about to be scored: what each box would score, and whether the rules say where a joker must go."""

    rules: SheetRules
    column: Column
    hand: Hand
    announced: str | None
    values: tuple[int, ...]
    joker_forced: bool

    @property
    def announcement_missed(self) -> bool:
        """Whether a box was announced and the dice score nothing there."""
        return self.announced is not None and not self.values[self.rules.index[self.announced]]

    def points_in(self, index: int) -> int:
        """Say what a box scores: after a missed announcement only Chance pays."""
        bare = self.rules.order == "announced" and self.announcement_missed and not is_chance(self.rules, index)
        return 0 if bare else self.values[index]

    @property
    def open_except_chance(self) -> tuple[int, ...]:
        """The open boxes besides Chance."""
        return tuple(place for place in self.column.open_boxes if not is_chance(self.rules, place))

    def must_chance_wait(self, index: int) -> bool:
        """Tell whether this is Chance and it must wait to be the last open box."""
        chance = self.rules.chance
        return (
            chance is not None
            and chance.rule == "last_box"
            and is_chance(self.rules, index)
            and bool(self.open_except_chance)
        )

    @property
    def best_fit(self) -> BoxName | None:
        """The open box besides Chance where the dice score most, as far as a forced joker may go there."""
        fits = {self.values[one]: one for one in self.open_except_chance if refuse_joker(self, one) is None}
        return BoxName(self.rules.boxes[fits[max(fits)]].id) if any(fits) else None


@lru_cache(maxsize=4096)
def list_options(rules: SheetRules, column: Column, hand: Hand, announced: str | None = None) -> Mapping[str, Option]:
    """Say for every box what the hand would score, and whether it may be chosen; the same hand is asked about often."""
    moment = build_context(rules, column, hand, announced)
    refusals = list_refusals(moment)
    missed = rules.order == "announced" and moment.announcement_missed
    values = [moment.points_in(place) for place in range(len(rules.boxes))] if missed else moment.values
    scores = any(points and refusal is None for points, refusal in zip(values, refusals, strict=True))
    extra = extra_yatzy_points(rules, column, hand)
    return MappingProxyType(
        {
            box.id: Option(points, extra, refusal, scores and not points and refusal is None)
            for box, points, refusal in zip(rules.boxes, values, refusals, strict=True)
        }
    )


def build_context(rules: SheetRules, column: Column, hand: Hand, announced: str | None) -> ScoringContext:
    """Build the context of a turn that is about to be scored."""
    return ScoringContext(
        rules,
        column,
        hand,
        announced,
        tuple(find_box_values(rules, column, hand)),
        is_joker_forced(rules, column, hand),
    )


def list_options_if_announced(rules: SheetRules, column: Column, hand: Hand) -> dict[str, Option]:
    """Say for every box what the hand would score there, had that box been announced."""
    open_boxes = {rules.boxes[place].id for place in column.open_boxes}
    return {
        box.id: list_options(rules, column, hand, box.id if box.id in open_boxes else None)[box.id]
        for box in rules.boxes
    }


def find_option_against_rules(rules: SheetRules, column: Column, hand: Hand, box: str) -> Option:
    """Say what the hand scores in a box where every open box may be chosen."""
    place = rules.index[box]
    refusal = None if column.entries[place] is None else FILLED
    return Option(find_box_values(rules, column, hand)[place], extra_yatzy_points(rules, column, hand), refusal)


def find_box_values(rules: SheetRules, column: Column, hand: Hand) -> list[int]:
    """Say what the hand is worth in each box of this column, joker and second yatzy included."""
    plain = list(list_worths(rules, hand))
    yatzy = rules.yatzy
    if yatzy is None or not is_all_alike(hand):
        return plain
    if is_joker(rules, yatzy, column, hand):
        return [
            points if box.upper or box.id == yatzy.box else joker_worth(box, hand)
            for box, points in zip(rules.boxes, plain, strict=True)
        ]
    if yatzy.second and column.yatzys and rules.chance:
        if is_zero_forced(rules, yatzy, column, hand):
            return [0] * len(plain)
        plain[rules.index[rules.chance.box]] = yatzy.second
    return plain


@lru_cache(maxsize=1 << 14)
def list_worths(rules: SheetRules, hand: Hand) -> tuple[int, ...]:
    """Say what a hand is worth in each box, the rest of the sheet left out."""
    return tuple(worth(box, hand) for box in rules.boxes)


def extra_yatzy_points(rules: SheetRules, column: Column, hand: Hand) -> int:
    """Say which extra points all dice alike earn, wherever they are scored."""
    yatzy = rules.yatzy
    return yatzy.prime if yatzy and is_all_alike(hand) and column.entries[rules.index[yatzy.box]] else 0


def is_joker(rules: SheetRules, yatzy: Yatzy, column: Column, hand: Hand) -> bool:
    """Tell whether all dice alike stand for anything: both the yatzy box and the matching upper box are used."""
    return (
        yatzy.joker != "none"
        and column.entries[rules.index[yatzy.box]] is not None
        and not is_matching_box_open(rules, column, hand)
    )


def is_zero_forced(rules: SheetRules, yatzy: Yatzy, column: Column, hand: Hand) -> bool:
    """Tell whether a repeated yatzy has no place left and must be scored as zero."""
    if yatzy.forced_zero == "lenient" or rules.chance is None:
        return False
    is_used = all(column.entries[rules.index[box]] is not None for box in (yatzy.box, rules.chance.box))
    waits = yatzy.forced_zero == "all_upper" and any(rules.boxes[place].upper for place in column.open_boxes)
    return is_used and not waits and not is_matching_box_open(rules, column, hand)


def is_matching_box_open(rules: SheetRules, column: Column, hand: Hand) -> bool:
    """Tell whether the upper box for the face of dice all alike is free."""
    place = rules.upper_box_by_face.get(hand[0])
    return place is not None and column.entries[place] is None


def list_refusals(context: ScoringContext) -> list[Phrase | None]:
    """Say of every box why it may not be chosen; most rules leave every open box free."""
    if context.rules.leaves_boxes_free and not context.joker_forced:
        return [None if points is None else FILLED for points in context.column.entries]
    return [refuse_box(context, place) for place in range(len(context.rules.boxes))]


def refuse_box(context: ScoringContext, index: int) -> Phrase | None:
    """Say why a box may not be chosen: a filled one never, then the order of the sheet rules, then what fits."""
    rules, column = context.rules, context.column
    if column.entries[index] is not None:
        return FILLED
    if rules.order == "announced":
        return refuse_announced(context, index)
    if rules.order == "top_down":
        top = column.open_boxes[0]
        return None if index == top else phrase("rules.refusal.top_down", box=BoxName(rules.boxes[top].id))
    return refuse_joker(context, index) or refuse_fit(context, index)


def refuse_announced(context: ScoringContext, index: int) -> Phrase | None:
    """Enforce the announced box: if made, it must be scored there; if missed, Chance or any zero."""
    if context.announced is None:
        return phrase("rules.refusal.announce_first")
    if context.rules.boxes[index].id == context.announced or context.announcement_missed:
        return None
    return phrase("rules.refusal.announced", box=BoxName(context.announced))


def refuse_joker(context: ScoringContext, index: int) -> Phrase | None:
    """Send a forced joker to the matching upper box, else to the lower half while that has room."""
    if not context.joker_forced:
        return None
    rules, column, hand = context.rules, context.column, context.hand
    if is_matching_box_open(rules, column, hand) and not context.must_chance_wait(
        match := rules.upper_box_by_face[hand[0]]
    ):
        return None if index == match else phrase("rules.refusal.joker_upper", box=BoxName(rules.boxes[match].id))
    lower_open = any(not rules.boxes[free].upper and not context.must_chance_wait(free) for free in column.open_boxes)
    return phrase("rules.refusal.joker_lower") if lower_open and rules.boxes[index].upper else None


def is_joker_forced(rules: SheetRules, column: Column, hand: Hand) -> bool:
    """Tell whether the rules say where all dice alike must go."""
    yatzy = rules.yatzy
    if yatzy is None or yatzy.joker != "forced" or not is_all_alike(hand):
        return False
    return column.entries[rules.index[yatzy.box]] is not None


def is_bound(rules: SheetRules, column: Column, hand: Hand) -> bool:
    """Tell whether the rules bind these dice to a box where they score, so that it cannot be crossed out (E-9)."""
    named = rules.order == "free" and is_joker_forced(rules, column, hand) and is_matching_box_open(rules, column, hand)
    return rules.must_fit or rules.order == "announced" or named


def refuse_fit(context: ScoringContext, index: int) -> Phrase | None:
    """Keep Chance and zeros for when nothing else fits, as far as the rules want it."""
    rules, chance = context.rules, context.rules.chance
    if chance and is_chance(rules, index):
        if context.must_chance_wait(index):
            return phrase("rules.refusal.chance_last_box")
        fits = context.best_fit if rules.must_fit or chance.rule == "last_resort" else None
        return phrase("rules.refusal.chance_last_resort", box=fits, chance=BoxName(chance.box)) if fits else None
    if not rules.must_fit or context.values[index]:
        return None
    if fits := context.best_fit:
        return phrase("rules.refusal.must_fit", box=fits)
    usable = any(
        is_chance(rules, free) and not context.must_chance_wait(free) and refuse_joker(context, free) is None
        for free in context.column.open_boxes
    )
    return phrase("rules.refusal.must_chance", box=BoxName(chance.box)) if chance and usable else None


def is_chance(rules: SheetRules, index: int) -> bool:
    """Tell whether this box is the one that takes any hand."""
    return rules.chance is not None and rules.boxes[index].id == rules.chance.box


@lru_cache(maxsize=4096)
def tally(rules: SheetRules, column: Column) -> Tally:
    """Add up a column; cached, because all columns are shown at every move and only one changes."""
    entries = column.entries
    upper = sum([entries[place] or 0 for place, _ in rules.upper_faces])
    lower = sum([points or 0 for points in entries]) - upper
    bonus = rules.bonus.points if rules.bonus and rules.bonus.is_earned(upper) else 0
    return Tally(upper, bonus_pace(rules, column), bonus, lower, column.extra, upper + bonus + lower + column.extra)


def bonus_pace(rules: SheetRules, column: Column) -> int:
    """Count how far the filled upper boxes are ahead of (or behind) an even pace to the bonus."""
    whole = sum([face for _, face in rules.upper_faces])
    if rules.bonus is None or not whole:
        return 0
    filled = [(face, points) for place, face in rules.upper_faces if (points := column.entries[place]) is not None]
    pace = sum([face for face, _ in filled]) * rules.bonus.goal
    return sum([points for _, points in filled]) - round(pace / whole)


@lru_cache(maxsize=1024)
def possible_points(rules: SheetRules, box: str) -> tuple[int, ...]:
    """List every number of points a box can ever hold."""
    row = rules.boxes[rules.index[box]]
    values = {0} | {worth(row, hand) for hand in all_hands(rules.dice, rules.faces)}
    yatzy = rules.yatzy
    if yatzy and yatzy.joker != "none" and not row.upper and row.id != yatzy.box:
        values |= {joker_worth(row, (face,) * rules.dice) for face in range(1, rules.faces + 1)}
    if yatzy and yatzy.second and rules.chance and box == rules.chance.box:
        values.add(yatzy.second)
    return tuple(sorted(values))


@lru_cache(maxsize=4096)
def list_possible_entries(
    rules: SheetRules, column: Column, box: str, announced: str | None = None, anyway: bool = False
) -> dict[int, frozenset[tuple[int, bool]]]:
    """List the points some dice could score in a box of this column now, each with its extra and whether all alike."""
    place = rules.index[box]
    if column.entries[place] is not None:
        return {}
    chance_waits = is_chance(rules, place) and rules.chance is not None and rules.chance.rule != "free"
    named = rules.order == "announced" and announced == box
    plain = anyway or named or (rules.order == "free" and not rules.must_fit and not chance_waits)
    # Where other boxes do not matter, only dice all alike depend on the rest of the sheet.
    mixed_values = list_mixed_worths(rules, box) | (frozenset() if named and not anyway else {0})
    found = {points: {(0, False)} for points in (mixed_values if plain else ())}
    missed = rules.boxes[rules.index[announced]] if announced and rules.order == "announced" and not plain else None
    if missed:  # whoever misses the announced box scores Chance, or nothing: no need to look at all other boxes
        scored = rules.boxes[place] if is_chance(rules, place) else None
        found = {one: {(0, False)} for one in list_worths_if_missed(scored, missed, rules.dice, rules.faces)}
    mixed = () if plain or missed else group_mixed_contexts(rules, column, announced)
    for some in split_by_fit((*build_alike_contexts(rules, column, announced), *mixed), place):
        if not anyway and refuse_box(some[0], place) is not None:
            continue
        scores = {moment.values[place] if anyway else moment.points_in(place) for moment in some}
        rolled = some[0].hand
        for points in scores if not anyway and is_bound(rules, column, rolled) else {*scores, 0}:
            found.setdefault(points, set()).add((extra_yatzy_points(rules, column, rolled), is_all_alike(rolled)))
    return {points: frozenset(found[points]) for points in sorted(found)}


def split_by_fit(groups: Iterable[tuple[ScoringContext, ...]], index: int) -> Iterator[list[ScoringContext]]:
    """Split groups of turns by whether they fit a box: the scoring rules then treat each group alike there."""
    for moments in groups:
        for fits in (True, False):
            if some := [moment for moment in moments if (moment.values[index] > 0) is fits]:
                yield some


@lru_cache(maxsize=1024)
def find_main_refusal(rules: SheetRules, column: Column, box: str, announced: str | None = None) -> Phrase | None:
    """Say what the rules hold against most of the dice that may not be scored in a box now."""
    if rules.order == "announced" and announced == box:
        return None
    place = rules.index[box]
    found: Counter[Phrase] = Counter()
    turns = (*build_alike_contexts(rules, column, announced), *group_mixed_contexts(rules, column, announced))
    for some in split_by_fit(turns, place):
        if why := refuse_box(some[0], place):
            found[WITHOUT_DICE.get(why.key, why)] += len(some)
    return found.most_common(1)[0][0] if found else None


@lru_cache(maxsize=1024)
def list_mixed_worths(rules: SheetRules, box: str) -> frozenset[int]:
    """List what a box scores with dice that are not all alike."""
    target = rules.boxes[rules.index[box]]
    return frozenset(worth(target, rolled) for rolled in all_hands(rules.dice, rules.faces) if not is_all_alike(rolled))


@lru_cache(maxsize=256)
def build_alike_contexts(rules: SheetRules, column: Column, announced: str | None) -> tuple[tuple[ScoringContext], ...]:
    """List the turns that end with dice all alike, each by itself."""
    faces = range(1, rules.faces + 1)
    return tuple((build_context(rules, column, (face,) * rules.dice, announced),) for face in faces)


@lru_cache(maxsize=256)
def group_mixed_contexts(
    rules: SheetRules, column: Column, announced: str | None
) -> tuple[tuple[ScoringContext, ...], ...]:
    """List the turns that end with other dice, grouped by whether these fit the announced box, and any open one."""
    found: dict[tuple[bool, bool], list[ScoringContext]] = {}
    for rolled in all_hands(rules.dice, rules.faces):
        if not is_all_alike(rolled):
            moment = build_context(rules, column, rolled, announced)
            found.setdefault((moment.announcement_missed, moment.best_fit is None), []).append(moment)
    return tuple(map(tuple, found.values()))
