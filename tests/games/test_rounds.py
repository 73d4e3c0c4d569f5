"""Chicago: the rulings one sentence each, whole games at random, bots, records, and the commands as they are typed."""

import io
import shlex
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest

from knobel.bots.rounds import perfect_bot
from knobel.cli import main
from knobel.errors import IllegalAction, NoSeatAtTable, UnknownBot, WrongPlayerCount
from knobel.game import CHANCE, Action, Announce, EnterPoints, Land, Leave, Move, PendingRoll, Roll, Score, Stand, play
from knobel.games.round_state import AIMS, BEST, FOLLOW, GIVER, OPEN, START, WORST, RoundState
from knobel.games.rounds import RoundsGame
from knobel.notation import read_action, write_action
from knobel.phrase import phrase
from knobel.record.events import Acted, Seat
from knobel.record.file import load_record, parse_record
from knobel.record.replay import replay_record
from knobel.rules import load_edition
from knobel.solver.rounds import RoundSolution, solve_round
from knobel.table import Table
from tests.support.chicago import (
    CHIPS,
    EDITION,
    find_dice,
    make_game,
    make_position,
    play_roll_off,
    play_round,
    roll_and_stand,
    roll_dice,
)
from tests.support.command_output import CommandOutput
from tests.support.played_tables import encode_record, is_closed, open_table, play_bot_step
from tests.support.stored_games import read_records

A, B, C, D, E, F = range(6)
OVER, UNDER = AIMS
ONES = (1, 1, 1)
GAME = make_game()
FRENCH = RoundsGame(load_edition(EDITION).rules("fr"))


def describe_last_round(state: RoundState) -> tuple[int | None, int | None, int | None, tuple[int, ...]]:
    """Give the loser, the winner, who gave the chip and who went out in the last round."""
    assert state.result is not None
    return state.result.loser, state.result.winner, state.result.chip_from, state.result.out


def places(state: RoundState) -> tuple[tuple[int, ...], ...]:
    """Give the final places."""
    outcome = GAME.outcome(state)
    assert outcome is not None
    return outcome.places


def assert_refused(state: RoundState, action: Action, game: RoundsGame = GAME) -> str:
    """Insist on a refusal and give the last word of its reason."""
    with pytest.raises(IllegalAction):
        play(game, state, action)
    why = game.refusal(state, action)
    assert why is not None
    return why.key.split(".")[-1]


# Rulings.


@pytest.mark.parametrize(("aim", "equal", "better"), [(OVER, 8, 9), (UNDER, 8, 7)])
def test_ch1_equal_to_the_opener_is_not_beaten(aim: str, equal: int, better: int) -> None:
    state = play_round(GAME, make_position(GAME, 3), aim, 8, equal, better)
    assert describe_last_round(state)[:2] == (B, C)
    assert state.chips == (0, 1, 0)


@pytest.mark.parametrize("totals", [(12, 3), (12, 11), (4, 3)])
def test_ch2_a_round_moves_one_chip_however_many_fail(totals: tuple[int, ...]) -> None:
    state = play_round(FRENCH, make_position(FRENCH, 3), OVER, 13, *totals)
    assert (state.chips, state.kitty) == ((0, 0, 1), 2)


def test_ch3_an_opener_beaten_by_some_only_is_safe_and_the_worst_who_failed_pays() -> None:
    state = play_round(GAME, make_position(GAME, 3), UNDER, 8, 10, 4)
    assert describe_last_round(state) == (B, C, None, ())
    state = play_round(GAME, make_position(GAME, 5), OVER, 12, 15, 10, 7, 11)
    assert describe_last_round(state)[0] == D


def test_ch3_an_opener_beaten_by_all_pays() -> None:
    state = play_round(GAME, make_position(GAME, 3), UNDER, 8, 6, 4)
    assert describe_last_round(state) == (A, C, None, ())
    assert (state.opener, state.chips) == (A, (1, 0, 0))


def test_ch3_tied_worst_followers_roll_off_in_the_same_direction_until_one_is_worst() -> None:
    state = play_round(GAME, make_position(GAME, 3), OVER, 14, 9, 9)
    assert state.rolloff is not None
    assert (state.rolloff.kind, state.rolloff.seats) == (WORST, (B, C))
    assert describe_last_round(play_roll_off(GAME, state, 11, 7))[0] == C
    assert describe_last_round(play_roll_off(GAME, state, 8, 8, 6, 16))[0] == B
    under = play_round(GAME, make_position(GAME, 3), UNDER, 5, 9, 9)
    assert describe_last_round(play_roll_off(GAME, under, 11, 7))[0] == B


def test_ch3_three_ones_in_a_roll_off_are_just_three() -> None:
    state = play_roll_off(GAME, play_round(GAME, make_position(GAME, 3), OVER, 14, 9, 9), 3, 4)
    assert describe_last_round(state) == (B, A, None, ())
    assert state.active == (A, B, C)


def test_ch4_the_round_is_won_by_an_unbeaten_opener_else_by_the_best_follower() -> None:
    assert describe_last_round(play_round(GAME, make_position(GAME, 3), OVER, 15, 12, 9))[1] == A
    assert describe_last_round(play_round(GAME, make_position(GAME, 3), OVER, 15, 16, 9))[1] == B
    assert describe_last_round(play_round(GAME, make_position(GAME, 3), UNDER, 9, 8, 5))[1] == C


def test_ch5_with_one_chip_each_a_fourth_round_decides() -> None:
    state = make_position(GAME, 3, {A: 1, B: 1, C: 1})
    state = play_round(GAME, state, OVER, 10, 12, 8)
    assert describe_last_round(state) == (C, B, B, (B,))
    assert (state.chips, state.kitty, state.active, state.opener) == ((1, 0, 2), 0, (A, C), C)
    assert state.places == ((B,),)


def test_ch5_the_third_round_may_leave_one_chip_each_and_nobody_leaves() -> None:
    state = play_round(GAME, make_position(GAME, 3, {A: 1, B: 1}), OVER, 10, 12, 8)
    assert describe_last_round(state) == (C, B, None, ())
    assert (state.chips, state.kitty, state.active) == ((1, 1, 1), 0, (A, B, C))


def test_ch5_two_equally_good_owners_roll_off_for_who_gives_the_chip() -> None:
    state = play_round(GAME, make_position(GAME, 3, {A: 1, B: 1, C: 1}), OVER, 10, 12, 12)
    assert state.rolloff is not None
    assert (state.rolloff.kind, state.rolloff.seats) == (GIVER, (B, C))
    assert describe_last_round(play_roll_off(GAME, state, 5, 9)) == (A, C, C, (C,))


