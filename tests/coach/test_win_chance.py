"""Win chances: against all totals of small games combined by hand, and against what the coach expects."""

from itertools import product
from random import Random

import numpy as np
import pytest

from knobel.coach.sheet import open_coach
from knobel.coach.win_chance import (
    SeatPosition,
    compute_win_chances,
    find_final_total,
    list_exact_requests,
    list_needed_requests,
    list_positions,
    rank_players,
)
from knobel.errors import NotInBook
from knobel.game import CHANCE, Leave, Roll
from knobel.games.sheet import SheetGame
from knobel.rules.column import Column
from knobel.solve_worker import is_ready, prepare
from knobel.solver.column_position import ColumnPosition
from knobel.solver.final_totals import PointsDistribution
from knobel.solver.known_totals import KNOWN, MAX_NOTED, load_totals, read_noted_totals
from knobel.solver.request import decode_request
from tests.support.game_walks import walk_randomly
from tests.support.house_rules import load_house_rules
from tests.support.selection import mostly_rest
from tests.support.small_games import GAMES


def draw_totals(players: int, seed: int) -> list[PointsDistribution]:
    random = np.random.default_rng(seed)
    drawn = [random.random(int(random.integers(1, 5))) for _ in range(players)]
    return [PointsDistribution(int(random.integers(0, 3)), row / row.sum()) for row in drawn]


@pytest.mark.parametrize("players", range(1, 6))
def test_chances_are_those_of_all_totals_combined_by_hand(players: int) -> None:
    totals = draw_totals(players, players)
    found = rank_players(totals)
    win, tie, places = np.zeros(players), np.zeros(players), np.zeros((players, players))
    for ends in product(*[range(one.lowest, one.highest + 1) for one in totals]):
        chance = float(np.prod([one.chances[end - one.lowest] for one, end in zip(totals, ends, strict=True)]))
        for seat, own in enumerate(ends):
            more, equal = sum(end > own for end in ends), sum(end == own for end in ends)
            win[seat] += chance * (not more and equal == 1)
            tie[seat] += chance * (not more and equal > 1)
            places[seat, more : more + equal] += chance / equal
    assert [one.win for one in found] == pytest.approx(win.tolist())
    assert [one.tie for one in found] == pytest.approx(tie.tolist())
    assert [list(one.places) for one in found] == [pytest.approx(row) for row in places.tolist()]
    assert [one.share for one in found] == pytest.approx(places[:, 0].tolist())


def test_all_shares_of_ten_players_add_up_to_one() -> None:
    found = rank_players(draw_totals(10, 1))
    for place in range(10):
        assert sum(one.places[place] for one in found) == pytest.approx(1)


def test_who_left_ranks_behind_all_who_stayed() -> None:
    totals = [PointsDistribution(total, np.ones(1)) for total in (500, 100, 400, 90)]
    found = rank_players(totals, [True, False, True, False])
    assert [one.places.index(1) for one in found] == [2, 0, 3, 1]
    assert [one.win for one in found] == [0, 1, 0, 0]


@pytest.mark.parametrize("name", mostly_rest(GAMES, "locked", "announced", "second yatzy"))
def test_the_expected_total_is_the_value_of_the_best_move_at_every_moment(name: str) -> None:
    rules = load_house_rules(GAMES[name]).rules()
    game, coach = SheetGame(rules, practice=True), open_coach(rules)
    before = None
    for state in walk_randomly(game, 3, Random(name)):
        chances = compute_win_chances(list_positions(game, state))
        assert chances.exact
        assert sum(one.share for one in chances.players) == pytest.approx(1)
        if state.seat == CHANCE and before:
            kept = tuple(place for place in range(rules.dice) if place not in state.rolling) if before.dice else ()
            moves = coach.rank_moves(game, before)
            value = next(one.value for one in moves if isinstance(one.move, Roll) and one.move.keep == kept)
            assert chances.players[state.player].expected_total == pytest.approx(value)
        elif state.seat is not None and state.dice:
            best = coach.rank_moves(game, state)[0].value
            assert chances.players[state.player].expected_total == pytest.approx(best)
        before = state
    outcome = game.outcome(state)
    assert outcome
    assert [one.expected_total for one in chances.players] == list(outcome.totals)
    assert [seat for seat, one in enumerate(chances.players) if one.share > 0] == list(outcome.places[0])


def test_who_errs_wins_less_often() -> None:
    rules = load_house_rules(GAMES["plain"]).rules()
    game = SheetGame(rules, practice=True)
    state = game.start(2, first=0)
    even = compute_win_chances(list_positions(game, state)).players
    uneven = compute_win_chances(list_positions(game, state, (0.0, 1.5))).players
    assert even[0].share == pytest.approx(0.5)
    assert uneven[0].share > 0.6
    assert uneven[1].expected_total == pytest.approx(even[1].expected_total - 1.5 * len(rules.boxes), abs=0.2)


def test_a_seat_that_left_needs_nothing_solved() -> None:
    rules = load_house_rules(GAMES["plain"]).rules()
    game = SheetGame(rules, practice=True)
    state = game.apply(game.start(3, first=0), Leave(1))
    positions = list_positions(game, state)
    KNOWN.clear()
    assert len(list_exact_requests(positions, 0)) == 1  # the two who stay have equal columns
    assert len(list_needed_requests(positions)) == 1
    assert compute_win_chances(positions).players[1].places == (0, 0, 1)


def test_a_column_that_is_in_no_book_is_refused() -> None:
    rules = load_house_rules(GAMES["top-down"]).rules()
    column = Column((None, 2, None, None, None))
    with pytest.raises(NotInBook):
        find_final_total(SeatPosition(rules, ColumnPosition(column)))


def test_exact_distributions_are_worked_out_by_request_and_kept_beside_the_book() -> None:
    rules = load_house_rules(GAMES["forced joker"]).rules()
    game = SheetGame(rules, practice=True)
    states = [state for state in walk_randomly(game, 1, Random(2)) if state.seat is not None]
    progress = list[float]()
    for state in states:
        positions = list_positions(game, state)
        assert not compute_win_chances(positions, 0).exact or positions[0].position.open_boxes == 0
        for request in list_exact_requests(positions, 0):
            prepare(decode_request(request.encode().decode()), progress.append)
            assert is_ready(request)
            KNOWN.clear()  # as another process would see it
            assert load_totals(request) is not None
        assert compute_win_chances(positions, 0).exact
    assert len(read_noted_totals(rules)) <= MAX_NOTED
