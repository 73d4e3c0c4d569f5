"""Chicago: opening and following, chips, who goes out, finishing places."""

from knobel.errors import WrongPlayerCount
from knobel.game import Action, Leave, Roll, Stand, play
from knobel.games.round_state import FOLLOW, OPEN, OVER, UNDER, RoundResult, RoundState
from knobel.games.rounds import RoundsGame
from knobel.rules import load_edition
from tests.support.chicago import make_position, play_roll_off, play_round, roll_and_stand, roll_dice
from tests.support.rulings import ruling
from tests.support.rulings.games import CHICAGO, cite, find_article, has_article, run_knobel

A, B, C, D = range(4)
ONES = (1, 1, 1)


def chicago_game(text: str = "de", **switches: str) -> RoundsGame:
    return RoundsGame(load_edition(CHICAGO).rules(text, switches))


def result_of(state: RoundState) -> RoundResult:
    assert state.result is not None
    return state.result


def places_of(game: RoundsGame, state: RoundState) -> tuple[tuple[int, ...], ...]:
    outcome = game.outcome(state)
    assert outcome is not None
    return outcome.places


def is_refused(game: RoundsGame, state: RoundState, action: Action) -> bool:
    return game.refusal(state, action) is not None


def can_play(seats: int) -> bool:
    try:
        chicago_game().start(seats)
    except WrongPlayerCount:
        return False
    return True


# Opening and following.


@ruling("CH-D4")
def the_highest_total_of_three_dice_opens() -> None:
    for text in load_edition(CHICAGO).printed:
        game = chicago_game(text)
        state = play_roll_off(game, game.start(4), 9, 15, 3, 15)
        assert state.rolloff is not None
        assert (state.rolloff.seats, state.active) == ((B, D), (A, B, C, D))
        assert play_roll_off(game, state, 7, 8).opener == D


@ruling("CH-D3")
def the_opener_says_over_or_under() -> None:
    for text in load_edition(CHICAGO).printed:
        game = chicago_game(text)
        state = roll_dice(game, make_position(game, 3), (1, 4, 3))
        assert is_refused(game, state, Stand())
        assert not is_refused(game, state, Stand(OVER))
        assert not is_refused(game, state, Stand(UNDER))


@ruling("CH-16", "CH-D2")
def followers_have_the_openers_rolls_and_may_keep_dice() -> None:
    for text in load_edition(CHICAGO).printed:
        game = chicago_game(text)
        for used in (1, 2, 3):
            rolls = [(1, 2, 6), (2, 2, 6), (3, 2, 6)][:used]
            state = roll_and_stand(game, make_position(game, 3), rolls, OVER)
            assert (state.phase, game.max_rolls(state)) == (FOLLOW, used)
            for number in range(used):
                state = roll_dice(game, state, (number + 1, 1, 4))
            assert is_refused(game, state, Roll(()))
    game = chicago_game()
    state = roll_and_stand(game, make_position(game, 3), [(1, 2, 6), (2, 2, 6), (3, 2, 6)], OVER)
    kept = roll_dice(game, state, (5, 1, 1), (5, 2, 2))
    assert not is_refused(game, kept, Roll((1, 2)))
    assert not is_refused(game, kept, Stand())


@ruling("CH-1")
def equal_is_not_beaten() -> None:
    game = chicago_game()
    for aim, better in ((OVER, 11), (UNDER, 9)):
        assert result_of(play_round(game, make_position(game, 3), aim, 10, 10, better)).loser == B


@ruling("CH-3", "CH-D6")
def the_opener_takes_the_chip_only_if_all_beat_the_total() -> None:
    for text in load_edition(CHICAGO).printed:
        game = chicago_game(text)
        printed = play_round(game, make_position(game, 3), UNDER, 8, 10, 4)
        assert (printed.chips, printed.opener) == ((0, 1, 0), B)
        assert result_of(play_round(game, make_position(game, 3), UNDER, 8, 6, 4)).loser == A
        assert result_of(play_round(game, make_position(game, 5), UNDER, 8, 6, 4, 5, 9)).loser == 4
    game = chicago_game()
    tied = play_round(game, make_position(game, 3), OVER, 14, 9, 9)
    again = play_roll_off(game, tied, 7, 7)
    assert again.rolloff is not None
    assert result_of(play_roll_off(game, again, 11, 7)).loser == C