def test_ch6_who_holds_all_three_chips_loses_and_the_others_share_the_first_place() -> None:
    state = play_round(GAME, make_position(GAME, 3, {A: 2}), OVER, 9, 15, 16)
    assert state.seat is None
    assert (state.chips, state.kitty) == ((3, 0, 0), 0)
    assert places(state) == ((B, C), (A,))


def test_ch7_chips_are_paid_in_leaving_rounds_and_stay_with_their_owners() -> None:
    state = play_round(GAME, make_position(GAME, 4), OVER, 12, 15, 14, 7)
    assert describe_last_round(state) == (D, B, None, (B,))
    assert (state.chips, state.kitty, state.active, state.opener) == ((0, 0, 0, 1), 2, (A, C, D), D)
    after = play_round(GAME, state, OVER, 10, 12, 8)
    assert (after.chips, after.kitty) == ((0, 0, 1, 1), 1)
    assert describe_last_round(after) == (C, A, None, ())


def test_ch7_five_players_lose_one_winner_in_each_of_two_rounds_and_then_none() -> None:
    state = play_round(GAME, make_position(GAME, 5), OVER, 12, 15, 14, 7, 13)
    state = play_round(GAME, state, OVER, 12, 15, 14, 7)
    assert (state.places, len(state.active)) == (((B,), (E,)), 3)
    assert describe_last_round(play_round(GAME, state, OVER, 12, 15, 7))[3] == ()


def test_ch8_a_leaving_winner_returns_his_chips() -> None:
    state = play_round(GAME, make_position(GAME, 4, {B: 2}), OVER, 12, 15, 14, 7)
    assert (state.chips, state.kitty) == ((0, 0, 0, 1), 2)


def test_ch8_equally_good_winners_roll_off_for_leaving() -> None:
    state = play_round(GAME, make_position(GAME, 4), OVER, 12, 15, 15, 7)
    assert state.rolloff is not None
    assert (state.rolloff.kind, state.rolloff.seats) == (BEST, (B, C))
    assert describe_last_round(play_roll_off(GAME, state, 9, 9, 8, 10)) == (D, C, None, (C,))
    under = play_round(GAME, make_position(GAME, 4), UNDER, 12, 7, 7, 15)
    assert describe_last_round(play_roll_off(GAME, under, 9, 10)) == (D, B, None, (B,))


def test_ch9_an_opener_with_three_ones_leaves_and_the_round_is_void() -> None:
    state = roll_and_stand(GAME, make_position(GAME, 3, {A: 1, C: 1}), [ONES], None)
    assert describe_last_round(state) == (None, None, None, (A,))
    assert (state.chips, state.kitty, state.active) == ((0, 0, 1), 2, (B, C))
    assert (state.opener, state.phase, state.seat, state.places) == (B, OPEN, B, ((A,),))


def test_ch9_three_ones_count_however_they_were_built_and_need_no_announcement() -> None:
    state = roll_dice(GAME, make_position(GAME, 3), (1, 5, 5), (1, 1, 5), ONES)
    assert [assert_refused(state, Stand(aim)) for aim in AIMS] == ["no_aim", "no_aim"]
    assert describe_last_round(play(GAME, state, Stand()))[3] == (A,)


def test_ch9_three_ones_may_be_rolled_again() -> None:
    state = roll_dice(GAME, make_position(GAME, 3), ONES, (1, 1, 6))
    assert assert_refused(state, Stand()) == "say_aim"
    assert play(GAME, state, Stand(OVER)).target == 8


def test_ch9_of_two_players_the_one_without_three_ones_loses() -> None:
    state = roll_and_stand(GAME, make_position(GAME, 2, {A: 2}), [ONES], None)
    assert places(state) == ((A,), (B,))


@pytest.mark.parametrize("aim", AIMS)
def test_ch10_three_ones_of_a_follower_beat_the_opener_and_he_is_that_rounds_leaver(aim: str) -> None:
    target = 12 if aim == OVER else 9
    best, worst = (16, 10) if aim == OVER else (4, 11)
    state = play_round(GAME, make_position(GAME, 4, {B: 1}), aim, target, 3, best, worst)
    assert describe_last_round(state) == (D, B, None, (B,))
    assert (state.active, state.chips, state.kitty) == ((A, C, D), (0, 0, 0, 1), 2)


def test_ch10_several_with_three_ones_leave_in_the_order_of_rolling() -> None:
    state = play_round(GAME, make_position(GAME, 5, opener=C), OVER, 10, 12, 3, 8, 3)
    assert describe_last_round(state) == (A, E, None, (E, B))
    assert (state.places, state.active) == (((E,), (B,)), (A, C, D))


def test_ch10_if_all_followers_have_three_ones_the_opener_is_the_last() -> None:
    state = play_round(GAME, make_position(GAME, 3), UNDER, 4, 3, 3)
    assert describe_last_round(state)[0] == A
    assert places(state) == ((B,), (C,), (A,))


def test_ch11_two_players_take_from_the_kitty_and_then_from_each_other() -> None:
    state = make_position(GAME, 2)
    state = play_round(GAME, state, OVER, 10, 8)
    assert (state.chips, state.kitty, state.opener) == ((0, 1), 2, B)
    state = play_round(GAME, state, OVER, 10, 8)
    state = play_round(GAME, state, OVER, 10, 8)
    assert (state.chips, state.kitty) == ((1, 2), 0)
    state = play_round(GAME, state, UNDER, 10, 12)
    assert describe_last_round(state)[2] == B
    assert (state.chips, state.opener) == ((2, 1), A)
    state = play_round(GAME, state, OVER, 10, 12)
    assert state.chips == (3, 0)
    assert places(state) == ((B,), (A,))


@pytest.mark.parametrize("seats", [-1, 0, 1, 17, 99])
def test_ch11_two_to_sixteen_can_play(seats: int) -> None:
    with pytest.raises(WrongPlayerCount) as caught:
        GAME.start(seats)
    assert caught.value.values == {"n": seats, "limits": phrase("rules.rounds.players", n=16, least=2)}
    assert GAME.start(2).active == (A, B)
    assert len(GAME.start(16).active) == 16


@pytest.mark.parametrize("first", [-1, 3])
def test_a_seat_that_is_not_there_cannot_begin(first: int) -> None:
    with pytest.raises(NoSeatAtTable) as caught:
        GAME.start(3, first)
    assert caught.value.values == {"seat": first + 1, "seats": 3}


def test_ch12_with_an_empty_kitty_the_best_placed_holder_gives_and_a_winner_still_leaves() -> None:
    state = make_position(GAME, 7, {B: 1, C: 1, D: 1})
    state = play_round(GAME, state, OVER, 10, 9, 12, 8, 15, 7, 11)
    assert describe_last_round(state) == (F, E, C, (E,))
    assert (state.chips, state.kitty) == ((0, 1, 0, 1, 0, 1, 0), 0)


