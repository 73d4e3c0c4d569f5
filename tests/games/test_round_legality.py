"""What is refused in a game of rounds, to the last value of the reason."""

import pytest

from knobel.game import Action, EnterDice, Leave, Roll, Score, Stand, play
from knobel.games.round_state import AIMS, OPEN, START, RoundResult, RoundState
from knobel.phrase import Phrase, phrase
from tests.support.chicago import CHIPS, make_game, make_position, play_round, roll_dice

A, B, C = range(3)
OVER, UNDER = AIMS
GAME = make_game()
FRESH = make_position(GAME, 3)
ROLLED = roll_dice(GAME, FRESH, (1, 2, 3))
SPENT = roll_dice(GAME, FRESH, (1, 2, 3), (1, 2, 4), (1, 2, 5))
FOLLOWING = play_round(GAME, FRESH, OVER, 10)
FOLLOWED = roll_dice(GAME, FOLLOWING, (1, 2, 3))
STARTING = GAME.start(3)
SAY_AIM = phrase("rules.refusal.say_aim", over=phrase("interface.typed.over"), under=phrase("interface.typed.under"))


@pytest.mark.parametrize(
    ("state", "action", "why"),
    [
        (FRESH, Leave(-1), phrase("rules.refusal.no_seat", seat=0, n=3)),
        (FRESH, Leave(3), phrase("rules.refusal.no_seat", seat=4, n=3)),
        (make_position(GAME, 3, out=[C]), Leave(C), phrase("rules.refusal.gone")),
        (FRESH, Roll((0,)), phrase("rules.refusal.first_roll", n=3)),
        (SPENT, Roll((0,)), phrase("rules.refusal.no_rolls", n=3)),
        (FOLLOWED, Roll((0,)), phrase("rules.refusal.no_rolls", n=1)),
        (ROLLED, Roll((3,)), phrase("rules.refusal.no_die", n=3)),
        (ROLLED, Roll((-1,)), phrase("rules.refusal.no_die", n=3)),
        (ROLLED, Roll((0, 0)), phrase("rules.refusal.no_die", n=3)),
        (ROLLED, Roll((0, 1, 2)), phrase("rules.refusal.stand_instead")),
        (ROLLED, EnterDice((1, 2, 3), 1), phrase("rules.refusal.dice_seen")),
        (FRESH, EnterDice((1, 2, 3), 4), phrase("rules.refusal.show_rolls", n=3)),
        (FRESH, EnterDice((1, 2, 3)), phrase("rules.refusal.show_rolls", n=3)),
        (FOLLOWING, EnterDice((1, 2, 3), 2), phrase("rules.refusal.show_rolls", n=1)),
        (STARTING, EnterDice((1, 2, 3), 2), phrase("rules.refusal.show_rolls", n=1)),
        (FRESH, EnterDice((1, 2), 1), phrase("rules.refusal.land_count", n=2, wanted=3)),
        (FRESH, EnterDice((1, 2, 7), 1), phrase("rules.refusal.land_face", value=7, faces=6)),
        (FRESH, Stand(OVER), phrase("rules.refusal.roll_first")),
        (STARTING, Stand(OVER), phrase("rules.refusal.roll_first")),
        (FOLLOWED, Stand(OVER), phrase("rules.refusal.no_aim")),
        (roll_dice(GAME, FRESH, (1, 1, 1)), Stand(UNDER), phrase("rules.refusal.no_aim")),
        (ROLLED, Stand(), SAY_AIM),
        (ROLLED, Stand("sideways"), SAY_AIM),
    ],
)
def test_a_refusal_says_exactly_why(state: RoundState, action: Action, why: Phrase) -> None:
    assert GAME.refusal(state, action) == why


@pytest.mark.parametrize(
    ("state", "action"),
    [
        (FRESH, Leave(A)),
        (FRESH, Leave(C)),
        (FRESH, Roll()),
        (ROLLED, Roll((0, 2))),
        (FRESH, EnterDice((1, 2, 3), 3)),
        (FOLLOWING, EnterDice((1, 2, 3))),
        (FOLLOWING, EnterDice((1, 2, 3), 1)),
        (STARTING, EnterDice((1, 2, 3))),
        (STARTING, EnterDice((1, 2, 3), 1)),
        (ROLLED, Stand(OVER)),
        (ROLLED, Stand(UNDER)),
        (FOLLOWED, Stand()),
        (roll_dice(GAME, FRESH, (1, 1, 1)), Stand()),
    ],
)
def test_what_is_allowed_is_not_refused(state: RoundState, action: Action) -> None:
    assert GAME.refusal(state, action) is None


