"""Plays turns of a game again with other actions, and everything after them as it was."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from knobel.errors import IllegalAction
from knobel.game import Action, Announce, EnterDice, Leave
from knobel.notation import read_exact_action, write_action
from knobel.phrase import BoxName, Phrase, phrase
from knobel.record.events import Acted, Landed
from knobel.record.families import record_family
from knobel.record.track import GameTrack, Step
from knobel.record.turns import ENTRY, TURN_END, find_turns, list_turn_steps

PlayTurn: TypeAlias = Callable[[Any], list[Step]]
"""How a turn is played from the state before it."""


def find_turn(track: GameTrack, seat: int, name: str) -> int:
    """Find the finished turn of a seat by the name its family gives it: the box, or the number of the round."""
    family = record_family(track.game)
    for turn, (_, stop) in enumerate(find_turns(track, seat)):
        if family.name_turn(track.steps[stop - 1]) == name:
            return turn
    raise IllegalAction(why=family.explain_unknown_turn(track.game, name))


def correct_turns(
    track: GameTrack, seat: int, corrections: Mapping[int, tuple[str, ...]], number: int, names: tuple[str, ...] = ()
) -> list[Step]:
    """Give the steps of a game with some turns of a seat played differently; name the later entry this forbids."""
    plays = {turn: partial(play_turn, track, seat, texts, number) for turn, texts in corrections.items()}
    return replay_turns(track, seat, plays, names)


def replay_turns(track: GameTrack, seat: int, plays: Mapping[int, PlayTurn], names: tuple[str, ...] = ()) -> list[Step]:
    """Play a game again, with other ways to play some turns of a seat."""
    steps, state, done = list[Step](), track.start, 0
    for turn in sorted(plays):
        first = list_turn_steps(track, seat, turn)[0]
        start, stop = find_turns(track, seat)[turn]
        if not steps:
            steps, state, done = track.steps[:start], first.before, start
        # Players who left during the turn leave before it now, which does not change the turn.
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
            refusal := explain_turn_change(track, state, step)
            or track.game.refusal(state, step.action)
            or explain_moved_roll(track, state, step)
        ):
            raise IllegalAction(why=describe_impossible(track, steps[place:], refusal, names))
        after = track.game.apply(state, step.action)
        taken.append(step._replace(before=state, after=after))
        state = after
    return taken, state


def explain_turn_change(track: GameTrack, state: Any, step: Step) -> Phrase | None:
    """Say why a step would now belong to another seat, or a roll to something else."""
    if isinstance(step.action, Leave) or state.seat is None:
        return None
    return record_family(track.game).explain_turn_change(step.before, state)


def explain_moved_roll(track: GameTrack, state: Any, step: Step) -> Phrase | None:
    """Say why dice would land elsewhere: a roll keeps its address in the stream of dice."""
    roll = track.game.pending_roll(state) if isinstance(step.event, Landed) else None
    if roll is None or not isinstance(step.event, Landed):
        return None
    here = (step.event.turn, step.event.roll, step.event.positions)
    return phrase("rules.refusal.wrong_fall") if here != (roll.turn, roll.roll_number, roll.positions) else None


def read_turn_action(track: GameTrack, state: Any, text: str, last: bool) -> Action:
    """Read one action of a turn that is played again: an announcement, dice, or the entry that ends it."""
    action = read_exact_action(state, text, track.game.rules.dice)
    if not isinstance(action, TURN_END if last else (Announce, EnterDice)):
        raise IllegalAction(why=phrase("rules.refusal.whole_turn"))
    return action


def describe_impossible(track: GameTrack, later: list[Step], refusal: Phrase, names: tuple[str, ...] = ()) -> Phrase:
    """Name the first later entry that could not have been made."""
    family = record_family(track.game)
    for step in later:
        if text := family.describe_impossible(step, refusal, names):
            return text
    first = later[0].action
    return phrase("rules.refusal.announced_now", box=BoxName(first.box)) if isinstance(first, Announce) else refusal


def swap_entries(
    track: GameTrack, seat: int, box: str, other: str, number: int = 0
) -> tuple[dict[int, tuple[str, ...]], list[Step]]:
    """Give the actions of two turns if each had scored in the other one's box, and all steps; or say why not."""
    if box == other:
        raise IllegalAction(why=phrase("rules.refusal.filled"))
    found = dict[int, tuple[str, ...]]()

    def move_into(turn: int, to: str) -> PlayTurn:
        def play(state: Any) -> list[Step]:
            found[turn], steps = move_turn(track, seat, number, state, list_turn_steps(track, seat, turn), to)
            return steps

        return play

    steps = replay_turns(track, seat, {turn: move_into(turn, to) for turn, to in pair_turns(track, seat, box, other)})
    return found, steps


def pair_turns(track: GameTrack, seat: int, box: str, other: str) -> tuple[tuple[int, str], tuple[int, str]]:
    """Pair the turns that scored in two boxes each with the other box."""
    return (find_turn(track, seat, box), other), (find_turn(track, seat, other), box)


def move_turn(
    track: GameTrack, seat: int, number: int, state: Any, steps: list[Step], box: str
) -> tuple[tuple[str, ...], list[Step]]:
    """Find how a turn can score in another box, with its dice or its points; or say why it cannot."""
    why = None
    for texts in iter_ways_into(steps, box, track.game.rules.dice):
        try:
            return texts, play_turn(track, seat, texts, number, state)
        except IllegalAction as refused:
            why = why or refused
    raise why or IllegalAction(why=phrase("rules.refusal.not_now"))


def iter_ways_into(steps: list[Step], box: str, dice: int) -> Iterator[tuple[str, ...]]:
    """Walk through the ways to score a turn in another box; against the rules only if it was before."""
    entry, last = steps[-1].action, steps[-1].before
    if not isinstance(entry, ENTRY):
        return
    announced = next((step.action.box for step in steps if isinstance(step.action, Announce)), None)
    shows = (write_action(last, EnterDice(last.dice), dice),) if last.dice else ()
    for call in dict.fromkeys((box if announced == entry.box else announced, box if announced else None)):
        for anyway in (False, True) if entry.anyway else (False,):
            calls = (f"!{call}",) if call else ()
            yield (*calls, *shows, write_action(last, replace(entry, box=box, anyway=anyway), dice))
