"""What somebody sees of a turn of real dice that is to be corrected: what it was, and what it could be instead."""

from collections.abc import Mapping
from math import comb
from typing import Any

from msgspec import Struct

from knobel.errors import IllegalAction
from knobel.game import Announce, Show, Stand, play
from knobel.games.round_state import OPEN, RoundState
from knobel.games.rounds import Rounds
from knobel.games.sheet import Sheet, SheetState
from knobel.notation import read, write
from knobel.phrase import Phrase
from knobel.record.correcting import LATER, entries_of, impossible, steps_of, swapped, turn_with, turns_of
from knobel.record.lane import Lane, Step
from knobel.rules.column import FILLED
from knobel.table import Table
from knobel.view.lobby import Say, said
from knobel.view.rounds import StandView, stands_view
from knobel.view.sheet import OptionView, options_view, unseen_view

MANY_HANDS = 5000
"""Where dice can show more than that, it takes too long to try every swap beforehand: none is offered."""


class SwapView(Struct, frozen=True):
    """A written box whose entry could stand here, and this one there: what both would bring, or what is against it."""

    box: str
    here: int
    there: int
    refusal: str | None = None


class TurnView(Struct, frozen=True):
    """The turn behind an entry, and what could be written in its place, seen from before it.

    Where boxes are announced, every option is seen as if that box had been; `swaps` are entries it may be mixed up
    with, what brings most first.
    """

    seat: int
    box: str
    turn: int
    actions: tuple[str, ...]
    announces: bool
    dice: tuple[int, ...]
    options: tuple[OptionView, ...]
    swaps: tuple[SwapView, ...] = ()


class RoundTurnView(Struct, frozen=True):
    """A turn in a round: its dice, or others that are asked about, in how many throws, and how they could stand."""

    seat: int
    round: int
    turn: int
    actions: tuple[str, ...]
    opens: bool
    aim: str | None
    dice: tuple[int, ...]
    thrown: int
    throws: int
    stands: tuple[StandView, ...]


def turn_view(table: Table, seat: int, box: str, dice: str, say: Say) -> TurnView | RoundTurnView:
    """Show what an entry of real dice was, and what it could be instead, perhaps with other dice."""
    table.replay.check_own(seat)
    lane = table.replay.lane(seat)
    turn = turn_with(lane, seat, box)
    if isinstance(lane.game, Rounds):
        return round_turn_view(lane.game, seat, turn, dice, steps_of(lane, seat, turn))
    game: Sheet = lane.game  # type: ignore[assignment]
    steps = steps_of(lane, seat, turn)
    state: SheetState = steps[0].before
    taken = taken_later(lane, seat, turn)
    return TurnView(
        seat=seat,
        box=box,
        turn=turn,
        actions=actions_of(steps, game.rules.dice),
        announces=game.is_silent(state),
        dice=read_dice(state, dice).dice if dice else (),
        options=mending_options(game, state, dice, taken, say),
        swaps=() if dice else swaps_view(lane, seat, box, say),
    )


def actions_of(steps: list[Step], dice: int) -> tuple[str, ...]:
    """Write down what a turn consisted of."""
    return tuple(write(step.before, step.action, dice) for step in steps if step.action)


def read_dice(state: Any, text: str) -> Show:
    """Read dice that are asked about."""
    shown = read(state, f"={text}")
    return shown if isinstance(shown, Show) else Show(())


def mending_options(
    game: Sheet, state: SheetState, dice: str, taken: Mapping[str, Phrase], say: Say
) -> tuple[OptionView, ...]:
    """Show what every box that was open could take; where boxes are announced, as if it had been that box."""
    found = []
    for box in (game.rules.boxes[place].id for place in state.column.open):
        called = play(game, state, Announce(box)) if game.is_silent(state) else state
        if box in taken:
            found.append(OptionView(box, 0, refusal=say(taken[box])))
        elif not dice:
            found.append(unseen_view(game, called, box, say))
        else:
            options = options_view(game, play(game, called, read_dice(called, dice)), say, own_dice=True)
            found += [option for option in options if option.box == box]
    return tuple(found)


def taken_later(lane: Lane, seat: int, turn: int) -> dict[str, Phrase]:
    """Find the boxes that later turns of a seat have announced or written, and the entries that could not be made."""
    own = [step for step in lane.steps[turns_of(lane, seat)[turn][1] :] if step.before.player == lane.within(seat)]
    boxes = [(getattr(step.action, "box", ""), place) for place, step in enumerate(own)]
    return {box: impossible(own[place:], FILLED) for box, place in reversed(boxes) if box}


def swaps_view(lane: Lane, seat: int, box: str, say: Say) -> tuple[SwapView, ...]:
    """Show with which other entries one may have been mixed up: both can stand in the other's place."""
    rules: Any = lane.game.rules
    if comb(rules.dice + rules.faces - 1, rules.dice) > MANY_HANDS:
        return ()
    within, found = lane.within(seat), list[SwapView]()

    def points(state: SheetState, one: str) -> int:
        return state.columns[within].entries[rules.index[one]] or 0

    for _, entry in entries_of(lane, seat):
        if entry.box == box:
            continue
        try:
            after = swapped(lane, seat, box, entry.box)[1][-1].after
        except IllegalAction as refused:
            why = refused.values["why"]
            if isinstance(why, Phrase) and why.key == LATER:
                found.append(SwapView(entry.box, 0, 0, said(why, say)))
            continue
        swap = SwapView(entry.box, points(after, box), points(after, entry.box))
        if (swap.here, swap.there) != (points(lane.state, box), points(lane.state, entry.box)):
            found.append(swap)
    return tuple(sorted(found, key=lambda swap: (swap.refusal is not None, -swap.here - swap.there)))


def round_turn_view(game: Rounds, seat: int, turn: int, dice: str, steps: list[Step]) -> RoundTurnView:
    """Show a turn in a round with the dice it ended with, or with others."""
    state: RoundState = steps[0].before
    last: RoundState = steps[-1].before
    stood = steps[-1].action
    shown = play(game, state, read_dice(state, dice)) if dice else last
    return RoundTurnView(
        seat=seat,
        round=state.rounds,
        turn=turn,
        actions=actions_of(steps, game.rules.dice),
        opens=state.phase == OPEN,
        aim=stood.aim if isinstance(stood, Stand) else None,
        dice=shown.dice,
        thrown=shown.thrown,
        throws=game.allowed(state),
        stands=stands_view(game, shown),
    )
