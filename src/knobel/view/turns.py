"""What somebody sees of a turn of real dice that is to be corrected: what it was, and what it could be instead."""

from collections.abc import Mapping
from math import comb
from typing import Any

from msgspec import Struct

from knobel.errors import IllegalAction
from knobel.game import Announce, EnterDice, Stand, play
from knobel.games.round_state import OPEN, RoundState
from knobel.games.rounds import RoundsGame
from knobel.games.sheet import SheetGame, SheetState
from knobel.notation import read_action, write_action
from knobel.phrase import Phrase
from knobel.record.correction import describe_impossible, find_turn, swap_entries
from knobel.record.families import LATER_ENTRY_REFUSAL
from knobel.record.replay import check_real_dice
from knobel.record.track import GameTrack, Step
from knobel.record.turns import find_turns, list_entries, list_turn_steps
from knobel.rules.column import FILLED
from knobel.table import Table
from knobel.view.lobby import Translate, translate_optional
from knobel.view.rounds import StandView, build_stand_views
from knobel.view.sheet import OptionView, build_option_views, build_unseen_option

MAX_DICE_OUTCOMES = 5000
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


class RoundTurnView(Struct, frozen=True, rename={"rolled": "thrown", "rolls": "throws"}):
    """A turn in a round: its dice, or others that are asked about, in how many throws, and how they could stand."""

    seat: int
    round: int
    turn: int
    actions: tuple[str, ...]
    opens: bool
    aim: str | None
    dice: tuple[int, ...]
    rolled: int
    rolls: int
    stands: tuple[StandView, ...]


def build_turn_view(table: Table, seat: int, box: str, dice: str, say: Translate) -> TurnView | RoundTurnView:
    """Show what an entry of real dice was, and what it could be instead, perhaps with other dice."""
    check_real_dice(table.replay, seat)
    lane = table.replay.track(seat)
    turn = find_turn(lane, seat, box)
    if isinstance(lane.game, RoundsGame):
        return build_round_turn_view(lane.game, seat, turn, dice, list_turn_steps(lane, seat, turn))
    game: SheetGame = lane.game  # type: ignore[assignment]
    steps = list_turn_steps(lane, seat, turn)
    state: SheetState = steps[0].before
    taken = find_later_entries(lane, seat, turn)
    return TurnView(
        seat=seat,
        box=box,
        turn=turn,
        actions=format_actions(steps, game.rules.dice),
        announces=game.needs_announcement(state),
        dice=read_dice(state, dice).dice if dice else (),
        options=build_correction_options(game, state, dice, taken, say),
        swaps=() if dice else build_swap_views(lane, seat, box, say),
    )


def format_actions(steps: list[Step], dice: int) -> tuple[str, ...]:
    """Write down what a turn consisted of."""
    return tuple(write_action(step.before, step.action, dice) for step in steps if step.action)


def read_dice(state: Any, text: str) -> EnterDice:
    """Read dice that are asked about."""
    shown = read_action(state, f"={text}")
    return shown if isinstance(shown, EnterDice) else EnterDice(())


def build_correction_options(
    game: SheetGame, state: SheetState, dice: str, taken: Mapping[str, Phrase], say: Translate
) -> tuple[OptionView, ...]:
    """Show what every box that was open could take; where boxes are announced, as if it had been that box."""
    found = []
    for box in (game.rules.boxes[place].id for place in state.column.open_boxes):
        called = play(game, state, Announce(box)) if game.needs_announcement(state) else state
        if box in taken:
            found.append(OptionView(box, 0, refusal=say(taken[box])))
        elif not dice:
            found.append(build_unseen_option(game, called, box, say))
        else:
            options = build_option_views(game, play(game, called, read_dice(called, dice)), say, real_dice=True)
            found += [option for option in options if option.box == box]
    return tuple(found)


def find_later_entries(track: GameTrack, seat: int, turn: int) -> dict[str, Phrase]:
    """Find the boxes that later turns of a seat have announced or written, and the entries that could not be made."""
    own = [
        step for step in track.steps[find_turns(track, seat)[turn][1] :] if step.before.player == track.local_seat(seat)
    ]
    boxes = [(getattr(step.action, "box", ""), place) for place, step in enumerate(own)]
    return {box: describe_impossible(track, own[place:], FILLED) for box, place in reversed(boxes) if box}


def build_swap_views(track: GameTrack, seat: int, box: str, say: Translate) -> tuple[SwapView, ...]:
    """Show with which other entries one may have been mixed up: both can stand in the other's place."""
    rules: Any = track.game.rules
    if comb(rules.dice + rules.faces - 1, rules.dice) > MAX_DICE_OUTCOMES:
        return ()
    within, found = track.local_seat(seat), list[SwapView]()

    def points(state: SheetState, one: str) -> int:
        return state.columns[within].entries[rules.index[one]] or 0

    for _, entry in list_entries(track, seat):
        if entry.box == box:
            continue
        try:
            after = swap_entries(track, seat, box, entry.box)[1][-1].after
        except IllegalAction as refused:
            why = refused.values["why"]
            if isinstance(why, Phrase) and why.key == LATER_ENTRY_REFUSAL:
                found.append(SwapView(entry.box, 0, 0, translate_optional(why, say)))
            continue
        swap = SwapView(entry.box, points(after, box), points(after, entry.box))
        if (swap.here, swap.there) != (points(track.state, box), points(track.state, entry.box)):
            found.append(swap)
    return tuple(sorted(found, key=lambda swap: (swap.refusal is not None, -swap.here - swap.there)))


def build_round_turn_view(game: RoundsGame, seat: int, turn: int, dice: str, steps: list[Step]) -> RoundTurnView:
    """Show a turn in a round with the dice it ended with, or with others."""
    state: RoundState = steps[0].before
    last: RoundState = steps[-1].before
    stood = steps[-1].action
    shown = play(game, state, read_dice(state, dice)) if dice else last
    return RoundTurnView(
        seat=seat,
        round=state.rounds,
        turn=turn,
        actions=format_actions(steps, game.rules.dice),
        opens=state.phase == OPEN,
        aim=stood.aim if isinstance(stood, Stand) else None,
        dice=shown.dice,
        rolled=shown.rolls_used,
        rolls=game.max_rolls(state),
        stands=build_stand_views(game, shown),
    )
