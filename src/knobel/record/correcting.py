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


def is_roll_off(state: Any) -> bool:
    """Tell whether somebody throws for the start."""
    return getattr(state, "rolloff", None) is not None


def turn_with(lane: Lane, seat: int, box: str) -> int:
    """Find the turn in which a seat has written a box."""
    for turn, (_, stop) in enumerate(turns_of(lane, seat)):
        entry = lane.steps[stop - 1].action
        if isinstance(entry, ENTRY) and entry.box == box:
            return turn
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
    steps = lane.steps[:start]
    for place, text in enumerate(texts, 1):
        action = read_entry(lane, state, text, last=place == len(texts))
        if refusal := lane.game.refusal(state, action):
            raise IllegalAction(why=refusal)
        after = lane.game.after(state, action)
        steps.append(Step(number, Acted(seat, text), action, state, after))
        state = after
    others = [step for step in lane.steps[start:stop] if isinstance(step.action, Leave)]
    for place, step in enumerate(later := [*others, *lane.steps[stop:]]):
        if step.action is None:
            continue
        if refusal := lane.game.refusal(state, step.action):
            raise IllegalAction(why=impossible(later[place:], refusal))
        after = lane.game.after(state, step.action)
        steps.append(step._replace(before=state, after=after))
        state = after
    return steps


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
            game_points = step.after.columns[player].entries
            before = step.before.columns[player].entries
            points = next(new for old, new in zip(before, game_points, strict=True) if old != new)
            turn = sum(entry is not None for entry in before) + 1
            return phrase("rules.refusal.later", box=BoxName(box), points=points, turn=turn, why=refusal)
    return refusal
