"""The score sheet as rows of cells: what each player has scored, what the dice would score, and the sums."""

from dataclasses import dataclass
from typing import Any

from knobel.lang import Translator
from knobel.tui.position import Position
from knobel.view.sheet import OptionView, SheetSeatView, SheetTrayView, SheetView

LETTERS = "abdefgijklmnopsvwyz"
"""The keys of boxes, from the top of the sheet; the other letters are keys of the table."""
ENTRY, ZERO, OPEN, PREVIEW, NOTHING = "entry", "zero", "open", "preview", "nothing"
REFUSED, SUM, PACE = "refused", "sum", "pace"
"""What a cell can be."""


@dataclass(frozen=True, slots=True)
class SheetCell:
    """One cell of the sheet: its text, and what it is."""

    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One line of the sheet: a box with its key, or a sum."""

    name: str
    cells: tuple[SheetCell, ...]
    box: str | None = None
    letter: str = ""
    announced: bool = False
    best: bool = False
    """Whether no open box would score more now."""


def build_rows(position: Position) -> tuple[SheetRow, ...]:
    """Lay out the sheet as it is printed: upper boxes with total and bonus, lower boxes, extras, total."""
    rules, words, view = position.rules, position.words, position.view
    boxes = [build_box_row(position, place) for place in range(len(rules.boxes))]
    upper = [row for row, box in zip(boxes, rules.boxes, strict=True) if box.upper]
    lower = [row for row, box in zip(boxes, rules.boxes, strict=True) if not box.upper]
    if rules.reachable_bonus:
        upper.append(build_sum_row(words, "upper_total", view, "upper"))
        upper.append(build_bonus_row(position))
    if words.edition and words.edition.lower_total:
        lower.append(build_sum_row(words, "lower_total", view, "lower"))
    if rules.yatzy and rules.yatzy.prime:
        lower.append(build_sum_row(words, "yahtzee_bonus", view, "extra"))
    return (*upper, *lower, build_sum_row(words, "total", view, "total"))


def build_box_row(position: Position, place: int) -> SheetRow:
    view: SheetView = position.view
    tray: SheetTrayView | None = position.tray
    box = position.rules.boxes[place].id
    options = {option.box: option for option in tray.options} if tray else {}
    cells = tuple(
        build_cell(seat.entries[place], options.get(box) if tray and tray.seat == number else None, seat, box)
        for number, seat in enumerate(view.seats)
    )
    return SheetRow(
        position.words.name_box(box),
        cells,
        box,
        LETTERS[place] if place < len(LETTERS) else "",
        announced=tray is not None and tray.announced == box,
        best=box in options and is_best(options[box], tray),
    )


def is_best(option: OptionView, tray: SheetTrayView | None) -> bool:
    """Tell whether a box would score most of all open ones now."""
    worth = [one.points + one.extra for one in tray.options if one.action] if tray else []
    return option.action is not None and 0 < option.points + option.extra == max(worth)


def build_cell(entry: int | None, option: OptionView | None, seat: SheetSeatView, box: str) -> SheetCell:
    """Show an entry, what the dice would score, or that a box is open."""
    if entry is not None:
        mark = "~" if box in seat.against_rules else "*" if box in seat.corrected else ""
        return SheetCell(f"{mark}{entry}", ENTRY if entry else ZERO)
    if option is None or option.scores:
        return SheetCell("·", OPEN)
    if option.announce_action:
        return SheetCell("◇", PREVIEW)
    if option.action is None:
        return SheetCell("–", REFUSED)
    text = f"{option.points}+{option.extra}" if option.extra else str(option.points)
    return SheetCell(text, PREVIEW if option.points or option.extra else NOTHING)


def build_sum_row(words: Translator, term: str, view: Any, field: str) -> SheetRow:
    cells = tuple(SheetCell(str(getattr(seat, field)), SUM) for seat in view.seats)
    return SheetRow(words.find_term(f"rules.term.{term}") or term, cells)


def build_bonus_row(position: Position) -> SheetRow:
    """Show the bonus; as long as it is open, how far ahead or behind everybody is on the way to it."""
    rules, view = position.rules, position.view
    upper = [place for place, box in enumerate(rules.boxes) if box.upper]
    cells = tuple(
        SheetCell(f"{seat.bonus_pace:+}" if seat.bonus_pace else "±0", PACE)
        if not seat.bonus and any(seat.entries[place] is None for place in upper)
        else SheetCell(str(seat.bonus), SUM)
        for seat in view.seats
    )
    name = position.words(
        "interface.tui.sheet.bonus", bonus=position.words.name_printed("bonus"), goal=rules.bonus.goal
    )
    return SheetRow(name, cells)
