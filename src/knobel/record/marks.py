"""What a score sheet marks: entries against the rules, and entries that were corrected."""

from knobel.game import Leave, Stand
from knobel.record.replay import Replay
from knobel.record.turns import list_entries


def list_marked_boxes(replay: Replay, seat: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """List the boxes a seat scored against the rules, and those that were corrected."""
    if not replay.real_dice[seat]:
        return (), ()
    entries = list_entries(replay.track(seat), seat)
    against_rules = tuple(entry.box for _, entry in entries if entry.anyway)
    return against_rules, tuple(entry.box for number, entry in entries if number in replay.corrections)


def has_corrected_turns(replay: Replay) -> bool:
    """Tell whether a turn that ends by standing was corrected."""
    return any(step.number in replay.corrections and isinstance(step.action, Stand) for step in replay.steps)


def list_corrected_turns(replay: Replay) -> set[tuple[int, int]]:
    """List the turns of a game of rounds that were corrected: the round, and whose turn it was."""
    corrected = [step for step in replay.steps if step.number in replay.corrections and isinstance(step.action, Stand)]
    return {(step.before.rounds, step.before.player) for step in corrected}


def find_leavers(replay: Replay) -> set[int]:
    """Find the seats that left a game before its end."""
    return {
        step.action.seat if track.seat is None else track.seat
        for track in replay.tracks
        for step in track.steps
        if isinstance(step.action, Leave)
    }
