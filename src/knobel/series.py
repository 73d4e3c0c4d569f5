"""A series of games agreed on beforehand: which game comes, what they add up to, who wins."""

from dataclasses import dataclass

JOINT = "agreed"
"""The kind of series whose totals are added up; in every other one each game stands for itself."""


@dataclass(frozen=True, slots=True)
class Series:
    """An agreed number of games, and the totals of those that are over; `kind` is what the rules call it."""

    games: int
    seats: int
    kind: str
    totals: tuple[tuple[int, ...], ...] = ()

    @property
    def is_independent(self) -> bool:
        """Whether every game stands for itself, so that nothing may be added up."""
        return self.kind != JOINT

    @property
    def is_over(self) -> bool:
        return len(self.totals) >= self.games

    @property
    def number(self) -> int:
        """The number of the game that is played or comes next; after the last one, its own."""
        return min(len(self.totals) + 1, self.games)

    @property
    def sums(self) -> tuple[int, ...] | None:
        """The sum of each seat's totals; none where every game stands for itself."""
        if self.is_independent:
            return None
        return tuple(sum(game[seat] for game in self.totals) for seat in range(self.seats))

    @property
    def places(self) -> tuple[tuple[int, ...], ...] | None:
        """Groups of seats by their sums, best first; none where every game stands for itself."""
        sums = self.sums
        if sums is None:
            return None
        return tuple(
            tuple(seat for seat, own in enumerate(sums) if own == total) for total in sorted(set(sums), reverse=True)
        )
