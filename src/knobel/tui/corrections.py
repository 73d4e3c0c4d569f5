"""Corrections of entries made with real dice: other points, another box, or two entries swapped."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any

from knobel.errors import KnobelError
from knobel.phrase import BoxName
from knobel.tui.game_room import GameRoom
from knobel.tui.position import Position
from knobel.tui.table_play import TablePlay, format_points
from knobel.view.sheet_turn import TurnView
from knobel.view.turns import draw_turn


@dataclass(frozen=True, slots=True)
class CorrectionChoice:
    """One way to correct an entry, in words, and what carries it out."""

    line: str
    run: Callable[[], Coroutine[Any, Any, None]]


def find_correctable_seat(position: Position, box: str) -> int | None:
    """Find whose entry in a box can be corrected here: of whoever plays real dice, last the one to move."""
    place = position.rules.index[box]
    seats = [position.shown_seat, *sorted(position.here)]
    for seat in seats:
        shown = position.view.seats[seat]
        if seat in position.here and shown.real_dice and shown.entries[place] is not None:
            return seat
    return None


def list_corrections(game: GameRoom, position: Position, seat: int, box: str) -> list[CorrectionChoice]:
    """List what could stand in place of an entry: first in the same box, then in others, then swaps."""
    turn = draw_turn(position.table, seat, box, "", position.translate)
    if not isinstance(turn, TurnView):
        return []
    words, found = position.words, list[CorrectionChoice]()
    for option in sorted(turn.options, key=lambda one: one.box != box):
        announced = (f"!{option.box}",) if turn.announces else ()
        for points in option.scores:
            line = f"{words.name_box(option.box)}: {format_points(points)}"
            actions = (*announced, f"{option.box}={points}")
            found.append(CorrectionChoice(line, partial(game.correct, seat, box, actions)))
    for swap in turn.swaps:
        if swap.refusal is None:
            line = f"{words('web.pad.swap_with')}: {words.name_box(swap.box)} ({swap.here} / {swap.there})"
            found.append(CorrectionChoice(line, partial(game.swap, seat, box, swap.box)))
    return found


def offer_corrections(play: TablePlay, box: str) -> None:
    """Let somebody choose what should stand in place of their entry, or say why nothing can."""
    position = play.position
    seat = find_correctable_seat(position, box)
    if seat is None:
        play.say(position.words("interface.tui.sheet.not_correctable", box=BoxName(box)))
        return
    try:
        found = list_corrections(play.game, position, seat, box)
    except KnobelError as error:
        play.say(position.words.describe_error(error))
        return
    heading = f"{position.words('web.table.correct')}: {position.words.name_box(box)}"
    play.choose(heading, [one.line for one in found], "", lambda index: play.attempt(found[index].run()))
