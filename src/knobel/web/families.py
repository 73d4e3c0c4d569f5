"""The one place in this package that knows every family of games."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from knobel.lang import Translator
from knobel.record.events import Header
from knobel.view.round_turn import RoundTurnView
from knobel.view.rounds import RoundsView
from knobel.view.sheet import SheetView
from knobel.view.sheet_turn import TurnView
from knobel.web.game_messages import RoundsGameMessage, SheetGameMessage, build_rounds_message, build_sheet_message
from knobel.web.wire import GameMessage, PositionMessage, TurnMessage

BuildGameMessage: TypeAlias = Callable[[Header, Any, Translator], GameMessage]


@dataclass(frozen=True, slots=True)
class WireFamily:
    """How a family describes its game over the wire, and the types of its own messages."""

    build_game: BuildGameMessage
    messages: tuple[Any, ...]


FAMILIES: dict[str, WireFamily] = {
    "sheet": WireFamily(build_sheet_message, (SheetGameMessage, PositionMessage[SheetView], TurnMessage[TurnView])),
    "rounds": WireFamily(
        build_rounds_message, (RoundsGameMessage, PositionMessage[RoundsView], TurnMessage[RoundTurnView])
    ),
}
