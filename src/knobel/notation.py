"""Actions as text, and back; a throw shows the tray with dots for the dice thrown, so it checks itself."""

import re

from knobel.errors import NotationError, NotationTray
from knobel.game import Action, Announce, Fill, Land, Leave, Stand, State, Throw, Write
from knobel.rules.fields import shown

FACES = "0123456789abc"
THROWN = "."
BOX = r"(?P<box>[a-z][a-z0-9_]{0,31})"

ANNOUNCE = re.compile(rf"!{BOX}")
STRIKE = re.compile(rf"/{BOX}")
FILL = re.compile(BOX)
WRITE = re.compile(rf"{BOX}=(?P<points>\d{{1,5}})(?:\+(?P<extra>\d{{1,5}}))?(?P<alike>\*)?")
LAND = re.compile(r">(?P<dice>[1-9abc]{1,8})")
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
        case Fill(box, strike):
            return f"/{box}" if strike else box
        case Write(box, points, extra, alike):
            return f"{box}={points}{f'+{extra}' if extra else ''}{'*' if alike else ''}"
        case Leave(seat):
            return f"leave {seat + 1}"
        case Stand(aim):
            return f"stand {aim}" if aim else "stand"


def read(state: State, text: str) -> Action:
    """Read an action from text; a throw must show the dice that lie on the tray."""
    if match := LEAVE.fullmatch(text):
        return Leave(int(match["seat"]) - 1)
    if match := STAND.fullmatch(text):
        return Stand(match["aim"])
    if match := LAND.fullmatch(text):
        return Land(tuple(FACES.index(face) for face in match["dice"]))
    if THROWN in text and THROW.fullmatch(text):
        return read_throw(state, text)
    if match := ANNOUNCE.fullmatch(text):
        return Announce(match["box"])
    if match := STRIKE.fullmatch(text):
        return Fill(match["box"], strike=True)
    if match := WRITE.fullmatch(text):
        return Write(match["box"], int(match["points"]), int(match["extra"] or 0), match["alike"] is not None)
    if match := FILL.fullmatch(text):
        return Fill(match["box"])
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
