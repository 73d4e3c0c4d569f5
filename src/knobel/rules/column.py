"""One player's column: what is written, what may be written now and what it is worth; every window asks here."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from knobel.dice import Hand, alike, hands
from knobel.phrase import BoxName, Phrase, phrase
from knobel.rules.ruleset import SheetRules, Yatzy
from knobel.rules.scoring import as_joker, worth

FILLED = phrase("rules.refusal.filled")


class Column(NamedTuple):
    """The entries by position on the sheet, the primes earned, and how many turns ended with all dice alike."""

    entries: tuple[int | None, ...]
    extra: int = 0
    yatzys: int = 0

    @property
    def open(self) -> tuple[int, ...]:
        """The places still free."""
        return tuple(place for place, points in enumerate(self.entries) if points is None)

    @property
    def full(self) -> bool:
        """Whether every box is written."""
        return None not in self.entries


class Option(NamedTuple):
    """What a box would bring now; `refusal` says why it may not be chosen."""

    points: int
    extra: int = 0
    refusal: Phrase | None = None
    warn_zero: bool = False


class Tally(NamedTuple):
    """The sums below a column; `gap` is the running difference to the bonus, as players count it."""

    upper: int
    gap: int
    bonus: int
    lower: int
    extra: int
    total: int


def empty(rules: SheetRules) -> Column:
    """Take a fresh column from the block."""
    return Column((None,) * len(rules.boxes))


def filled(rules: SheetRules, entries: Mapping[str, int], extra: int = 0, yatzys: int = 0) -> Column:
    """Take a column with these boxes written."""
    return Column(tuple(entries.get(box.id) for box in rules.boxes), extra, yatzys)


@dataclass(frozen=True, slots=True)
class Moment:
    """A turn about to be written: what each box would bring, and whether the rules say where a joker must go."""

    rules: SheetRules
    column: Column
    hand: Hand
    announced: str | None
    values: tuple[int, ...]
    forced: bool

    @property
    def missed(self) -> bool:
        """Whether a box was announced and the dice bring nothing there."""
        return self.announced is not None and not self.values[self.rules.index[self.announced]]

    def brings(self, place: int) -> int:
        """Say what a box brings: after a missed announcement only Chance pays."""
        bare = self.rules.order == "announced" and self.missed and not is_chance(self.rules, place)
        return 0 if bare else self.values[place]

    @property
    def others(self) -> tuple[int, ...]:
        """The open boxes besides Chance."""
        return tuple(place for place in self.column.open if not is_chance(self.rules, place))

    def chance_waits(self, place: int) -> bool:
        """Tell whether this is Chance and it must wait to be the last open box."""
        chance = self.rules.chance
        return chance is not None and chance.rule == "last_box" and is_chance(self.rules, place) and bool(self.others)

    @property
    def fits(self) -> bool:
        """Whether the dice bring something in an open box besides Chance, as far as a forced joker may go there."""
        return any(self.values[place] for place in self.others if refuse_joker(self, place) is None)


def options(rules: SheetRules, column: Column, hand: Hand, announced: str | None = None) -> Mapping[str, Option]:
    """Say for every box what the hand would bring there and whether it may be chosen."""
    return judged(rules, column, hand, announced)


@lru_cache(maxsize=4096)
def judged(rules: SheetRules, column: Column, hand: Hand, announced: str | None) -> Mapping[str, Option]:
    """Judge every box; remembered, because one entry is asked about several times before it is made."""
    moment = moment_of(rules, column, hand, announced)
    refusals = [refuse(moment, place) for place in range(len(rules.boxes))]
    missed = rules.order == "announced" and moment.missed
    values = [moment.brings(place) for place in range(len(rules.boxes))] if missed else moment.values
    scores = any(points and refusal is None for points, refusal in zip(values, refusals, strict=True))
    extra = prime(rules, column, hand)
    return MappingProxyType(
        {
            box.id: Option(points, extra, refusal, warn_zero=not points and refusal is None and scores)
            for box, points, refusal in zip(rules.boxes, values, refusals, strict=True)
        }
    )


def moment_of(rules: SheetRules, column: Column, hand: Hand, announced: str | None) -> Moment:
    """Look at a turn that is about to be written."""
    return Moment(
        rules, column, hand, announced, tuple(values_of(rules, column, hand)), joker_forced(rules, column, hand)
    )


def if_announced(rules: SheetRules, column: Column, hand: Hand) -> dict[str, Option]:
    """Say for every box what the hand would bring there, had that box been announced."""
    open_boxes = {rules.boxes[place].id for place in column.open}
    return {
        box.id: options(rules, column, hand, box.id if box.id in open_boxes else None)[box.id] for box in rules.boxes
    }


def unbound(rules: SheetRules, column: Column, hand: Hand, box: str) -> Option:
    """Say what the hand brings in a box where the table lets every open box be chosen."""
    place = rules.index[box]
    refusal = None if column.entries[place] is None else FILLED
    return Option(values_of(rules, column, hand)[place], prime(rules, column, hand), refusal)


def values_of(rules: SheetRules, column: Column, hand: Hand) -> list[int]:
    """Say what the hand is worth in each box of this column, joker and second yatzy included."""
    plain = list(worths(rules, hand))
    yatzy = rules.yatzy
    if yatzy is None or not alike(hand):
        return plain
    if is_joker(rules, yatzy, column, hand):
        return [
            points if box.upper or box.id == yatzy.box else as_joker(box, hand)
            for box, points in zip(rules.boxes, plain, strict=True)
        ]
    if yatzy.second and column.yatzys and rules.chance:
        if forced_zero(rules, yatzy, column, hand):
            return [0] * len(plain)
        plain[rules.index[rules.chance.box]] = yatzy.second
    return plain


@lru_cache(maxsize=1 << 14)
def worths(rules: SheetRules, hand: Hand) -> tuple[int, ...]:
    """Say what a hand is worth in each box, the rest of the sheet left out."""
    return tuple(worth(box, hand) for box in rules.boxes)


def prime(rules: SheetRules, column: Column, hand: Hand) -> int:
    """Say which extra points all dice alike earn, wherever they are written."""
    yatzy = rules.yatzy
    return yatzy.prime if yatzy and alike(hand) and column.entries[rules.index[yatzy.box]] else 0


def is_joker(rules: SheetRules, yatzy: Yatzy, column: Column, hand: Hand) -> bool:
    """Tell whether all dice alike stand for anything: both the yatzy box and the matching upper box are used."""
    return (
        yatzy.joker != "none"
        and column.entries[rules.index[yatzy.box]] is not None
        and not matching_open(rules, column, hand)
    )


def forced_zero(rules: SheetRules, yatzy: Yatzy, column: Column, hand: Hand) -> bool:
    """Tell whether a repeated yatzy has no place left and must be written as zero."""
    return (
        yatzy.forced_zero == "literal"
        and column.entries[rules.index[yatzy.box]] is not None
        and rules.chance is not None
        and column.entries[rules.index[rules.chance.box]] is not None
        and not matching_open(rules, column, hand)
    )


def matching_open(rules: SheetRules, column: Column, hand: Hand) -> bool:
    """Tell whether the upper box for the face of dice all alike is free."""
    place = rules.matching.get(hand[0])
    return place is not None and column.entries[place] is None


def refuse(moment: Moment, place: int) -> Phrase | None:
    """Say why a box may not be chosen: a filled one never, then the order of the sheet rules, then what fits."""
    rules, column = moment.rules, moment.column
    if column.entries[place] is not None:
        return FILLED
    if rules.order == "announced":
        return refuse_announced(moment, place)
    if rules.order == "top_down":
        top = column.open[0]
        return None if place == top else phrase("rules.refusal.top_down", box=BoxName(rules.boxes[top].id))
    return refuse_joker(moment, place) or refuse_fit(moment, place)


def refuse_announced(moment: Moment, place: int) -> Phrase | None:
    """Hold a player to the box he announced: made, it goes there and nowhere else; missed, Chance or any zero."""
    if moment.announced is None:
        return phrase("rules.refusal.announce_first")
    if moment.rules.boxes[place].id == moment.announced or moment.missed:
        return None
    return phrase("rules.refusal.announced", box=BoxName(moment.announced))


def refuse_joker(moment: Moment, place: int) -> Phrase | None:
    """Send a forced joker to the matching upper box, else to the lower half while that has room."""
    if not moment.forced:
        return None
    rules, column, hand = moment.rules, moment.column, moment.hand
    if matching_open(rules, column, hand) and not moment.chance_waits(match := rules.matching[hand[0]]):
        return None if place == match else phrase("rules.refusal.joker_upper", box=BoxName(rules.boxes[match].id))
    lower_open = any(not rules.boxes[free].upper and not moment.chance_waits(free) for free in column.open)
    return phrase("rules.refusal.joker_lower") if lower_open and rules.boxes[place].upper else None


def joker_forced(rules: SheetRules, column: Column, hand: Hand) -> bool:
    """Tell whether the rules say where all dice alike must go."""
    yatzy = rules.yatzy
    if yatzy is None or yatzy.joker != "forced" or not alike(hand):
        return False
    return column.entries[rules.index[yatzy.box]] is not None


def bound(rules: SheetRules, column: Column, hand: Hand) -> bool:
    """Tell whether the rules bind these dice to a box where they score, so that nobody may strike it (E-9)."""
    named = rules.order == "free" and joker_forced(rules, column, hand) and matching_open(rules, column, hand)
    return rules.must_fit or rules.order == "announced" or named


def refuse_fit(moment: Moment, place: int) -> Phrase | None:
    """Keep Chance and zeros for when nothing else fits, as far as the rules want it."""
    rules, chance = moment.rules, moment.rules.chance
    if chance and is_chance(rules, place):
        if moment.chance_waits(place):
            return phrase("rules.refusal.chance_last_box")
        restricted = rules.must_fit or chance.rule == "last_resort"
        return phrase("rules.refusal.chance_last_resort") if restricted and moment.fits else None
    if not rules.must_fit or moment.values[place]:
        return None
    if moment.fits:
        return phrase("rules.refusal.must_fit")
    usable = [
        free
        for free in moment.column.open
        if is_chance(rules, free) and not moment.chance_waits(free) and refuse_joker(moment, free) is None
    ]
    return phrase("rules.refusal.must_chance", box=BoxName(chance.box)) if chance and usable else None


def is_chance(rules: SheetRules, place: int) -> bool:
    """Tell whether this box is the one that takes any hand."""
    return rules.chance is not None and rules.boxes[place].id == rules.chance.box


@lru_cache(maxsize=4096)
def tally(rules: SheetRules, column: Column) -> Tally:
    """Add up a column; remembered, because all columns are shown at every move and one changes."""
    written = [(box, points) for box, points in zip(rules.boxes, column.entries, strict=True) if points is not None]
    upper = sum(points for box, points in written if box.upper)
    lower = sum(points for box, points in written if not box.upper)
    bonus = rules.bonus.points if rules.bonus and rules.bonus.earned(upper) else 0
    return Tally(upper, gap(rules, column), bonus, lower, column.extra, upper + bonus + lower + column.extra)


def gap(rules: SheetRules, column: Column) -> int:
    """Count how far the written upper boxes are ahead of (or behind) an even pace to the bonus."""
    if rules.bonus is None:
        return 0
    faces = [(box.face or 0, points) for box, points in zip(rules.boxes, column.entries, strict=True) if box.upper]
    whole = sum(face for face, _ in faces)
    if not whole:
        return 0
    pace = sum(face for face, points in faces if points is not None) * rules.bonus.goal
    return sum(points for _, points in faces if points is not None) - round(pace / whole)


@lru_cache(maxsize=1024)
def possible_points(rules: SheetRules, box: str) -> tuple[int, ...]:
    """List every number of points a box can ever hold."""
    row = rules.boxes[rules.index[box]]
    values = {0} | {worth(row, hand) for hand in hands(rules.dice, rules.faces)}
    yatzy = rules.yatzy
    if yatzy and yatzy.joker != "none" and not row.upper and row.id != yatzy.box:
        values |= {as_joker(row, (face,) * rules.dice) for face in range(1, rules.faces + 1)}
    if yatzy and yatzy.second and rules.chance and box == rules.chance.box:
        values.add(yatzy.second)
    return tuple(sorted(values))


@lru_cache(maxsize=4096)
def writable(
    rules: SheetRules, column: Column, box: str, announced: str | None = None, anyway: bool = False
) -> dict[int, frozenset[tuple[int, bool]]]:
    """List the points some dice could bring in a box of this column now, each with its extra and whether all alike."""
    place = rules.index[box]
    if column.entries[place] is not None:
        return {}
    chance_waits = is_chance(rules, place) and rules.chance is not None and rules.chance.rule != "free"
    named = rules.order == "announced" and announced == box
    plain = anyway or named or (rules.order == "free" and not rules.must_fit and not chance_waits)
    # Where other boxes have no say, only dice all alike need to look at the rest of the sheet.
    mixed_values = mixed_worths(rules, box) | (frozenset() if named and not anyway else {0})
    found = {points: {(0, False)} for points in (mixed_values if plain else ())}
    mixed = () if plain else told_apart(rules, column, announced)
    for some in by_fit((*alike_moments(rules, column, announced), *mixed), place):
        if not anyway and refuse(some[0], place) is not None:
            continue
        brought = {moment.values[place] if anyway else moment.brings(place) for moment in some}
        rolled = some[0].hand
        for points in brought if not anyway and bound(rules, column, rolled) else {*brought, 0}:
            found.setdefault(points, set()).add((prime(rules, column, rolled), alike(rolled)))
    return {points: frozenset(found[points]) for points in sorted(found)}


def by_fit(turns: Iterable[tuple[Moment, ...]], place: int) -> Iterator[list[Moment]]:
    """Part turns once more by whether they fit a box: then the rules of writing treat all of a part alike there."""
    for moments in turns:
        for fits in (True, False):
            if some := [moment for moment in moments if (moment.values[place] > 0) is fits]:
                yield some


@lru_cache(maxsize=1024)
def withheld(rules: SheetRules, column: Column, box: str, announced: str | None = None) -> Phrase | None:
    """Say what the rules hold against most of the dice that may not be written in a box now."""
    if rules.order == "announced" and announced == box:
        return None
    place = rules.index[box]
    found: Counter[Phrase] = Counter()
    turns = (*alike_moments(rules, column, announced), *told_apart(rules, column, announced))
    for some in by_fit(turns, place):
        if why := refuse(some[0], place):
            found[why] += len(some)
    return found.most_common(1)[0][0] if found else None


@lru_cache(maxsize=1024)
def mixed_worths(rules: SheetRules, box: str) -> frozenset[int]:
    """List what a box brings with dice that are not all alike."""
    row = rules.boxes[rules.index[box]]
    return frozenset(worth(row, rolled) for rolled in hands(rules.dice, rules.faces) if not alike(rolled))


@lru_cache(maxsize=256)
def alike_moments(rules: SheetRules, column: Column, announced: str | None) -> tuple[tuple[Moment], ...]:
    """List the turns that end with dice all alike, each by itself."""
    faces = range(1, rules.faces + 1)
    return tuple((moment_of(rules, column, (face,) * rules.dice, announced),) for face in faces)


@lru_cache(maxsize=256)
def told_apart(rules: SheetRules, column: Column, announced: str | None) -> tuple[tuple[Moment, ...], ...]:
    """List the turns that end with other dice, together where the rules of writing cannot tell them apart.

    They ask only whether dice fit: the box that was announced, any open box, and the box itself.
    """
    found: dict[tuple[bool, bool], list[Moment]] = {}
    for rolled in hands(rules.dice, rules.faces):
        if not alike(rolled):
            moment = moment_of(rules, column, rolled, announced)
            found.setdefault((moment.missed, moment.fits), []).append(moment)
    return tuple(map(tuple, found.values()))
