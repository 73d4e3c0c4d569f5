"""Plays turns of a game again with other actions, and everything after them as it was."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from knobel.errors import IllegalAction, NotationError
from knobel.game import Action, Announce, Fill, Leave, Show, Stand, Write
from knobel.games.round_state import OPEN, RoundState
from knobel.notation import read, write
from knobel.phrase import BoxName, Phrase, phrase
from knobel.record.events import Acted, Landed
from knobel.record.lane import Lane, Step
from knobel.rules.fields import shown

ENTRY = (Fill, Write)
LAST = (*ENTRY, Stand)
"""With what a turn ends: an entry on a sheet, in a round standing."""
LATER = "rules.refusal.later"
Play: TypeAlias = Callable[[Any], list[Step]]
"""How a turn is played from the state before it."""


def turns_of(lane: Lane, seat: int) -> list[tuple[int, int]]:
    """Find the finished turns of a seat: from which step of its game to behind which one."""
    found, start = [], None
    within = lane.within(seat)
    for place, step in enumerate(lane.steps):
        if isinstance(step.action, Leave):
            # Who opened a round and leaves makes it void: a turn in it is broken off.
            start = None if step.before.turns[within] != step.after.turns[within] else start
        elif step.before.player == within and not is_roll_off(step.before):
            start = place if start is None else start
            if isinstance(step.action, LAST):
                found.append((start, place + 1))
                start = None
    return found


def entries_of(lane: Lane, seat: int) -> list[tuple[int, Fill | Write]]:
    """List the entries of a seat, each with the number of its step."""
    own = [step for step in lane.steps if isinstance(step.event, Acted) and step.event.seat == seat]
    return [(step.number, step.action) for step in own if isinstance(step.action, ENTRY)]


def is_roll_off(state: Any) -> bool:
    """Tell whether somebody throws for the start, or throws off a tie."""
    return (state.tied if isinstance(state, RoundState) else state.rolloff) is not None


def turn_with(lane: Lane, seat: int, name: str) -> int:
    """Find the turn in which a seat has written a box; in a game of rounds that of the round with this number."""
    spans = turns_of(lane, seat)
    if isinstance(lane.start, RoundState) and name.isdecimal() and len(name) < 5:
        rounds = [lane.steps[start].before.rounds for start, _ in spans]
        if int(name) in rounds:
            return rounds.index(int(name))
        raise IllegalAction(why=phrase("rules.refusal.no_round", round=int(name)))
    for turn, (_, stop) in enumerate(spans):
        entry = lane.steps[stop - 1].action
        if isinstance(entry, ENTRY) and entry.box == name:
            return turn
    if name not in getattr(lane.game.rules, "index", {}):
        raise IllegalAction(why=phrase("rules.refusal.no_box", name=shown(name)))
    raise IllegalAction(why=phrase("rules.refusal.no_entry", box=BoxName(name)))


def steps_of(lane: Lane, seat: int, turn: int) -> list[Step]:
    """Give the steps of a finished turn; who left meanwhile is no part of it."""
    spans = turns_of(lane, seat)
    if turn >= len(spans):
        raise IllegalAction(why=phrase("rules.refusal.no_turn", turn=turn + 1))
    start, stop = spans[turn]
    return [step for step in lane.steps[start:stop] if not isinstance(step.action, Leave)]


def corrected(
    lane: Lane, seat: int, mended: Mapping[int, tuple[str, ...]], number: int, names: tuple[str, ...] = ()
) -> list[Step]:
    """Give the steps of a game with some turns of a seat played differently; name the later entry this forbids."""
    plays = {turn: partial(played_again, lane, seat, texts, number) for turn, texts in mended.items()}
    return retold(lane, seat, plays, names)


def retold(lane: Lane, seat: int, plays: Mapping[int, Play], names: tuple[str, ...] = ()) -> list[Step]:
    """Tell a game again, with other ways to play some turns of a seat."""
    steps, state, done = list[Step](), lane.start, 0
    for turn in sorted(plays):
        first = steps_of(lane, seat, turn)[0]
        start, stop = turns_of(lane, seat)[turn]
        if not steps:
            steps, state, done = lane.steps[:start], first.before, start
        # Who left while the turn was played has left before it: that says nothing about the turn.
        left = [step for step in lane.steps[start:stop] if isinstance(step.action, Leave)]
        between, state = again(lane, state, [*lane.steps[done:start], *left], names)
        if state.player != lane.within(seat):
            raise IllegalAction(why=phrase("rules.refusal.other_player"))
        played = plays[turn](state)
        steps, state, done = [*steps, *between, *played], played[-1].after, stop
    later, _ = again(lane, state, lane.steps[done:], names)
    return [*steps, *later]


def played_again(lane: Lane, seat: int, texts: tuple[str, ...], number: int, state: Any) -> list[Step]:
    """Play one turn with other actions."""
    steps = []
    for place, text in enumerate(texts, 1):
        action = read_entry(lane, state, text, last=place == len(texts))
        if refusal := lane.game.refusal(state, action):
            raise IllegalAction(why=refusal)
        after = lane.game.after(state, action)
        steps.append(Step(number, Acted(seat, text), action, state, after))
        state = after
    return steps


def again(lane: Lane, state: Any, steps: list[Step], names: tuple[str, ...] = ()) -> tuple[list[Step], Any]:
    """Take steps once more from another state, or name the entry that can no longer be made."""
    taken = []
    for place, step in enumerate(steps):
        if step.action is None:
            continue
        if refusal := changed(state, step) or lane.game.refusal(state, step.action) or fallen(lane, state, step):
            raise IllegalAction(why=impossible(steps[place:], refusal, names))
        after = lane.game.after(state, step.action)
        taken.append(step._replace(before=state, after=after))
        state = after
    return taken, state


def changed(state: Any, step: Step) -> Phrase | None:
    """Say why a step would now be that of somebody else, or a throw for something else: for a tie, or to open."""
    before = step.before
    if isinstance(step.action, Leave) or state.seat is None or not isinstance(before, RoundState):
        return None
    kinds = [tie.kind if tie else None for tie in (before.tied, state.tied)]
    if kinds[0] != kinds[1]:
        return phrase("rules.refusal.tie_first" if kinds[1] else "rules.refusal.no_tie")
    if (before.player, before.phase) == (state.player, state.phase):
        return None
    opens = OPEN in (before.phase, state.phase)
    return phrase("rules.refusal.other_opener" if opens else "rules.refusal.other_player")


def fallen(lane: Lane, state: Any, step: Step) -> Phrase | None:
    """Want that dice fall where they fell: a throw keeps its address in the stream of dice."""
    fall = lane.game.falling(state) if isinstance(step.event, Landed) else None
    if fall is None or not isinstance(step.event, Landed):
        return None
    here = (step.event.turn, step.event.throw, step.event.positions)
    return phrase("rules.refusal.wrong_fall") if here != (fall.turn, fall.throw, fall.positions) else None


def read_entry(lane: Lane, state: Any, text: str, last: bool) -> Action:
    """Read one action of a turn that is played again: announced, shown, and at last written."""
    action = read(state, text)
    if write(state, action, lane.game.rules.dice) != text:
        raise NotationError(text=shown(text))
    if not isinstance(action, LAST if last else (Announce, Show)):
        raise IllegalAction(why=phrase("rules.refusal.whole_turn"))
    return action


def impossible(later: list[Step], refusal: Phrase, names: tuple[str, ...] = ()) -> Phrase:
    """Name the entry that could not have been made."""
    first = later[0]
    if isinstance(first.before, RoundState):
        seat = first.action.seat if isinstance(first.action, Leave) else first.before.player
        return phrase("rules.refusal.later_round", name=names[seat], round=first.before.rounds, why=refusal)
    for step in later:
        if isinstance(step.action, ENTRY):
            box, player = step.action.box, step.before.player
            before, written = (state.columns[player].entries for state in (step.before, step.after))
            points = next(new for old, new in zip(before, written, strict=True) if old != new)
            turn = sum(entry is not None for entry in before) + 1
            return phrase(LATER, box=BoxName(box), points=points, turn=turn, why=refusal)
    if isinstance(first.action, Announce):
        return phrase("rules.refusal.announced_now", box=BoxName(first.action.box))
    return refusal


def swapped(lane: Lane, seat: int, box: str, other: str) -> tuple[dict[int, tuple[str, ...]], list[Step]]:
    """Say how the two turns that wrote two boxes go if each had written the other one's, and the game; or why not."""
    if box == other:
        raise IllegalAction(why=phrase("rules.refusal.filled"))
    found = dict[int, tuple[str, ...]]()

    def into(turn: int, to: str) -> Play:
        def play(state: Any) -> list[Step]:
            found[turn], steps = moved(lane, seat, state, steps_of(lane, seat, turn), to)
            return steps

        return play

    steps = retold(lane, seat, {turn: into(turn, to) for turn, to in crossed(lane, seat, box, other)})
    return found, steps


