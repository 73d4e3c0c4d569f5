"""What is refused on a score sheet, to the last value of the reason."""

import pytest

from knobel.game import Action, Announce, EnterDice, EnterPoints, Leave, Roll, Score, play
from knobel.games.sheet import SheetGame, SheetState
from knobel.phrase import BoxName, Phrase, phrase
from knobel.rules import load_edition

GAME = SheetGame(load_edition("mb-yahtzee").rules())
ANNOUNCED = SheetGame(load_edition("mb-yahtzee").rules(None, {"order": "announced"}))
LOCKED = SheetGame(load_edition("mb-yahtzee").rules(None, {"locked_dice": "true"}))
FRESH = GAME.start(2, 0)
TRAY = FRESH._replace(dice=(2, 2, 3, 4, 6), rolls_used=1)
SPENT = TRAY._replace(rolls_used=3)
FIRST = ANNOUNCED.start(2, 0)
NAMED = FIRST._replace(announced="twos")
FILLED = play(GAME, play(GAME, FRESH, EnterPoints("twos", 4)), EnterPoints("chance", 20))  # the first seat is next


@pytest.mark.parametrize(
    ("game", "state", "action", "why"),
    [
        (GAME, FRESH, Leave(-1), phrase("rules.refusal.no_seat", seat=0, n=2)),
        (GAME, FRESH, Leave(2), phrase("rules.refusal.no_seat", seat=3, n=2)),
        (GAME, FRESH._replace(left=frozenset({1})), Leave(1), phrase("rules.refusal.gone")),
        (ANNOUNCED, FIRST, Roll(), phrase("rules.refusal.announce_first")),
        (GAME, FRESH, Roll((0,)), phrase("rules.refusal.first_roll", n=5)),
        (GAME, SPENT, Roll((0,)), phrase("rules.refusal.no_rolls", n=3)),
        (GAME, TRAY, Roll((-1,)), phrase("rules.refusal.no_die", n=5)),
        (GAME, TRAY, Roll((5,)), phrase("rules.refusal.no_die", n=5)),
        (GAME, TRAY, Roll((1, 0)), phrase("rules.refusal.no_die", n=5)),
        (GAME, TRAY, Roll((0, 0)), phrase("rules.refusal.no_die", n=5)),
        (GAME, TRAY, Roll((0, 1, 2, 3, 4)), phrase("rules.refusal.nothing_rolled")),
        (LOCKED, TRAY._replace(locked=(0, 2)), Roll((0,)), phrase("rules.refusal.locked", dice="2 3")),
        (GAME, TRAY, EnterDice((1, 2, 3, 4, 5)), phrase("rules.refusal.dice_seen")),
        (ANNOUNCED, FIRST, EnterDice((1, 2, 3, 4, 5)), phrase("rules.refusal.announce_first")),
        (GAME, FRESH, EnterDice((1, 2, 3, 4)), phrase("rules.refusal.land_count", n=4, wanted=5)),
        (GAME, FRESH, EnterDice((1, 2, 3, 4, 7)), phrase("rules.refusal.land_face", value=7, faces=6)),
        (GAME, FRESH, Announce("twos"), phrase("rules.refusal.no_announcing")),
        (ANNOUNCED, NAMED, Announce("ones"), phrase("rules.refusal.announced_late")),
        (ANNOUNCED, FIRST._replace(dice=TRAY.dice), Announce("ones"), phrase("rules.refusal.announced_late")),
        (ANNOUNCED, FIRST, Announce("sevens"), phrase("rules.refusal.no_box", name="sevens")),
        (GAME, FRESH, Score("twos"), phrase("rules.refusal.roll_first")),
        (GAME, TRAY, Score("sevens"), phrase("rules.refusal.no_box", name="sevens")),
        (GAME, FILLED._replace(dice=TRAY.dice), Score("twos"), phrase("rules.refusal.filled")),
        (GAME, TRAY, EnterPoints("twos", 4), phrase("rules.refusal.dice_seen")),
        (GAME, FILLED, EnterPoints("twos", 4), phrase("rules.refusal.filled")),
        (GAME, FRESH, EnterPoints("sevens", 4), phrase("rules.refusal.no_box", name="sevens")),
        (ANNOUNCED, FIRST, EnterPoints("twos", 4), phrase("rules.refusal.announce_first")),
        (
            ANNOUNCED,
            FIRST._replace(announced="chance"),
            EnterPoints("twos", 4),
            phrase("rules.refusal.announced", box=BoxName("chance")),
        ),
        (
            GAME,
            FRESH,
            EnterPoints("twos", 3),
            phrase("rules.refusal.points", box=BoxName("twos"), points=3, allowed=(0, 2, 4, 6, 8, 10)),
        ),
        (
            GAME,
            FRESH,
            EnterPoints("twos", 4, extra=100),
            phrase("rules.refusal.no_extra", box=BoxName("twos"), points=4, extra=0),
        ),
        (
            GAME,
            FRESH,
            EnterPoints("twos", 4, all_alike=True),
            phrase("rules.refusal.not_alike", box=BoxName("twos"), points=4),
        ),
    ],
)
def test_a_refusal_says_exactly_why(game: SheetGame, state: SheetState, action: Action, why: Phrase) -> None:
    assert game.refusal(state, action) == why


