"""Roll-offs and results in a game of rounds."""

import pytest

from knobel.game import EnterDice, play
from knobel.games.round_state import AIMS, BEST, GIVER, OPEN, WORST, RoundResult
from tests.support.chicago import make_game, make_position, play_roll_off, play_round, roll_and_stand, roll_dice

A, B, C, D = range(4)
OVER, UNDER = AIMS
GAME = make_game()


@pytest.mark.parametrize(
    ("chips", "totals", "kind", "seats"),
    [
        ({}, (14, 9, 9, 15, 15), WORST, (B, C)),
        ({A: 1, B: 1, C: 1}, (10, 15, 15, 11, 4), GIVER, (B, C)),
        ({}, (10, 15, 15, 15, 4), BEST, (B, C, D)),
    ],
)
def test_the_first_of_those_who_tie_rolls_first(
    chips: dict[int, int], totals: tuple[int, ...], kind: str, seats: tuple[int, ...]
) -> None:
    state = play_round(GAME, make_position(GAME, 5, chips), OVER, *totals)
    assert state.rolloff is not None
    assert (state.rolloff.kind, state.rolloff.seats, state.player, state.seat) == (kind, seats, B, B)


def test_the_first_of_those_who_tie_again_rolls_first() -> None:
    state = play_roll_off(GAME, GAME.start(3), 9, 12, 12)
    assert state.rolloff is not None
    assert (state.rolloff.seats, state.rolloff.sums, state.player, state.seat) == ((B, C), (), B, B)


@pytest.mark.parametrize("chips", [{A: 1, B: 1, C: 1}, {B: 2, C: 1}])
def test_a_holder_who_lost_the_tie_for_the_chip_is_not_among_the_best(chips: dict[int, int]) -> None:
    state = play_round(GAME, make_position(GAME, 5, chips), OVER, 10, 15, 15, 15, 4)
    assert state.rolloff is not None
    assert (state.rolloff.kind, state.rolloff.seats) == (GIVER, (B, C))
    state = play_roll_off(GAME, state, 12, 8)
    assert state.rolloff is not None
    assert (state.rolloff.kind, state.rolloff.seats) == (BEST, (B, D))


@pytest.mark.parametrize(
    ("chips", "opener", "aim", "totals", "result"),
    [
        ({}, A, OVER, (10, 15, 4), RoundResult(C, B, None, (), A, OVER, ((A, 10), (B, 15), (C, 4)))),
        ({}, B, UNDER, (10, 4, 15), RoundResult(A, C, None, (), B, UNDER, ((B, 10), (C, 4), (A, 15)))),
        ({A: 1, B: 2}, C, OVER, (10, 11, 12), RoundResult(C, B, B, (), C, OVER, ((C, 10), (A, 11), (B, 12)))),
    ],
)
def test_the_result_of_a_round_tells_everything_about_it(
    chips: dict[int, int], opener: int, aim: str, totals: tuple[int, ...], result: RoundResult
) -> None:
    assert play_round(GAME, make_position(GAME, 3, chips, opener), aim, *totals).result == result


@pytest.mark.parametrize(
    ("chips", "totals", "rolled"), [({}, (10, 15, 12, 11, 4), ()), ({A: 1, B: 1, C: 1}, (10, 15, 15, 11, 4), (12, 8))]
)
def test_the_next_round_knows_nothing_of_the_last_one(
    chips: dict[int, int], totals: tuple[int, ...], rolled: tuple[int, ...]
) -> None:
    state = play_roll_off(GAME, play_round(GAME, make_position(GAME, 5, chips), OVER, *totals), *rolled)
    assert (state.phase, state.rolloff, state.aim, state.totals, state.target) == (OPEN, None, None, (), 0)
    assert (state.rolls_allowed, state.out_this_round, state.chip_from, state.best) == (0, (), None, None)
    assert (state.dice, state.rolls_used, state.rolling) == ((), 0, ())
    assert (state.opener, state.seat, state.rounds, state.players_at_start) == (4, 4, 2, 4)


def test_an_opener_is_placed_before_a_follower_with_the_same_total() -> None:
    state = play_round(GAME, make_position(GAME, 4, {A: 1, B: 2}), OVER, 10, 10, 4, 15)
    assert state.result is not None
    assert (state.result.loser, state.result.winner, state.result.chip_from) == (C, D, A)


def test_a_tie_is_decided_by_real_dice_too() -> None:
    state = play_round(GAME, make_position(GAME, 4), OVER, 14, 9, 9, 15)
    state = play(GAME, play(GAME, state, EnterDice((6, 6, 1))), EnterDice((1, 1, 2)))
    assert (state.chips, state.opener, state.rolloff) == ((0, 0, 1, 0), C, None)


def test_dice_that_have_landed_are_no_longer_rolling() -> None:
    state = roll_dice(GAME, make_position(GAME, 3), (1, 2, 3), (1, 2, 4))
    assert (state.dice, state.rolling, state.rolls_used, state.seat) == ((1, 2, 4), (), 2, A)


def test_phases_and_roll_offs_have_the_names_that_screens_and_programs_read() -> None:
    state = GAME.start(2)
    assert (state.phase, state.rolloff and state.rolloff.kind) == ("start", "start")
    state = play_roll_off(GAME, state, 12, 9)
    assert state.phase == "open"
    assert roll_and_stand(GAME, state, [(4, 3, 2)], UNDER).phase == "follow"
    kinds = [
        play_round(GAME, make_position(GAME, 5, chips), OVER, *totals).rolloff
        for chips, totals in (
            ({}, (14, 9, 9, 15, 15)),
            ({A: 1, B: 1, C: 1}, (10, 15, 15, 11, 4)),
            ({}, (10, 15, 15, 15, 4)),
        )
    ]
    assert [one and one.kind for one in kinds] == ["worst", "giver", "best"]


@pytest.mark.parametrize(("aim", "totals", "giver"), [(OVER, (10, 12, 15, 4), C), (UNDER, (10, 8, 6, 15), C)])
def test_with_an_empty_kitty_the_chip_comes_from_the_holder_with_the_best_total(
    aim: str, totals: tuple[int, ...], giver: int
) -> None:
    state = play_round(GAME, make_position(GAME, 4, {A: 1, B: 1, C: 1}), aim, *totals)
    assert state.result is not None
    assert (state.result.loser, state.result.chip_from, state.chips) == (D, giver, (1, 1, 0, 1))
