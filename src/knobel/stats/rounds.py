"""What is counted of a seat in a game of rounds: how often it opened and survived that, and how often it lost."""

from knobel.record.track import GameTrack


def count_rounds(track: GameTrack, seat: int) -> dict[str, int]:
    """Count the rounds a seat was in, lost, opened, and opened without losing."""
    found = [
        step.after.result
        for step in track.steps
        if step.after.result is not None and step.after.result is not step.before.result
    ]
    own = [result for result in found if result.opener == seat]
    return {
        "rounds": sum(seat in dict(result.totals) for result in found),
        "round_losses": sum(result.loser == seat for result in found),
        "opened": len(own),
        "survived": sum(result.loser != seat for result in own),
    }
