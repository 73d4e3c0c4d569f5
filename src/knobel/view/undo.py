"""Whose last entry can be undone."""

from knobel.record.events import Acted
from knobel.table import Table


def list_undo_seats(table: Table) -> tuple[int, ...]:
    """List the seats whose last entry can be undone now, the newest entry first; where columns are free, several."""
    if table.replay.closed is not None:
        return ()
    steps = [step for track in table.replay.tracks if (step := track.last_undoable) is not None]
    found = [(step.number, step.event.seat) for step in steps if isinstance(step.event, Acted)]
    return tuple([seat for _, seat in sorted(found, reverse=True)])
