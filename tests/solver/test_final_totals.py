"""Distributions from the middle of a game: against every roll followed by hand, and the moments beside a book."""

from collections import defaultdict
from random import Random

import numpy as np
import pytest

from knobel.coach.sheet import add_points_so_far
from knobel.coach.win_chance import rank_players, read_turn
from knobel.dice import sort_dice
from knobel.game import CHANCE
from knobel.games.sheet import SheetGame, SheetState
from knobel.rules import load_edition
from knobel.rules.column import Column, empty_column
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.approximate_totals import approximate_points_to_come
from knobel.solver.column_position import ColumnPosition, TurnPosition, decode_position
from knobel.solver.final_totals import PointsDistribution, compute_points_to_come
from knobel.solver.lost_points import spread_losses, subtract_losses
from knobel.solver.moments import Moments, compute_moments
from knobel.solver.position import BookValues, look_up_value
from knobel.solver.solve import pad_to_stride, solve
from knobel.solver.tables import build_tables
from tests.support.game_walks import walk_randomly
from tests.support.house_rules import load_house_rules
from tests.support.selection import mostly_rest
from tests.support.small_games import GAMES, Tree, spread_totals


def solve_book(rules: SheetRules) -> BookValues:
    known = build_tables(rules)
    return BookValues(known, solve(known).values.reshape(-1, known.stride)[:, : known.upper_states])


def follow_by_hand(tree: Tree, state: SheetState) -> dict[int, float]:
    """Follow best play from a state to the end of the column."""
    rules, column = tree.rules, state.columns[0]
    tree.ends.clear()
    if state.seat is None or not (state.dice or state.rolling or state.announced):
        tree.play(column, 1.0)
        return spread_totals(rules, tree.ends)
    reached: dict[Column, float] = defaultdict(float)
    left = rules.rolls - state.rolls_used
    if state.seat == CHANCE or not state.dice:
        kept = sort_dice(die for place, die in enumerate(state.dice) if place not in state.rolling)
        tree.roll(column, state.announced, left, kept, 1.0, reached)
    else:
        locked = sort_dice(state.dice[place] for place in state.locked)
        more = sort_dice(die for place, die in enumerate(state.dice) if place not in state.locked)
        choice = tree.choose(column, state.announced, left, locked, more)
        if isinstance(choice, Column):
            reached[choice] = 1.0
        else:
            tree.roll(column, state.announced, left, choice, 1.0, reached)
    for then, chance in reached.items():
        tree.play(then, chance)
    return spread_totals(rules, tree.ends)


def find_moments(found: PointsDistribution) -> tuple[float, float, float]:
    away = found.lowest + np.arange(found.chances.size) - found.mean
    return found.mean, float(found.chances @ away**2), float(found.chances @ away**3)


@pytest.mark.parametrize("name", mostly_rest(GAMES, "locked, three dice", "forced joker", "top-down"))
def test_the_points_to_come_are_those_of_every_roll_followed_by_hand(name: str) -> None:
    rules = load_house_rules(GAMES[name]).rules()
    book, tree = solve_book(rules), Tree(rules)
    for state in walk_randomly(SheetGame(rules, practice=True), 1, Random(name)):
        column = state.columns[0]
        position = ColumnPosition(column, read_turn(rules, state))
        found = compute_points_to_come(book, position).shift(add_points_so_far(rules, column))
        by_hand = follow_by_hand(tree, state)
        assert found.chances.sum() == pytest.approx(1, abs=1e-12)
        spread = found.spread(0, max(found.highest, *by_hand))
        assert spread.tolist() == pytest.approx([by_hand.get(total, 0.0) for total in range(spread.size)], abs=1e-11)


@pytest.mark.parametrize("name", mostly_rest(GAMES, "locked, three dice", "announced", "forced joker"))
def test_the_moments_beside_the_book_are_those_of_the_distribution(name: str) -> None:
    rules = load_house_rules(GAMES[name]).rules()
    book = solve_book(rules)
    moments = Moments(book, compute_moments(book.tables, pad_to_stride(book.tables, book.values)))
    assert moments.numbers.nbytes <= 3 * book.values.nbytes
    game = SheetGame(rules, practice=True)
    for seed in range(3):
        for state in walk_randomly(game, 1, Random(seed)):
            if state.dice or state.rolling or state.announced:
                continue
            from_pass = compute_points_to_come(book, ColumnPosition(state.columns[0]))
            columns = moments.look_up_columns(ColumnPosition(state.columns[0]))
            assert [float(one[0]) for one in columns] == pytest.approx(find_moments(from_pass), rel=1e-4, abs=1e-3)


def test_a_position_reads_back_as_it_was_written() -> None:
    column = Column((None, 3, 0), 0, 1)
    turns = [TurnPosition(), TurnPosition((1, 1, 4), 2, (1, 1), (1,), "twos"), TurnPosition((), 3, None, (), "twos")]
    for turn in turns:
        position = ColumnPosition(column, turn)
        assert decode_position(position.encode()) == position


def test_losses_keep_their_mean_and_never_take_more_than_is_to_come() -> None:
    losses = spread_losses(7, 1.3)
    assert losses.sum() == pytest.approx(1)
    assert losses @ np.arange(losses.size) == pytest.approx(7 * 1.3, abs=1e-9)
    variance = losses @ (np.arange(losses.size) - 9.1) ** 2
    assert 7 * 1.3**2 < variance < 7 * 1.3**2 + 0.25  # rounding to whole points adds at most a quarter
    far = subtract_losses(PointsDistribution(200, np.array([0.5, 0.0, 0.5])), 7, 1.3)
    assert far.mean == pytest.approx(201 - 9.1, abs=1e-9)
    near = subtract_losses(PointsDistribution(2, np.ones(1)), 7, 1.3)
    assert (near.lowest, near.chances.sum()) == (0, pytest.approx(1))


@pytest.mark.rest
@pytest.mark.parametrize("name", [pytest.param("mb-yahtzee", marks=pytest.mark.torture), "philos-yatzi"])
def test_the_approximation_is_near_the_exact_distribution(name: str) -> None:
    rules = load_edition(name).rules()
    book = solve_book(rules)
    moments = Moments(book, compute_moments(book.tables, pad_to_stride(book.tables, book.values)))
    game = SheetGame(rules, practice=True)
    for state in walk_randomly(game, 1, Random(5)):
        position = ColumnPosition(state.columns[0], read_turn(rules, state))
        if position.open_boxes <= 10:
            break
        exact, near = compute_points_to_come(book, position), approximate_points_to_come(moments, position)
        against = compute_points_to_come(book, ColumnPosition(empty_column(rules)))
        wins = [rank_players([one, against.shift(round(one.mean - against.mean))])[0].share for one in (exact, near)]
        assert wins[1] == pytest.approx(wins[0], abs=0.04)
        assert near.mean == pytest.approx(exact.mean, abs=0.5)
        if not position.turn.has_begun:
            assert exact.mean == pytest.approx(look_up_value(book, position.column), abs=1e-8)
