"""Sheets of paper: how large they are, and how many columns can be read on one."""

from dataclasses import dataclass

from knobel.errors import PadColumnCount, PadColumnsUneven, PadCopyCount, UnknownPaper
from knobel.rules.fields import abbreviate

DEFAULT_COLUMNS = 6
MAX_COPIES = 100
MAX_COLUMN_WIDTH = 36.0


@dataclass(frozen=True, slots=True)
class PrintScale:
    """How large it is printed: names and hints in points, the narrowest column and the tallest row in millimetres."""

    name_size: float
    hint_size: float
    min_column_width: float
    label_width: float
    max_row_height: float


@dataclass(frozen=True, slots=True)
class PaperSize:
    """A sheet of paper in millimetres, and how one prints on it: usual and large."""

    width: float
    height: float
    margin: float
    normal: PrintScale
    large: PrintScale

    def scale(self, large: bool) -> PrintScale:
        """Choose how large it is printed."""
        return self.large if large else self.normal


WIDE_SCALE = PrintScale(name_size=12.5, hint_size=8.5, min_column_width=11, label_width=68, max_row_height=13.5)
WIDE_LARGE_SCALE = PrintScale(name_size=18, hint_size=12, min_column_width=16, label_width=82, max_row_height=15)
SMALL_SCALE = PrintScale(name_size=10.5, hint_size=7.2, min_column_width=10, label_width=54, max_row_height=9.5)
SMALL_LARGE_SCALE = PrintScale(name_size=16, hint_size=9.5, min_column_width=15, label_width=66, max_row_height=11)
PAPER_SIZES = {
    "a4": PaperSize(210, 297, 15, WIDE_SCALE, WIDE_LARGE_SCALE),
    "a5": PaperSize(148, 210, 9, SMALL_SCALE, SMALL_LARGE_SCALE),
    "letter": PaperSize(215.9, 279.4, 15, WIDE_SCALE, WIDE_LARGE_SCALE),
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


def find_paper_size(name: str) -> PaperSize:
    if name not in PAPER_SIZES:
        raise UnknownPaper(name=abbreviate(name), known=tuple(PAPER_SIZES))
    return PAPER_SIZES[name]


def count_max_columns(size: PaperSize, large: bool) -> int:
    """Count the columns that stay wide enough to write in."""
    chosen = size.scale(large)
    return int((size.width - 2 * size.margin - chosen.label_width) // chosen.min_column_width)


def lay_out_page(name: str, large: bool, columns: int, *, allow_narrow: bool = False) -> Page:
    """Lay out a page with this many columns; columns that are already filled in may be narrow."""
    size = find_paper_size(name)
    chosen, most = size.scale(large), count_max_columns(size, large)
    if not 1 <= columns <= most and not allow_narrow:
        raise PadColumnCount(columns=columns, most=most, size=name)
    room = size.width - 2 * size.margin
    column = min(MAX_COLUMN_WIDTH, (room - chosen.label_width) / columns)
    return Page(
        width=size.width,
        height=size.height,
        margin=size.margin,
        name=chosen.name_size,
        hint=chosen.hint_size,
        tallest=chosen.max_row_height,
        label=room - column * columns,
        column=column,
    )


def choose_column_count(size: str, large: bool, columns: int | None, players: int | None) -> int:
    """Choose the number of columns: the one asked for, else whole games for these players, as many as usual."""
    most = count_max_columns(find_paper_size(size), large)
    if columns is not None:
        if players and columns % players:
            raise PadColumnsUneven(columns=columns, n=players)
        return columns
    if players is None:
        return min(DEFAULT_COLUMNS, most)
    return max(players, min(DEFAULT_COLUMNS, most) // players * players)


def validate_copies(copies: int) -> int:
    """Refuse zero copies, or too many."""
    if not 1 <= copies <= MAX_COPIES:
        raise PadCopyCount(copies=copies, most=MAX_COPIES)
    return copies
