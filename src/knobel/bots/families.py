"""The bots of each family of games, and what they need solved before they can play."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from knobel.extras import SOLVER
from knobel.games.sheet import SheetGame, SheetState
from knobel.rules.families import ROUNDS, SHEET
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.request import BOOK, LEVEL


@dataclass(frozen=True, slots=True)
class BotKind:
    """One kind of bot: the module and function it is written in, and what it takes to play.

    The name of a bot with levels carries one after a colon; `levels` are those that a screen offers. A slow bot chooses
    its moves in a thread. `needs` is what has to be solved before the first move, `extra` what has to be installed. A
    perfect bot that plays alone scores par on average.
    """

    module: str
    function: str
    levels: tuple[str, ...] = ()
    is_slow: bool = False
    needs: str | None = None
    is_perfect: bool = False
    extra: str | None = None

    @property
    def has_level(self) -> bool:
        return bool(self.levels)


@dataclass(frozen=True, slots=True)
class BotFamily:
    """The bots of one family by name; `find_rules` gives the rules whose book is needed on a seat that still plays."""

    kinds: Mapping[str, BotKind]
    find_rules: Callable[[Any, Any, int], SheetRules | None]

    @property
    def offered(self) -> tuple[str, ...]:
        """The bots a screen offers, as players name them: each kind, or each of its levels."""
        return tuple(
            f"{name}:{level}" if level else name for name, kind in self.kinds.items() for level in kind.levels or ("",)
        )


def find_sheet_rules(game: SheetGame, state: SheetState, seat: int) -> SheetRules | None:
    """Give the rules a seat plays by, as long as it plays: beginners have their own."""
    return None if seat in state.left else game.rules_for(seat)


FAMILIES: dict[str, BotFamily] = {
    SHEET: BotFamily(
        {
            "random": BotKind("random_bot", "random_bot"),
            "greedy": BotKind("greedy", "greedy_bot"),
            "cautious": BotKind("cautious", "cautious_bot", is_slow=True),
            "human": BotKind(
                "perfect", "make_human_bot", levels=("30", "15", "5"), is_slow=True, needs=LEVEL, extra=SOLVER
            ),
            "winner": BotKind("winner", "winner_bot", is_slow=True, needs=BOOK, is_perfect=True, extra=SOLVER),
            "perfect": BotKind("perfect", "perfect_bot", is_slow=True, needs=BOOK, is_perfect=True, extra=SOLVER),
        },
        find_sheet_rules,
    ),
    ROUNDS: BotFamily(
        {
            "random": BotKind("random_bot", "random_bot"),
            "greedy": BotKind("rounds", "greedy_bot"),
            "perfect": BotKind("rounds", "perfect_bot", is_slow=True, extra=SOLVER),
        },
        lambda game, state, seat: None,  # noqa: ARG005
    ),
}
