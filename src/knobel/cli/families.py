"""Which conversation and which board each family of games has in the terminal."""

from collections.abc import Callable, Sequence
from typing import Any

from knobel.cli.round_talk import RoundTalk, show_chips
from knobel.cli.sheet import show_sheet
from knobel.cli.sheet_talk import SheetTalk
from knobel.cli.talk import Talk
from knobel.game import Game
from knobel.games.rounds import Rounds
from knobel.lang import Words
from knobel.table import Table


def talk_of(table: Table) -> type[Talk]:
    """Find the conversation for a table."""
    return RoundTalk if isinstance(table.game, Rounds) else SheetTalk


def board_of(game: Game[Any]) -> Callable[[Words, Any, Any, Sequence[str]], None]:
    """Find how a game shows where it stands."""
    return show_chips if isinstance(game, Rounds) else show_sheet
