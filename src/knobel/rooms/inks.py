"""The colour and the emblem of each seat: those of its person where nobody before has them, else free ones."""

from collections.abc import Iterable, Sequence
from typing import Protocol

INKS = 8
"""How many colours there are, and how many emblems."""


class Look(Protocol):
    """Whatever says which colour and emblem somebody has: a seat, a person, a result."""

    @property
    def colour(self) -> int | None: ...

    @property
    def emblem(self) -> int | None: ...


def choose_inks(seats: Sequence[Look]) -> tuple[tuple[int, int], ...]:
    """Choose a colour and an emblem for every seat; up to as many seats as there are, no two alike."""
    return tuple(
        zip(choose_distinct(seat.colour for seat in seats), choose_distinct(seat.emblem for seat in seats), strict=True)
    )


def choose_distinct(wishes: Iterable[int | None]) -> list[int]:
    """Grant each wish to the first who has it; the others get what is left, their own number if possible."""
    found: list[int | None] = []
    for wish in wishes:
        found.append(wish if wish is not None and wish not in found else None)
    free = [ink for ink in range(INKS) if ink not in found]
    for place, ink in enumerate(found):
        if ink is None:
            own = place % INKS
            found[place] = own if own in free or not free else free[0]
            free = [one for one in free if one != found[place]]
    return [ink or 0 for ink in found]
