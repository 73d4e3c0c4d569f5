"""Who plays whom in the next round: everybody against everybody, or by the Swiss system."""

from collections.abc import Collection, Sequence

from knobel.tournament.matching import has_perfect_matching
from knobel.tournament.standings import Pair, PlayedRound, count_points, rank_players

MIN_PLAYERS, MAX_PLAYERS = 2, 99


def count_most_rounds(players: int) -> int:
    """Count the rounds in which everybody can meet everybody once."""
    return players - 1 + players % 2


def pair_round_robin(players: int, number: int) -> tuple[Pair, ...]:
    """Pair everybody for a round, counted from 0, so that after the last round all have met once (circle method)."""
    seats = players + players % 2
    turning = seats - 1
    circle = [(place + number) % turning for place in range(turning)]
    pairs = [(seats - 1, circle[0]), *((circle[place], circle[-place]) for place in range(1, seats // 2))]
    return tuple(sorted(build_pair(one, other, players) for one, other in pairs))


def build_pair(one: int, other: int, players: int) -> Pair:
    """Pair two; a number beyond the players stands for a bye."""
    first, second = sorted((one, other))
    return Pair(first, None if second >= players else second)


def pair_swiss(players: int, rounds: Sequence[PlayedRound], absent: Collection[int] = ()) -> tuple[Pair, ...]:
    """Pair those who stand equally well, nobody with the same opponent twice, as long as that is possible.

    Whoever is absent is not paired. The last in the standings who had none has a bye. Of equal points the upper half
    meets the lower half. A pair is made only if all others can still be paired, so a pairing is found whenever there
    is one.
    """
    order = [one.player for one in rank_players(players, rounds) if one.player not in absent]
    met = list_opponents(players, rounds)
    if len(order) % 2 == 0:
        return tuple(pair_in_order(order, met, rounds, players))
    from_last = order[::-1]
    for idle in sorted(from_last, key=lambda player: has_had_bye(player, rounds)):
        others = [player for player in order if player != idle]
        if has_perfect_matching(list_free_opponents(others, met)):
            return (*pair_in_order(others, met, rounds, players), Pair(idle))
    return ()


def list_opponents(players: int, rounds: Sequence[PlayedRound]) -> list[set[int]]:
    """List with whom everybody was paired."""
    met: list[set[int]] = [set() for _ in range(players)]
    for played in rounds:
        for first, second in played.pairs:
            if second is not None:
                met[first].add(second)
                met[second].add(first)
    return met


def has_had_bye(player: int, rounds: Sequence[PlayedRound]) -> bool:
    return any(Pair(player) in played.pairs for played in rounds)


def list_free_opponents(players: Sequence[int], met: Sequence[set[int]]) -> dict[int, set[int]]:
    """List with whom each of some players can still be paired."""
    return {player: set(players) - met[player] - {player} for player in players}


def pair_in_order(
    order: Sequence[int], met: Sequence[set[int]], rounds: Sequence[PlayedRound], players: int
) -> list[Pair]:
    """Pair the best with the one they prefer, then the best of the rest; nobody where not all can be paired."""
    points, left, pairs = count_points(players, rounds), list(order), list[Pair]()
    while left:
        best = left.pop(0)
        for other in list_preferred(best, left, points):
            others = [player for player in left if player != other]
            if other not in met[best] and has_perfect_matching(list_free_opponents(others, met)):
                pairs.append(Pair(best, other))
                left = others
                break
        else:
            return []
    return pairs


def list_preferred(player: int, others: Sequence[int], points: Sequence[int]) -> list[int]:
    """List possible opponents, the preferred first: of equal points the lower half from its top, then the others."""
    equal = [other for other in others if points[other] == points[player]]
    half = len(equal) // 2
    rest = [other for other in others if points[other] != points[player]]
    return [*equal[half:], *reversed(equal[:half]), *rest]
