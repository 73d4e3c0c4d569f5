"""Duplicate: everybody has the same dice, so nobody may see another’s turn before their own is settled.

A turn is settled when it can no longer be undone: the next one has been rolled for, or the game is closed. So nobody
sees what others made of the dice of a turn and then takes an entry back. Only settled turns are shown to others.
"""

from bisect import bisect_left
from collections.abc import Sequence
from copy import copy

from knobel import fair
from knobel.game import Leave
from knobel.record.events import Acted, Corrected, Event, Header, Landed, Undone
from knobel.record.replay import Replay
from knobel.record.track import GameTrack, Step


def is_duplicate(header: Header) -> bool:
    """Tell whether everybody has the same dice."""
    return header.dice.scheme == fair.DUPLICATE_SCHEME


def hides_turns(replay: Replay) -> bool:
    """Tell whether turns are hidden from some: in duplicate, until the game is closed."""
    return replay.closed is None and is_duplicate(replay.header)


def count_settled_turns(track: GameTrack) -> int:
    """Count the turns of a seat that can no longer be undone."""
    landed = (step.event.turn for step in reversed(track.steps) if isinstance(step.event, Landed))
    return next(landed, 0)


def count_visible_turns(replay: Replay, viewer: int | None) -> int:
    """Count the turns of others that the player of a seat may see; a spectator sees what everybody has settled.

    Whoever has left is a spectator, and nobody waits for them.
    """
    playing = {place: track for place, track in enumerate(replay.tracks) if not has_left(track)}
    if viewer in playing:
        return count_settled_turns(playing[viewer])
    return min(map(count_settled_turns, playing.values()), default=0)


def has_left(track: GameTrack) -> bool:
    return track.game.has_left(track.state, 0)


def hide_turns(replay: Replay, viewer: int | None) -> Replay:
    """Give the game as the player of a seat may see it: their own column as it is, of others the visible turns.

    Its numbers count what is visible: how often others have rolled would tell how they fare.
    """
    turns = count_visible_turns(replay, viewer)
    shown = copy(replay)
    shown.tracks = [
        track if place == viewer else cut_track(track, min(turns, count_settled_turns(track)))
        for place, track in enumerate(replay.tracks)
    ]
    shown.count = replay.count - replay.ply + shown.ply
    return shown


def cut_track(track: GameTrack, turns: int) -> GameTrack:
    """Give the game of a seat as it stood after some turns; that its player has left is no secret."""
    steps = list_steps_until(track, turns)
    state = steps[-1].after if steps else track.start
    if has_left(track):
        state = track.game.apply(state, Leave(0))
    return GameTrack(track.game, state, track.seat, ply=len(steps) + has_left(track))


def list_steps_until(track: GameTrack, turns: int) -> list[Step]:
    """List the steps of the first turns of a seat; where many play, this is asked for often."""
    return track.steps[: bisect_left(track.steps, turns, key=lambda step: step.before.turns[0])]


def find_event_seat(events: Sequence[Event], event: Event) -> int | None:
    """Find the seat in whose column an event happened; comings and goings happen in none."""
    if isinstance(event, Undone):
        event = events[event.number - 1]
    return event.seat if isinstance(event, Acted | Landed | Corrected) else None


def count_public_events(replay: Replay, events: Sequence[Event]) -> int:
    """Count the first events of a log that everybody may see: all before the first of a turn that somebody plays."""
    turns, again = count_visible_turns(replay, None), Replay(replay.header)
    for number, event in enumerate(events):
        seat = find_event_seat(events, event)
        if seat is not None and find_turn_of(again.track(seat), event) >= turns:
            return number
        again.apply_event(event)
    return len(events)


def find_turn_of(track: GameTrack, event: Event) -> int:
    """Find the turn an event belongs to that comes next in the game of a seat."""
    state = track.steps[-1].before if isinstance(event, Undone) else track.state
    return int(state.turns[0])


def list_visible_events(replay: Replay, events: Sequence[Event], viewer: int | None) -> list[Event]:
    """List what a viewer may replay of a game: comings and goings, then what stands in each column, as far as visible.

    Columns are independent of each other, so in this order, too, they are played by the rules; it tells nothing of who
    was faster. That somebody has left is no secret.
    """
    found = [event for event in events if find_event_seat(events, event) is None]
    turns = count_visible_turns(replay, viewer)
    for place, track in enumerate(replay.tracks):
        visible = track.steps if place == viewer else list_steps_until(track, min(turns, count_settled_turns(track)))
        left = [step for step in track.steps[len(visible) :] if isinstance(step.action, Leave)]
        found += [step.event for step in (*visible, *left)]
    return found
