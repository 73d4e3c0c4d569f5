"""Playing to win: what moves are worth both ways, and that it wins more often than play for points."""

from random import Random

import pytest

from knobel.bots import load_bot
from knobel.coach.sheet import open_coach
from knobel.coach.win_chance import compute_win_chances, list_positions
from knobel.coach.winning import can_play_to_win, rank_to_win
from knobel.game import CHANCE
from knobel.games.sheet import SheetGame
from knobel.rules.column import build_column
from tests.support.game_walks import walk_randomly
from tests.support.house_rules import load_house_rules
from tests.support.selection import mostly_rest
from tests.support.small_games import GAMES


@pytest.mark.parametrize("name", mostly_rest(GAMES, "plain", "announced"))
def test_the_best_chance_is_never_below_that_of_play_for_points(name: str) -> None:
    rules = load_house_rules(GAMES[name]).rules()
    game = SheetGame(rules, practice=True)
    bot = load_bot("winner", "sheet")
    for state in walk_randomly(game, 3, Random(name)):
        if state.seat in (None, CHANCE):
            continue
        moves = rank_to_win(game, state)
        points = open_coach(rules).rank_moves(game, state)
        assert {one.move for one in moves} == {one.move for one in points}
        assert moves[0].win_loss == pytest.approx(0)
        assert min(one.points_loss for one in moves) == 0
        chances = compute_win_chances(list_positions(game, state)).players[state.player]
        assert moves[0].win_chance >= chances.share - 1e-9
        assert bot(game, state, Random(0)) == moves[0].move


def test_who_is_far_behind_takes_a_risk_that_costs_points() -> None:
    rules = load_house_rules(GAMES["plain"]).rules()
    game = SheetGame(rules, practice=True)
    full = {"ones": 2, "twos": 4, "yatzy": 0, "row": 6, "chance": 6}
    state = game.start(2, first=0)
    behind = build_column(rules, {"ones": 2, "twos": 2, "row": 6})
    ahead = build_column(rules, full)
    state = state._replace(columns=(behind, ahead), dice=(2, 3), rolls_used=1)
    best = rank_to_win(game, state)[0]
    assert best.win_loss == 0
    for_points = open_coach(rules).rank_moves(game, state)[0].move
    chances = {one.move: one for one in rank_to_win(game, state)}
    assert chances[for_points].points_loss == 0
    assert best.win_chance >= chances[for_points].win_chance


def test_alone_there_is_nobody_to_win_against() -> None:
    rules = load_house_rules(GAMES["plain"]).rules()
    game = SheetGame(rules, practice=True)
    state = game.start(1, first=0)
    assert not can_play_to_win(state)
    move = load_bot("winner", "sheet")(game, state, Random(0))
    assert move == load_bot("perfect", "sheet")(game, state, Random(0))
