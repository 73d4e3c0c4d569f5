"""The chances of a round: those of the solved round before its first roll, and at every moment a fair game."""

from random import Random

import pytest

from knobel.coach.round_chances import compute_round_chances
from knobel.coach.round_reasons import find_round_reasons
from knobel.coach.rounds import compute_chance_to_beat, rank_moves, solve_single_round, solve_whole_game
from knobel.game import CHANCE, Land, Roll, Stand
from knobel.games.rounds import RoundsGame
from knobel.lang import Translator
from knobel.rules import load_edition
from tests.support.chicago import make_position, roll_dice
from tests.support.selection import mostly_rest


def build_game(text: str = "de") -> RoundsGame:
    return RoundsGame(load_edition("carlit-chicago").rules(text))


@pytest.mark.parametrize("players", mostly_rest(range(2, 9), 2, 4))
def test_before_the_first_roll_the_chances_are_those_of_the_solved_round(players: int) -> None:
    game = build_game()
    found = compute_round_chances(game, game.start(players, 0))
    solved = solve_single_round(game, players)
    assert found
    assert list(found.lose_round) == pytest.approx(list(solved.losing_chances))
    assert found.void == pytest.approx(solved.void_chance)
    if players > 3:
        assert (found.expected_places, found.lose_game) == (None, None)
    else:
        places = solve_whole_game(game, players).places[(0,) * players]
        assert list(found.expected_places or ()) == pytest.approx(list(places))
    if players == 2:
        assert list(found.lose_game or ()) == pytest.approx([place - 1 for place in places])


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), (4, 3), (6, 4)])
def test_somebody_loses_at_every_moment_and_who_is_safe_has_no_chance_to(players: int, seed: int) -> None:
    game, random = build_game(), Random(seed)
    state = game.start(players, 0)
    for _ in range(400):
        if state.seat is None:
            break
        found = compute_round_chances(game, state)
        if found:
            assert sum(found.lose_round) + found.void == pytest.approx(1)
            assert min(found.lose_round) >= 0
            if found.expected_places and len(state.active) == players:
                assert sum(found.expected_places) == pytest.approx(players * (players + 1) / 2)
        if state.seat == CHANCE:
            state = game.apply(state, Land(tuple(random.randint(1, 6) for _ in state.rolling)))
        else:
            state = game.apply(state, random.choice(list(game.legal_moves(state))))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_chances_before_a_roll_are_the_mean_of_those_after_it(players: int) -> None:
    game = build_game("fr")
    state = game.apply(game.start(players, 0), Roll())
    state = game.apply(game.apply(state, Land((2, 5, 6))), Stand("over"))  # two equal totals would be told apart later
    before = compute_round_chances(game, state)
    rolled = game.apply(state, Roll())
    after = [
        compute_round_chances(game, game.apply(rolled, Land((one, two, three))))
        for one in range(1, 7)
        for two in range(1, 7)
        for three in range(1, 7)
    ]
    assert before
    means = [sum(one.lose_round[seat] for one in after if one) / 216 for seat in range(players)]
    assert list(before.lose_round) == pytest.approx(means)


@pytest.mark.parametrize("players", [5, 6])
def test_an_opener_is_told_how_often_the_next_player_beats_them(players: int) -> None:
    game = build_game("fr")
    opened = roll_dice(game, make_position(game, players), (6, 4, 1), (4, 4, 3))
    best, played = Stand("over"), Roll((0, 1))
    assert rank_moves(game, opened)[0].move == best
    stood = compute_chance_to_beat(game, game.apply(opened, best), Roll())
    rolled = [game.apply(game.apply(opened, played), Land((die,))) for die in range(1, 7)]
    after = [game.apply(one, rank_moves(game, one)[0].move) for one in rolled]
    beaten = sum(compute_chance_to_beat(game, one, Roll()) for one in after) / 6
    said = find_round_reasons(game, opened, played, best, (0.5, 0.6), "round")
    (told,) = (one for one in said if one.key.endswith("next_beaten"))
    show = Translator("en").format_value
    assert float(show(told.values["played"])) == pytest.approx(100 * beaten, abs=0.5)
    assert float(show(told.values["best"])) == pytest.approx(100 * stood, abs=0.5)
    assert "coach.why.all_beaten" in [one.key for one in said]


def test_who_rolls_on_may_let_the_others_roll_more_often_still() -> None:
    game, words = build_game("fr"), Translator("en", load_edition("carlit-chicago"))
    told = []
    for rolls in ([(4, 4, 3)], [(6, 4, 1), (4, 4, 3)]):
        opened = roll_dice(game, make_position(game, 5), *rolls)
        said = find_round_reasons(game, opened, Roll((0, 1)), Stand("over"), (0.5, 0.6), "round")
        told.append([one for one in map(words.translate, said) if "whoever" in one])
    assert told == [
        ["whoever follows may roll at least 2 times instead of 1"],
        ["whoever follows may roll 3 times instead of 2"],
    ]
