"""Actions as text, and back; a roll shows the tray with dots for the dice that roll, so it checks itself."""

import re
from functools import lru_cache

from knobel.errors import NotationError, NotationTrayMismatch
from knobel.game import Action, Announce, EnterDice, EnterPoints, Land, Leave, Roll, Score, Stand, State
from knobel.rules.fields import abbreviate

FACES = "0123456789abc"
ROLLED = "."
BOX = r"(?P<box>[a-z][a-z0-9_]{0,31})"

ANYWAY = r"(?P<anyway>~)?"
ANNOUNCE = re.compile(rf"!{BOX}")
SCORE = re.compile(rf"{ANYWAY}(?P<cross_out>/)?{BOX}")
ENTER_POINTS = re.compile(rf"{ANYWAY}{BOX}=(?P<points>\d{{1,5}})(?:\+(?P<extra>\d{{1,5}}))?(?P<alike>\*)?")
LAND = re.compile(r">(?P<dice>[1-9abc]{1,8})")
ENTER_DICE = re.compile(r"=(?P<dice>[1-9abc]{1,8})(?::(?P<rolls>[1-9]))?")
ROLL = re.compile(r"[1-9abc.]{1,8}")
LEAVE = re.compile(r"leave (?P<seat>[1-9]\d?)")
STAND = re.compile(r"stand(?: (?P<aim>over|under))?")


def write_action(state: State, action: Action, dice: int) -> str:
    """Write an action as text; `dice` is how many the game has."""
    match action:
        case Announce(box):
            return write_announcement(box)
        case Roll(keep):
            return "".join([FACES[state.dice[place]] if place in keep else ROLLED for place in range(dice)])
        case Land(values):
            return ">" + write_dice(values)
        case EnterDice(values, rolls):
            return f"={write_dice(values)}{f':{rolls}' if rolls else ''}"
        case Score(box, cross_out, anyway):
            return write_score(box, cross_out, anyway)
        case EnterPoints(box, points, extra, alike, anyway):
            return f"{'~' if anyway else ''}{box}={write_points(points, extra, alike)}"
        case Leave(seat):
            return f"leave {seat + 1}"
        case Stand(aim):
            return f"stand {aim}" if aim else "stand"


def write_announcement(box: str) -> str:
    return f"!{box}"


def write_score(box: str, cross_out: bool = False, anyway: bool = False) -> str:
    """Write scoring or crossing out a box, the one way for every sender."""
    return f"{'~' if anyway else ''}{'/' if cross_out else ''}{box}"


def read_action(state: State, text: str) -> Action:
    """Read an action from text; a roll must show the dice on the tray."""
    if ROLLED in text and ROLL.fullmatch(text):
        return read_roll(state, text)
    return read_fixed_action(text)


def read_exact_action(state: State, text: str, dice: int) -> Action:
    """Read an action that is written exactly as `write_action` writes it, so that one action has one text."""
    action = read_action(state, text)
    if write_action(state, action, dice) != text:
        raise NotationError(text=abbreviate(text))
    return action


@lru_cache(maxsize=1024)
def read_fixed_action(text: str) -> Action:
    """Read an action that means the same whatever the tray shows; cached, as most occur again and again."""
    if match := LEAVE.fullmatch(text):
        return Leave(int(match["seat"]) - 1)
    if match := STAND.fullmatch(text):
        return Stand(match["aim"])
    if match := LAND.fullmatch(text):
        return Land(read_dice(match["dice"]))
    if match := ENTER_DICE.fullmatch(text):
        return EnterDice(read_dice(match["dice"]), int(match["rolls"] or 0))
    if match := ANNOUNCE.fullmatch(text):
        return Announce(match["box"])
    if match := ENTER_POINTS.fullmatch(text):
        points, extra = int(match["points"]), int(match["extra"] or 0)
        return EnterPoints(match["box"], points, extra, match["alike"] is not None, match["anyway"] is not None)
    if match := SCORE.fullmatch(text):
        return Score(match["box"], match["cross_out"] is not None, match["anyway"] is not None)
    raise NotationError(text=abbreviate(text))


def read_roll(state: State, text: str) -> Roll:
    """Read which positions a roll keeps, and compare them with the tray."""
    keep = tuple([place for place, face in enumerate(text) if face != ROLLED])
    lying = state.dice
    if any(place >= len(lying) or FACES[lying[place]] != text[place] for place in keep) or (
        lying and len(lying) != len(text)
    ):
        raise NotationTrayMismatch(text=text, tray=write_dice(lying) or ROLLED)
    return Roll(keep)


def write_dice(dice: tuple[int, ...]) -> str:
    """Write dice as they lie."""
    return "".join(FACES[die] for die in dice)


def read_dice(text: str) -> tuple[int, ...]:
    """Read dice as they lie."""
    return tuple(FACES.index(face) for face in text)


def write_points(points: int, extra: int = 0, alike: bool = False) -> str:
    """Write points as they are entered: with the extra they score, and a star for dice all alike."""
    return f"{points}{f'+{extra}' if extra else ''}{'*' if alike else ''}"
