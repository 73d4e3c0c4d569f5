"""What a box looks like on paper: how it scores in a few words, the dice it wants, a worked example."""

from dataclasses import dataclass
from itertools import cycle, islice
from typing import Protocol

from knobel.dice import Hand, sort_dice
from knobel.game import Announce, Move, Score
from knobel.games.sheet import SheetState
from knobel.phrase import BoxName, Phrase, phrase
from knobel.rules import Edition
from knobel.rules.articles import describe_shape
from knobel.rules.scoring import Box, find_pattern, lowest_hand, worth
from knobel.rules.sheet_rules import SheetRules

ANY_FACE = 0
"""A die that may show anything."""
FACE_ORDER = (5, 3, 2, 6, 4, 1)
"""In which order faces are shown where any face would do."""
MIXED_FACES = (6, 5, 5, 3, 2, 6, 2, 3)
"""Dice that make nothing much."""


class PageTranslator(Protocol):
    """Translates messages into one language for one edition."""

    @property
    def lang(self) -> str:
        """The language."""

    @property
    def edition(self) -> Edition | None:
        """The edition whose words are used."""

    def translate(self, text: Phrase, /) -> str:
        """Turn a phrase into a sentence of this language, or an English one where it is not translated."""

    def find_language(self, text: Phrase, /) -> str:
        """Find the language `translate` answers in: this one, or English where the phrase is not translated."""

    def name_box(self, box: str, /) -> str:
        """Find the name of a box as the edition prints it, or else the usual one."""

    def find_term(self, key: str, /) -> str | None:
        """Name a thing as printed in the edition."""


@dataclass(frozen=True, slots=True)
class Example:
    """Dice on the table, which of them count, and what they score."""

    dice: tuple[int, ...]
    counted: tuple[bool, ...]
    points: int


@dataclass(frozen=True, slots=True)
class CaptionedExample:
    """A worked example: whose it is, why, the dice, what they score; who takes a chip is marked, a round begins."""

    name: str
    hint: str
    example: Example
    marked: bool = False
    begins: bool = False


@dataclass(frozen=True, slots=True)
class PicturedDice:
    """Dice that picture a box: those that count there already, or else those it wants."""

    dice: tuple[int, ...] = ()
    fits: bool = False


def find_name_language(words: PageTranslator, box: str) -> str:
    """Tell in which language a box is named: house rules name theirs in some only."""
    names = words.edition.box_names(box) if words.edition else {}
    return words.lang if not names or words.lang in names else next(iter(names))


def describe_scoring(box: Box, rules: SheetRules) -> Phrase:
    """Say in a few words how a box scores."""
    if box.pattern.name == "faces" and box.counts == "group" and not box.points:
        return phrase("paper.sum_of", face=box.pattern.int_setting("face"))
    pays = describe_points(box)
    if box.pattern.name == "sum":
        return pays
    wanted = describe_shape(box.pattern, rules)
    return phrase("paper.how", wants=phrase(f"paper.wants.{wanted.key}", **wanted.values), pays=pays)


def describe_entry(box: Box, rules: SheetRules) -> Phrase:
    """Say how a box scores, and what all dice alike are worth in it if they come again."""
    usual = describe_scoring(box, rules)
    if rules.chance is None or rules.yatzy is None or not rules.yatzy.second or box.id != rules.chance.box:
        return usual
    return phrase("paper.second", usual=usual, n=rules.yatzy.second, box=BoxName(rules.yatzy.box))


def describe_points(box: Box) -> Phrase:
    """Say in a few words what a box pays."""
    plus = "_plus" if box.points and box.counts != "nothing" else ""
    return phrase(f"paper.pays.{box.counts}{plus}", n=box.points)


def list_wanted_dice(box: Box, rules: SheetRules) -> tuple[int, ...]:
    """Draw the dice a box wants; the others may show anything."""
    if box.pattern.name == "faces":
        return (box.pattern.int_setting("face"),)
    made = () if box.pattern.name == "sum" else make_pattern(box, rules)
    return (*made, *(ANY_FACE,) * (rules.dice - len(made)))


def build_example(box: Box, rules: SheetRules) -> Example:
    """Choose dice that fit a box, and let the rules say what they score."""
    made = make_pattern(box, rules)
    dice = sort_dice((*made, *choose_other_dice(made, rules)))
    found = find_pattern(box.pattern, dice) or ()
    left = list(dice if box.counts == "all" else found)
    counted = []
    for die in dice:
        counted.append(die in left)
        if die in left:
            left.remove(die)
    return Example(dice, tuple(counted), worth(box, dice))


def picture_sheet_move(rules: SheetRules, state: SheetState, move: Move) -> PicturedDice:
    """Picture the box of a move; a move without a box has no picture."""
    if not isinstance(move, Score | Announce):
        return PicturedDice()
    box = rules.boxes[rules.index[move.box]]
    is_scored = isinstance(move, Score) and not move.cross_out
    found = find_pattern(box.pattern, sort_dice(state.dice)) if is_scored else None
    if not found:
        return PicturedDice(list_wanted_dice(box, rules))
    return PicturedDice((*found, *(ANY_FACE,) * (rules.dice - len(found))), fits=True)


def make_pattern(box: Box, rules: SheetRules) -> Hand:
    """Make the dice a box wants, preferring faces that look good."""
    match box.pattern.name:
        case "faces":
            return (box.pattern.int_setting("face"),) * min(3, rules.dice)
        case "sum":
            return sort_dice(islice(cycle(face for face in MIXED_FACES if face <= rules.faces), rules.dice))
        case "only":
            faces = box.pattern["faces"]
            return sort_dice(islice(cycle(faces if isinstance(faces, tuple) else ()), rules.dice))
        case "run":
            return lowest_hand(box.pattern, rules.dice)
    order = order_faces(rules)
    return sort_dice(order[face - 1] for face in lowest_hand(box.pattern, rules.dice))


def choose_other_dice(pattern: Hand, rules: SheetRules) -> tuple[int, ...]:
    """Choose dice beside a pattern that do not change it, as far as possible."""
    order = order_faces(rules)
    near = {face + step for face in pattern for step in (-1, 0, 1)}
    free = [face for face in order if face not in near] + [face for face in order if face in near - set(pattern)]
    return tuple(islice(cycle(free or order), rules.dice - len(pattern)))


def order_faces(rules: SheetRules) -> tuple[int, ...]:
    """List the faces of a die, those that look good first."""
    known = [face for face in FACE_ORDER if face <= rules.faces]
    return (*known, *(face for face in range(1, rules.faces + 1) if face not in known))
