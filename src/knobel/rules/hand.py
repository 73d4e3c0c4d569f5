"""Dice as somebody gives them, checked against the rules and sorted into a hand."""

from collections.abc import Iterable

from knobel.dice import Hand, sort_dice
from knobel.errors import NoSuchFace, WrongDiceCount
from knobel.rules.families import Rules
from knobel.rules.fields import check_type


def read_hand(rules: Rules, dice: Iterable[int]) -> Hand:
    """Check the dice of a whole hand; they may come in any order."""
    given = tuple(dice)
    if len(given) != rules.dice:
        raise WrongDiceCount(n=len(given), wanted=rules.dice)
    return sort_dice(check_faces(rules, given))


def check_faces(rules: Rules, dice: tuple[int, ...]) -> tuple[int, ...]:
    """Refuse a die that shows a face the dice of the game do not have."""
    for die in dice:
        check_type("dice", die, int)
        if not 1 <= die <= rules.faces:
            raise NoSuchFace(value=die, faces=rules.faces)
    return dice
