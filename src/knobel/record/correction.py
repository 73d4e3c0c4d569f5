"""Plays turns of a game again with other actions, and everything after them as it was."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from knobel.errors import IllegalAction, NotationError
from knobel.game import Action, Announce, EnterDice, EnterPoints, Leave, Score, Stand
from knobel.games.round_state import OPEN, RoundState
from knobel.notation import read_action, write_action
from knobel.phrase import BoxName, Phrase, phrase
from knobel.record.events import Acted, Landed
from knobel.record.track import GameTrack, Step
from knobel.rules.fields import abbreviate

ENTRY = (Score, EnterPoints)
TURN_END = (*ENTRY, Stand)
"""With what a turn ends: an entry on a sheet, in a round standing."""
LATER_ENTRY_REFUSAL = "rules.refusal.later"
PlayTurn: TypeAlias = Callable[[Any], list[Step]]
"""How a turn is played from the state before it."""


def find_turns(track: GameTrack, seat: int) -> list[tuple[int, int]]:
    """Find the finished turns of a seat: from which step of its game to behind which one."""
    found, start = [], None
    within = track.local_seat(seat)
    for place, step in enumerate(track.steps):
        if isinstance(step.action, Leave):
            # Who opened a round and leaves makes it void: a turn in it is broken off.
            start = None if step.before.turns[within] != step.after.turns[within] else start
        elif step.before.player == within and not is_roll_off(step.before):
            start = place if start is None else start
            if isinstance(step.action, TURN_END):
                found.append((start, place + 1))
                start = None
    return found


def list_entries(track: GameTrack, seat: int) -> list[tuple[int, Score | EnterPoints]]:
    """List the entries of a seat, each with the number of its step."""
    own = [step for step in track.steps if isinstance(step.event, Acted) and step.event.seat == seat]
    return [(step.number, step.action) for step in own if isinstance(step.action, ENTRY)]


def is_roll_off(state: Any) -> bool:
    """Tell whether somebody throws for the start, or throws off a tie."""
    return state.rolloff is not None


def find_turn(track: GameTrack, seat: int, name: str) -> int:
    """Find the turn in which a seat has written a box; in a game of rounds that of the round with this number."""
    spans = find_turns(track, seat)
    if isinstance(track.start, RoundState) and name.isdecimal() and len(name) < 5:
        rounds = [track.steps[start].before.rounds for start, _ in spans]
        if int(name) in rounds:
            return rounds.index(int(name))
        raise IllegalAction(why=phrase("rules.refusal.no_round", round=int(name)))
    for turn, (_, stop) in enumerate(spans):
        entry = track.steps[stop - 1].action
        if isinstance(entry, ENTRY) and entry.box == name:
            return turn
    if name not in getattr(track.game.rules, "index", {}):
        raise IllegalAction(why=phrase("rules.refusal.no_box", name=abbreviate(name)))
    raise IllegalAction(why=phrase("rules.refusal.no_entry", box=BoxName(name)))


def list_turn_steps(track: GameTrack, seat: int, turn: int) -> list[Step]:
    """Give the steps of a finished turn; who left meanwhile is no part of it."""
    spans = find_turns(track, seat)
    if turn >= len(spans):
        raise IllegalAction(why=phrase("rules.refusal.no_turn", turn=turn + 1))
    start, stop = spans[turn]
    return [step for step in track.steps[start:stop] if not isinstance(step.action, Leave)]


def correct_turns(
    track: GameTrack, seat: int, corrections: Mapping[int, tuple[str, ...]], number: int, names: tuple[str, ...] = ()
) -> list[Step]:
    """Give the steps of a game with some turns of a seat played differently; name the later entry this forbids."""
    plays = {turn: partial(play_turn, track, seat, texts, number) for turn, texts in corrections.items()}
    return replay_turns(track, seat, plays, names)


def replay_turns(track: GameTrack, seat: int, plays: Mapping[int, PlayTurn], names: tuple[str, ...] = ()) -> list[Step]:
    """Tell a game again, with other ways to play some turns of a seat."""
    steps, state, done = list[Step](), track.start, 0
    for turn in sorted(plays):
        first = list_turn_steps(track, seat, turn)[0]
        start, stop = find_turns(track, seat)[turn]
        if not steps:
            steps, state, done = track.steps[:start], first.before, start
        # Who left while the turn was played has left before it: that says nothing about the turn.
        left = [step for step in track.steps[start:stop] if isinstance(step.action, Leave)]
        between, state = replay_steps(track, state, [*track.steps[done:start], *left], names)
        if state.player != track.local_seat(seat):
            raise IllegalAction(why=phrase("rules.refusal.other_player"))
        played = plays[turn](state)
        steps, state, done = [*steps, *between, *played], played[-1].after, stop
    later, _ = replay_steps(track, state, track.steps[done:], names)
    return [*steps, *later]


def play_turn(track: GameTrack, seat: int, texts: tuple[str, ...], number: int, state: Any) -> list[Step]:
    """Play one turn with other actions."""
    steps = []
    for place, text in enumerate(texts, 1):
        action = read_turn_action(track, state, text, last=place == len(texts))
        if refusal := track.game.refusal(state, action):
            raise IllegalAction(why=refusal)
        after = track.game.apply(state, action)
        steps.append(Step(number, Acted(seat, text), action, state, after))
        state = after
    return steps


def replay_steps(
    track: GameTrack, state: Any, steps: list[Step], names: tuple[str, ...] = ()
) -> tuple[list[Step], Any]:
    """Take steps once more from another state, or name the entry that can no longer be made."""
    taken = []
    for place, step in enumerate(steps):
        if step.action is None:
            continue
        if (
            refusal := explain_turn_change(state, step)
            or track.game.refusal(state, step.action)
            or explain_moved_roll(track, state, step)
        ):
            raise IllegalAction(why=describe_impossible(steps[place:], refusal, names))
        after = track.game.apply(state, step.action)
        taken.append(step._replace(before=state, after=after))
        state = after
    return taken, state


def explain_turn_change(state: Any, step: Step) -> Phrase | None:
    """Say why a step would now be that of somebody else, or a throw for something else: for a tie, or to open."""
    before = step.before
    if isinstance(step.action, Leave) or state.seat is None or not isinstance(before, RoundState):
        return None
    kinds = [tie.kind if tie else None for tie in (before.rolloff, state.rolloff)]
    if kinds[0] != kinds[1]:
        return phrase("rules.refusal.tie_first" if kinds[1] else "rules.refusal.no_tie")
    if (before.player, before.phase) == (state.player, state.phase):
        return None
    opens = OPEN in (before.phase, state.phase)
    return phrase("rules.refusal.other_opener" if opens else "rules.refusal.other_player")


def explain_moved_roll(track: GameTrack, state: Any, step: Step) -> Phrase | None:
    """Want that dice fall where they fell: a throw keeps its address in the stream of dice."""
    fall = track.game.pending_roll(state) if isinstance(step.event, Landed) else None
    if fall is None or not isinstance(step.event, Landed):
        return None
    here = (step.event.turn, step.event.roll, step.event.positions)
    return phrase("rules.refusal.wrong_fall") if here != (fall.turn, fall.roll_number, fall.positions) else None


def read_turn_action(track: GameTrack, state: Any, text: str, last: bool) -> Action:
    """Read one action of a turn that is played again: announced, shown, and at last written."""
    action = read_action(state, text)
    if write_action(state, action, track.game.rules.dice) != text:
        raise NotationError(text=abbreviate(text))
    if not isinstance(action, TURN_END if last else (Announce, EnterDice)):
        raise IllegalAction(why=phrase("rules.refusal.whole_turn"))
    return action


def describe_impossible(later: list[Step], refusal: Phrase, names: tuple[str, ...] = ()) -> Phrase:
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
            return phrase(LATER_ENTRY_REFUSAL, box=BoxName(box), points=points, turn=turn, why=refusal)
    if isinstance(first.action, Announce):
        return phrase("rules.refusal.announced_now", box=BoxName(first.action.box))
    return refusal


def swap_entries(track: GameTrack, seat: int, box: str, other: str) -> tuple[dict[int, tuple[str, ...]], list[Step]]:
    """Say how the two turns that wrote two boxes go if each had written the other one's, and the game; or why not."""
    if box == other:
        raise IllegalAction(why=phrase("rules.refusal.filled"))
    found = dict[int, tuple[str, ...]]()

    def into(turn: int, to: str) -> PlayTurn:
        def play(state: Any) -> list[Step]:
            found[turn], steps = move_turn(track, seat, state, list_turn_steps(track, seat, turn), to)
            return steps

        return play

    steps = replay_turns(track, seat, {turn: into(turn, to) for turn, to in pair_turns(track, seat, box, other)})
    return found, steps


