"""Puzzles from good play: one clear answer, a tempting wrong one, and the same everywhere."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from knobel.coach.sheet import OPEN_COACHES
from knobel.errors import IllegalAction, NotationError, PuzzleNotFound, ThemeNotFound
from knobel.game import Game, Move, Roll, Score
from knobel.games.rounds import RoundsGame
from knobel.games.sheet import SheetGame
from knobel.learning.families import find_family
from knobel.learning.generator import PuzzleGenerator
from knobel.learning.puzzle import Puzzle, grade_answer
from knobel.learning.themes import CROSS_OUT, THEMES
from knobel.rules import load_edition
from tests.coach.test_review import seeing, short
from tests.support.rulesets import REPRESENTATIVE, list_rulesets
from tests.support.selection import mostly_rest

CHICAGO = "carlit-chicago"
RULESETS = (*REPRESENTATIVE, "noris-yatzy de", CHICAGO)
TESTED = ("carlit-yatzy de", "tactic-xl-yatzy da")


@pytest.fixture(autouse=True)
def _nobodys_coaches() -> Iterator[None]:
    yield
    OPEN_COACHES.clear()


def make(name: str, seed: str = "test") -> PuzzleGenerator:
    """Make the generator of a short sheet of some rules, or of Chicago."""
    if name == CHICAGO:
        return PuzzleGenerator(RoundsGame(load_edition(CHICAGO).rules()), None, seed)
    rules = short(list_rulesets()[name])
    return PuzzleGenerator(SheetGame(rules, practice=True), seeing(rules), seed)


def identify(state: Any, move: Move) -> object:
    """Tell moves apart as people do: equal dice are equal wherever they lie."""
    return sorted(state.dice[place] for place in move.keep) if isinstance(move, Roll) else move


def list_losses(game: Game[Any], coach: Any, puzzle: Puzzle) -> list[float]:
    """List what every move but the best one costs, least first."""
    ranked = find_family(game).rank(game, puzzle.state, coach)
    best = identify(puzzle.state, ranked[0].move)
    return sorted(one.loss for one in ranked if identify(puzzle.state, one.move) != best)


@pytest.mark.parametrize("name", mostly_rest(RULESETS, *TESTED, CHICAGO))
def test_no_puzzle_is_tied_and_each_has_a_tempting_move(name: str) -> None:
    made = make(name)
    for puzzle in islice(made.list_puzzles(), 8):
        losses = list_losses(made.game, made.coach, puzzle)
        assert losses[0] > 0.05
        assert any(0.5 <= loss <= 5 for loss in losses)
        assert puzzle.theme in find_family(made.game).themes


@pytest.mark.parametrize("name", [TESTED[1], CHICAGO])
def test_answers_are_graded_by_what_they_cost(name: str) -> None:
    made = make(name)
    for puzzle in islice(made.list_puzzles(), 3):
        ranked = find_family(made.game).rank(made.game, puzzle.state, made.coach)
        for one in ranked:
            answer = grade_answer(puzzle, puzzle.read_answer(puzzle.write_answer(one.move)), made.coach)
            assert answer.loss == pytest.approx(ranked[0].value - one.value, abs=1e-8)
            assert answer.is_best == (answer.played == answer.best)
            assert bool(answer.reasons) == (answer.loss > 0)
            assert answer.best_action == puzzle.write_answer(ranked[0].move)


def test_the_same_seed_gives_the_same_puzzles_and_another_one_others() -> None:
    first, again, other = (
        [one.state for one in islice(make(TESTED[0], seed).list_puzzles(), 6)] for seed in ("a", "a", "b")
    )
    assert first == again
    assert first != other
    assert make(TESTED[0], "a").find_puzzle(4).state == first[4]


def test_puzzles_of_a_theme_are_about_it() -> None:
    made = make(TESTED[0])
    assert isinstance(made.game, SheetGame)
    for puzzle in islice(made.list_puzzles(CROSS_OUT), 3):
        best = find_family(made.game).rank(made.game, puzzle.state, made.coach)[0].move
        assert isinstance(best, Score)
        assert made.game.list_options(puzzle.state)[best.box].points == 0


@pytest.mark.parametrize(("limit", "games"), [({"max_games": 2}, 2), ({"max_seconds": 0.0}, 1)])
def test_a_theme_that_never_comes_up_is_given_up_in_time(limit: dict[str, Any], games: int) -> None:
    with pytest.raises(ThemeNotFound) as given_up:
        replace(make(TESTED[0]), **limit).find_puzzle(0, "announce")
    assert given_up.value.values == {"games": games}


def test_rules_that_leave_no_choice_have_no_puzzles() -> None:
    rules = short(list_rulesets()[TESTED[0]])
    only = replace(rules, boxes=rules.boxes[:1], bonus=None, chance=None, yatzy=None, rolls=1)
    made = PuzzleGenerator(SheetGame(only, practice=True), seeing(only), "test", max_games=3)
    with pytest.raises(PuzzleNotFound) as given_up:
        made.find_puzzle(0)
    assert given_up.value.values == {"games": 3}


def test_an_answer_the_rules_forbid_is_refused() -> None:
    puzzle = make(TESTED[0]).find_puzzle(0)
    with pytest.raises(NotationError):
        puzzle.read_answer(">11111")
    with pytest.raises(IllegalAction):
        puzzle.read_answer("!chance")


def test_every_theme_is_of_some_family() -> None:
    assert {theme for name in (TESTED[0], CHICAGO) for theme in find_family(make(name).game).themes} == set(THEMES)
