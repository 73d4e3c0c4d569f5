"""The one button of the table: what it says, and what pressing it does."""

from collections.abc import Collection
from dataclasses import dataclass

from knobel.phrase import Phrase, phrase
from knobel.tui.families import FAMILIES
from knobel.tui.position import Position

ROLL, ADVANCE = "roll", "advance"


@dataclass(frozen=True, slots=True)
class MainButton:
    """What the button says, and what it does; a button that does nothing says what to do instead."""

    label: Phrase
    does: str | None = None


def find_main_button(position: Position, kept: Collection[int]) -> MainButton | None:
    """Find what the button says in a position; there is none once the game is closed."""
    view, tray = position.view, position.tray
    if view.closed is not None:
        return None
    if tray is None:
        return MainButton(phrase("web.end.thats_it"), ADVANCE)
    if position.seat is None:
        key = "web.tray.thinks" if view.seats[tray.seat].bot else "web.tray.turn_of"
        return MainButton(phrase(key, name=view.seats[tray.seat].name), ADVANCE)
    if tray.phase == "land":
        return MainButton(phrase("interface.tui.pad.type" if position.has_real_dice else "web.tray.rolling"))
    if position.has_real_dice and not tray.dice:
        return MainButton(phrase("web.tray.announce" if tray.phase == "announce" else "interface.tui.pad.type"), ROLL)
    return find_dice_button(position, kept)


def find_dice_button(position: Position, kept: Collection[int]) -> MainButton:
    """Find what the button says to somebody whose dice are ours, or who enters every roll."""
    tray, family = position.tray, FAMILIES[position.family]
    if tray.phase == "rolloff":
        return MainButton(phrase("web.tray.roll_start"), ROLL)
    if tray.phase == "announce":
        return MainButton(phrase("web.tray.announce"))
    if tray.phase == "roll":
        return MainButton(phrase("web.tray.roll", n=position.rules.dice), ROLL)
    if tray.phase == "choose":
        rolled = position.rules.dice - len(kept)
        return MainButton(phrase("web.tray.roll", n=rolled), ROLL) if rolled else MainButton(family.describe_all_kept)
    stops = family.list_stops(position)
    return MainButton(
        stops[0].label if len(stops) == 1 else phrase("web.tray.over_or_under" if stops else "web.tray.choose")
    )