def test_ch12_an_opener_gives_before_those_who_failed_and_of_three_left_the_one_without_a_chip_leaves_too() -> None:
    state = make_position(GAME, 4, {A: 1, B: 2})
    state = play_round(GAME, state, OVER, 10, 9, 12, 8)
    assert describe_last_round(state) == (D, C, A, (C, A))
    assert (state.chips, state.places) == ((0, 2, 0, 1), ((C,), (A,)))


def test_ch12_a_roll_off_for_the_giver_finds_the_winner_only_among_those_who_threw() -> None:
    state = play_round(GAME, make_position(GAME, 5, {B: 1, C: 1, A: 1}), OVER, 10, 15, 15, 15, 4)
    assert state.rolloff is not None
    assert (state.rolloff.kind, state.rolloff.seats) == (GIVER, (B, C))
    state = play_roll_off(GAME, state, 9, 8)
    assert state.rolloff is not None, "D has no chip, yet is as good as B: who leaves is not decided"
    assert state.rolloff.kind == BEST
    assert D in state.rolloff.seats


def test_ch13_two_left_take_from_the_kitty_first() -> None:
    state = make_position(GAME, 3, {A: 1, B: 1}, out=[C])
    state = play_round(GAME, state, OVER, 10, 8)
    assert describe_last_round(state)[2] is None
    assert (state.chips, state.kitty) == ((1, 2, 0), 0)


def test_ch14_places_are_the_order_of_leaving_and_the_loser_is_last() -> None:
    state = play_round(GAME, make_position(GAME, 4), OVER, 12, 15, 14, 7)
    for _ in range(2):
        state = play_round(GAME, state, UNDER, 12, 11, 10)
    assert (state.chips, state.kitty, state.active) == ((0, 0, 0, 3), 0, ())
    assert places(state) == ((B,), (A, C), (D,))


def test_ch14_with_two_one_none_the_one_without_leaves_and_two_play_on() -> None:
    state = play_round(GAME, make_position(GAME, 3, {A: 1, B: 1}), OVER, 16, 18, 17)
    assert describe_last_round(state) == (A, B, None, (C,))
    assert (state.active, state.places, state.opener) == ((A, B), ((C,),), A)
    state = play_round(GAME, state, OVER, 16, 17)
    assert places(state) == ((C,), (B,), (A,))


def test_ch15_a_quitter_gives_his_chips_back_and_ends_behind_everyone_still_in() -> None:
    state = make_position(GAME, 3, {C: 2})
    state = play(GAME, state, Leave(C))
    assert (state.chips, state.kitty, state.active, state.seat) == ((0, 0, 0), 3, (A, B), A)
    state = play(GAME, state, Leave(A))
    assert places(state) == ((B,), (A,), (C,))


def test_ch15_if_the_opener_quits_the_round_is_void_and_the_next_clockwise_opens() -> None:
    state = play_round(GAME, make_position(GAME, 3, opener=B), OVER, 10, 8)
    state = play(GAME, state, Leave(B))
    assert state.result is None
    assert (state.opener, state.seat, state.phase, state.kitty, state.totals) == (C, C, OPEN, 3, ())


def test_ch15_if_a_follower_quits_in_their_turn_the_next_one_rolls() -> None:
    state = roll_dice(GAME, play_round(GAME, make_position(GAME, 4), OVER, 10), (1, 2, 3))
    state = play(GAME, state, Leave(B))
    assert (state.seat, state.dice, state.rolls_used) == (C, (), 0)
    state = play_round(GAME, state, OVER, 12, 8)
    assert describe_last_round(state) == (D, C, None, (C,))


def test_ch15_if_the_last_follower_quits_the_round_is_settled_without_him() -> None:
    state = play_round(GAME, make_position(GAME, 4), OVER, 10, 8, 12)
    assert describe_last_round(play(GAME, state, Leave(D))) == (B, C, None, (C,))


def test_ch15_if_somebody_else_quits_the_dice_of_the_turn_stay() -> None:
    state = roll_dice(GAME, make_position(GAME, 3), (1, 2, 3))
    after = play(GAME, state, Leave(C))
    assert (after.dice, after.rolls_used, after.seat) == (state.dice, 1, A)


def test_ch15_a_total_that_has_quit_cannot_lose() -> None:
    state = play_round(GAME, make_position(GAME, 4), OVER, 10, 4, 8)
    state = play(GAME, state, Leave(B))
    assert describe_last_round(play_round(GAME, state, OVER, 12))[0] == C


def test_ch15_a_quitter_is_taken_out_of_a_tie() -> None:
    state = play_round(GAME, make_position(GAME, 4), OVER, 14, 9, 9, 15)
    assert describe_last_round(play(GAME, state, Leave(C))) == (B, D, None, (D,))
    assert describe_last_round(play(GAME, state, Leave(B))) == (C, D, None, (D,))


def test_ch15_rolls_for_a_tie_stay_when_the_last_one_quits_instead() -> None:
    state = play_round(GAME, make_position(GAME, 5), OVER, 14, 9, 9, 9, 15)
    state = play(GAME, play_roll_off(GAME, state, 11, 7), Leave(D))
    assert describe_last_round(state) == (C, E, None, (E,))


def test_ch15_a_loser_who_quits_before_his_chip_is_found_takes_none() -> None:
    state = play_round(GAME, make_position(GAME, 5, {A: 1, B: 1, C: 1}), OVER, 10, 15, 15, 11, 4)
    assert state.rolloff is not None
    assert state.rolloff.kind == GIVER
    state = play(GAME, state, Leave(E))
    while state.rolloff:
        state = roll_dice(GAME, state, find_dice(9 + state.player))
    assert state.chips[E] == 0
    assert sum(state.chips) + state.kitty == CHIPS


def test_ch15_with_chips_back_in_the_kitty_nobody_gives_one() -> None:
    state = play_round(GAME, make_position(GAME, 5, {A: 1, B: 1, C: 1}), OVER, 10, 15, 15, 11, 4)
    state = play(GAME, state, Leave(C))
    while state.rolloff:
        state = roll_dice(GAME, state, find_dice(9 + state.player))
    assert describe_last_round(state)[2] is None
    assert state.chips[E] == 1


