"""The score sheet as text: a line for each box, a column for each player, sums where a printed sheet has them."""

from collections.abc import Sequence

from knobel.cli.screen import count_cells, say
from knobel.games.sheet import SheetGame, SheetState
from knobel.lang import Translator

MAX_NAME_WIDTH = 12


def show_sheet(words: Translator, game: SheetGame, state: SheetState, names: Sequence[str]) -> None:
    rows = build_sheet_lines(words, game, state)
    label = max(count_cells(row[0]) for row in rows)
    sizes = [max(4, min(count_cells(name), MAX_NAME_WIDTH)) for name in names]
    head = "  ".join(name[:MAX_NAME_WIDTH].rjust(size) for name, size in zip(names, sizes, strict=True))
    say(f"{' ' * label}  {head}")
    for title, *cells in rows:
        figures = "  ".join(cell.rjust(size) for cell, size in zip(cells, sizes, strict=True))
        say(f"{title}{' ' * (label - count_cells(title))}  {figures}".rstrip())


def build_sheet_lines(words: Translator, game: SheetGame, state: SheetState) -> list[list[str]]:
    """Lay out the sheet: upper boxes with total and bonus, lower boxes, their total if it is printed, extras, total."""
    tallies = [game.tally(state, seat) for seat in range(len(state.columns))]
    rules = game.rules

    def build_box_line(place: int) -> list[str]:
        points = [column.entries[place] for column in state.columns]
        return [words.name_box(rules.boxes[place].id), *("." if value is None else str(value) for value in points)]

    def build_sum_line(term: str, values: list[int]) -> list[str]:
        return [words.find_term(f"rules.term.{term}") or term, *map(str, values)]

    places = range(len(rules.boxes))
    rows = [build_box_line(place) for place in places if rules.boxes[place].upper]
    if rules.bonus:
        rows.append(build_sum_line("upper_total", [tally.upper for tally in tallies]))
        rows.append(build_sum_line("bonus", [tally.bonus for tally in tallies]))
    rows += [build_box_line(place) for place in places if not rules.boxes[place].upper]
    if words.edition and words.edition.lower_total:
        rows.append(build_sum_line("lower_total", [tally.lower for tally in tallies]))
    if rules.yatzy and rules.yatzy.prime:
        rows.append(build_sum_line("yahtzee_bonus", [tally.extra for tally in tallies]))
    return [*rows, build_sum_line("total", [tally.total for tally in tallies])]
