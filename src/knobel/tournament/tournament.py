"""A tournament as one frozen value: its players, its rounds so far, and what follows from them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from knobel.tournament.pairing import count_most_rounds, pair_round_robin, pair_swiss
from knobel.tournament.standings import Pair, PlayedRound, PlayerStanding, Totals, rank_players

SWISS, ROUND_ROBIN = "swiss", "round_robin"
SYSTEMS = (SWISS, ROUND_ROBIN)


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament as far as it has been played; whoever is absent is not paired in the next round."""

    title: str
    system: str
    rounds: int
    players: tuple[str, ...]
    played: tuple[PlayedRound, ...] = ()
    absent: frozenset[int] = frozenset()

    @property
    def standings(self) -> tuple[PlayerStanding, ...]:
        return rank_players(len(self.players), self.played)

    @property
    def next_pairs(self) -> tuple[Pair, ...]:
        """Who plays whom next; nobody after the last round, nor where nobody is left to pair."""
        number = len(self.played)
        if number >= self.rounds:
            return ()
        if self.system == ROUND_ROBIN:
            return leave_out(pair_round_robin(len(self.players), number), self.absent)
        return pair_swiss(len(self.players), self.played, self.absent)

    @property
    def is_over(self) -> bool:
        return len(self.played) >= self.rounds

    def play_round(self, totals: Totals, pairs: tuple[Pair, ...] | None = None) -> "Tournament":
        """Give the tournament after one more round, paired as it follows or as it was; nobody is absent after it."""
        played = PlayedRound(self.next_pairs if pairs is None else pairs, totals)
        return replace(self, played=(*self.played, played), absent=frozenset())


def choose_rounds(system: str, players: int) -> int:
    """Choose how many rounds are usual: all in which somebody meets somebody new, or enough to find a winner."""
    most = count_most_rounds(players)
    return most if system == ROUND_ROBIN else min(most, (players - 1).bit_length())


def leave_out(pairs: Sequence[Pair], absent: Collection[int]) -> tuple[Pair, ...]:
    """Give whoever was to meet somebody absent a bye."""
    found = [[player for player in pair if player is not None and player not in absent] for pair in pairs]
    return tuple(Pair(*present) for present in found if present)


def list_players(pairs: Sequence[Pair]) -> tuple[int, ...]:
    """List who plays in a round, in the order of the pairs; whoever has a bye does not."""
    return tuple(player for first, second in pairs if second is not None for player in (first, second))


def order_totals(totals: Mapping[str, int], players: Sequence[str]) -> Totals:
    """Put totals by name into the order of the players."""
    return tuple(totals.get(name) for name in players)
