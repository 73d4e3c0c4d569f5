"""Parts of Knobel that are installed only on request: which packages each needs, and whether they are here."""

from dataclasses import dataclass
from importlib.util import find_spec

from knobel.errors import DatabaseDriverMissing, KnobelError, LabMissing, PaperMissing, SolverMissing, TuiMissing

SOLVER, PAPER, POSTGRES, TUI, LAB = "solver", "paper", "postgres", "tui", "lab"


@dataclass(frozen=True, slots=True)
class Extra:
    """An extra as `pyproject.toml` names it: the packages it brings, and the error that says it is missing."""

    packages: tuple[str, ...]
    error: type[KnobelError]


EXTRAS: dict[str, Extra] = {
    SOLVER: Extra(("numpy", "numba", "fsrs"), SolverMissing),
    PAPER: Extra(("typst",), PaperMissing),
    POSTGRES: Extra(("psycopg", "psycopg_pool"), DatabaseDriverMissing),
    TUI: Extra(("textual",), TuiMissing),
    LAB: Extra(("distributed", "fsrs", "gymnasium", "numba", "numpy", "pettingzoo", "pyarrow"), LabMissing),
}


def find_missing(extra: str) -> KnobelError | None:
    """Find what to say where an extra is not installed; nothing where it is."""
    found = EXTRAS[extra]
    return None if all(map(is_importable, found.packages)) else found.error()


def require_extra(extra: str) -> None:
    """Refuse what needs an extra that is not installed."""
    if error := find_missing(extra):
        raise error


def is_importable(package: str) -> bool:
    return find_spec(package) is not None