@ruling("CH-4")
def the_winner_of_a_round_leaves_while_four_play() -> None:
    game = chicago_game()
    assert result_of(play_round(game, make_position(game, 4), OVER, 15, 9, 8, 7)).winner == A
    assert result_of(play_round(game, make_position(game, 4), OVER, 10, 12, 13, 7)).winner == C
    tied = play_round(game, make_position(game, 4), OVER, 10, 12, 12, 7)
    assert tied.rolloff is not None
    assert result_of(play_roll_off(game, tied, 5, 9)).winner == C


# Chips.


@ruling("CH-2", "CH-D5")
def one_chip_is_paid_per_round() -> None:
    for text in load_edition(CHICAGO).printed:
        game = chicago_game(text)
        for totals in ((15, 9, 8), (15, 15, 14), (8, 16, 17)):
            state = play_round(game, make_position(game, 3), OVER, *totals)
            assert (sum(state.chips), state.kitty) == (1, 2)


@ruling("CH-D10")
def there_are_three_chips_for_any_number() -> None:
    for text in load_edition(CHICAGO).printed:
        assert {chicago_game(text).start(seats).kitty for seats in range(2, 17)} == {3}


@ruling("CH-5")
def with_one_chip_each_the_winner_gives_it_and_wins() -> None:
    game = chicago_game()
    state = make_position(game, 3, {A: 1, B: 1, C: 1})
    assert (state.kitty, state.active) == (0, (A, B, C))
    after = play_round(game, state, OVER, 10, 15, 7)
    assert (result_of(after).chip_from, result_of(after).loser, after.places) == (B, C, ((B,),))


@ruling("CH-6")
def all_three_chips_lose_and_the_others_share() -> None:
    game = chicago_game()
    after = play_round(game, make_position(game, 3, {B: 2}), OVER, 15, 7, 9)
    assert places_of(game, after) == ((A, C), (B,))


@ruling("CH-7", "CH-8", "CH-D7", "CH-D8")
def while_winners_leave_chips_are_paid_and_the_leaver_returns_theirs() -> None:
    for text in load_edition(CHICAGO).printed:
        game = chicago_game(text)
        state = play_round(game, make_position(game, 5), OVER, 15, 9, 10, 11, 12)
        assert (state.active, state.chips[B]) == ((1, 2, 3, 4), 1)
        state = play_round(game, state, OVER, 15, 9, 10, 11)
        assert (state.active, state.chips, state.kitty) == ((2, 3, 4), (0, 0, 1, 0, 0), 2)
        three = play_round(game, state, OVER, 15, 9, 10)
        assert (three.active, three.chips[2]) == ((2, 3, 4), 1)


@ruling("CH-11")
def two_play_the_final_phase() -> None:
    game = chicago_game()
    state = play_round(game, make_position(game, 2), OVER, 15, 9)
    assert (state.chips, state.kitty) == ((0, 1), 2)
    state = play_round(game, make_position(game, 2, {A: 1, B: 2}, opener=B), OVER, 15, 9)
    assert (state.chips, state.seat) == ((2, 1), A)
    assert places_of(game, play_round(game, make_position(game, 2, {A: 1, B: 2}), OVER, 15, 9)) == ((A,), (B,))
    assert not can_play(1)


@ruling("CH-12")
def with_an_empty_kitty_the_best_holder_gives() -> None:
    game = chicago_game()
    held = make_position(game, 5, {B: 1, C: 1, D: 1})
    after = play_round(game, held, OVER, 10, 12, 11, 13, 5)
    assert (result_of(after).loser, result_of(after).chip_from, result_of(after).out) == (4, D, (D,))
    tied = play_round(game, held, OVER, 10, 12, 12, 9, 5)
    assert tied.rolloff is not None
    assert tied.rolloff.seats == (B, C)
    decided = play_roll_off(game, tied, 6, 8)
    assert (result_of(decided).chip_from, result_of(decided).winner) == (C, C)


@ruling("CH-13")
def two_left_take_from_the_kitty_first() -> None:
    game = chicago_game()
    state = play_round(game, make_position(game, 3, {A: 1}, out=(C,)), OVER, 15, 9)
    assert (state.chips, state.kitty) == ((1, 1, 0), 1)
    state = play_round(game, make_position(game, 3, {A: 2, B: 1}, out=(C,)), OVER, 15, 9)
    assert (state.chips, state.kitty) == ((1, 2, 0), 0)


