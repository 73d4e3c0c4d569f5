"""Leaving a game of rounds: what it does to places, turns, totals and roll-offs."""

import pytest

from knobel.game import Leave, play
from knobel.games.round_state import AIMS, BEST, GIVER, OPEN, WORST, RoundResult
from tests.support.chicago import CHIPS, make_game, make_position, play_roll_off, play_round, roll_dice

A, B, C, D, E, F = range(6)
OVER, _ = AIMS
GAME = make_game()


def test_places_of_those_who_went_out_before_stay() -> None:
    state = play_round(GAME, make_position(GAME, 5), OVER, 10, 15, 12, 11, 4)
    assert state.places == ((B,),)
    state = play(GAME, state, Leave(D))
    assert (state.places, state.quit) == (((B,),), (D,))
    assert [GAME.has_left(state, seat) for seat in range(5)] == [False, False, False, True, False]


def test_three_ones_of_this_round_stay_out_when_another_player_leaves() -> None:
    state = play_round(GAME, make_position(GAME, 5), OVER, 10, 3)
    assert state.out_this_round == (B,)
    state = play(GAME, state, Leave(E))
    assert (state.out_this_round, state.places) == ((B,), ((B,),))


def test_the_result_of_the_last_round_is_cleared() -> None:
    state = play_round(GAME, make_position(GAME, 3), OVER, 10, 15, 4)
    assert state.result is not None
    assert play(GAME, state, Leave(A)).result is None


def test_nobody_is_active_once_the_last_but_one_has_left() -> None:
    state = play(GAME, make_position(GAME, 2), Leave(A))
    assert (state.active, state.seat, state.places, state.quit) == ((), None, ((B,),), (A,))


@pytest.mark.parametrize(("totals", "turns"), [((), (1, 0, 0)), ((10,), (1, 1, 0)), ((10, 8), (1, 1, 1))])
def test_when_the_opener_leaves_the_turn_that_was_going_on_is_counted(
    totals: tuple[int, ...], turns: tuple[int, ...]
) -> None:
    state = play_round(GAME, make_position(GAME, 3), OVER, *totals)
    assert play(GAME, state, Leave(A)).turns == turns


def test_a_follower_who_leaves_in_their_turn_has_had_it() -> None:
    state = roll_dice(GAME, play_round(GAME, make_position(GAME, 4), OVER, 10), (1, 2, 3))
    state = play(GAME, state, Leave(B))
    assert (state.turns, state.dice, state.rolls_used, state.seat) == ((1, 1, 0, 0), (), 0, C)


def test_only_the_total_of_the_player_who_left_is_dropped() -> None:
    state = play_round(GAME, make_position(GAME, 5), OVER, 10, 4, 8)
    assert play(GAME, state, Leave(B)).totals == ((A, 10), (C, 8))


def test_a_total_that_equals_the_seat_of_who_left_stays() -> None:
    state = play_round(make_game(special=False), make_position(GAME, 5), OVER, 10, 3)
    assert play(GAME, state, Leave(D)).totals == ((A, 10), (B, 3))


def test_an_opener_who_leaves_during_a_tie_makes_the_round_void() -> None:
    state = play_round(GAME, make_position(GAME, 4), OVER, 14, 9, 9, 15)
    assert state.rolloff is not None
    assert state.rolloff.kind == WORST
    state = play(GAME, state, Leave(A))
    assert (state.rolloff, state.phase, state.opener, state.seat, state.totals) == (None, OPEN, B, B, ())
    assert (state.chips, state.kitty, state.active) == ((0, 0, 0, 0), CHIPS, (B, C, D))


def test_who_leaves_a_tie_takes_their_total_along_and_no_other() -> None:
    state = play_round(GAME, make_position(GAME, 5), OVER, 14, 9, 9, 9, 15)
    state = play(GAME, state, Leave(C))
    assert state.totals == ((A, 14), (B, 9), (D, 9), (E, 15))
    assert state.rolloff is not None
    assert (state.rolloff.kind, state.rolloff.seats) == (WORST, (B, D))


def test_when_the_loser_leaves_before_the_chip_is_found_another_loser_is_found() -> None:
    state = play_round(GAME, make_position(GAME, 5, {A: 1, B: 1, C: 1}), OVER, 10, 15, 15, 8, 4)
    assert state.rolloff is not None
    assert (state.rolloff.kind, state.loser) == (GIVER, E)
    state = play(GAME, state, Leave(E))
    assert state.rolloff is not None
    assert (state.rolloff.kind, state.rolloff.seats, state.loser) == (GIVER, (B, C), D)


@pytest.mark.parametrize(("seat", "others"), [(C, (B, D)), (E, (B, C, D))])
def test_a_tie_for_the_best_goes_on_without_who_left_and_no_second_chip_is_given(
    seat: int, others: tuple[int, ...]
) -> None:
    state = play_round(GAME, make_position(GAME, 5), OVER, 10, 15, 15, 15, 4)
    assert state.rolloff is not None
    assert (state.rolloff.kind, state.loser, state.chips) == (BEST, E, (0, 0, 0, 0, 1))
    after = play(GAME, state, Leave(seat))
    assert after.rolloff is not None
    assert (after.rolloff.kind, after.rolloff.seats, after.loser) == (BEST, others, E)
    assert sum(after.chips) == (0 if seat == E else 1)


def test_a_round_whose_loser_left_is_settled_with_their_chip_in_the_kitty() -> None:
    state = play_round(GAME, make_position(GAME, 6, {B: 1, C: 1, E: 1}), OVER, 10, 9, 9, 15, 4, 8)
    assert state.rolloff is not None
    assert (state.rolloff.kind, state.rolloff.seats, state.loser) == (GIVER, (B, C), E)
    state = play(GAME, state, Leave(E))
    assert (state.chips, state.kitty, state.opener, state.places) == ((0, 1, 1, 0, 0, 1), 0, F, ((D,),))
    assert state.result is not None
    assert (state.result.loser, state.result.winner, state.result.chip_from) == (F, D, None)


@pytest.mark.parametrize(("loser", "opener"), [(D, E), (E, A)])
def test_a_loser_who_left_before_the_winner_was_found_is_followed_by_the_next_seat_as_opener(
    loser: int, opener: int
) -> None:
    totals = [10, 15, 15, 11, 11]
    totals[loser] = 4
    state = play(GAME, play_round(GAME, make_position(GAME, 5), OVER, *totals), Leave(loser))
    state = play_roll_off(GAME, state, 12, 8)
    assert (state.phase, state.opener, state.seat, state.places, state.quit) == (
        OPEN,
        opener,
        opener,
        ((B,),),
        (loser,),
    )
    assert state.result is not None
    assert (state.result.loser, state.result.winner) == (loser, B)


@pytest.mark.parametrize(("holders", "free", "opener"), [((C, D), B, C), ((B, D), C, B)])
def test_of_three_who_stay_the_one_without_a_chip_goes_out_and_never_opens(
    holders: tuple[int, int], free: int, opener: int
) -> None:
    first, second = holders
    state = play(GAME, make_position(GAME, 4, {first: 1, second: 2}), Leave(A))
    assert (state.active, state.places, state.quit) == (holders, ((free,),), (A,))
    assert (state.opener, state.seat, state.result) == (opener, opener, RoundResult(out=(free,)))


def test_nothing_lies_on_the_tray_when_the_game_has_ended() -> None:
    state = play(GAME, roll_dice(GAME, make_position(GAME, 2), (1, 2, 3)), Leave(A))
    assert (state.seat, state.dice, state.rolls_used, state.rolling, state.rolloff) == (None, (), 0, (), None)
