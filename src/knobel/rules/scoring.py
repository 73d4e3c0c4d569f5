"""The pattern library: one small pure function per pattern, which finds the dice that make it."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TypeAlias

from knobel.dice import Hand, all_hands, is_all_alike
from knobel.rules.fields import Bool, FieldType, Int, IntList

MAX_DICE = 8
MAX_FACES = 12

Setting: TypeAlias = int | bool | tuple[int, ...]
Finder: TypeAlias = Callable[..., Hand | None]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern with its settings filled in: a run of four, a group of three, a house."""

    name: str
    settings: tuple[tuple[str, Setting], ...] = ()

    def __getitem__(self, setting: str) -> Setting:
        return dict(self.settings)[setting]

    def int_setting(self, setting: str) -> int:
        """Give a setting that is a whole number."""
        value = self[setting]
        return value if isinstance(value, int) else 0


@dataclass(frozen=True, slots=True)
class Box:
    """One box of the sheet: worth the counted dice plus fixed points, if the hand has its pattern."""

    id: str
    pattern: Pattern
    counts: str
    points: int
    upper: bool

    @property
    def face(self) -> int | None:
        """The face an upper box collects."""
        return self.pattern.int_setting("face") if self.upper and self.pattern.name == "faces" else None


@dataclass(frozen=True, slots=True)
class PatternDefinition:
    """An entry of the pattern library."""

    find: Finder
    settings: Mapping[str, FieldType[Setting]]
    defaults: Mapping[str, Setting]
    lowest_hand: Callable[..., Hand]


COUNTS = ("nothing", "group", "all")
PATTERNS: dict[str, PatternDefinition] = {}


@lru_cache(maxsize=1 << 17)
def worth(box: Box, hand: Hand) -> int:
    """Say what a hand is worth in a box, the rest of the sheet left out."""
    group = find_pattern(box.pattern, hand)
    if group is None:
        return 0
    return sum_counted_dice(box, group, hand) + box.points


@lru_cache(maxsize=256)
def list_worths_if_missed(box: Box | None, missed: Box, dice: int, faces: int) -> frozenset[int]:
    """List what a box scores with dice that are not all alike and miss another box; no box always scores nothing."""
    hands = (hand for hand in all_hands(dice, faces) if not is_all_alike(hand) and not worth(missed, hand))
    return frozenset(worth(box, hand) for hand in hands) if box else frozenset(0 for _ in islice(hands, 1))


def find_pattern(pattern: Pattern, hand: Hand) -> Hand | None:
    """Find the best dice that make the pattern, if the hand has it."""
    return PATTERNS[pattern.name].find(hand, **dict(pattern.settings))


def sum_counted_dice(box: Box, group: Hand, hand: Hand) -> int:
    """Add up the dice this box counts."""
    return {"nothing": 0, "group": sum(group), "all": sum(hand)}[box.counts]


def joker_worth(box: Box, hand: Hand) -> int:
    """Say what a box is worth for dice that are all alike and stand for whatever it wants."""
    return sum_counted_dice(box, hand[: len(lowest_hand(box.pattern, len(hand)))], hand) + box.points


def lowest_hand(pattern: Pattern, dice: int) -> Hand:
    """Give the lowest dice that make the pattern; there may be more of them, or higher ones, than the game has."""
    return PATTERNS[pattern.name].lowest_hand(dice, **dict(pattern.settings))


def register_pattern(lowest_hand: Callable[..., Hand], **settings: FieldType[Setting]) -> Callable[[Finder], Finder]:
    """Enter a finder into the library; `made` gives the lowest dice that make the pattern."""

    def enter(finder: Finder) -> Finder:
        PATTERNS[finder.__name__.rstrip("_")] = PatternDefinition(
            finder, settings, finder.__kwdefaults__ or {}, lowest_hand
        )
        return finder

    return enter


@register_pattern(lambda dice, face: (face,) * dice, face=Int(1, MAX_FACES))
def faces(hand: Hand, *, face: int) -> Hand | None:
    """Find all dice of one face."""
    return tuple(die for die in hand if die == face) or None


@register_pattern(lambda _, size: (1,) * size, size=Int(2, MAX_DICE))
def group(hand: Hand, *, size: int) -> Hand | None:
    """Find `size` equal dice, the highest there are."""
    return house(hand, sizes=(size,))


@register_pattern(lambda _, count, same_face: lowest_groups((2,) * count, same_face), count=Int(1, 4), same_face=Bool())
def pairs(hand: Hand, *, count: int, same_face: bool = False) -> Hand | None:
    """Find `count` pairs, the highest there are, of different faces unless `same_face`."""
    return house(hand, sizes=(2,) * count, same_face=same_face)


@register_pattern(
    lambda _, sizes, same_face: lowest_groups(sizes, same_face), sizes=IntList(1, MAX_DICE, 2, 4), same_face=Bool()
)
def house(hand: Hand, *, sizes: tuple[int, ...], same_face: bool = False) -> Hand | None:
    """Find groups of these sizes, the highest there are, of different faces unless `same_face`."""
    best: Hand | None = None
    first, *others = sizes
    counts = Counter(hand)
    for face, count in counts.items():
        if count < first:
            continue
        rest: Hand | None = ()
        if others:
            taken = first if same_face else count
            left = tuple((counts - Counter({face: taken})).elements())
            rest = house(left, sizes=tuple(others), same_face=same_face)
        if rest is not None and (best is None or first * face + sum(rest) > sum(best)):
            best = (face,) * first + rest
    return best


@register_pattern(
    lambda _, length, start: tuple(range(start or 1, (start or 1) + length)),
    length=Int(2, MAX_DICE),
    start=Int(0, MAX_FACES),
)
def run(hand: Hand, *, length: int, start: int = 0) -> Hand | None:
    """Find `length` faces in a row, the highest there are, or exactly from `start`."""
    starts = (start,) if start else range(hand[-1] - length + 1, 0, -1)
    runs = (tuple(range(low, low + length)) for low in starts)
    return next((wanted for wanted in runs if set(wanted) <= set(hand)), None)


@register_pattern(lambda dice, faces: (min(faces),) * dice, faces=IntList(1, MAX_FACES, 1, MAX_FACES, distinct=True))
def only(hand: Hand, *, faces: tuple[int, ...]) -> Hand | None:
    """Accept a hand only if every die shows one of these faces: all odd, all even, all high and the like."""
    return hand if set(hand) <= set(faces) else None


@register_pattern(lambda dice: (1,) * dice)
def sum_(hand: Hand) -> Hand | None:
    """Accept any hand."""
    return hand


def lowest_groups(sizes: tuple[int, ...], same_face: bool) -> Hand:
    """Lay out groups of these sizes with the lowest faces."""
    return tuple(1 if same_face else face for face, size in enumerate(sizes, 1) for _ in range(size))