def test_three_ones_are_an_ordinary_total_without_the_special_rule() -> None:
    plain = make_game(special=False)
    ones = roll_dice(plain, make_position(plain, 3), (1, 1, 1))
    assert plain.refusal(ones, Stand()) == SAY_AIM
    assert play(plain, ones, Stand(UNDER)).totals == ((A, 3),)


def test_an_action_of_another_family_is_no_state() -> None:
    with pytest.raises(TypeError) as caught:
        GAME.apply(GAME.start(2, 0), Score("chance"))
    assert caught.value.args == (Score("chance"),)


def test_real_dice_are_entered_with_the_rolls_they_took() -> None:
    state = play(GAME, FRESH, EnterDice((4, 4, 2), 2))
    assert (state.dice, state.rolls_used, state.seat, state.result) == ((4, 4, 2), 2, A, None)
    assert play(GAME, state, Stand(OVER)).rolls_allowed == 2


def test_real_dice_of_a_follower_took_all_rolls_unless_it_is_said() -> None:
    following = play(GAME, play(GAME, FRESH, EnterDice((4, 4, 2), 2)), Stand(OVER))
    assert play(GAME, following, EnterDice((1, 2, 3))).rolls_used == 2
    assert play(GAME, following, EnterDice((1, 2, 3), 1)).rolls_used == 1


def test_real_dice_are_entered_for_the_start_too() -> None:
    state = play(GAME, STARTING, EnterDice((6, 6, 1)))
    assert state.rolloff is not None
    assert (state.rolloff.sums, state.seat, state.dice, state.turns) == ((13,), B, (), (1, 0, 0))


@pytest.mark.parametrize("action", [EnterDice((4, 4, 2), 1), Roll()])
def test_the_next_dice_clear_the_result_of_the_last_round(action: Action) -> None:
    state = play_round(GAME, FRESH, OVER, 10, 15, 4)
    assert state.result is not None
    assert play(GAME, state, action).result is None


def test_everybody_is_in_the_game_when_it_starts() -> None:
    starting, agreed = GAME.start(3), GAME.start(3, 1)
    for state in (starting, agreed):
        assert (state.active, state.players_at_start, state.chips, state.turns) == ((A, B, C), 3, (0, 0, 0), (0, 0, 0))
        assert (state.dice, state.rolls_used, state.rolling, state.rolls_allowed) == ((), 0, (), 0)
        assert (state.aim, state.totals, state.target, state.out_this_round, state.places) == (None, (), 0, (), ())
        assert (state.quit, state.chip_from, state.best, state.result) == ((), None, None, None)
    assert (starting.rounds, starting.phase, starting.seat, starting.kitty) == (0, START, A, CHIPS)
    assert (agreed.rounds, agreed.phase, agreed.seat, agreed.opener, agreed.rolloff) == (1, OPEN, B, B, None)


def test_a_follower_has_as_many_rolls_as_the_opener_used() -> None:
    assert [GAME.max_rolls(state) for state in (FRESH, ROLLED, FOLLOWING, FOLLOWED)] == [3, 3, 1, 1]


def test_an_opener_with_three_ones_is_out_and_the_round_has_no_loser() -> None:
    state = play_round(GAME, make_position(GAME, 4), None, 3)
    assert state.result == RoundResult(out=(A,), opener=A, totals=((A, 3),))
    assert (state.opener, state.seat, state.places, state.turns) == (B, B, ((A,),), (1, 0, 0, 0))


def test_a_follower_in_the_game_has_failed_unless_the_total_is_strictly_better() -> None:
    assert [GAME.beats_opener(FOLLOWING, total) for total in (9, 10, 11)] == [False, False, True]
    assert [GAME.has_failed(FOLLOWING, B, total) for total in (9, 10, 11)] == [True, True, False]
    assert GAME.has_failed(FOLLOWING, A, 9) is False
    assert GAME.has_failed(play(GAME, FOLLOWING, Leave(C)), C, 9) is False