def test_ch15_quitting_while_rolling_to_see_who_starts_leaves_the_others_to_it() -> None:
    state = play_roll_off(GAME, GAME.start(3), 9)
    state = play(GAME, state, Leave(B))
    assert (state.seat, state.phase) == (C, START)
    state = play_roll_off(GAME, state, 12)
    assert (state.opener, state.players_at_start, state.phase) == (C, 2, OPEN)


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_ch15_only_who_is_in_the_game_can_quit(seat: int) -> None:
    assert assert_refused(make_position(GAME, 3), Leave(seat)) == "no_seat"
    assert assert_refused(make_position(GAME, 3, out=[C]), Leave(C)) == "gone"
    over = play_round(GAME, make_position(GAME, 2, {A: 2}), OVER, 9, 15)
    assert assert_refused(over, Leave(B)) == "over"


def test_ch16_a_follower_may_keep_dice_or_roll_kept_ones_again_and_stop_early() -> None:
    state = roll_and_stand(GAME, make_position(GAME, 3), [(6, 5, 1), (6, 5, 2), (6, 5, 4)], OVER)
    assert state.rolls_allowed == 3
    state = roll_dice(GAME, state, (6, 1, 1), (6, 6, 1), (2, 6, 1))
    assert state.dice == (2, 6, 1)
    assert assert_refused(state, Roll((1,))) == "no_rolls"
    state = roll_and_stand(GAME, play(GAME, state, Stand()), [(6, 6, 5)], None)
    assert describe_last_round(state)[0] == B


@pytest.mark.parametrize("used", [1, 2, 3])
def test_ch16_nobody_rolls_more_often_than_the_opener(used: int) -> None:
    state = roll_and_stand(GAME, make_position(GAME, 3), [(6, 5, 1), (6, 5, 2), (6, 5, 4)][:used], OVER)
    state = roll_dice(GAME, state, *[(1, 2, 3), (1, 2, 4), (1, 2, 5)][:used])
    assert assert_refused(state, Roll()) == "no_rolls"
    assert play(GAME, state, Stand()).seat == C


def test_ch17_in_the_french_game_three_ones_are_three() -> None:
    state = roll_dice(FRENCH, make_position(FRENCH, 3), ONES)
    assert assert_refused(state, Stand(), FRENCH) == "say_aim"
    state = play_round(FRENCH, play(FRENCH, state, Stand(OVER)), None, 4, 3)
    assert describe_last_round(state) == (C, B, None, ())
    under = play_round(FRENCH, make_position(FRENCH, 3), UNDER, 3, 3, 4)
    assert describe_last_round(under) == (C, A, None, ())
    assert under.active == (A, B, C)


# The start, the announcement, the dice.


def test_the_highest_roll_opens_and_ties_roll_again() -> None:
    state = play_roll_off(GAME, GAME.start(4), 9, 15, 3, 15)
    assert state.rolloff is not None
    assert state.rolloff.seats == (B, D)
    state = play_roll_off(GAME, state, 7, 8)
    assert (state.opener, state.seat, state.phase, state.rounds) == (D, D, OPEN, 1)
    assert [seat for seat, _ in play_round(GAME, state, OVER, 10, 11, 12).totals] == [D, A, B]


def test_an_opener_says_over_or_under_and_a_follower_says_nothing() -> None:
    state = make_position(GAME, 3)
    assert assert_refused(state, Stand(OVER)) == "roll_first"
    state = roll_dice(GAME, state, (1, 2, 3))
    assert [assert_refused(state, Stand(aim)) for aim in (None, "sideways", "")] == ["say_aim"] * 3
    state = roll_dice(GAME, play(GAME, state, Stand(OVER)), (1, 2, 3))
    assert [assert_refused(state, Stand(aim)) for aim in AIMS] == ["no_aim"] * 2


def test_in_a_tie_one_only_rolls() -> None:
    state = play_round(GAME, make_position(GAME, 3), OVER, 14, 9, 9)
    assert assert_refused(state, Stand()) == assert_refused(state, Stand(OVER)) == "roll_first"
    assert list(GAME.legal_moves(state)) == [Roll()]


@pytest.mark.parametrize("action", [Score("ones"), Announce("ones"), EnterPoints("ones", 3)], ids=str)
def test_what_belongs_to_a_sheet_is_refused(action: Action) -> None:
    assert assert_refused(make_position(GAME, 3), action) == "not_now"


@pytest.mark.parametrize(
    ("keep", "why"),
    [((0, 1, 2), "stand_instead"), ((0, 0), "no_die"), ((3,), "no_die"), ((-1,), "no_die")],
)
def test_a_roll_needs_dice_that_lie_there_and_one_that_is_rolled(keep: tuple[int, ...], why: str) -> None:
    assert assert_refused(roll_dice(GAME, make_position(GAME, 3), (1, 2, 3)), Roll(keep)) == why
    assert assert_refused(make_position(GAME, 3), Roll(keep)) == "first_roll"


@pytest.mark.parametrize(("dice", "why"), [((1, 2), "land_count"), ((1, 2, 7), "land_face"), ((0, 1, 2), "land_face")])
def test_only_the_dice_that_were_rolled_land(dice: tuple[int, ...], why: str) -> None:
    state = play(GAME, make_position(GAME, 3), Roll())
    assert assert_refused(state, Land(dice)) == why
    assert assert_refused(state, Roll()) == assert_refused(state, Leave(A)) == "falling"
    assert assert_refused(make_position(GAME, 3), Land((1, 2, 3))) == "not_rolled"


def test_typed_values_are_found_on_the_lowest_positions() -> None:
    state = roll_dice(GAME, make_position(GAME, 3), (6, 1, 6))
    assert GAME.find_positions(state, (6,)) == (0,)
    assert GAME.find_positions(state, (6, 6)) == (0, 2)
    assert GAME.find_positions(state, (5,)) is None
    assert GAME.find_positions(state, ()) == ()


def test_keeps_that_differ_only_in_equal_dice_are_one_move() -> None:
    keeps = [
        move.keep
        for move in GAME.legal_moves(roll_dice(GAME, make_position(GAME, 3), (6, 1, 6)))
        if isinstance(move, Roll)
    ]
    assert keeps == [(), (0,), (1,), (0, 1), (0, 2)]


# Whole games at random.

NORMAL, TORTURE, BATCH = 300, 10_000, 500
MOST_STEPS = 5_000
STRANGE: tuple[Action, ...] = (
    Roll((0, 1, 2)),
    Roll((0, 0)),
    Roll((7,)),
    Roll((-1,)),
    Roll((1,)),
    Stand(),
    Stand(OVER),
    Stand(UNDER),
    Stand("sideways"),
    Land(()),
    Land((1,)),
    Land((1, 2, 3)),
    Land((0, 0, 7)),
    Land((1, 2, 3, 4)),
    Leave(-1),
    Leave(16),
    Leave(98),
    Score("ones"),
    Score("ones", cross_out=True),
    Announce("ones"),
    EnterPoints("ones", 3),
)


