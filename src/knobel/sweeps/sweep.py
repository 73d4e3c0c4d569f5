"""A sweep: what of a grid is not done yet is solved, noted as it comes, and written as a table."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from knobel.sweeps.grid import Grid, list_jobs
from knobel.sweeps.journal import open_journal
from knobel.sweeps.results import Row, build_rows, write_results
from knobel.sweeps.runs import run_locally, run_on_dask


@dataclass(frozen=True, slots=True)
class SweepResult:
    """The rows of a grid, and how many sets of rules were solved for them now and before, to the end or not."""

    rows: list[Row]
    solved: int
    known: int
    is_interrupted: bool = False


def run_sweep(
    grid: Grid, folder: Path, processors: int, dask_address: str | None, progress: Callable[[float], None]
) -> SweepResult:
    """Solve what is missing; however it ends, the tables hold everything that is done."""
    with open_journal(folder) as journal:
        known = len({point.id for point in grid.points if point.id in journal.done})
        jobs = [point.rules for point in list_jobs(grid, journal.done) if point.rules]
        solved, every, is_interrupted = 0, known + len(jobs), False
        progress(known / max(every, 1))
        try:
            runs = run_on_dask(jobs, dask_address) if dask_address else run_locally(jobs, processors)
            for rules, figures in runs if jobs else ():
                journal.write(rules.fingerprint, figures)
                solved += 1
                progress((known + solved) / every)
        except KeyboardInterrupt:
            is_interrupted = True
        finally:
            rows = build_rows(grid, journal.done)
            write_results(rows, folder)
    return SweepResult(rows, solved, known, is_interrupted)