def pair_turns(track: GameTrack, seat: int, box: str, other: str) -> tuple[tuple[int, str], tuple[int, str]]:
    """Pair the turns that wrote two boxes each with the other box."""
    return (find_turn(track, seat, box), other), (find_turn(track, seat, other), box)


def move_turn(
    track: GameTrack, seat: int, state: Any, steps: list[Step], box: str
) -> tuple[tuple[str, ...], list[Step]]:
    """Find how a turn goes into another box, with its dice or its points, and what comes of it; or why it cannot."""
    why = None
    for texts in iter_ways_into(steps, box, track.game.rules.dice):
        try:
            return texts, play_turn(track, seat, texts, 0, state)
        except IllegalAction as refused:
            why = why or refused
    raise why or IllegalAction(why=phrase("rules.refusal.not_now"))


def iter_ways_into(steps: list[Step], box: str, dice: int) -> Iterator[tuple[str, ...]]:
    """Walk through the ways a turn may go into another box: announced as it was, or that box; bent only if it was."""
    entry, last = steps[-1].action, steps[-1].before
    if not isinstance(entry, ENTRY):
        return
    called = next((step.action.box for step in steps if isinstance(step.action, Announce)), None)
    shows = (write_action(last, EnterDice(last.dice), dice),) if last.dice else ()
    for call in dict.fromkeys((box if called == entry.box else called, box if called else None)):
        for anyway in (False, True) if entry.anyway else (False,):
            announced = (f"!{call}",) if call else ()
            yield (*announced, *shows, write_action(last, replace(entry, box=box, anyway=anyway), dice))
