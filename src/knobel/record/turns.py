"""The finished turns of a seat, found among the steps of its game."""

from typing import Any

from knobel.errors import IllegalAction
from knobel.game import EnterPoints, Leave, Score, Stand
from knobel.phrase import phrase
from knobel.record.events import Acted
from knobel.record.track import GameTrack, Step

ENTRY = (Score, EnterPoints)
TURN_END = (*ENTRY, Stand)
"""The actions that end a turn: an entry on a score sheet, standing in a round."""


def find_turns(track: GameTrack, seat: int) -> list[tuple[int, int]]:
    """Find the finished turns of a seat: the index of the first step of each, and the index after its last."""
    found, start = [], None
    player = track.local_seat(seat)
    for place, step in enumerate(track.steps):
        if isinstance(step.action, Leave):
            # An opener who leaves makes the round void: a turn in it is broken off.
            start = None if step.before.turns[player] != step.after.turns[player] else start
        elif step.before.player == player and not is_roll_off(step.before):
            start = place if start is None else start
            if isinstance(step.action, TURN_END):
                found.append((start, place + 1))
                start = None
    return found


def list_turn_steps(track: GameTrack, seat: int, turn: int) -> list[Step]:
    """Give the steps of a finished turn; a player leaving meanwhile is not part of it."""
    spans = find_turns(track, seat)
    if turn >= len(spans):
        raise IllegalAction(why=phrase("rules.refusal.no_turn", turn=turn + 1))
    start, stop = spans[turn]
    return [step for step in track.steps[start:stop] if not isinstance(step.action, Leave)]


def list_entries(track: GameTrack, seat: int) -> list[tuple[int, Score | EnterPoints]]:
    """List the entries of a seat, each with the number of its step."""
    own = [step for step in track.steps if isinstance(step.event, Acted) and step.event.seat == seat]
    return [(step.number, step.action) for step in own if isinstance(step.action, ENTRY)]


def is_roll_off(state: Any) -> bool:
    """Tell whether a roll-off is going on, for the start or to break a tie."""
    return state.rolloff is not None
