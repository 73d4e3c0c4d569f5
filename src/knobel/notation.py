"""Actions as text, and back; a throw shows the tray with dots for the dice thrown, so it checks itself."""

import re
from functools import lru_cache

from knobel.errors import NotationError, NotationTray
from knobel.game import Action, Announce, Fill, Land, Leave, Show, Stand, State, Throw, Write
from knobel.rules.fields import shown

FACES = "0123456789abc"
THROWN = "."
BOX = r"(?P<box>[a-z][a-z0-9_]{0,31})"

ANYWAY = r"(?P<anyway>~)?"
ANNOUNCE = re.compile(rf"!{BOX}")
FILL = re.compile(rf"{ANYWAY}(?P<strike>/)?{BOX}")
WRITE = re.compile(rf"{ANYWAY}{BOX}=(?P<points>\d{{1,5}})(?:\+(?P<extra>\d{{1,5}}))?(?P<alike>\*)?")
LAND = re.compile(r">(?P<dice>[1-9abc]{1,8})")
SHOW = re.compile(r"=(?P<dice>[1-9abc]{1,8})(?::(?P<throws>[1-9]))?")
THROW = re.compile(r"[1-9abc.]{1,8}")
LEAVE = re.compile(r"leave (?P<seat>[1-9]\d?)")
STAND = re.compile(r"stand(?: (?P<aim>over|under))?")


def write(state: State, action: Action, dice: int) -> str:
    """Write an action as text; `dice` is how many the game has."""
    match action:
        case Announce(box):
            return f"!{box}"
        case Throw(keep):
            return "".join(FACES[state.dice[place]] if place in keep else THROWN for place in range(dice))
        case Land(values):
            return ">" + tray(values)
        case Show(values, throws):
            return f"={tray(values)}{f':{throws}' if throws else ''}"
        case Fill(box, strike, anyway):
            return f"{'~' if anyway else ''}{'/' if strike else ''}{box}"
        case Write(box, points, extra, alike, anyway):
            return f"{'~' if anyway else ''}{box}={written(points, extra, alike)}"
        case Leave(seat):
            return f"leave {seat + 1}"
        case Stand(aim):
            return f"stand {aim}" if aim else "stand"


def read(state: State, text: str) -> Action:
    """Read an action from text; a throw must show the dice that lie on the tray."""
    if THROWN in text and THROW.fullmatch(text):
        return read_throw(state, text)
    return read_plain(text)


@lru_cache(maxsize=1024)
def read_plain(text: str) -> Action:
    """Read an action that says the same whatever lies on the tray; remembered, as most are written again and again."""
    if match := LEAVE.fullmatch(text):
        return Leave(int(match["seat"]) - 1)
    if match := STAND.fullmatch(text):
        return Stand(match["aim"])
    if match := LAND.fullmatch(text):
        return Land(dice_of(match["dice"]))
    if match := SHOW.fullmatch(text):
        return Show(dice_of(match["dice"]), int(match["throws"] or 0))
    if match := ANNOUNCE.fullmatch(text):
        return Announce(match["box"])
    if match := WRITE.fullmatch(text):
        points, extra = int(match["points"]), int(match["extra"] or 0)
        return Write(match["box"], points, extra, match["alike"] is not None, match["anyway"] is not None)
    if match := FILL.fullmatch(text):
        return Fill(match["box"], match["strike"] is not None, match["anyway"] is not None)
    raise NotationError(text=shown(text))


def read_throw(state: State, text: str) -> Throw:
    """Read which positions a throw keeps, and compare them with the tray."""
    keep = tuple(place for place, face in enumerate(text) if face != THROWN)
    lying = state.dice
    if any(place >= len(lying) or FACES[lying[place]] != text[place] for place in keep) or (
        lying and len(lying) != len(text)
    ):
        raise NotationTray(text=text, tray=tray(lying) or THROWN)
    return Throw(keep)


def tray(dice: tuple[int, ...]) -> str:
    """Write dice as they lie."""
    return "".join(FACES[die] for die in dice)


def dice_of(text: str) -> tuple[int, ...]:
    """Read dice as they lie."""
    return tuple(FACES.index(face) for face in text)


def written(points: int, extra: int = 0, alike: bool = False) -> str:
    """Write points as they are noted: with what they bring besides, and a star for dice all alike."""
    return f"{points}{f'+{extra}' if extra else ''}{'*' if alike else ''}"
