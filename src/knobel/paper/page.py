"""Sheets of paper: how large they are, how many columns can be read on one, and how sheets share a page."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from knobel.errors import PadColumnCount, PadColumnsUneven, PadCopyCount, PaperTooSmall, UnknownPaper
from knobel.rules.fields import abbreviate

DEFAULT_COLUMNS = 6
MAX_COLUMNS = 99
"""As many as may ever play one game."""
MAX_COPIES = 100
MAX_LYING_MARGIN = 12.0
LEAST_LYING_HEIGHT, LEAST_LARGE_LYING_HEIGHT = 140.0, 200.0
"""Paper that is lower than this has rows too low to write in."""

SheetT = TypeVar("SheetT")


@dataclass(frozen=True, slots=True)
class PrintScale:
    """How large it is printed: type in points, each between two sizes; columns, labels and rows in millimetres."""

    name_size: float
    least_name_size: float
    hint_size: float
    least_hint_size: float
    min_column_width: float
    max_column_width: float
    label_width: float
    max_row_height: float


@dataclass(frozen=True, slots=True)
class PaperSize:
    """A sheet of paper in millimetres, and how one prints on it: usual, and large where there is room for it."""

    width: float
    height: float
    margin: float
    normal: PrintScale
    large: PrintScale | None

    def turn(self) -> "PaperSize":
        """Lay it on its long side."""
        return replace(self, width=self.height, height=self.width, margin=min(self.margin, MAX_LYING_MARGIN))


WIDE_SCALE = PrintScale(12.5, 9.5, 9, 8, min_column_width=11, max_column_width=50, label_width=62, max_row_height=13.5)
WIDE_LARGE_SCALE = PrintScale(
    20, 16, 13, 10.5, min_column_width=16, max_column_width=50, label_width=78, max_row_height=17
)
SMALL_SCALE = PrintScale(10.5, 8.5, 8.5, 8, min_column_width=10, max_column_width=40, label_width=46, max_row_height=11)
SMALL_LARGE_SCALE = PrintScale(
    17, 16, 11.5, 10, min_column_width=13, max_column_width=40, label_width=72, max_row_height=14
)
TINY_SCALE = PrintScale(9.5, 8.5, 8, 8, min_column_width=9, max_column_width=26, label_width=46, max_row_height=8)

PAPER_SIZES = {
    "a4": PaperSize(210, 297, 15, WIDE_SCALE, WIDE_LARGE_SCALE),
    "a5": PaperSize(148, 210, 9, SMALL_SCALE, SMALL_LARGE_SCALE),
    "letter": PaperSize(215.9, 279.4, 15, WIDE_SCALE, WIDE_LARGE_SCALE),
}
"""Paper for everything that is printed."""
A6 = PaperSize(105, 148, 9, TINY_SCALE, None)
PAD_PAPER_SIZES = {**PAPER_SIZES, "a6": A6}
"""Score pads have fewer words than rules: they find room on smaller paper too."""
HALF_LETTER = PaperSize(139.7, 215.9, 9, SMALL_SCALE, SMALL_LARGE_SCALE)
QUARTER_LETTER = PaperSize(107.95, 139.7, 9, TINY_SCALE, None)
PARTS = {
    ("a4", 2): PAPER_SIZES["a5"],
    ("a4", 4): A6,
    ("a5", 2): A6,
    ("letter", 2): HALF_LETTER,
    ("letter", 4): QUARTER_LETTER,
}
"""The sheets that a page is cut into."""
PER_PAGE = (1, 2, 4)


@dataclass(frozen=True, slots=True)
class Page:
    """One sheet as it will be printed: its paper, and between which sizes type, columns and rows may be chosen."""

    width: float
    height: float
    margin: float
    name: float
    least_name: float
    hint: float
    least_hint: float
    tallest: float
    label: float
    narrowest: float
    widest: float


@dataclass(frozen=True, slots=True)
class Paper:
    """The paper that goes into the printer, and how many sheets are cut from it."""

    width: float
    height: float
    across: int = 1
    down: int = 1


@dataclass(frozen=True, slots=True)
class PrintedSheets(Generic[SheetT]):
    """Sheets that are printed together; a single one fills every place of its page."""

    paper: Paper
    sheets: tuple[SheetT, ...]
    copies: int = 1


@dataclass(frozen=True, slots=True)
class PadPaper:
    """The paper of a score pad: what is printed on, how large, and how many sheets share a page."""

    name: str = "a4"
    large: bool = False
    per_page: int = 1
    more_label: float = 0.0
    """By how many millimetres labels are wider than usual."""

    @property
    def size(self) -> PaperSize:
        """The size of one sheet."""
        size = find_paper_size(self.name, PAD_PAPER_SIZES)
        if self.per_page != 1:
            if (self.name, self.per_page) not in PARTS:
                raise PaperTooSmall(size=self.name, option=f"--per-page {self.per_page}")
            size = PARTS[self.name, self.per_page]
        if self.large and size.large is None:
            raise PaperTooSmall(size=self.name, option="--large-print")
        return size

    @property
    def scale(self) -> PrintScale:
        """How large its type is."""
        size = self.size
        scale = size.large if self.large and size.large else size.normal
        return replace(scale, label_width=scale.label_width + self.more_label)

    @property
    def can_lie(self) -> bool:
        """Whether the short side of a sheet is high enough for all rows."""
        return self.size.width >= (LEAST_LARGE_LYING_HEIGHT if self.large else LEAST_LYING_HEIGHT)

    def lay_out_page(self, landscape: bool = False) -> Page:
        """Describe one sheet."""
        size, scale = self.size.turn() if landscape else self.size, self.scale
        return Page(
            width=size.width,
            height=size.height,
            margin=size.margin,
            name=scale.name_size,
            least_name=scale.least_name_size,
            hint=scale.hint_size,
            least_hint=scale.least_hint_size,
            tallest=scale.max_row_height,
            label=scale.label_width,
            narrowest=scale.min_column_width,
            widest=scale.max_column_width,
        )

    def find_paper(self, landscape: bool = False) -> Paper:
        """Find the paper for the printer: two sheets stand on their long side, four as the paper does."""
        whole = find_paper_size(self.name, PAD_PAPER_SIZES)
        turned = landscape if self.per_page != 2 else not landscape
        width, height = (whole.height, whole.width) if turned else (whole.width, whole.height)
        across = 1 if self.per_page == 1 or (self.per_page == 2 and landscape) else 2
        return Paper(width, height, across, self.per_page // across)


def find_paper_size(name: str, sizes: dict[str, PaperSize] = PAPER_SIZES) -> PaperSize:
    if name not in sizes:
        raise UnknownPaper(name=abbreviate(name), known=tuple(sizes))
    return sizes[name]


def count_max_columns(paper: PadPaper, landscape: bool = False) -> int:
    """Count the columns that stay wide enough to write in."""
    size, scale = paper.size.turn() if landscape else paper.size, paper.scale
    return max(1, int((size.width - 2 * size.margin - scale.label_width) // scale.min_column_width))


def choose_column_count(columns: int | None, players: int | None, usual: int) -> int:
    """Choose the number of columns: the one asked for, else whole games for these players, as many as usual."""
    for asked in (columns, players):
        if asked is not None and not 1 <= asked <= MAX_COLUMNS:
            raise PadColumnCount(columns=asked, most=MAX_COLUMNS)
    if columns is not None:
        if players and columns % players:
            raise PadColumnsUneven(columns=columns, n=players)
        return columns
    if players is None:
        return usual
    return max(players, usual // players * players)


@dataclass(frozen=True, slots=True)
class ColumnPlan:
    """Which columns stand on each sheet, and whether the sheets lie on their long side."""

    sheets: tuple[range, ...]
    landscape: bool


def plan_columns(
    paper: PadPaper, columns: int, players: int, landscape: bool = False, *, turnable: bool = True
) -> ColumnPlan:
    """Share columns among sheets, whole games together; where they do not fit upright, sheets lie if they can."""
    if landscape and not paper.can_lie:
        raise PaperTooSmall(size=paper.name, option="--landscape")
    upright = count_max_columns(paper)
    most = max(upright, count_max_columns(paper, landscape=True)) if paper.can_lie and turnable else upright
    if players < columns and players > most:
        plans = [plan_columns(paper, players, players, landscape, turnable=turnable)] * (columns // players)
        shifted = [move(plan.sheets, players * game) for game, plan in enumerate(plans)]
        return ColumnPlan(tuple(sheet for game in shifted for sheet in game), plans[0].landscape)
    unit = players if players < columns else 1
    units = columns // unit
    sheets = -(-units // (most // unit))
    each = -(-units // sheets) * unit
    return ColumnPlan(
        tuple(range(first, min(columns, first + each)) for first in range(0, columns, each)),
        landscape or each > upright,
    )


def move(sheets: Iterable[range], by: int) -> list[range]:
    return [range(sheet.start + by, sheet.stop + by) for sheet in sheets]


def validate_copies(copies: int) -> int:
    """Refuse zero copies, or too many."""
    if not 1 <= copies <= MAX_COPIES:
        raise PadCopyCount(copies=copies, most=MAX_COPIES)
    return copies