def test_points_may_be_entered_against_the_rules_without_an_announcement() -> None:
    assert ANNOUNCED.refusal(FIRST, EnterPoints("twos", 4, anyway=True)) is None
    assert GAME.refusal(FILLED, EnterPoints("twos", 4, anyway=True)) == phrase("rules.refusal.filled")


@pytest.mark.parametrize(("box", "points"), [("ones", 0), ("twos", 4), ("chance", 17), ("full_house", 0)])
def test_dice_may_be_scored_against_the_rules_for_what_they_show(box: str, points: int) -> None:
    state = FIRST._replace(announced="threes", dice=(2, 2, 3, 4, 6), rolls_used=3)
    assert ANNOUNCED.refusal(state, Score(box)) == phrase("rules.refusal.announced", box=BoxName("threes"))
    assert ANNOUNCED.refusal(state, Score(box, anyway=True)) is None
    scored = play(ANNOUNCED, state, Score(box, anyway=True))
    assert scored.columns[0].entries[ANNOUNCED.rules.index[box]] == points


def test_a_filled_box_is_refused_even_against_the_rules() -> None:
    state = FILLED._replace(dice=TRAY.dice)
    assert GAME.refusal(state, Score("twos", anyway=True)) == phrase("rules.refusal.filled")
    assert GAME.refusal(state, Score("ones", anyway=True)) is None


def test_scoring_against_the_rules_a_box_may_be_crossed_out_that_they_would_bind() -> None:
    state = FIRST._replace(announced="twos", dice=(2, 2, 3, 4, 6), rolls_used=3)
    assert ANNOUNCED.refusal(state, Score("twos", cross_out=True)) == phrase("rules.refusal.no_cross_out")
    assert ANNOUNCED.refusal(state, Score("twos", cross_out=True, anyway=True)) is None


MIXED = SheetGame(ANNOUNCED.rules, frozenset({1}))
"""The first seat announces, the second is a beginner and fills its column from top to bottom."""


def test_an_announcement_is_needed_once_from_whoever_announces() -> None:
    first, second = MIXED.start(2, 0), MIXED.start(2, 1)
    assert (MIXED.needs_announcement(first), MIXED.needs_announcement(second)) == (True, False)
    assert MIXED.needs_announcement(first._replace(announced="twos")) is False
    assert GAME.needs_announcement(FRESH) is False


def test_a_box_may_be_crossed_out_unless_the_rules_bind_the_dice() -> None:
    dice = (2, 2, 3, 4, 6)
    first, second = (MIXED.start(2, seat)._replace(dice=dice, announced="twos") for seat in (0, 1))
    assert (MIXED.can_cross_out(first), MIXED.can_cross_out(second), GAME.can_cross_out(TRAY)) == (False, True, True)


def test_the_points_that_can_be_entered_depend_on_whose_rules_they_are() -> None:
    plain = {points: frozenset({(0, points == 10)}) for points in (2, 4, 6, 8, 10)}
    assert GAME.list_possible_entries(FRESH, "twos") == {0: frozenset({(0, False), (0, True)}), **plain}
    beginner = MIXED.start(2, 1)
    assert MIXED.list_possible_entries(beginner, "twos") == {}
    free = SheetGame(GAME.rules, frozenset({1}))
    assert free.list_possible_entries(free.start(2, 1), "twos") == {}
    assert MIXED.list_possible_entries(beginner, "twos", anyway=True) == GAME.list_possible_entries(FRESH, "twos")
    state = play(MIXED, beginner, EnterPoints("twos", 10, anyway=True))
    assert (state.columns[1].entries[:3], state.columns[1].yatzys) == ((None, 10, None), 1)
