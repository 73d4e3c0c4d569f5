"""The chance to beat a record from here: exact where the distribution of final totals is."""

from dataclasses import dataclass

from knobel.coach.win_chance import find_final_total, list_positions
from knobel.games.sheet import SheetGame, SheetState


@dataclass(frozen=True, slots=True)
class ChanceToBeat:
    """How likely best play from here scores more than a record, and whether that is exact or approximated."""

    chance: float
    is_exact: bool


def compute_chance_to_beat(game: SheetGame, state: SheetState, seat: int, record: int) -> ChanceToBeat:
    """Work out the chance that a seat ends with more points than a record; call it in a thread."""
    total, is_exact = find_final_total(list_positions(game, state)[seat])
    return ChanceToBeat(float(total.chances[max(0, record + 1 - total.lowest) :].sum()), is_exact)
