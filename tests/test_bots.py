"""Bots: the sensible one beats the greedy one, the perfect one never errs, the human one errs as much as asked."""

from pathlib import Path
from random import Random
from statistics import fmean

import pytest

from knobel.bots import bot
from knobel.bots.perfect import WARM, costs_of_game, expected, known_warmth, warmth
from knobel.coach import OPEN, Coach, coach, points_so_far
from knobel.errors import BotLoss, UnknownBot
from knobel.game import Land, Throw, play
from knobel.games.sheet import Sheet
from knobel.rules import load
from knobel.rules.ruleset import SheetRules
from tests.house import EXAMPLES

FREE = ["carlit-yatzy", "hasbro-yahtzee", "mb-yahtzee", "noris-yatzy", "philos-yatzi", "tactic-xl-yatzy"]


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("books")


@pytest.fixture(autouse=True)
def own_shelf(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(shelf))
    OPEN.clear()
    WARM.clear()


def total_of(rules: SheetRules, name: str, random: Random) -> int:
    """Play one game alone."""
    game, player = Sheet(rules, practice=True), bot(name)
    state = game.start(1, 0)
    while state.seat is not None:
        if fall := game.falling(state):
            state = play(game, state, Land(tuple(random.randint(1, rules.faces) for _ in fall.positions)))
        else:
            state = play(game, state, player(game, state, random))
    return game.tally(state, 0).total


@pytest.mark.parametrize("name", FREE)
def test_the_cautious_bot_beats_the_greedy_one_by_fifteen_points(name: str) -> None:
    rules = load(name).rules()
    means = {kind: fmean(total_of(rules, kind, Random(seed)) for seed in range(50)) for kind in ("greedy", "cautious")}
    assert means["cautious"] > means["greedy"] + 15


def test_the_perfect_bot_always_plays_a_best_move_and_the_ledger_closes() -> None:
    rules = load("carlit-yatzy").rules(None, {"order": "top_down"})
    game, known, random = Sheet(rules, practice=True), coach(rules), Random(5)
    state = game.start(1, 0)
    luck, before = 0.0, known.book.par
    while state.seat is not None:
        if fall := game.falling(state):
            state = play(game, state, Land(tuple(random.randint(1, 6) for _ in fall.positions)))
            best = known.judge(game, state)[0].value
            luck, before = luck + best - before, best
        else:
            move = bot("perfect")(game, state, random)
            judged = {str(one.move): one.loss for one in known.judge(game, state)}
            assert judged[str(move)] == 0
            state = play(game, state, move)
    assert game.tally(state, 0).total == pytest.approx(known.book.par + luck, abs=1e-6)


def test_a_coach_values_the_empty_sheet_at_par() -> None:
    rules = load("carlit-yatzy").rules(None, {"order": "top_down"})
    game = Sheet(rules, practice=True)
    state = game.start(1, 0)
    judged = Coach(coach(rules).book).judge(game, state)
    assert points_so_far(rules, state.column) == 0
    assert [one.move for one in judged] == [Throw()]
    assert judged[0].value == pytest.approx(121.26949645623606, abs=1e-9)


LONG = pytest.mark.torture


@pytest.mark.parametrize("points", [pytest.param(5, marks=LONG), 20, pytest.param(50, marks=LONG)])
def test_a_human_bot_loses_about_as_many_points_a_game_as_asked(points: int) -> None:
    rules = load("mb-yahtzee").rules()
    warm = warmth(rules, points)
    random = Random(99)
    lost = fmean(sum(expected(costs, warm) for costs in costs_of_game(rules, warm, random)) for _ in range(120))
    assert lost == pytest.approx(points, rel=0.1)


def test_what_a_human_bot_learned_is_kept_with_the_book() -> None:
    rules = load(str(EXAMPLES / "two-dice.toml")).rules()
    assert known_warmth(rules, 2) is None
    learned = warmth(rules, 2)
    WARM.clear()
    assert known_warmth(rules, 2) == learned
    assert known_warmth(rules, 3) is None


@pytest.mark.parametrize("name", ["human", "human:0", "human:x", "perfect:3", "genius"])
def test_a_bot_that_does_not_exist_is_refused(name: str) -> None:
    with pytest.raises((UnknownBot, BotLoss)):
        bot(name)
