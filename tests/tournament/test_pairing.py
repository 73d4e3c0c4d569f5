"""Pairing: everybody once in a round, nobody twice against the same, and whenever it is possible at all."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knobel.tournament.matching import has_perfect_matching
from knobel.tournament.pairing import count_most_rounds, pair_round_robin, pair_swiss
from knobel.tournament.standings import Pair, PlayedRound, count_points, rank_players


def check_round(pairs: tuple[Pair, ...], players: int) -> None:
    """Insist that everybody is in exactly one pair, and at most one has a bye."""
    named = [player for pair in pairs for player in pair if player is not None]
    assert sorted(named) == list(range(players))
    assert sum(pair.second is None for pair in pairs) == players % 2


@pytest.mark.parametrize("players", [2, 3, 4, 5, 8, 13, 20, 99])
def test_in_a_round_robin_everybody_meets_everybody_once_and_has_at_most_one_bye(players: int) -> None:
    rounds = [pair_round_robin(players, number) for number in range(count_most_rounds(players))]
    for pairs in rounds:
        check_round(pairs, players)
    met = [pair for pairs in rounds for pair in pairs if pair.second is not None]
    assert sorted(met) == list(combinations(range(players), 2))
    byes = [pair.first for pairs in rounds for pair in pairs if pair.second is None]
    assert sorted(byes) == (list(range(players)) if players % 2 else [])


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 24), st.integers(0, 10_000), st.data())
def test_swiss_pairs_everybody_never_twice_and_gives_nobody_two_byes(
    players: int, seed: int, data: st.DataObject
) -> None:
    random, played = Random(seed), list[PlayedRound]()
    # As long as fewer than half of the others were met, a pairing exists (Dirac).
    for _ in range(data.draw(st.integers(1, max(1, (players - 1) // 2)))):
        pairs = pair_swiss(players, played)
        check_round(pairs, players)
        known = {frozenset(pair) for one in played for pair in one.pairs}
        assert not known & {frozenset(pair) for pair in pairs}
        played.append(PlayedRound(pairs, tuple(random.choice((None, 100, 200, 250)) for _ in range(players))))


def test_swiss_pairs_equal_points_upper_half_against_lower_half() -> None:
    first = pair_swiss(8, [])
    assert first == (Pair(0, 4), Pair(1, 5), Pair(2, 6), Pair(3, 7))
    second = pair_swiss(8, [PlayedRound(first, (9, 8, 7, 6, 1, 2, 3, 4))])
    points = count_points(8, [PlayedRound(first, (9, 8, 7, 6, 1, 2, 3, 4))])
    assert all(points[one] == points[other] for one, other in second if other is not None)


def test_the_last_in_the_standings_who_had_none_has_the_bye() -> None:
    first = pair_swiss(5, [])
    assert first[-1] == Pair(4)
    played = [PlayedRound(first, (9, 8, 7, 6, 0))]
    last = [one.player for one in rank_players(5, played) if one.player != 4][-1]
    assert pair_swiss(5, played)[-1] == Pair(last)


def test_a_pairing_is_found_until_everybody_has_met_and_then_none() -> None:
    random = Random(1)
    for players in (4, 6):
        played = list[PlayedRound]()
        while pairs := pair_swiss(players, played):
            check_round(pairs, players)
            played.append(PlayedRound(pairs, tuple(random.randrange(300) for _ in range(players))))
        assert len(played) >= players // 2


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 5), st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9))))
def test_whether_all_can_be_paired_is_known_by_trying_everything(half: int, edges: set[tuple[int, int]]) -> None:
    players = range(2 * half)
    graph = {player: set[int]() for player in players}
    for one, other in edges:
        if one != other and one < 2 * half and other < 2 * half:
            graph[one].add(other)
            graph[other].add(one)
    assert has_perfect_matching(graph) == try_all(graph, set(players))


def try_all(graph: dict[int, set[int]], left: set[int]) -> bool:
    """Pair the first with everybody in turn."""
    if not left:
        return True
    first = min(left)
    return any(try_all(graph, left - {first, other}) for other in graph[first] & left)


def test_an_odd_cycle_with_a_tail_is_paired_through_the_cycle() -> None:
    graph = {0: {1}, 1: {0, 2, 5}, 2: {1, 3}, 3: {2, 4}, 4: {3, 5}, 5: {4, 1}}
    assert has_perfect_matching(graph)
    assert not has_perfect_matching({0: {1, 2, 3}, 1: {0}, 2: {0}, 3: {0}})
    assert not has_perfect_matching({0: set()})


def test_standings_add_up() -> None:
    random, played = Random(3), list[PlayedRound]()
    for _ in range(5):
        played.append(PlayedRound(pair_swiss(9, played), tuple(random.randrange(100, 300) for _ in range(9))))
    standings = rank_players(9, played)
    assert sum(one.points for one in standings) == 5 * 2 * 5
    assert sum(one.difference for one in standings) == 0
    assert [one.place for one in standings] == sorted(one.place for one in standings)
    assert standings[0].place == 1
    assert sum(one.total for one in standings) == sum(sum(total or 0 for total in one.totals) for one in played)


def test_ties_byes_and_whoever_did_not_play() -> None:
    played = [PlayedRound((Pair(0, 1), Pair(2, 3), Pair(4)), (200, 200, 150, None, None))]
    assert count_points(5, played) == [1, 1, 2, 0, 2]
    by_player = {one.player: one for one in rank_players(5, played)}
    assert (by_player[0].buchholz, by_player[0].place, by_player[1].place) == (1, 3, 3)
    assert by_player[2].difference == 150
    nobody = [PlayedRound((Pair(0, 1),), (None, None))]
    assert count_points(2, nobody) == [0, 0]
