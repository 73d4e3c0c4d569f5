"""The families of games in the terminal: conversation, board, advice, solving, and how a result is described."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from knobel.cli.commands import CommandTable
from knobel.cli.display import GameDisplay
from knobel.cli.parser import Given
from knobel.cli.round_commands import ROUND_COMMANDS
from knobel.cli.round_display import RoundDisplay, show_chips
from knobel.cli.score_sheet import show_sheet
from knobel.cli.selection import Selection
from knobel.cli.sheet_commands import SHEET_COMMANDS
from knobel.cli.sheet_display import SheetDisplay
from knobel.cli.typed_answers import read_round_answer, read_sheet_answer
from knobel.errors import NotationError
from knobel.game import Move
from knobel.games.round_state import RoundState
from knobel.games.rounds import RoundsGame
from knobel.games.sheet import SheetGame, SheetState
from knobel.lang import Translator
from knobel.rules.families import ROUNDS, SHEET
from knobel.rules.fields import abbreviate


def refuse_answer(words: Translator, puzzle: Any, typed: str) -> Move:  # noqa: ARG001
    """Understand nothing but dice and notation."""
    raise NotationError(text=abbreviate(typed))


@dataclass(frozen=True)
class CliFamily:
    """What a family of games shows and answers in the terminal; the keys are the messages for places."""

    display: type[GameDisplay]
    commands: CommandTable
    show_board: Callable[[Translator, Any, Any, Sequence[str]], None]
    describe_player: Callable[[Any, Any, int], dict[str, object]]
    place_key: str
    left_place_key: str
    advise: Callable[[Selection, Given], None]
    solve: Callable[[Selection, Given], None]
    read_answer: Callable[[Translator, Any, str], Move] = refuse_answer
    describe_turn: Callable[[Any], dict[str, object]] = lambda _: {}
    answers_key: str = "interface.puzzle.how"


def describe_column(game: SheetGame, state: SheetState, seat: int) -> dict[str, object]:
    """Describe a player's column as JSON."""
    tally = game.tally(state, seat)
    return {
        "left": seat in state.left,
        "boxes": dict(zip([box.id for box in game.rules.boxes], state.columns[seat].entries, strict=True)),
        "upper": tally.upper,
        "bonus": tally.bonus,
        "lower": tally.lower,
        "extra": tally.extra,
        "total": tally.total,
    }


def describe_chips(game: RoundsGame, state: RoundState, seat: int) -> dict[str, object]:
    """Describe a player's chips as JSON."""
    return {"left": game.has_left(state, seat), "chips": state.chips[seat]}


def describe_sheet_turn(state: SheetState) -> dict[str, object]:
    """Describe as JSON what is agreed for a turn on a sheet."""
    return {"announced": state.announced}


def describe_round_turn(state: RoundState) -> dict[str, object]:
    """Describe a round as JSON; seats count from 1, and there is a target once the opener has one."""
    return {
        "seat": state.player + 1,
        "opener": state.opener + 1,
        "kitty": state.kitty,
        "rolls_allowed": state.rolls_allowed or None,
        "aim": state.aim,
        "target": dict(state.totals).get(state.opener),
        "totals": {str(seat + 1): total for seat, total in state.totals},
    }


def advise_sheet(selection: Selection, given: Given) -> None:
    from knobel.cli.advise_sheet import advise_sheet  # numpy loads only where it is needed

    advise_sheet(selection, given)


def advise_rounds(selection: Selection, given: Given) -> None:
    from knobel.cli.advise_rounds import advise_rounds

    advise_rounds(selection, given)


def solve_sheet(selection: Selection, given: Given) -> None:
    from knobel.cli.solve_sheet import solve_sheet

    solve_sheet(selection, given)


def solve_rounds(selection: Selection, given: Given) -> None:
    from knobel.cli.solve_rounds import solve_rounds

    solve_rounds(selection, given)


FAMILIES: dict[str, CliFamily] = {
    SHEET: CliFamily(
        SheetDisplay,
        SHEET_COMMANDS,
        show_sheet,
        describe_column,
        "interface.play.place",
        "interface.play.left",
        advise_sheet,
        solve_sheet,
        read_sheet_answer,
        describe_sheet_turn,
    ),
    ROUNDS: CliFamily(
        RoundDisplay,
        ROUND_COMMANDS,
        show_chips,
        describe_chips,
        "interface.rounds.place",
        "interface.rounds.quitter",
        advise_rounds,
        solve_rounds,
        read_round_answer,
        describe_round_turn,
        "interface.puzzle.how_rounds",
    ),
}
