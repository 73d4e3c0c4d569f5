"""`knobel advise` for a score sheet: every move with its expected final total and what it costs."""

from typing import cast

from knobel.cli.books import load_selected_book
from knobel.cli.parser import Given
from knobel.cli.position import read_announced, read_column, read_entries
from knobel.cli.progress import ProgressBar
from knobel.cli.screen import say, say_columns, say_json, say_paragraph
from knobel.cli.selection import Selection
from knobel.coach.ledger import ROUNDING_TOLERANCE
from knobel.coach.moves import describe_move
from knobel.coach.sheet import MoveValue, SheetCoach
from knobel.coach.total_moves import find_aim_moves, find_most_total
from knobel.coach.win_chance import EXACT_OPEN_BOXES
from knobel.coach.win_story import describe_choice_change
from knobel.coach.winning import NOTICEABLE_DIGITS, WinMove, rank_to_win
from knobel.errors import (
    AimOutOfReach,
    AnnouncementMissing,
    InvalidLockedDice,
    OptionsClash,
    SheetFull,
    TooManyOpenBoxes,
    UnknownOption,
)
from knobel.games.sheet import SheetGame, SheetState
from knobel.lang import Translator
from knobel.notation import write_action
from knobel.phrase import FormattedNumber
from knobel.rules.column import Column, build_column
from knobel.rules.filled_sheet import count_yatzys
from knobel.rules.hand import read_hand

KNOWN_OPTIONS = ("--dice", "--rolls-left", "--sheet", "--announced", "--locked", "--aim", "--against")
HARDLY_POSSIBLE = 1e-5
"""Smaller chances are not told apart: those of all moves look the same."""


def advise_sheet(selection: Selection, given: Given) -> None:
    """List every move on a score sheet with its expected total."""
    unused = [name for name in ("players", "target", "made", "opener-rolls") if given.has(name)]
    if unused:
        raise UnknownOption(name=f"--{unused[0]}", known=KNOWN_OPTIONS)
    if given.has("aim") and given.has("against"):
        raise OptionsClash(name="--aim", other="--against")
    game = SheetGame(selection.sheet_rules, practice=True)
    state = read_state(selection, game, given)
    aim = given.read_number("aim", 0)
    coach = SheetCoach(load_selected_book(selection))
    if given.has("against"):
        advise_to_win(selection, given, game, state)
        return
    if aim is not None:
        advise_aim(selection, given, game, state, coach, aim)
        return
    ranked = coach.rank_moves(game, state)
    if given.has("json"):
        say_json(build_json(selection, state, ranked))
        return
    words = selection.words
    say(words("interface.advise.value", value=FormattedNumber(ranked[0].value, 3)))
    say_columns(
        [
            f"  {words.translate(describe_move(state.dice, one.move))}",
            f"{words.format_number(FormattedNumber(one.value, 3)):>9}",
            f"{words.format_number(FormattedNumber(-one.loss, 3)):>8}" if one.loss else "",
        ]
        for one in ranked
    )


def advise_aim(
    selection: Selection, given: Given, game: SheetGame, state: SheetState, coach: SheetCoach, aim: int
) -> None:
    """List every move with its chance to reach a total that can be reached."""
    most = find_most_total(coach.book.tables, game, state)
    if aim > most:
        raise AimOutOfReach(n=aim, most=FormattedNumber(most))
    bar = ProgressBar()
    try:
        ranked = find_aim_moves(coach, state, aim, bar).rank_moves(game, state)
    finally:
        bar.clear()
    if given.has("json"):
        say_json(build_json(selection, state, ranked) | {"aim": aim})
        return
    words = selection.words
    if ranked[0].value < HARDLY_POSSIBLE:
        say_paragraph(
            words("interface.advise.hardly", n=aim, probability=FormattedNumber(HARDLY_POSSIBLE, 3, percent=True))
        )
        return
    say(words("interface.advise.aim", n=aim, probability=FormattedNumber(ranked[0].value, 2, percent=True)))
    say_columns(
        [
            f"  {words.translate(describe_move(state.dice, one.move))}",
            f"{words.format_number(FormattedNumber(one.value, 2, percent=True)):>8}",
            f"{words.format_number(FormattedNumber(-100 * one.loss, 2, signed=True)):>7}" if one.loss else "",
        ]
        for one in ranked
    )


