"""Dice as text: five lines with pips or a digit, and a line below that says what is special about a die."""

from rich.cells import set_cell_size

from knobel.tui.settings import DIGITS

LARGE, SMALL = 9, 7
"""How many cells a die is wide."""
HEIGHT = 6
"""A die has five lines, and one below for its word."""
PIP = "●"
PIPS = {
    1: ("   ", " * ", "   "),
    2: ("*  ", "   ", "  *"),
    3: ("*  ", " * ", "  *"),
    4: ("* *", "   ", "* *"),
    5: ("* *", " * ", "* *"),
    6: ("* *", "* *", "* *"),
    7: ("* *", "***", "* *"),
    8: ("***", "* *", "***"),
    9: ("***", "***", "***"),
}
LYING, KEPT = ("╭─╮", "│ │", "╰─╯"), ("┏━┓", "┃ ┃", "┗━┛")
"""The outline of a die: corners and edges of its three kinds of lines; a kept one is drawn heavier."""


def draw_die(value: int | None, faces: str, width: int, *, kept: bool = False) -> tuple[str, ...]:
    """Draw a die; one that was not rolled yet is blank."""
    (top, middle, bottom), inner = KEPT if kept else LYING, width - 2
    return (
        f"{top[0]}{top[1] * inner}{top[2]}",
        *(f"{middle[0]}{line}{middle[2]}" for line in draw_face(value, faces, inner)),
        f"{bottom[0]}{bottom[1] * inner}{bottom[2]}",
    )


def draw_face(value: int | None, faces: str, width: int) -> tuple[str, str, str]:
    """Draw what a die shows; more pips than nine are a number."""
    blank = " " * width
    if value is None:
        return blank, blank, blank
    if faces == DIGITS or value not in PIPS:
        return blank, str(value).center(width), blank
    gap = " " * ((width - 3) // 2 - 1)
    edge = " " * ((width - 3 - 2 * len(gap)) // 2)
    top, middle, bottom = (
        f"{edge}{gap.join(PIP if spot == '*' else ' ' for spot in line)}{edge}" for line in PIPS[value]
    )
    return top, middle, bottom


def write_caption(word: str, width: int) -> str:
    """Write the word below a die, cut where it is too long."""
    return set_cell_size(word.center(width), width)
