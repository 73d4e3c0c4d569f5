"""What can be seen of a duplicate table: to each player the turns of others that they have settled themselves."""

from copy import copy
from dataclasses import dataclass

from knobel.game import Leave, Score
from knobel.record.duplicate import find_event_seat, hide_turns, hides_turns
from knobel.record.events import Landed, Undone
from knobel.record.track import Step
from knobel.table import Table

MAX_TOLD = 8
"""How many entries of others are told at once, where many play."""


@dataclass(frozen=True, slots=True)
class SeenTurns:
    """How much of a duplicate game somebody has been shown: of all, and of the game of each seat."""

    game: str
    count: int
    plies: tuple[int, ...]


def show_table(table: Table, viewer: int | None) -> Table:
    """Give the table as the player of a seat may see it, or a spectator; the chain of what is hidden stays hidden."""
    if not hides_turns(table.replay):
        return table
    shown = copy(table)
    shown.replay = hide_turns(table.replay, viewer)
    # From the hash of a line its dice could be found by trying them all.
    shown.heads = [""]
    shown.events = []
    return shown


def find_seen(shown: Table) -> SeenTurns:
    """Say how much is seen of a table that is shown."""
    replay = shown.replay
    return SeenTurns(shown.header.game, replay.count, tuple(track.ply for track in replay.tracks))


def list_affected_viewers(table: Table, steps: tuple[Step, ...]) -> set[int | None] | None:
    """List who can see anything of some steps: their players alone, or everybody, which gives nothing.

    Only comings and goings, and the first roll of a turn, which settles the one before, can change what others see.
    """
    seats = {find_event_seat(table.events, step.event) for step in steps}
    settles = any(isinstance(step.event, Landed) and step.event.roll == 0 for step in steps)
    leaves = any(isinstance(step.action, Leave) for step in steps)
    return None if not steps or settles or leaves or None in seats else seats


def drop_number(step: Step) -> Step:
    """Leave out which event was undone: its number tells how many there are."""
    return step._replace(event=Undone(0)) if isinstance(step.event, Undone) else step


def list_told_steps(
    table: Table, viewer: int | None, seen: SeenTurns | None, now: SeenTurns, steps: tuple[Step, ...]
) -> tuple[Step, ...]:
    """List what is told of some steps: one’s own, comings and goings, and entries of others that are new."""
    told = [drop_number(step) for step in steps if find_event_seat(table.events, step.event) in (None, viewer)]
    if seen is None or seen.game != now.game:
        return tuple(told)
    entries = list[Step]()
    for place, track in enumerate(table.replay.tracks):
        if place != viewer:
            visible = track.steps[seen.plies[place] : now.plies[place]]
            entries += [step for step in visible if isinstance(step.action, Score)]
    return (*told, *entries[:MAX_TOLD])