def crossed(lane: Lane, seat: int, box: str, other: str) -> tuple[tuple[int, str], tuple[int, str]]:
    """Pair the turns that wrote two boxes each with the other box."""
    return (turn_with(lane, seat, box), other), (turn_with(lane, seat, other), box)


def moved(lane: Lane, seat: int, state: Any, steps: list[Step], box: str) -> tuple[tuple[str, ...], list[Step]]:
    """Find how a turn goes into another box, with its dice or its points, and what comes of it; or why it cannot."""
    why = None
    for texts in ways_into(steps, box, lane.game.rules.dice):
        try:
            return texts, played_again(lane, seat, texts, 0, state)
        except IllegalAction as refused:
            why = why or refused
    raise why or IllegalAction(why=phrase("rules.refusal.not_now"))


def ways_into(steps: list[Step], box: str, dice: int) -> Iterator[tuple[str, ...]]:
    """Walk through the ways a turn may go into another box: announced as it was, or that box; bent only if it was."""
    entry, last = steps[-1].action, steps[-1].before
    if not isinstance(entry, ENTRY):
        return
    called = next((step.action.box for step in steps if isinstance(step.action, Announce)), None)
    shows = (write(last, Show(last.dice), dice),) if last.dice else ()
    for call in dict.fromkeys((box if called == entry.box else called, box if called else None)):
        for anyway in (False, True) if entry.anyway else (False,):
            announced = (f"!{call}",) if call else ()
            yield (*announced, *shows, write(last, replace(entry, box=box, anyway=anyway), dice))
