"""The results of a sweep as a table: a row for each point of the grid, as CSV and as Parquet."""

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from knobel.atomic_write import write_atomically
from knobel.sweeps.grid import Grid
from knobel.sweeps.solving import Figures

CSV_NAME, PARQUET_NAME = "results.csv", "results.parquet"
FIGURES = (
    *("par", "sd", "median", "bonus_chance", "upper_mean", "bonus_mean", "lower_mean", "extra_mean"),
    *("states", "seconds"),
)
Row: TypeAlias = dict[str, Any]


def build_rows(grid: Grid, done: Mapping[str, Figures]) -> list[Row]:
    """Build the row of every point that is done or cannot be: its values, what was found out, and what went wrong."""
    rows = []
    for point in grid.points:
        figures: Figures | None = {"error": point.error.code} if point.error else done.get(point.id)
        if figures is None:
            continue
        row = {**point.values, **{name: figures.get(name) for name in FIGURES}, "error": figures.get("error")}
        for box, (mean, chance) in figures.get("boxes", {}).items():
            row |= {f"mean_{box}": mean, f"chance_{box}": chance}
        rows.append(row | {"fingerprint": point.id or None})
    return rows


def list_columns(rows: Sequence[Row]) -> list[str]:
    """List every column that some row has, boxes in the order in which they appear."""
    return list(dict.fromkeys(column for row in rows for column in row))


def write_results(rows: Sequence[Row], folder: Path) -> None:
    """Write both files, each whole or not at all."""
    columns, text = list_columns(rows), io.StringIO()
    table = csv.DictWriter(text, columns, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    with write_atomically(folder / CSV_NAME) as file:
        file.write(text.getvalue().encode())
    write_parquet(rows, columns, folder / PARQUET_NAME)


def write_parquet(rows: Sequence[Row], columns: Sequence[str], path: Path) -> None:
    """Write the rows as Parquet; a column of mixed values is written as text."""
    import pyarrow
    from pyarrow import parquet

    arrays = {}
    for column in columns:
        values = [row.get(column) for row in rows]
        try:
            arrays[column] = pyarrow.array(values)
        except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError):
            arrays[column] = pyarrow.array([None if value is None else str(value) for value in values])
    with write_atomically(path) as file:
        parquet.write_table(pyarrow.table(arrays), file)
