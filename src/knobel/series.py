"""An evening of several games: who begins each, how it stands, who wins it all."""

from dataclasses import dataclass, replace

from knobel.game import Outcome


@dataclass(frozen=True, slots=True)
class Series:
    """A number of games agreed beforehand, folded over their outcomes; a `joint` one is won by the sum of totals."""

    seats: int
    games: int
    joint: bool
    first: int | None = None
    outcomes: tuple[Outcome, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether all games are played."""
        return len(self.outcomes) >= self.games

    @property
    def starter(self) -> int | None:
        """Who begins the next game: one seat further each time; nobody yet, before the first start is known."""
        return None if self.first is None else (self.first + len(self.outcomes)) % self.seats

    @property
    def totals(self) -> tuple[int, ...]:
        """The sum of each seat's totals."""
        return tuple(sum(outcome.totals[seat] for outcome in self.outcomes) for seat in range(self.seats))

    @property
    def places(self) -> tuple[tuple[int, ...], ...]:
        """Groups of seats by the sum of totals, best first; none where every game stands for itself."""
        if not self.joint:
            return ()
        totals = self.totals
        return tuple(
            tuple(seat for seat in range(self.seats) if totals[seat] == total)
            for total in sorted(set(totals), reverse=True)
        )

    def add_game(self, first: int, outcome: Outcome) -> "Series":
        """Add a finished game; the first one settles who began."""
        start = first if self.first is None else self.first
        return replace(self, first=start, outcomes=(*self.outcomes, outcome))
