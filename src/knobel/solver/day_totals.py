"""What the dice of a day are worth, kept beside the book of their rules."""

from knobel.solver.book_cache import read_note, write_note
from knobel.solver.request import DAY, SolveRequest


def keep_day_totals(request: SolveRequest, perfect: int, clairvoyant: int) -> None:
    """Keep the totals of perfect play and of a clairvoyant; those of another day are forgotten."""
    write_note(request.rules, DAY, {"day": request.day, "perfect": perfect, "clairvoyant": clairvoyant})


def read_day_totals(request: SolveRequest) -> tuple[int, int] | None:
    """Read the totals of perfect play and of a clairvoyant, if somebody has asked for that day before."""
    note = read_note(request.rules, DAY)
    if note is None or note["day"] != request.day:
        return None
    return int(str(note["perfect"])), int(str(note["clairvoyant"]))