@dataclass
class Evening:
    """One game at random: legal moves, people who quit, and nonsense, with everything checked that must hold."""

    game: RoundsGame
    state: RoundState
    random: Random
    quitting: float
    addresses: set[tuple[int, int, int]]

    def run(self) -> None:
        """Play to the end."""
        for _ in range(MOST_STEPS):
            self.check()
            if self.state.seat is None:
                return
            if self.random.random() < 0.3:
                self.misbehave()
            self.do(self.choose())
        raise AssertionError("this game does not end")

    def choose(self) -> Action:
        """Choose what happens next."""
        if fall := self.game.pending_roll(self.state):
            self.note(fall)
            return Land(tuple(self.random.randint(1, 6) for _ in fall.positions))
        if self.random.random() < self.quitting:
            return Leave(self.random.choice(self.state.active))
        moves = list(self.game.legal_moves(self.state))
        assert moves
        assert all(self.game.refusal(self.state, move) is None for move in moves)
        assert len(set(moves)) == len(moves)
        return self.random.choice(moves)

    def note(self, fall: PendingRoll) -> None:
        """Insist that no address of the dice is ever used twice."""
        address = (fall.seat, fall.turn, fall.roll_number)
        assert address not in self.addresses
        self.addresses.add(address)
        assert fall.positions

    def do(self, action: Action) -> None:
        """Carry an action out as it would be written and read again."""
        again = read_action(self.state, write_action(self.state, action, self.game.rules.dice))
        assert again == action
        self.state = play(self.game, self.state, again)

    def misbehave(self) -> None:
        """Try something that may be wrong; what is refused changes nothing."""
        action = self.random.choice(STRANGE)
        before, copy = self.state, replace(self.state)
        if self.game.refusal(self.state, action) is None:
            return
        with pytest.raises(IllegalAction):
            play(self.game, self.state, action)
        assert self.state is before
        assert self.state == copy

    def check(self) -> None:
        """Look at what must hold at every step."""
        state, outcome = self.state, self.game.outcome(self.state)
        seats = len(state.chips)
        assert sum(state.chips) + state.kitty == CHIPS
        assert min(*state.chips, state.kitty) >= 0
        gone = [seat for group in state.places for seat in group] + list(state.quit)
        assert sorted([*state.active, *gone]) == list(range(seats))
        assert (outcome is None) == (state.seat is not None)
        if outcome is None:
            assert len(state.active) > 1
            assert all(not state.chips[seat] for seat in gone)
            assert {state.player, state.opener} <= set(state.active) or state.phase == START
            assert state.seat in (state.player, CHANCE)
            return
        assert sorted(seat for group in outcome.places for seat in group) == list(range(seats))
        assert all(outcome.places)
        assert outcome.totals == state.chips
        assert list(self.game.legal_moves(state)) == []
        assert self.game.pending_roll(state) is None


def evening(seed: int) -> Evening:
    """Sit people down for a game, always the same one for a seed."""
    random = Random(f"chicago {seed}")
    game = make_game(special=bool(seed % 2))
    seats = random.randint(2, 16)
    first = random.choice([None, random.randrange(seats)])
    return Evening(game, game.start(seats, first), random, random.choice([0, 0.02, 0.1]), set())


@pytest.mark.rest
@pytest.mark.solve
def test_three_hundred_games_hold_to_the_rules_at_every_step() -> None:
    for seed in range(NORMAL):
        evening(seed).run()


@pytest.mark.torture
@pytest.mark.parametrize("start", range(NORMAL, NORMAL + TORTURE, BATCH))
def test_ten_thousand_games_hold_to_the_rules_at_every_step(start: int) -> None:
    for seed in range(start, start + BATCH):
        evening(seed).run()


def test_the_random_games_meet_everything() -> None:
    kinds: Counter[str] = Counter()
    met = {"special", "plain", START, OPEN, FOLLOW, WORST, BEST, GIVER, "void", "kitty", "partner", "quit"}
    met |= {"left 0", "left 1", "left 2"}
    for seed in range(NORMAL):
        if met <= set(kinds):
            return
        one = evening(seed)
        while one.state.seat is not None:
            state = one.state
            kinds["special" if one.game.rules.chicago_special else "plain"] += 1
            kinds[state.rolloff.kind if state.rolloff else state.phase] += 1
            one.do(one.choose())
            if one.state.result and one.state.result != state.result:
                kinds["void" if one.state.result.loser is None else "kitty" if state.kitty else "partner"] += 1
                kinds[f"left {len(one.state.result.out)}"] += 1
            kinds["quit"] += len(one.state.quit) > len(state.quit)
    assert met <= set(kinds)


# Bots.

BOTS = ("random", "greedy", "perfect")


def bot_table(bots: list[str], seed: str = "chicago", switches: dict[str, str] | None = None) -> Table:
    """Seat bots."""
    seats = tuple(Seat(f"{name} {place}", name, False, False) for place, name in enumerate(bots))
    return open_table(EDITION, seats, typed=seed, text="de", switches=switches)


def play_out(table: Table) -> None:
    """Let bots play to the end; what a bot does is refused if it is not legal."""
    random = Random(table.header.game)
    for _ in range(MOST_STEPS):
        if table.state.seat is None:
            table.apply(table.decide_end())
            return
        play_bot_step(table, random)
    raise AssertionError("these bots do not end")


@pytest.mark.solve
@pytest.mark.parametrize("special", ["true", "false"])
@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("name", BOTS)
def test_a_bot_plays_whole_games_by_the_rules(name: str, seats: int, special: str) -> None:
    for seed in range(3):
        table = bot_table([name] * seats, f"{name} {seats} {seed}", {"chicago_special": special})
        play_out(table)
        outcome = table.game.outcome(table.state)
        assert outcome is not None
        assert sorted(seat for group in outcome.places for seat in group) == list(range(seats))


@pytest.mark.parametrize("name", ["cautious", "human:20", "perfect:1", "nobody", ""])
def test_a_bot_of_the_sheets_does_not_sit_down(name: str) -> None:
    table = bot_table(["greedy", name])
    with pytest.raises(UnknownBot):
        play_out(table)


def test_all_kinds_of_bots_play_together_and_quitters_do_not_disturb_them() -> None:
    for seed in range(10):
        table = bot_table([*BOTS, *BOTS], str(seed))
        random = Random(table.header.game)
        for _ in range(20 + seed):
            play_bot_step(table, random)
        for seat in (seed % 6, (seed + 1) % 6):
            if seat in table.state.active:
                table.apply(table.decide(seat, Leave(seat)))
        play_out(table)
        assert table.state.seat is None


# Records.

