"""How the full screen treats each family of games: its board, its keys, and what it says about the dice."""

from collections.abc import Callable
from dataclasses import dataclass

from knobel.phrase import Phrase, phrase
from knobel.rules.families import ROUNDS, SHEET
from knobel.tui.game_board import GameBoard
from knobel.tui.position import Position
from knobel.tui.rounds_board import RoundsBoard
from knobel.tui.sheet_board import SheetBoard


@dataclass(frozen=True, slots=True)
class StopButton:
    """A way to stop rolling: its key, what it says, and the action it stands for."""

    key: str
    label: Phrase
    action: str


@dataclass(frozen=True, slots=True)
class TuiFamily:
    """What a family shows: its board, ways to stop rolling, a sentence about the dice, messages for places.

    `keys` are those that only this family has, with what they do.
    """

    board: type[GameBoard]
    list_stops: Callable[[Position], tuple[StopButton, ...]]
    describe_dice: Callable[[Position], Phrase | None]
    describe_all_kept: Phrase
    keys: tuple[tuple[str, str, str], ...]
    place_key: str
    left_place_key: str
    describe_progress: Callable[[Position], Phrase]


STOP_KEYS = {None: "s", "over": "+", "under": "-"}
"""The key of each way to stop in a game of rounds."""


def list_stands(position: Position) -> tuple[StopButton, ...]:
    """List how whoever is to move may stand."""
    tray = position.tray
    if tray is None or position.seat is None:
        return ()
    return tuple(
        StopButton(
            STOP_KEYS[stand.aim],
            phrase(f"web.rounds.stand_{stand.aim}" if stand.aim else "web.rounds.stand", n=tray.sum),
            stand.action,
        )
        for stand in tray.stands
    )


def describe_total(position: Position) -> Phrase | None:
    """Say the total of the dice, and whether it beats the opener's."""
    tray = position.tray
    if tray is None or not tray.dice or tray.phase == "land":
        return None
    if tray.beats is None:
        return phrase("web.rounds.sum", n=tray.sum)
    return phrase("web.rounds.sum_enough" if tray.beats else "web.rounds.sum_short", n=tray.sum)


def describe_pace(position: Position) -> Phrase | None:
    """Say how far ahead or behind the player is on the way to the bonus, as long as it is open."""
    if position.tray is None or not position.rules.reachable_bonus:
        return None
    seat = position.view.seats[position.tray.seat]
    open_upper = any(entry is None and box.upper for entry, box in zip(seat.entries, position.rules.boxes, strict=True))
    if seat.bonus or not open_upper:
        return None
    pace = seat.bonus_pace
    return phrase(f"web.pace.{'ahead' if pace > 0 else 'behind' if pace < 0 else 'on'}", n=abs(pace))


CORRECT_KEY = ("c", "c", "interface.tui.help.correct")
SHEET_KEYS = (
    ("↑ ↓", "down", "web.help.key.move"),
    ("a, b, d …", "", "interface.tui.help.letter"),
    ("Enter", "enter", "web.help.key.choose"),
    ("x", "x", "web.help.key.cross_out"),
    CORRECT_KEY,
)
ROUND_KEYS = (
    ("s", "s", "web.help.key.stand"),
    ("+", "+", "web.help.key.over"),
    ("-", "-", "web.help.key.under"),
    CORRECT_KEY,
)
FAMILIES: dict[str, TuiFamily] = {
    SHEET: TuiFamily(
        SheetBoard,
        lambda _: (),
        describe_pace,
        phrase("web.tray.choose_all_kept"),
        SHEET_KEYS,
        "interface.play.place",
        "interface.play.left",
        lambda position: phrase("web.table.round", round=position.view.round, rounds=position.view.rounds),
    ),
    ROUNDS: TuiFamily(
        RoundsBoard,
        list_stands,
        describe_total,
        phrase("web.tray.all_kept_stand"),
        ROUND_KEYS,
        "interface.rounds.place",
        "interface.rounds.quitter",
        lambda position: phrase("web.table.round_n", round=position.view.round),
    ),
}
