"""The keys of the table, and which of them help in a position."""

from typing import Any

from knobel.tui.families import FAMILIES
from knobel.tui.key_bar import KeyHint
from knobel.tui.position import Position
from knobel.tui.table_play import TablePlay
from knobel.view.sheet import OptionView

ACTIONS = {
    "space": "main",
    "r": "main",
    "enter": "choose",
    "up": "up",
    "down": "down",
    "x": "cross_out",
    "delete": "cross_out",
    "u": "undo",
    "h": "hint",
    "t": "tally",
    "c": "correct",
    "backspace": "erase",
    "question_mark": "help",
    "f1": "help",
    "escape": "leave",
    "q": "leave",
}
"""What each key of the table does; digits and the letters of boxes are not listed."""
TABLE_HELP = (
    ("1 2 3 …", "", "web.help.key.keep"),
    ("Space, r", "space", "web.help.key.roll"),
    ("u", "u", "web.help.key.undo"),
    ("h", "h", "web.help.key.hint"),
    ("t", "t", "web.settings.ledger"),
    ("Backspace", "backspace", "web.help.key.erase"),
    ("Esc, q", "escape", "interface.tui.help.leave"),
)
"""The keys of every table: how they are shown, what a click presses, what they do."""


def list_useful_keys(play: TablePlay) -> list[KeyHint]:
    """List the keys that do something now."""
    position, words = play.position, play.position.words
    tray, found = position.tray, list[KeyHint]()
    if position.view.closed is not None:
        return [("enter", "Enter", words("web.tray.go_on")), ("escape", "Esc", words("web.end.home"))]
    if position.seat is None:
        found.append(("space", "␣", words("web.tray.go_on")))
    elif play.awaits_dice():
        found.append(("1", f"1-{position.rules.faces}", words("web.tray.dice")))
    elif tray.phase == "choose":
        found.append(("1", f"1-{position.rules.dice}", words("interface.tui.key.keep")))
    if position.seat is not None and tray.phase in ("roll", "choose", "rolloff") and not position.has_real_dice:
        found.append(("space", "␣", words("interface.tui.key.roll")))
    if position.seat is not None and list_options(tray):
        found += list_box_keys(position)
    found += [
        (stop.key, stop.key, words.translate(stop.label)) for stop in FAMILIES[position.family].list_stops(position)
    ]
    if any(seat in position.here for seat in position.view.undo):
        found.append(("u", "u", words("web.table.undo")))
    if position.seat is not None and not position.has_real_dice and tray.dice:
        found.append(("h", "h", words("web.table.hint")))
        found.append(("t", "t", words("interface.tui.key.tally")))
    found += [("question_mark", "?", words("web.help.keys")), ("escape", "Esc", words("web.family.back"))]
    return found


def list_options(tray: Any) -> tuple[OptionView, ...]:
    """List what can be done with the open boxes; some games have none."""
    options: tuple[OptionView, ...] = getattr(tray, "options", ())
    return options


def list_box_keys(position: Position) -> list[KeyHint]:
    words = position.words
    announcing = position.tray.phase == "announce"
    does = words("web.table.call") if announcing else words("interface.tui.key.score")
    found = [("down", "↑↓", words("web.table.box")), ("enter", "↵", does)]
    if any(option.cross_out_action for option in position.tray.options):
        found.append(("x", "x", words("interface.tui.key.cross_out")))
    return found
