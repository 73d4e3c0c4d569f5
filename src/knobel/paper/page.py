"""Sheets of paper: how large they are, and how many columns can be read on one."""

from dataclasses import dataclass

from knobel.errors import PadColumns, PadCopies, PadUneven, UnknownPaper
from knobel.rules.fields import shown

USUAL_COLUMNS = 6
MOST_COPIES = 100
WIDEST_COLUMN = 36.0


@dataclass(frozen=True, slots=True)
class Print:
    """How large it is printed: names and hints in points, the narrowest column and the tallest row in millimetres."""

    name: float
    hint: float
    column: float
    label: float
    tallest: float


@dataclass(frozen=True, slots=True)
class Size:
    """A sheet of paper in millimetres, and how one prints on it: usual and large."""

    width: float
    height: float
    margin: float
    usual: Print
    large: Print

    def print(self, large: bool) -> Print:
        """Choose how large it is printed."""
        return self.large if large else self.usual


WIDE = Print(name=12.5, hint=8.5, column=11, label=68, tallest=13.5)
WIDE_LARGE = Print(name=18, hint=12, column=16, label=82, tallest=15)
SMALL = Print(name=10.5, hint=7.2, column=10, label=54, tallest=9.5)
SMALL_LARGE = Print(name=16, hint=9.5, column=15, label=66, tallest=11)
SIZES = {
    "a4": Size(210, 297, 15, WIDE, WIDE_LARGE),
    "a5": Size(148, 210, 9, SMALL, SMALL_LARGE),
    "letter": Size(215.9, 279.4, 15, WIDE, WIDE_LARGE),
}


@dataclass(frozen=True, slots=True)
class Page:
    """One page as it will be printed: its paper, and the width of the names and of each column on it."""

    width: float
    height: float
    margin: float
    name: float
    hint: float
    tallest: float
    label: float
    column: float


def size_of(name: str) -> Size:
    """Find a size of paper by its name."""
    if name not in SIZES:
        raise UnknownPaper(name=shown(name), known=tuple(SIZES))
    return SIZES[name]


def most_columns(size: Size, large: bool) -> int:
    """Say how many columns stay wide enough to write in."""
    chosen = size.print(large)
    return int((size.width - 2 * size.margin - chosen.label) // chosen.column)


def page_of(name: str, large: bool, columns: int, *, narrow: bool = False) -> Page:
    """Lay out a page with so many columns; what is already written may stand in narrow ones."""
    size = size_of(name)
    chosen, most = size.print(large), most_columns(size, large)
    if not 1 <= columns <= most and not narrow:
        raise PadColumns(columns=columns, most=most, size=name)
    room = size.width - 2 * size.margin
    column = min(WIDEST_COLUMN, (room - chosen.label) / columns)
    return Page(
        width=size.width,
        height=size.height,
        margin=size.margin,
        name=chosen.name,
        hint=chosen.hint,
        tallest=chosen.tallest,
        label=room - column * columns,
        column=column,
    )


def columns_of(size: str, large: bool, columns: int | None, players: int | None) -> int:
    """Choose the number of columns: the one asked for, else whole games for these players, as many as usual."""
    most = most_columns(size_of(size), large)
    if columns is not None:
        if players and columns % players:
            raise PadUneven(columns=columns, n=players)
        return columns
    if players is None:
        return min(USUAL_COLUMNS, most)
    return max(players, min(USUAL_COLUMNS, most) // players * players)


def checked_copies(copies: int) -> int:
    """Take a number of copies a printer can be asked for."""
    if not 1 <= copies <= MOST_COPIES:
        raise PadCopies(copies=copies, most=MOST_COPIES)
    return copies