RECORD = Path(__file__).parents[1] / "records" / "rounds" / "carlit-chicago.knobel"
"""Written once by `knobel play` with five bots, greedy and random in turn, and the seed carlit-chicago."""
RECORD_ENDED: dict[str, Any] = {
    "places": ((1,), (4,), (0,), (2,), (3,)),
    "totals": (0, 0, 0, 3, 0),
    "events": 86,
}


@pytest.mark.parametrize("bots", [["greedy", "random"], ["perfect"] * 3, ["random"] * 9], ids=len)
def test_a_game_is_kept_and_played_again(bots: list[str]) -> None:
    table = bot_table(bots)
    play_out(table)
    content = encode_record(table.record)
    record = parse_record(content, "game.knobel")
    assert record == table.record
    assert encode_record(record) == content
    again = replay_record(record)
    assert again.state == table.state
    assert again.game.outcome(again.state) == table.game.outcome(table.state)
    assert record.header.rules["game"] == "rounds"
    assert {event.action for event in record.events if isinstance(event, Acted)} >= {"..."}


def test_a_game_can_be_kept_at_any_moment() -> None:
    table = bot_table(["greedy", "random", "greedy"])
    random = Random(table.header.game)
    while table.state.seat is not None:
        assert replay_record(parse_record(encode_record(table.record), "")).state == table.state
        play_bot_step(table, random)


def test_the_committed_record_replays_for_ever() -> None:
    record = load_record(RECORD)
    again = replay_record(record, RECORD.name)
    outcome = again.game.outcome(again.state)
    assert outcome is not None
    assert is_closed(record)
    assert record.header.edition.id == EDITION
    assert {"places": outcome.places, "totals": outcome.totals, "events": len(record.events)} == RECORD_ENDED
    assert replay_record(parse_record(encode_record(record), "")).state == again.state


# Commands.


RunCommand: TypeAlias = Callable[..., CommandOutput]


@pytest.fixture
def knobel(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> RunCommand:
    """Type a line after `knobel`, and further lines while it runs, in an empty room at an English machine."""
    monkeypatch.chdir(tmp_path)
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"COLUMNS": "80", "XDG_DATA_HOME": "data", "XDG_CACHE_HOME": "cache"}.items():
        monkeypatch.setenv(name, value if name == "COLUMNS" else str(tmp_path / value))

    def typed(line: str, *lines: str) -> CommandOutput:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{one}\n" for one in lines)))
        code = main(shlex.split(line))
        return CommandOutput(code, *capsys.readouterr())

    return typed


def wrong(answer: CommandOutput) -> str:
    """Insist on a refusal in one short line, and give it."""
    assert (answer.code, answer.out) == (2, "")
    (line,) = answer.err.splitlines()
    assert line.isprintable()
    assert len(line) < 400
    return line


@pytest.mark.solve
@pytest.mark.parametrize("text", ["de", "fr"])
@pytest.mark.parametrize("players", range(2, 9))
def test_solve_tells_everybodys_chance(knobel: RunCommand, players: int, text: str) -> None:
    form = knobel(f"solve {EDITION} --players {players} --text {text} --json").form
    assert (form["edition"], form["players"], form["text"]) == (EDITION, players, text)
    assert form["fingerprint"] == load_edition(EDITION).rules(text).fingerprint
    assert len(form["lose"]) == players
    assert sum(form["lose"]) + form["void"] == pytest.approx(1, abs=1e-12)
    assert all(0 < chance < 1 for chance in form["lose"])
    assert (form["void"] > 0) == (text == "de")
    least = 4 if text == "de" else 3
    assert {(one["rolls"], one["total"]) for one in form["opening"]} == {
        (rolls, total) for rolls in (1, 2, 3) for total in range(least, 19)
    }
    for one in form["opening"]:
        assert one["lose"] == one[one["aim"]] == pytest.approx(min(one["over"], one["under"]))
    assert len(form["stands"]) == len(form["sometimes"]) == 2
    assert ("game" in form) == (players in (2, 3))


@pytest.mark.parametrize(("players", "positions"), [(2, 8), (3, 11)])
def test_solve_gives_the_whole_game_of_two_and_three(knobel: RunCommand, players: int, positions: int) -> None:
    game = knobel(f"solve {EDITION} --players {players} --json").form["game"]
    assert len(game["positions"]) == positions
    assert game["residual"] < 1e-12
    for one in game["positions"]:
        assert len(one["chips"]) == len(one["places"]) == players
        assert sum(one["chips"]) <= CHIPS
        assert sum(one["places"]) == pytest.approx(players * (players + 1) / 2)


@pytest.mark.parametrize("players", [2, 4])
def test_solve_for_people_shows_the_same(knobel: RunCommand, players: int) -> None:
    form = knobel(f"solve {EDITION} --players {players} --json").form
    shown = knobel(f"solve {EDITION} --players {players}")
    assert (shown.code, shown.err) == (0, "")
    for chance in (*form["lose"], form["void"]):
        assert f"{chance:.4%}" in shown.out
    assert max(map(len, shown.out.splitlines())) <= 80


def test_solve_without_a_number_is_for_three(knobel: RunCommand) -> None:
    assert knobel(f"solve {EDITION} --json").form["players"] == 3


@pytest.mark.parametrize("players", ["1", "0", "-1", "17", "999999999"])
@pytest.mark.parametrize("command", ["solve {}", "advise {} --dice 1 4 3"])
def test_a_number_of_players_outside_is_refused(knobel: RunCommand, command: str, players: str) -> None:
    said = wrong(knobel(f"{command.format(EDITION)} --players={players}"))
    assert "--players" in said
    assert players in said


@pytest.mark.parametrize("players", ["x", "2.5", "''", "9999999999"])
def test_players_must_be_a_number(knobel: RunCommand, players: str) -> None:
    assert "--players" in wrong(knobel(f"solve {EDITION} --players={players}"))


def test_players_of_a_sheet_are_refused(knobel: RunCommand) -> None:
    assert "--players" in wrong(knobel("solve tactic-xl-yatzy --players 3"))


OPENER = f"advise {EDITION} --players 3 --dice 1 4 3"
FOLLOWER = f"{OPENER} --aim over --target 10"


