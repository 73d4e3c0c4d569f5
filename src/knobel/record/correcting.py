"""Plays one turn of a game again with other actions, and everything after it as it was."""

from typing import Any

from knobel.errors import IllegalAction, NotationError
from knobel.game import Action, Announce, Fill, Leave, Show, Write
from knobel.notation import read, write
from knobel.phrase import BoxName, Phrase, phrase
from knobel.record.events import Acted
from knobel.record.lane import Lane, Step
from knobel.rules.fields import shown

ENTRY = (Fill, Write)


def turns_of(lane: Lane, seat: int) -> list[tuple[int, int]]:
    """Find the finished turns of a seat: from which step of its game to behind which one."""
    found, start = [], None
    within = lane.within(seat)
    for place, step in enumerate(lane.steps):
        if step.before.player != within or isinstance(step.action, Leave) or is_roll_off(step.before):
            continue
        start = place if start is None else start
        if isinstance(step.action, ENTRY):
            found.append((start, place + 1))
            start = None
    return found


def entries_of(lane: Lane, seat: int) -> list[tuple[int, Fill | Write]]:
    """List the entries of a seat, each with the number of its step."""
    own = [step for step in lane.steps if isinstance(step.event, Acted) and step.event.seat == seat]
    return [(step.number, step.action) for step in own if isinstance(step.action, ENTRY)]


def is_roll_off(state: Any) -> bool:
    """Tell whether somebody throws for the start."""
    return getattr(state, "rolloff", None) is not None


def turn_with(lane: Lane, seat: int, box: str) -> int:
    """Find the turn in which a seat has written a box."""
    for turn, (_, stop) in enumerate(turns_of(lane, seat)):
        entry = lane.steps[stop - 1].action
        if isinstance(entry, ENTRY) and entry.box == box:
            return turn
    if box not in getattr(lane.game.rules, "index", {}):
        raise IllegalAction(why=phrase("rules.refusal.no_box", name=shown(box)))
    raise IllegalAction(why=phrase("rules.refusal.no_entry", box=BoxName(box)))


def before_turn(lane: Lane, seat: int, turn: int) -> Any:
    """Give the state a turn began with."""
    spans = turns_of(lane, seat)
    if turn >= len(spans):
        raise IllegalAction(why=phrase("rules.refusal.no_turn", turn=turn + 1))
    return lane.steps[spans[turn][0]].before


def corrected(lane: Lane, seat: int, turn: int, texts: tuple[str, ...], number: int) -> list[Step]:
    """Give the steps of a game with one turn played differently; name the later entry that this makes impossible."""
    state = before_turn(lane, seat, turn)
    start, stop = turns_of(lane, seat)[turn]
    # Who left while the turn was played has left before it: that says nothing about the turn.
    left = [step for step in lane.steps[start:stop] if isinstance(step.action, Leave)]
    steps, state = again(lane, state, left)
    for place, text in enumerate(texts, 1):
        action = read_entry(lane, state, text, last=place == len(texts))
        if refusal := lane.game.refusal(state, action):
            raise IllegalAction(why=refusal)
        after = lane.game.after(state, action)
        steps.append(Step(number, Acted(seat, text), action, state, after))
        state = after
    later, _ = again(lane, state, lane.steps[stop:])
    return [*lane.steps[:start], *steps, *later]


def again(lane: Lane, state: Any, steps: list[Step]) -> tuple[list[Step], Any]:
    """Take steps once more from another state, or name the entry that can no longer be made."""
    taken = []
    for place, step in enumerate(steps):
        if step.action is None:
            continue
        if refusal := lane.game.refusal(state, step.action):
            raise IllegalAction(why=impossible(steps[place:], refusal))
        after = lane.game.after(state, step.action)
        taken.append(step._replace(before=state, after=after))
        state = after
    return taken, state


def read_entry(lane: Lane, state: Any, text: str, last: bool) -> Action:
    """Read one action of a turn that is played again: announced, shown, and at last written."""
    action = read(state, text)
    if write(state, action, lane.game.rules.dice) != text:
        raise NotationError(text=shown(text))
    if not isinstance(action, ENTRY if last else (Announce, Show)):
        raise IllegalAction(why=phrase("rules.refusal.whole_turn"))
    return action


def impossible(later: list[Step], refusal: Phrase) -> Phrase:
    """Name the entry that could not have been made."""
    for step in later:
        if isinstance(step.action, ENTRY):
            box, player = step.action.box, step.before.player
            before, written = (state.columns[player].entries for state in (step.before, step.after))
            points = next(new for old, new in zip(before, written, strict=True) if old != new)
            turn = sum(entry is not None for entry in before) + 1
            return phrase("rules.refusal.later", box=BoxName(box), points=points, turn=turn, why=refusal)
    return refusal
