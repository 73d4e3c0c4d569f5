"""What a box looks like on paper: how it scores in a few words, the dice it wants, a worked example."""

from dataclasses import dataclass
from itertools import cycle, islice
from typing import Protocol

from knobel.dice import Hand, hand
from knobel.phrase import Phrase, phrase
from knobel.rules.articles import shape
from knobel.rules.ruleset import SheetRules
from knobel.rules.scoring import Box, find, lowest, worth

ANY = 0
"""A die that may show anything."""
PLEASING = (5, 3, 2, 6, 4, 1)
"""In which order faces are shown where any face would do."""
MIXED = (6, 5, 5, 3, 2, 6, 2, 3)
"""Dice that make nothing much."""


class Speaker(Protocol):
    """Whoever has the words of one language for one box."""

    @property
    def lang(self) -> str:
        """Which language it is."""

    def say(self, said: Phrase, /) -> str:
        """Say a phrase."""

    def box(self, box: str, /) -> str:
        """Name a box."""

    def term(self, key: str, /) -> str | None:
        """Name a thing of the sheet as the box prints it."""


@dataclass(frozen=True, slots=True)
class Example:
    """Dice on the table, which of them count, and what they bring."""

    dice: tuple[int, ...]
    counted: tuple[bool, ...]
    points: int


def how(box: Box, rules: SheetRules) -> Phrase:
    """Say in a few words how a box scores."""
    if box.pattern.name == "faces" and box.counts == "group" and not box.points:
        return phrase("paper.sum_of", face=box.pattern.number("face"))
    pays = about_pay(box)
    if box.pattern.name == "sum":
        return pays
    wanted = shape(box.pattern, rules)
    return phrase("paper.how", wants=phrase(f"paper.wants.{wanted.key}", **wanted.values), pays=pays)


def about_pay(box: Box) -> Phrase:
    """Say in a few words what a box pays."""
    plus = "_plus" if box.points and box.counts != "nothing" else ""
    return phrase(f"paper.pays.{box.counts}{plus}", n=box.points)


def picture(box: Box, rules: SheetRules) -> tuple[int, ...]:
    """Draw the dice a box wants; the others may show anything."""
    if box.pattern.name == "faces":
        return (box.pattern.number("face"),)
    made = () if box.pattern.name == "sum" else made_of(box, rules)
    return (*made, *(ANY,) * (rules.dice - len(made)))


def example(box: Box, rules: SheetRules) -> Example:
    """Throw dice that fit a box, and let the rules say what they bring."""
    made = made_of(box, rules)
    dice = hand((*made, *others(made, rules)))
    found = find(box.pattern, dice) or ()
    left = list(dice if box.counts == "all" else found)
    counted = []
    for die in dice:
        counted.append(die in left)
        if die in left:
            left.remove(die)
    return Example(dice, tuple(counted), worth(box, dice))


def made_of(box: Box, rules: SheetRules) -> Hand:
    """Make what a box wants, with faces that are pleasing to look at."""
    match box.pattern.name:
        case "faces":
            return (box.pattern.number("face"),) * min(3, rules.dice)
        case "sum":
            return hand(islice(cycle(face for face in MIXED if face <= rules.faces), rules.dice))
        case "only":
            faces = box.pattern["faces"]
            return hand(islice(cycle(faces if isinstance(faces, tuple) else ()), rules.dice))
        case "run":
            return lowest(box.pattern, rules.dice)
    order = faces_in_order(rules)
    return hand(order[face - 1] for face in lowest(box.pattern, rules.dice))


def others(made: Hand, rules: SheetRules) -> tuple[int, ...]:
    """Choose the dice beside a pattern so that they change nothing about it, as far as that can be."""
    order = faces_in_order(rules)
    near = {face + step for face in made for step in (-1, 0, 1)}
    free = [face for face in order if face not in near] + [face for face in order if face in near - set(made)]
    return tuple(islice(cycle(free or order), rules.dice - len(made)))


def faces_in_order(rules: SheetRules) -> tuple[int, ...]:
    """List the faces of a die, the pleasing ones first."""
    known = [face for face in PLEASING if face <= rules.faces]
    return (*known, *(face for face in range(1, rules.faces + 1) if face not in known))