@pytest.mark.parametrize(
    ("line", "moves"),
    [
        (OPENER, 2 + 7),
        (f"{OPENER} --rolls-left 0", 2),
        (f"advise {EDITION} --players 3 --dice 1 1 1", 1 + 3),
        (f"advise {EDITION} --players 3 --dice 1 1 1 --text fr", 2 + 3),
        (FOLLOWER, 1 + 7),
        (f"{FOLLOWER} --rolls-left 0", 1),
        (f"{FOLLOWER} --made 9", 1 + 7),
        (f"advise {EDITION} --players 8 --dice 6 6 5 --aim under --target 9 --made 9 10 11 3 4 5", 1 + 5),
    ],
)
def test_advise_judges_every_move_best_first(knobel: RunCommand, line: str, moves: int) -> None:
    form = knobel(f"{line} --json").form
    found = form["moves"]
    assert len(found) == moves
    assert len({one["action"] for one in found}) == moves
    assert form["value"] == found[0]["value"]
    assert found[0]["loss"] == 0
    assert [one["loss"] for one in found] == sorted(one["loss"] for one in found)
    assert all(one["loss"] >= 0 for one in found)
    assert all(one["loss"] == pytest.approx(one["value"] - form["value"]) for one in found)
    shown = knobel(line)
    assert (shown.code, shown.err) == (0, "")
    for one in found:
        assert one["move"] in shown.out


def test_advise_agrees_with_what_was_solved(knobel: RunCommand) -> None:
    opening = {
        (one["rolls"], one["total"]): one for one in knobel(f"solve {EDITION} --players 3 --json").form["opening"]
    }
    moves = {one["action"]: one["value"] for one in knobel(f"{OPENER} --rolls-left 1 --json").form["moves"]}
    assert moves["stand over"] == pytest.approx(opening[2, 8]["over"])
    assert moves["stand under"] == pytest.approx(opening[2, 8]["under"])


def test_advise_lets_a_follower_who_has_beaten_the_opener_stand(knobel: RunCommand) -> None:
    form = knobel(f"advise {EDITION} --players 2 --dice 6 6 6 --aim over --target 10 --json").form
    assert (form["moves"][0]["action"], form["value"]) == ("stand", 0)


@pytest.mark.parametrize(
    ("options", "rolls", "best"),
    [
        ("", 3, ("keep 4 4", 0.566)),
        ("--opener-rolls 3", 3, ("keep 4 4", 0.566)),
        ("--opener-rolls 2", 2, ("stand", 0.419)),
    ],
)
def test_later_followers_have_as_many_rolls_as_the_opener_used(
    knobel: RunCommand, options: str, rolls: int, best: tuple[str, float]
) -> None:
    line = f"advise {EDITION} --players 4 --aim over --target 12 --dice 4 4 4 --rolls-left 1 {options}"
    form = knobel(f"{line} --json").form
    assert form["opener_rolls"] == rolls
    assert (form["moves"][0]["move"], round(form["value"], 3)) == best


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--aim sideways --target 10", "sideways"),
        ("--aim over", "--target"),
        ("--aim over --target 2", "--target"),
        ("--aim over --target 19", "--target"),
        ("--aim over --target x", "--target"),
        ("--aim over --target 10 --made 2", "--made"),
        ("--aim over --target 10 --made 19", "--made"),
        ("--aim over --target 10 --made 9 9", "--made"),
        ("--aim over --target 10 --opener-rolls 0", "--opener-rolls"),
        ("--aim over --target 10 --opener-rolls 4", "--opener-rolls"),
        ("--aim over --target 10 --opener-rolls 2 --rolls-left 2", "--rolls-left"),
        ("--rolls-left 3", "--rolls-left"),
        ("--rolls-left=-1", "--rolls-left"),
        ("--set must_fit=true", "must_fit"),
    ],
)
def test_advise_refuses_what_cannot_be(knobel: RunCommand, options: str, said: str) -> None:
    assert said in wrong(knobel(f"{OPENER} {options}"))


@pytest.mark.parametrize(("dice", "said"), [("1 4", "2"), ("1 4 3 3", "4"), ("1 4 7", "7"), ("0 1 2", "0")])
def test_advise_wants_three_dice(knobel: RunCommand, dice: str, said: str) -> None:
    assert said in wrong(knobel(f"advise {EDITION} --players 3 --dice {dice}"))


@pytest.mark.parametrize(
    "options", ["--target 10", "--made 9", "--opener-rolls 2", "--sheet ones=3", "--announced ones", "--yatzys 1"]
)
def test_advise_does_not_overlook_options_that_do_nothing(knobel: RunCommand, options: str) -> None:
    assert options.split(maxsplit=1)[0] in wrong(knobel(f"{OPENER} {options}"))


def test_rules_tell_every_article_with_its_source(knobel: RunCommand) -> None:
    form = knobel(f"rules {EDITION} --json").form
    assert [rule["topic"] for rule in form["rules"]][-1] == "chicago"
    assert all(rule["rule"] and rule["source"] for rule in form["rules"])
    assert form["switches"]["chicago_special"]["value"] == "true"
    shown = " ".join(knobel(f"rules {EDITION}").out.split())
    assert all(" ".join(rule["rule"].split()) in shown for rule in form["rules"])
    french = knobel(f"rules {EDITION} --text fr --json").form
    assert "chicago" not in [rule["topic"] for rule in french["rules"]]
    turned = knobel(f"rules {EDITION} --text fr --set chicago_special=true --json").form
    assert [rule["topic"] for rule in turned["rules"]][-1] == "chicago"
    assert turned["rules"][-1]["source"] == "your own rule or switch"


def test_editions_lists_it_without_boxes(knobel: RunCommand) -> None:
    (box,) = (box for box in knobel("editions --json").form if box["id"] == EDITION)
    assert (box["game"], box["boxes"], box["dice"], box["rolls"]) == ("rounds", [], 3, 3)
    assert box["players"] == {"least": 2, "most": 16}


def test_diff_of_its_texts_is_the_rule_of_the_three_ones(knobel: RunCommand) -> None:
    form = knobel(f"diff {EDITION}:de {EDITION}:fr --json").form
    assert [row["topic"] for row in form["differences"]] == ["chicago"]
    assert form["differences"][0]["right"] is None
    assert knobel(f"diff {EDITION}:de {EDITION}:it --json").form["differences"] == []


@pytest.mark.parametrize(
    "line", [f"diff {EDITION} mb-yahtzee", f"diff mb-yahtzee {EDITION}", f"diff carlit-yatzy {EDITION}"]
)
def test_diff_with_a_sheet_is_refused(knobel: RunCommand, line: str) -> None:
    for option in ("", " --json"):
        said = wrong(knobel(line + option))
        assert "Chicago" in said


@pytest.mark.parametrize("line", ["score {} 1 4 3", "score {} 1 2 3 4 5", "odds {}", "simulate {} --games 3"])
def test_a_command_for_sheets_is_refused(knobel: RunCommand, line: str) -> None:
    assert "Chicago" in wrong(knobel(line.format(EDITION)))


# Played by people.

PLAY = f"play {EDITION} --player Ann --player Ben --real-dice"


