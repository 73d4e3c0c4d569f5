"""What can be seen of a turn of real dice in a score-sheet game that is to be corrected."""

from collections.abc import Mapping
from math import comb
from typing import Any

from msgspec import Struct

from knobel.errors import IllegalAction
from knobel.game import Announce, play
from knobel.games.sheet import SheetGame, SheetState
from knobel.phrase import Phrase
from knobel.record.correction import describe_impossible, find_turn, swap_entries
from knobel.record.families import LATER_ENTRY_REFUSAL
from knobel.record.track import GameTrack
from knobel.record.turns import find_turns, list_entries, list_turn_steps
from knobel.rules.column import FILLED
from knobel.view.sentences import Translate, translate_optional
from knobel.view.sheet import OptionView, build_option_views, build_unseen_option, find_sheet_game
from knobel.view.steps import read_entered_dice, write_actions

MAX_DICE_OUTCOMES = 5000
"""Where dice can show more than that, trying every swap beforehand takes too long: none is offered."""


class SwapView(Struct, frozen=True):
    """A filled box whose entry could stand here, and this one there: what both would score, or what is against it."""

    box: str
    here: int
    there: int
    refusal: str | None = None


class TurnView(Struct, frozen=True):
    """The turn behind an entry, and what could be scored in its place, seen from before it.

    Where boxes are announced, every option is seen as if that box had been; `swaps` are entries it may be mixed up
    with, what scores most first.
    """

    seat: int
    box: str
    turn: int
    actions: tuple[str, ...]
    announces: bool
    dice: tuple[int, ...]
    options: tuple[OptionView, ...]
    swaps: tuple[SwapView, ...] = ()


def build_turn_view(track: GameTrack, seat: int, box: str, dice: str, say: Translate) -> TurnView:
    """Show what an entry of real dice was, and what it could be instead, perhaps with other dice."""
    game, turn = find_sheet_game(track), find_turn(track, seat, box)
    steps = list_turn_steps(track, seat, turn)
    state: SheetState = steps[0].before
    return TurnView(
        seat=seat,
        box=box,
        turn=turn,
        actions=write_actions(steps, game.rules.dice),
        announces=game.needs_announcement(state),
        dice=read_entered_dice(state, dice).dice if dice else (),
        options=build_correction_options(game, state, dice, find_later_entries(track, seat, turn), say),
        swaps=() if dice else build_swap_views(track, seat, box, say),
    )


def build_correction_options(
    game: SheetGame, state: SheetState, dice: str, taken: Mapping[str, Phrase], say: Translate
) -> tuple[OptionView, ...]:
    """Show what every box that was open could score; where boxes are announced, as if that box had been."""
    found = []
    for box in (game.rules.boxes[place].id for place in state.column.open_boxes):
        called = play(game, state, Announce(box)) if game.needs_announcement(state) else state
        if box in taken:
            found.append(OptionView(box, 0, refusal=say(taken[box])))
        elif not dice:
            found.append(build_unseen_option(game, called, box, say))
        else:
            options = build_option_views(game, play(game, called, read_entered_dice(called, dice)), say, real_dice=True)
            found += [option for option in options if option.box == box]
    return tuple(found)


def find_later_entries(track: GameTrack, seat: int, turn: int) -> dict[str, Phrase]:
    """Find the boxes that later turns of a seat announced or filled, and why they cannot be filled before."""
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
    local, found = track.local_seat(seat), list[SwapView]()

    def find_points(state: SheetState, one: str) -> int:
        return state.columns[local].entries[rules.index[one]] or 0

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
        swap = SwapView(entry.box, find_points(after, box), find_points(after, entry.box))
        if (swap.here, swap.there) != (find_points(track.state, box), find_points(track.state, entry.box)):
            found.append(swap)
    return tuple(sorted(found, key=lambda swap: (swap.refusal is not None, -swap.here - swap.there)))
