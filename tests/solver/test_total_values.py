"""Aims and chances to win: against every roll and choice of small games followed by hand."""

from random import Random

import numpy as np
import pytest

from knobel.coach.sheet import SheetCoach, add_points_so_far
from knobel.coach.total_moves import build_win_worth, find_aim_moves, find_most_total
from knobel.dice import sort_dice
from knobel.errors import GameTooLarge
from knobel.game import CHANCE, Announce, Roll, Score
from knobel.games.sheet import SheetGame, SheetState
from knobel.rules import load_edition
from knobel.rules.column import Column, empty_column, tally
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.odds import compute_odds
from knobel.solver.position import BookValues, ColumnKey, encode_column
from knobel.solver.solve import solve
from knobel.solver.tables import build_tables
from knobel.solver.total_values import AIM, TotalWorth, compute_total_values
from tests.support.game_walks import walk_randomly
from tests.support.house_rules import EXAMPLES, load_house_rules
from tests.support.selection import mostly_rest
from tests.support.small_games import GAMES, VARIED, Tree


class AimTree(Tree):
    """A game followed by hand in which only reaching a total counts."""

    aim = 0

    def _value(self, column: Column) -> float:
        if column.is_full:
            return float(tally(self.rules, column).total >= self.aim)
        return super()._value(column)


def build_tree(rules: SheetRules, aim: int) -> AimTree:
    tree = AimTree(rules)
    tree.aim = aim
    return tree


def solve_book(rules: SheetRules) -> BookValues:
    known = build_tables(rules)
    return BookValues(known, solve(known).values.reshape(-1, known.stride)[:, : known.upper_states])


@pytest.mark.parametrize("name", mostly_rest(VARIED, "locked", "forced joker", "top-down"))
def test_the_chance_to_reach_every_total_is_that_of_every_choice_followed_by_hand(name: str) -> None:
    rules = load_house_rules(GAMES[name]).rules()
    tables = build_tables(rules)
    double = compute_total_values(tables, ColumnKey(0, 0, 0), AIM).list_aims()
    single = compute_total_values(tables, ColumnKey(0, 0, 0), AIM, in_double=False).list_aims()
    assert double[0] == 1
    assert (np.diff(double) <= 1e-12).all()
    tree = AimTree(rules)
    for tree.aim in (double.size // 2, double.size - 1, double.size):
        tree.forget_values()
        aim, by_hand = tree.aim, tree.value(empty_column(rules))
        assert (double[aim] if aim < double.size else 0) == pytest.approx(by_hand, abs=1e-12)
        assert (single[aim] if aim < single.size else 0) == pytest.approx(by_hand, abs=4e-6)


def value_by_hand(tree: AimTree, state: SheetState, move: object) -> float:
    rules, column = tree.rules, state.columns[0]
    match move:
        case Announce(box):
            return tree.turn(column, box, rules.rolls, ())
        case Roll(keep):
            kept = sort_dice(state.dice[place] for place in keep)
            return tree.turn(column, state.announced, rules.rolls - state.rolls_used, kept)
        case Score():
            return tree.value(SheetGame(rules, practice=True).apply(state, move).columns[0])
    raise TypeError(move)


@pytest.mark.parametrize("name", mostly_rest(VARIED, "locked", "announced", "forced joker"))
def test_every_move_has_the_chance_that_is_found_by_hand(name: str) -> None:
    rules = load_house_rules(GAMES[name]).rules()
    game, coach = SheetGame(rules, practice=True), SheetCoach(solve_book(rules))
    aim = round(coach.book.par)
    tree = build_tree(rules, aim)
    for state in walk_randomly(game, 1, Random(name)):
        if state.seat in (None, CHANCE):
            continue
        for one in find_aim_moves(coach, state, aim).rank_moves(game, state):
            assert one.value == pytest.approx(value_by_hand(tree, state, one.move), abs=1e-12)


@pytest.mark.parametrize("name", mostly_rest(VARIED, "plain", "second yatzy"))
def test_where_every_point_is_worth_the_same_best_play_is_that_for_points(name: str) -> None:
    rules = load_house_rules(GAMES[name]).rules()
    book, game = solve_book(rules), SheetGame(rules, practice=True)
    ramp = TotalWorth(-100, np.linspace(0, 1, 1001)[:-1])
    for state in walk_randomly(game, 1, Random(3)):
        if state.dice or state.rolling or state.announced:
            continue
        so_far = add_points_so_far(rules, state.columns[0])
        values = compute_total_values(book.tables, encode_column(book.tables, state.columns[0]), ramp.shift(so_far))
        expected = SheetCoach(book).expected_total(rules, state.columns[0])
        assert values.value_at(0) == pytest.approx((expected + 100) / 1000, abs=1e-12)


@pytest.mark.parametrize("name", mostly_rest(VARIED, "primes and second yatzy", "announced"))
def test_play_from_a_known_number_of_points_has_the_values_of_play_from_any(name: str) -> None:
    tables = build_tables(load_house_rules(GAMES[name]).rules())
    every = compute_total_values(tables, ColumnKey(0, 0, 0), AIM)
    for aim in range(0, every.list_aims().size + 5, 7):
        one = compute_total_values(tables, ColumnKey(0, 0, 0), AIM, points=-aim)
        assert one.value_at(-aim) == pytest.approx(every.value_at(-aim), abs=1e-13)


@pytest.mark.parametrize("name", mostly_rest(VARIED, "forced joker", "primes and second yatzy", "must fit"))
def test_the_highest_score_is_the_last_one_with_a_chance(name: str) -> None:
    rules = load_house_rules(GAMES[name]).rules()
    game, tables = SheetGame(rules, practice=True), build_tables(rules)

    def find_last_score(column: Column) -> int:
        aims = compute_total_values(tables, encode_column(tables, column), AIM).list_aims()
        return add_points_so_far(rules, column) + aims.size - 1

    for state in walk_randomly(game, 1, Random(3)):
        if state.seat in (None, CHANCE):
            continue
        columns = [state.column]
        if state.rolls_used == rules.rolls:
            columns = [game.apply(state, move).columns[0] for move in game.legal_moves(state)]
        assert find_most_total(tables, game, state) == max(map(find_last_score, columns))


def test_ties_are_shared_in_what_a_total_is_worth() -> None:
    others = np.array([[0.5, 0.5, 0.0], [0.0, 0.25, 0.75]])
    worth = build_win_worth(others, 10)
    assert worth.low == 10
    one, two = 0.25 * 0.5 / 2 + 0.25 * 0.5 / 3, 0.25 + 0.75 / 2
    assert worth.values.tolist() == pytest.approx([0.0, one, two])


def test_a_game_with_too_many_positions_is_refused_with_the_number() -> None:
    tables = build_tables(load_edition(str(EXAMPLES / "maxi-yatzy.toml")).rules())
    with pytest.raises(GameTooLarge):
        compute_total_values(tables, ColumnKey(0, 0, 0), AIM)


@pytest.mark.torture
def test_playing_for_250_reaches_it_more_often_than_playing_for_points() -> None:
    tables = build_tables(load_edition("tactic-xl-yatzy").rules("en"))
    aims = compute_total_values(tables, ColumnKey(0, 0, 0), AIM).list_aims()
    odds = compute_odds(tables, solve(tables).values)
    assert (round(100 * odds.chance_at_least(250), 1), round(100 * float(aims[250]), 1)) == (49.1, 56.0)
    reached = [odds.chance_at_least(total) for total in range(aims.size)]
    assert (aims + 4e-6 >= reached).all()
