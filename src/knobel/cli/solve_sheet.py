"""`knobel solve` for a score sheet: the exact expected total of perfect play."""

from typing import Any

from knobel.cli.books import report_cost, warn, warn_if_unsaved
from knobel.cli.parser import Given
from knobel.cli.progress import ProgressBar
from knobel.cli.screen import say, say_json
from knobel.cli.selection import Selection
from knobel.errors import UnknownOption
from knobel.extras import LAB, require_extra
from knobel.phrase import FormattedNumber
from knobel.solver import book_cache
from knobel.solver.solve import solve
from knobel.solver.tables import build_tables


def solve_sheet(selection: Selection, given: Given) -> None:
    """Solve the rules, or open their book."""
    if given.has("players"):
        raise UnknownOption(name="--players", known=("--no-cache", "--dask", "--text", "--set"))
    cached = (
        None
        if given.has("no-cache")
        else book_cache.read_values(selection.sheet_rules, lambda notice: warn(selection, notice))
    )
    note: dict[str, Any] = dict(cached.note) if cached else solve_with_progress(selection, given)
    answer = {
        "edition": selection.edition.id,
        "lang": selection.words.lang,
        "text": selection.text,
        "fingerprint": selection.sheet_rules.fingerprint,
        "par": note["par"],
        "states": note["states"],
        "seconds": note["seconds"],
        "cached": cached is not None,
    }
    if given.has("json"):
        say_json(answer)
        return
    words = selection.words
    say(words("interface.solve.par", title=selection.edition.title, par=FormattedNumber(note["par"], 6)))
    say(
        words(
            "interface.solve.cost", states=FormattedNumber(note["states"]), seconds=FormattedNumber(note["seconds"], 2)
        )
    )
    if cached:
        say(words("interface.solve.cached"))


def solve_with_progress(selection: Selection, given: Given) -> dict[str, Any]:
    """Solve now, here or on a cluster, with a progress bar, and keep the book if wanted."""
    dask_address = given.read_value("dask")
    solve_here_or_there = choose_solver(dask_address)
    if not dask_address:
        report_cost(selection)
    bar = ProgressBar()
    try:
        if not given.has("no-cache"):
            return book_cache.build_book(selection.sheet_rules, bar, solve_here_or_there)
        solution = solve_here_or_there(build_tables(selection.sheet_rules), bar)
    finally:
        bar.clear()
        warn_if_unsaved(selection.words)
    return {"par": float(solution.values[0]), "states": solution.states, "seconds": solution.seconds}


def choose_solver(dask_address: str | None) -> book_cache.SolveFunction:
    """Choose who solves: this machine, or the workers of a cluster."""
    if dask_address is None:
        return solve
    require_extra(LAB)
    from knobel.sweeps.divided_solve import solve_on_dask

    return lambda tables, progress: solve_on_dask(tables, dask_address, progress)
