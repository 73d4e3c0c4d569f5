"""Which conversation and which board each family of games has in the terminal."""

from collections.abc import Callable, Sequence
from typing import Any

from knobel.cli.conversation import Conversation
from knobel.cli.round_conversation import RoundConversation, show_chips
from knobel.cli.score_sheet import show_sheet
from knobel.cli.sheet_conversation import SheetConversation
from knobel.game import Game
from knobel.games.rounds import RoundsGame
from knobel.lang import Translator
from knobel.table import Table


def find_conversation_type(table: Table) -> type[Conversation]:
    """Find the conversation for a table."""
    return RoundConversation if isinstance(table.game, RoundsGame) else SheetConversation


def find_board_view(game: Game[Any]) -> Callable[[Translator, Any, Any, Sequence[str]], None]:
    """Find how a game shows where it stands."""
    return show_chips if isinstance(game, RoundsGame) else show_sheet
