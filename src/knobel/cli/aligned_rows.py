"""Rows of a table in a terminal, aligned."""

from knobel.cli.screen import count_cells


def align_rows(rows: list[list[str]], left: int) -> list[str]:
    """Format rows as aligned lines: numbers to the right, the column of names to the left."""
    widths = [max(count_cells(row[place]) for row in rows) for place in range(len(rows[0]))]
    return ["  " + "  ".join(fill_cells(row, widths, left)).rstrip() for row in rows]


def fill_cells(row: list[str], widths: list[int], left: int) -> list[str]:
    blanks = [" " * (size - count_cells(cell)) for cell, size in zip(row, widths, strict=True)]
    pairs = zip(row, blanks, strict=True)
    return [cell + blank if place == left else blank + cell for place, (cell, blank) in enumerate(pairs)]