def advise_to_win(selection: Selection, given: Given, game: SheetGame, state: SheetState) -> None:
    """List every move with its expected total and its chance to win against others, and what it is worth both ways."""
    rules, words = selection.sheet_rules, selection.words
    others = tuple(
        build_column(rules, entries, yatzys=count_yatzys(rules, entries))
        for entries in (read_entries(selection, text) for text in given.read_values("against"))
    )
    open_boxes = len(state.column.open_boxes)
    if open_boxes > EXACT_OPEN_BOXES:
        raise TooManyOpenBoxes(n=open_boxes, most=EXACT_OPEN_BOXES)
    columns = (state.column, *others)
    ranked = rank_to_win(game, state._replace(columns=columns, turns=(0,) * len(columns)))
    best = next(one for one in ranked if one.points_loss < ROUNDING_TOLERANCE)
    if given.has("json"):
        values = [MoveValue(one.move, one.points, one.points_loss) for one in ranked]
        found = build_json(selection, state, values) | {"value": best.points, "win_chance": ranked[0].win_chance}
        for move, one in zip(cast("list[dict[str, object]]", found["moves"]), ranked, strict=True):
            change = round(one.win_chance - best.win_chance, NOTICEABLE_DIGITS)
            move |= {"win_chance": one.win_chance, "win_change": change or 0.0}
        say_json(found)
        return
    say(words("interface.advise.win", probability=FormattedNumber(ranked[0].win_chance, 2, percent=True)))
    say_columns(
        [
            f"  {words.translate(describe_move(state.dice, one.move))}",
            f"{words.format_number(FormattedNumber(one.win_chance, 2, percent=True)):>8}",
            f"{words.format_number(FormattedNumber(one.points, 3)):>9}",
            *describe_trade(one, best, words),
        ]
        for one in ranked
    )


def describe_trade(one: WinMove, best: WinMove, words: Translator) -> tuple[str, str]:
    """Say what a move costs in points, and what it does to the chance to win, against the best one for points."""
    points = words.format_number(FormattedNumber(-one.points_loss, 3)) if one.points_loss >= ROUNDING_TOLERANCE else ""
    change = describe_choice_change(one.win_chance - best.win_chance)
    return f"{points:>8}", words.translate(change) if change else ""


def build_json(selection: Selection, state: SheetState, ranked: list[MoveValue]) -> dict[str, object]:
    return {
        "edition": selection.edition.id,
        "lang": selection.words.lang,
        "text": selection.text,
        "value": ranked[0].value,
        "moves": [
            {
                "move": selection.words.translate(describe_move(state.dice, one.move)),
                "action": write_action(state, one.move, selection.sheet_rules.dice),
                "value": one.value,
                "loss": one.loss,
            }
            for one in ranked
        ],
    }


def read_state(selection: Selection, game: SheetGame, given: Given) -> SheetState:
    column = read_column(selection, given)
    if column.is_full:
        raise SheetFull
    announced = read_announced(selection, column, given.read_value("announced"))
    dice = given.read_dice("dice", selection.sheet_rules.faces)
    state = SheetState((column,), 0, 0, turns=(0,), first=0, announced=announced)
    if not dice:
        return state
    if announced is None and selection.sheet_rules.order == "announced":
        raise AnnouncementMissing
    read_hand(selection.sheet_rules, dice)
    rolls = selection.sheet_rules.rolls
    left = given.read_number("rolls-left", 0, rolls - 1)
    left = rolls - 1 if left is None else left
    locked = given.read_dice("locked", selection.sheet_rules.faces)
    return place_dice(selection, game, column, announced, dice, rolls - left, locked)


def place_dice(
    selection: Selection,
    game: SheetGame,
    column: Column,
    announced: str | None,
    dice: tuple[int, ...],
    rolls_used: int,
    locked: tuple[int, ...],
) -> SheetState:
    """Build the state with these dice, some of them locked."""
    state = SheetState((column,), 0, 0, dice, rolls_used, announced=announced, turns=(0,), first=0)
    if not locked:
        return state
    places = game.find_positions(state, locked)
    if not selection.sheet_rules.locked_dice or places is None or rolls_used < 2:
        raise InvalidLockedDice(dice=" ".join(map(str, locked)))
    return SheetState((column,), 0, 0, dice, rolls_used, (), places, announced, (0,), first=0)
