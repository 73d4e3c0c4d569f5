"""`knobel sweep`: solve a whole grid of rules exactly."""

from pathlib import Path
from typing import Any

from knobel.cli.parser import JSON, LANG, Argument, Command, CommandOption, Given
from knobel.cli.progress import ProgressBar
from knobel.cli.screen import say, say_columns, say_json
from knobel.extras import LAB
from knobel.lang import Translator, choose_language
from knobel.phrase import FormattedNumber

MAX_WORKERS = 1024
MAX_SHOWN_ROWS = 60
SHOWN = {"par": 3, "sd": 3, "bonus_chance": 4, "upper_mean": 2, "bonus_mean": 2, "lower_mean": 2, "seconds": 2}
"""The columns that are shown, by their names in the table, each with its digits."""


def run(given: Given) -> None:
    from knobel.solver.solve import count_processors
    from knobel.sweeps.grid import read_grid
    from knobel.sweeps.sweep import run_sweep

    words = Translator(choose_language(given.read_value("lang")))
    path = Path(given.required("grid"))
    grid, folder = read_grid(path), Path(given.read_value("out") or path.stem)
    processors = given.read_number("processes", 1, MAX_WORKERS) or count_processors()
    bar = ProgressBar()
    try:
        result = run_sweep(grid, folder, processors, given.read_value("dask"), bar)
    finally:
        bar.clear()
    if given.has("json"):
        say_json({"out": str(folder), "solved": result.solved, "known": result.known, "rows": result.rows})
    else:
        if len(result.rows) <= MAX_SHOWN_ROWS:
            show_rows(grid.keys, result.rows, words)
        say(words("interface.sweep.done", n=result.solved, known=result.known, folder=str(folder)))
    if result.is_interrupted:
        raise KeyboardInterrupt


def show_rows(keys: tuple[str, ...], rows: list[dict[str, Any]], words: Translator) -> None:
    """Show the table, by the names its columns have in the files."""
    lines = [[*keys, *SHOWN, "error"]]
    for row in rows:
        figures = [
            "" if row[name] is None else words.format_number(FormattedNumber(row[name], digits))
            for name, digits in SHOWN.items()
        ]
        lines.append([*(str(row[key]) for key in keys), *figures, row["error"] or ""])
    say_columns(lines)


COMMAND = Command(
    "sweep",
    (Argument("grid"),),
    (CommandOption("out", "FOLDER"), CommandOption("processes", "N"), CommandOption("dask", "ADDRESS"), JSON, LANG),
    run,
    LAB,
)
