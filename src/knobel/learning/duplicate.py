"""What perfect play, which does not know the dice before, makes of the dice of a duplicate game."""

from functools import partial

from knobel import fair
from knobel.coach.sheet import SheetCoach
from knobel.learning.game_of_day import play_dice


def find_duplicate_par(coach: SheetCoach, dice_key: bytes) -> int:
    """Give the total of perfect play with the dice that follow from a key."""
    rules = coach.book.tables.rules
    return play_dice(rules, coach, partial(roll_all, dice_key, rules.dice, rules.faces))


def roll_all(dice_key: bytes, dice: int, faces: int, turn: int, roll_number: int) -> tuple[int, ...]:
    return fair.roll_duplicate(dice_key, turn, roll_number, dice, faces)
