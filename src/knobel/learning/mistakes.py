"""The mistakes of a reviewed game: every decision of a person that cost something, with its theme."""

from dataclasses import dataclass

from knobel.coach.ledger import Review
from knobel.coach.review import find_stand_in_events
from knobel.game import Announce, Roll, Score, Stand
from knobel.learning.families import find_family
from knobel.learning.generator import CLEAR_GAP
from knobel.learning.puzzle import Puzzle
from knobel.notation import read_action
from knobel.record.events import Record
from knobel.record.replay import Replay
from knobel.record.track import Step


@dataclass(frozen=True, slots=True)
class Mistake:
    """A decision by its event, what it is about, and what it cost."""

    event: int
    theme: str
    loss: float


def list_mistakes(record: Record, replay: Replay, review: Review) -> list[Mistake]:
    """List the decisions of a seat that cost more than a puzzle may be tied by; those of a stand-in are not its own."""
    track, replaced = replay.track(review.seat), find_stand_in_events(record, review.seat)
    steps, game = {step.number: step for step in track.steps}, track.game
    found = []
    for decision in review.decisions:
        if decision.loss <= CLEAR_GAP or decision.event_number in replaced:
            continue
        state, played = steps[decision.event_number].before, steps[decision.event_number].action
        best = read_action(state, decision.best_action)
        if isinstance(best, Announce | Roll | Score | Stand) and isinstance(played, Announce | Roll | Score | Stand):
            theme = find_family(game).find_theme(game, state, best, played)
            found.append(Mistake(decision.event_number, theme, decision.loss))
    return found


def build_mistake_puzzle(replay: Replay, seat: int, event: int, theme: str) -> Puzzle:
    """Make a puzzle of the position before an event."""
    track = replay.track(seat)
    step: Step = next(step for step in track.steps if step.number == event)
    return Puzzle(track.game, step.before, theme)
