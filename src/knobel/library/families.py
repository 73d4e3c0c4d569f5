"""What a board shows of each family of games."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from knobel.rules.families import ROUNDS, SHEET


@dataclass(frozen=True, slots=True)
class BoardFamily:
    """One family: how many points or chips everybody has, and what stands in the boxes of a seat."""

    list_totals: Callable[[Any, Any], tuple[int, ...]]
    list_entries: Callable[[Any, Any, int], Mapping[str, int | None]]


def list_sheet_totals(game: Any, state: Any) -> tuple[int, ...]:
    return tuple(game.tally(state, seat).total for seat in range(len(state.columns)))


def list_sheet_entries(game: Any, state: Any, seat: int) -> dict[str, int | None]:
    return dict(zip(game.rules.index, state.columns[seat].entries, strict=True))


FAMILIES: dict[str, BoardFamily] = {
    SHEET: BoardFamily(list_sheet_totals, list_sheet_entries),
    ROUNDS: BoardFamily(lambda _, state: tuple(state.chips), lambda *_: {}),
}
