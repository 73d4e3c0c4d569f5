"""The score sheet of everybody on the screen, with a cursor and what the dice would score."""

from dataclasses import dataclass

from rich.cells import set_cell_size
from textual.content import Content
from textual.events import Click
from textual.geometry import Region
from textual.widget import Widget

from knobel.tui.game_board import GameBoard
from knobel.tui.position import Position
from knobel.tui.sheet_rows import ENTRY, NOTHING, OPEN, PACE, PREVIEW, REFUSED, SUM, ZERO, SheetRow, build_rows

NAME_CELLS, LEAST_NAME_CELLS = 24, 13
COLUMN_CELLS, LEAST_COLUMN_CELLS = 7, 5
KEY_CELLS = 3
STYLES = {
    ENTRY: "$secondary bold",
    ZERO: "$faint",
    OPEN: "$faint",
    PREVIEW: "$success italic",
    NOTHING: "$faint italic",
    REFUSED: "$faint",
    SUM: "bold",
    PACE: "$faint italic",
}
HEAD_LINES = 1


@dataclass(frozen=True, slots=True)
class SheetColumns:
    """Which players have a column, how wide each is, and how wide the names of the boxes are."""

    shown: range
    cells: int
    name_cells: int


class SheetBoard(GameBoard):
    """Draws the sheet; where not all columns fit, those around the player whose turn it is."""

    def __init__(self, *, has_cursor: bool = True) -> None:
        super().__init__(has_cursor=has_cursor)
        self.rows: tuple[SheetRow, ...] = ()
        self.cursor = 0

    @property
    def title(self) -> str:
        return "web.table.sheet"

    @property
    def chosen_box(self) -> str | None:
        return self.rows[self.cursor].box if self.rows else None

    def show(self, position: Position) -> None:
        self.rows = build_rows(position)
        super().show(position)
        self.call_after_refresh(self.reveal_cursor)

    def move(self, steps: int) -> None:
        """Move the cursor to the next open box, or to the next box where none is open."""
        boxes = [place for place, row in enumerate(self.rows) if row.box]
        choosable = [place for place in boxes if self.is_open(place)] or boxes
        if steps < 0:
            self.cursor = max((place for place in choosable if place < self.cursor), default=choosable[-1])
        else:
            self.cursor = min((place for place in choosable if place > self.cursor), default=choosable[0])
        self.refresh()
        self.reveal_cursor()

    def is_open(self, place: int) -> bool:
        """Tell whether the player whose turn it is has nothing in a row yet."""
        seat = self.position.shown_seat if self.position else 0
        return self.rows[place].cells[seat].kind not in (ENTRY, ZERO)

    def find_box(self, letter: str) -> str | None:
        for place, row in enumerate(self.rows):
            if letter and row.letter == letter:
                self.cursor = place
                self.refresh()
                return row.box
        return None

    def reveal_cursor(self) -> None:
        """Scroll to the cursor."""
        if isinstance(self.parent, Widget) and self.rows:
            self.parent.scroll_to_region(Region(0, self.find_lines()[self.cursor], 1, 1), animate=False)

    def on_click(self, event: Click) -> None:
        lines = self.find_lines()
        if event.y in lines:
            self.cursor = lines.index(event.y)
            self.refresh()
            if box := self.rows[self.cursor].box:
                self.post_message(self.BoxPressed(box))

    def find_lines(self) -> list[int]:
        """Find the line of each row; where there is room, a blank line follows every box, or at least every part."""
        room = self.parent.size.height if isinstance(self.parent, Widget) else 0
        boxes = {place for place, row in enumerate(self.rows) if row.box}
        starts = {place - 1 for place in boxes if place - 1 not in boxes} - {-1}
        parts = starts | {max(boxes)} if boxes else set()
        choices = (boxes | starts, parts)
        gaps = next((gaps for gaps in choices if HEAD_LINES + 1 + len(self.rows) + len(gaps) <= room), set())
        lines, line = [], HEAD_LINES + bool(gaps)
        for place in range(len(self.rows)):
            lines.append(line)
            line += 2 if place in gaps else 1
        return lines

    def get_content_height(self, container: object, viewport: object, width: int) -> int:  # noqa: ARG002
        return self.find_lines()[-1] + 1 if self.rows else 1

    def render(self) -> Content:
        if self.position is None or not self.rows:
            return Content("")
        names = [seat.name for seat in self.position.view.seats]
        columns = lay_out_columns(self.size.width, len(names), self.position.shown_seat)
        parts = [self.draw_head(names, columns)]
        for place, line in enumerate(self.find_lines()):
            parts += [Content("")] * (line - len(parts))
            parts.append(self.draw_row(place, columns))
        return Content("\n").join(parts)

    def draw_head(self, names: list[str], columns: SheetColumns) -> Content:
        current = self.position.shown_seat if self.position else 0
        cells = [
            (fit_right(names[seat], columns.cells), "$primary bold underline" if seat == current else "$faint")
            for seat in columns.shown
        ]
        return Content.assemble(" " * (KEY_CELLS + columns.name_cells), *cells)

    def draw_row(self, place: int, columns: SheetColumns) -> Content:
        row, current = self.rows[place], self.position.shown_seat if self.position else 0
        is_chosen = self.has_cursor and place == self.cursor and row.box is not None
        mark = "◆" if row.announced else "▸" if is_chosen else " "
        name = set_cell_size(fit(row.name, columns.name_cells), columns.name_cells)
        cells = [
            (
                fit_right(row.cells[seat].text, columns.cells),
                f"{STYLES[row.cells[seat].kind]}{' bold' if row.best and seat == current else ''}",
            )
            for seat in columns.shown
        ]
        key = f"{mark}{row.letter if self.has_cursor and row.letter else ' '} "
        if is_chosen:
            cursor = (
                "underline" if self.app.native_ansi_color else "$block-cursor-foreground on $block-cursor-background"
            )
            return Content.styled(f"{key}{name}{''.join(text for text, _ in cells)}", f"bold {cursor}")
        return Content.assemble((key, "$faint"), (name, "$primary" if row.box else "bold"), *cells)


def lay_out_columns(width: int, count: int, current: int) -> SheetColumns:
    """Make columns as wide as they can be; where not all fit, choose those around the one that matters most."""
    space = width - KEY_CELLS - LEAST_NAME_CELLS
    cells = max(LEAST_COLUMN_CELLS, min(COLUMN_CELLS, space // max(count, 1)))
    shown = choose_columns(count, current, max(1, min(count, space // cells)))
    name_cells = max(LEAST_NAME_CELLS, min(NAME_CELLS, width - KEY_CELLS - len(shown) * cells))
    return SheetColumns(shown, cells, name_cells)


def choose_columns(count: int, current: int, most: int) -> range:
    """Choose the columns that fit, around the one that matters most."""
    first = max(0, min(current - most // 2, count - most))
    return range(first, first + min(most, count))


def fit(text: str, cells: int) -> str:
    """Cut a text that is too long, and say so."""
    return text if len(text) < cells else f"{text[: cells - 2]}…"


def fit_right(text: str, cells: int) -> str:
    return fit(text, cells).rjust(cells)