def test_two_people_play_a_whole_game_with_their_own_dice(knobel: RunCommand) -> None:
    start = ["d 6 6 6", "d 1 2 3"]
    follower_fails = ["d 6 5 1", "s over", "d 1 2 1", "s"]
    opener_fails = ["d 1 2 1", "s over", "d 6 6 5", "s"]
    typed = [*start, *follower_fails, *follower_fails, *follower_fails, *opener_fails, ""]
    answer = knobel(f"{PLAY} --save game.knobel", *typed)
    assert (answer.code, answer.err) == (0, "")
    assert read_result(Path("game.knobel")) == (((A,), (B,)), (0, 3))
    assert answer.out.index("1. Ann") < answer.out.index("2. Ben")


def read_result(path: Path) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Read how a kept game ended."""
    record = load_record(path)
    again = replay_record(record)
    outcome = again.game.outcome(again.state)
    assert is_closed(record)
    assert outcome is not None
    return outcome.places, outcome.totals


def test_a_person_plays_against_bots_to_the_end(knobel: RunCommand) -> None:
    lines = ["?", "p", "o", "nonsense", "s", "k 9", *["r", "s over", "s"] * 200]
    for bots in ("greedy", "perfect", "random"):
        answer = knobel(
            f"play {EDITION} --player Ann --player bot:{bots} --player bot:{bots} --seed {bots} --save {bots}.knobel",
            *lines,
        )
        assert (answer.code, answer.err) == (0, "")
        assert "Traceback" not in answer.out
        assert sorted(seat for group in read_result(Path(f"{bots}.knobel"))[0] for seat in group) == [0, 1, 2]


def test_a_person_rolls_keeps_and_announces(knobel: RunCommand) -> None:
    answer = knobel(PLAY, "d 6 6 6", "d 1 2 3", "d 1 4 3", "k 1 3", "d 2", "s sideways", "s under", "d 6 6 6", "q")
    assert (answer.code, answer.err) == (0, "")
    (record,) = read_records()
    state = replay_record(record).state
    assert (state.aim, state.totals, state.dice, state.rolls_allowed) == (UNDER, ((A, 6),), (6, 6, 6), 2)


def test_people_can_quit_and_the_last_one_wins(knobel: RunCommand) -> None:
    start, opened = ("d 6 6 6", "d 1 2 3", "d 1 2 1"), ("d 6 5 1", "s over")
    answer = knobel(f"{PLAY} --player Cid --save game.knobel", *start, *opened, *["leave"] * 4)
    assert (answer.code, answer.err) == (0, "")
    assert read_result(Path("game.knobel"))[0] == ((A,), (C,), (B,))


def test_a_kept_game_goes_on_later(knobel: RunCommand) -> None:
    knobel(PLAY, "d 6 6 6", "d 1 2 3", "d 1 4 3", "q")
    (record,) = read_records()
    for name in (f" {record.header.game[:6]}", ""):
        answer = knobel(f"play{name} --resume --save game.knobel", "s under", "d 6 6 6", "s", "q")
        assert (answer.code, answer.err) == (0, "")
        state = replay_record(load_record(Path("game.knobel"))).state
        assert (state.chips, state.opener) == ((0, 1), B)
    assert [one.header for one in read_records()] == [record.header]


def test_a_finished_game_is_shown_again(knobel: RunCommand) -> None:
    for options in ("", " --json"):
        answer = knobel(f"replay {RECORD}{options}")
        assert (answer.code, answer.err) == (0, "")
        assert answer.out


@pytest.mark.parametrize(("count", "said"), [(1, "at least 2"), (17, "17")])
def test_too_few_or_too_many_players_are_refused(knobel: RunCommand, count: int, said: str) -> None:
    players = " ".join(f"--player P{number}" for number in range(count))
    assert said in wrong(knobel(f"play {EDITION} {players}"))
    assert read_records() == []


def test_a_bot_of_the_sheets_is_refused(knobel: RunCommand) -> None:
    said = wrong(knobel(f"play {EDITION} --player Ann --player bot:cautious"))
    assert "cautious" in said
    assert "perfect" in said


# Perfect bots lose as often as was solved.

PLAYERS = 4
ROUNDS, MANY_ROUNDS = 4_000, 200_000
Known: TypeAlias = dict[tuple[object, ...], Move]


def one_round(state: RoundState, random: Random, known: Known) -> int | None:
    """Let perfect bots play one round on the real machine and say who lost it; decisions are remembered."""
    while state.result is None:
        if state.seat == CHANCE:
            state = GAME.apply(state, Land(tuple(random.randint(1, 6) for _ in state.rolling)))
            continue
        key = (
            state.phase,
            state.dice,
            state.rolls_used,
            state.aim,
            state.rolls_allowed,
            state.totals,
            state.rolloff is None,
        )
        move = known.get(key)
        if move is None:
            move = known[key] = perfect_bot(GAME, state, random)
        state = play(GAME, state, move)
    return state.result.loser


def agreement(solution: RoundSolution, losers: Counter[int | None]) -> list[float]:
    """Say by how many standard errors each frequency misses its chance: everybody's to lose, and nobody's."""
    rounds = losers.total()
    chances = dict(enumerate(solution.losing_chances)) | {None: solution.void_chance}
    return [(losers[seat] / rounds - chance) / sqrt(chance * (1 - chance) / rounds) for seat, chance in chances.items()]


@pytest.mark.rest
@pytest.mark.solve
def test_perfect_bots_lose_as_often_as_was_solved() -> None:
    random, start, known = Random("four perfect bots"), GAME.start(PLAYERS, 0), Known()
    losers = Counter(one_round(start, random, known) for _ in range(ROUNDS))
    assert max(map(abs, agreement(solve_round(PLAYERS), losers))) < 4


@pytest.mark.torture
def test_perfect_bots_lose_as_often_as_was_solved_in_very_many_rounds() -> None:
    random, start, known = Random("very many rounds"), GAME.start(PLAYERS, 0), Known()
    losers = Counter(one_round(start, random, known) for _ in range(MANY_ROUNDS))
    assert max(map(abs, agreement(solve_round(PLAYERS), losers))) < 4


@pytest.mark.rest
def test_worse_bots_would_be_noticed() -> None:
    random, start, known = Random("one careless opener"), GAME.start(PLAYERS, 0), Known()

    def careless() -> int | None:
        state = roll_dice(GAME, start, tuple(random.randint(1, 6) for _ in range(3)))
        return one_round(play(GAME, state, Stand(None if state.dice == ONES else OVER)), random, known)

    losers = Counter(careless() for _ in range(ROUNDS))
    assert max(map(abs, agreement(solve_round(PLAYERS), losers))) > 4
