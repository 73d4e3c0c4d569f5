"""Playing to win: what moves are worth both ways, and that it wins more often than play for points."""

import json
import re
from random import Random
from statistics import fmean, stdev

import pytest
from benchmarks import winner

from knobel.bots import load_bot
from knobel.cli import main
from knobel.coach.advice import advise_sheet
from knobel.coach.sheet import open_coach
from knobel.coach.win_chance import compute_win_chances, list_positions
from knobel.coach.winning import can_play_to_win, rank_to_win
from knobel.game import CHANCE, Move
from knobel.games.sheet import SheetGame, SheetState
from knobel.notation import write_action
from knobel.rules.column import build_column
from tests.support.game_walks import walk_randomly
from tests.support.house_rules import EXAMPLES, load_house_rules
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


def test_a_hint_says_which_move_wins_more_often_and_what_it_costs() -> None:
    rules = load_house_rules(GAMES["plain"]).rules()
    game, coach = SheetGame(rules, practice=True), open_coach(rules)
    told = 0
    for state in walk_randomly(game, 2, Random(8)):
        if state.seat in (None, CHANCE) or not state.dice:
            continue
        moves = {write_action(state, one.move, rules.dice): one for one in rank_to_win(game, state)}
        hints = advise_sheet(game, state, coach)
        best = max(one.win_chance for one in moves.values() if one.points_loss < 1e-9)
        for hint in hints:
            assert hint.win_change == pytest.approx(moves[hint.action].win_chance - best, abs=2e-6)
            assert hint.loss == pytest.approx(moves[hint.action].points_loss)
        most = max(one.win_chance for one in moves.values())
        assert max(hint.win_change or 0.0 for hint in hints) == pytest.approx(most - best, abs=2e-6)
        told += most > best
    assert told


def test_the_command_says_what_each_move_is_worth_both_ways(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["advise", str(EXAMPLES / "two-dice.toml"), "--dice", "2", "5", "--sheet", "twins=0", "--json"]
    assert main([*command, "--against", "twins=5,neighbours=3", "--against", ""]) == 0
    moves = json.loads(capsys.readouterr().out)["moves"]
    assert moves[0]["win_chance"] == max(one["win_chance"] for one in moves)
    assert min(abs(one["win_change"]) + one["loss"] for one in moves) == pytest.approx(0, abs=1e-9)
    assert main(["advise", "mb-yahtzee", "--dice", "11556", "--against", ""]) == 2
    assert "13 boxes are open" in capsys.readouterr().err
    assert main([*command[:-1], "--against", "", "--aim", "15"]) == 2
    assert capsys.readouterr().err == "--aim and --against can’t be used together; choose one.\n"


def test_an_aim_that_cannot_be_reached_is_refused_with_the_highest_score(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["advise", str(EXAMPLES / "two-dice.toml"), "--dice", "2", "5", "--rolls-left", "0", "--aim"]
    assert main([*command, "99999"]) == 2
    said = capsys.readouterr().err
    most = int(re.findall(r"higher than (\d+)", said)[0])
    assert said.startswith("A final score of 99,999 can’t be reached")
    assert main([*command, str(most + 1)]) == 2
    capsys.readouterr()
    assert main([*command, str(most), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] > 0
    assert main(["advise", "hasbro-yahtzee", "--dice", "66612", "--sheet", "yahtzee=50", "--aim", "1500"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "A final score of 1,500 is possible from here, but its chance is below 0.001%."
    ]


def test_odds_say_which_score_is_the_highest(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["odds", str(EXAMPLES / "two-dice.toml"), "--aim", "--at-least"]
    assert main([*command, "99999"]) == 0
    said = capsys.readouterr().out
    most = int(re.findall(r"A final score of 99,999 can’t be reached: no score is higher than (\d+)\.", said)[0])
    assert "99999" not in said
    assert main([*command, str(most)]) == 0
    assert f"Chance of at least {most} points: 0.3" in capsys.readouterr().out


def test_alone_there_is_nobody_to_win_against() -> None:
    rules = load_house_rules(GAMES["plain"]).rules()
    game = SheetGame(rules, practice=True)
    state = game.start(1, first=0)
    assert not can_play_to_win(state)
    move = load_bot("winner", "sheet")(game, state, Random(0))
    assert move == load_bot("perfect", "sheet")(game, state, Random(0))


@pytest.mark.rest
def test_the_edge_measured_by_leads_is_what_decisions_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    game = SheetGame(load_house_rules(GAMES["one roll"]).rules(), practice=True)
    gains = list[float]()

    def choose_and_count(game: SheetGame, state: SheetState, turn: winner.WinningTurn | None) -> tuple[Move, bool]:
        move, has_lost = choose(game, state, turn)
        for_points, _ = choose(game, state, None)
        if move != for_points:
            after, instead = (winner.find_win_share(game, game.apply(state, one)) for one in (move, for_points))
            gains[-1] += after - instead
        return move, has_lost

    choose = winner.choose_move
    monkeypatch.setattr(winner, "choose_move", choose_and_count)
    differences, edges = list[float](), list[float]()
    for seed in range(150):
        gains.append(0.0)
        edges.append(winner.play_game(game, seed)["edge"])
        differences.append(edges[-1] - gains[-1])
    assert abs(fmean(differences)) < 4 * stdev(differences) / len(differences) ** 0.5
    assert fmean(edges) > 0
    assert stdev(edges) < stdev(gains) / 2