# Three ones.


@ruling("CH-9", "CH-D1")
def an_opener_with_three_ones_is_out_and_the_round_void() -> None:
    for text in ("de", "it"):
        game = chicago_game(text)
        state = roll_and_stand(game, make_position(game, 3, {A: 1}), [ONES], None)
        assert (state.chips, state.kitty, state.places) == ((0, 0, 0), 3, ((A,),))
        assert (state.opener, state.phase, result_of(state).loser) == (B, OPEN, None)


@ruling("CH-10", "CH-D1")
def three_ones_are_the_leaver_of_the_round() -> None:
    game = chicago_game()
    for aim in (OVER, UNDER):
        state = play_round(game, make_position(game, 5, {B: 1}), aim, 10)
        state = roll_and_stand(game, state, [ONES], None)
        state = play_round(game, state, aim, 9 if aim == OVER else 11, 12, 8)
        assert (result_of(state).out, state.chips[B]) == ((B,), 0)
    state = play_round(game, make_position(game, 5), OVER, 10)
    state = roll_and_stand(game, roll_and_stand(game, state, [ONES], None), [ONES], None)
    assert result_of(play_round(game, state, OVER, 12, 8)).out == (B, C)


@ruling("CH-D9")
def three_ones_count_in_however_many_rolls() -> None:
    for text in ("de", "it"):
        game = chicago_game(text)
        built = roll_and_stand(game, make_position(game, 3), [(1, 5, 6), (1, 1, 6), ONES], None)
        assert built.places == ((A,),)


@ruling("CH-17", "CH-D1")
def in_the_french_game_three_ones_are_a_three() -> None:
    french = chicago_game("fr")
    state = roll_and_stand(french, play_round(french, make_position(french, 3), UNDER, 8), [ONES], None)
    assert (state.totals[-1], state.active) == ((B, 3), (A, B, C))
    assert [has_article(CHICAGO, "chicago", text) for text in ("de", "it", "fr")] == [True, True, False]
    assert chicago_game("fr", chicago_special="true").rules == chicago_game("de").rules
    assert chicago_game("de", chicago_special="false").rules == french.rules


# The end.


@ruling("CH-14")
def players_finish_in_the_order_they_go_out() -> None:
    game = chicago_game()
    state = play_round(game, make_position(game, 4), OVER, 15, 9, 10, 11)
    assert state.places == ((A,),)
    for totals in ((15, 9, 10), (15, 8, 14), (10, 15, 7)):
        state = play_round(game, state, OVER, *totals)
    assert state.places == ((A,), (B,))
    assert places_of(game, play_round(game, state, OVER, 5, 6)) == ((A,), (B,), (D,), (C,))
    shared = play_round(game, make_position(game, 3, {B: 2}), OVER, 15, 7, 9)
    assert places_of(game, shared) == ((A, C), (B,))


@ruling("CH-15")
def a_quitter_returns_the_chips_and_ranks_last() -> None:
    game = chicago_game()
    state = play(game, make_position(game, 3, {B: 1}), Leave(B))
    assert (state.chips, state.kitty) == ((0, 0, 0), 3)
    opener = play(game, make_position(game, 3), Leave(A))
    assert (opener.opener, opener.phase) == (B, OPEN)
    ended = play(game, play(game, make_position(game, 3), Leave(A)), Leave(C))
    assert places_of(game, ended) == ((B,), (C,), (A,))
    lost = play_round(game, make_position(game, 4), OVER, 15, 9, 10, 11)
    assert lost.opener == B
    assert play(game, lost, Leave(B)).opener == C


@ruling("CH-D11")
def two_to_sixteen_play_and_the_limit_is_said_to_be_knobels() -> None:
    assert [can_play(seats) for seats in (1, 2, 16, 17)] == [False, True, True, False]
    assert find_article(CHICAGO, "players").phrase.key == "rules.rounds.players"
    assert "CH-D11" in str(cite(CHICAGO, "players").values["rulings"])
    assert "Knobel seats up to 16" in run_knobel("editions")[1]
    assert "Knobel seats up to 16" in run_knobel(f"rules {CHICAGO}")[1]
    assert run_knobel(f"pad {CHICAGO} --players 17 -o pad.pdf")[0] == 0
