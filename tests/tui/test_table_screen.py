"""The table on the screen: whole games by keyboard and by mouse, and every key and question on the way."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knobel.record.events import Acted, Undone
from knobel.rooms.intents import ChangeSettings, Sit
from knobel.rules import edition_ids
from knobel.tui.app import KnobelApp
from knobel.tui.end_screen import EndScreen
from knobel.tui.home_screen import HomeScreen
from knobel.tui.questions import AskScreen, ChooseScreen
from knobel.tui.rules_screen import HelpScreen
from knobel.tui.sheet_board import SheetBoard
from tests.support.hosted_rooms import run_async
from tests.support.selection import mostly_rest, rest
from tests.support.terminal import (
    ADA,
    ALL_REAL,
    BOT,
    Terminal,
    open_terminal,
    play_by_both,
    play_by_keys,
    play_by_mouse,
    play_real_dice,
)
from tests.support.terminal_scenes import SHORT_GAME_AT_ONCE

YAHTZEE = ChangeSettings("hasbro-yahtzee", pace=0, start="first")
KEYS = (
    *"abcdefghijklmnopqrstuvwxyz0123456789+-?~/.,ä€",
    *("space", "enter", "up", "down", "left", "right", "tab", "backspace", "delete", "f1", "f5", "home", "pagedown"),
)


@pytest.mark.parametrize("edition", mostly_rest(edition_ids(), "carlit-chicago"))
@run_async
async def test_a_whole_game_is_played_by_keyboard_and_by_mouse(tmp_path: Path, edition: str) -> None:
    async with open_terminal(tmp_path) as terminal:
        await terminal.play(ChangeSettings(edition, pace=0), seed="both")
        await play_by_both(terminal, Random(edition))
        assert_result_is_shown(terminal)


@run_async
async def test_a_short_game_on_a_sheet_is_played_by_keyboard_and_by_mouse(tmp_path: Path) -> None:
    async with open_terminal(tmp_path) as terminal:
        await terminal.play(SHORT_GAME_AT_ONCE, seed="keys")
        await play_by_keys(terminal, Random(1))
        assert_result_is_shown(terminal)
        await terminal.play_again()
        await play_by_mouse(terminal, Random(2))
        assert_result_is_shown(terminal)


@pytest.mark.parametrize("edition", ["carlit-chicago", rest("carlit-yatzy")])
@run_async
async def test_a_whole_game_is_played_with_real_dice(tmp_path: Path, edition: str) -> None:
    async with open_terminal(tmp_path) as terminal:
        await terminal.play(ChangeSettings(edition, pace=0), ALL_REAL)
        await play_real_dice(terminal, Random(edition))
        assert_result_is_shown(terminal)


@pytest.mark.rest
@run_async
async def test_a_game_with_announced_boxes_is_played(tmp_path: Path) -> None:
    async with open_terminal(tmp_path) as terminal:
        await terminal.play(ChangeSettings("tactic-xl-yatzy", "da", pace=0), seed="announced")
        await play_by_keys(terminal, Random(2))
        assert_result_is_shown(terminal)


def assert_result_is_shown(terminal: Terminal) -> None:
    screen = terminal.app.screen
    assert isinstance(screen, EndScreen)
    outcome = screen.position.table.replay.outcome
    assert outcome is not None
    lines = "\n".join(terminal.read_lines())
    names = [seat.name for seat in screen.position.table.header.seats]
    assert all(f"{place}. " in lines for place in range(1, len(outcome.places) + 1))
    assert all(name in lines for name in names)


@run_async
async def test_what_a_roll_keeps_stays_kept_and_can_be_released(tmp_path: Path) -> None:
    async with open_terminal(tmp_path) as terminal:
        await terminal.play(YAHTZEE, seed="table")
        await terminal.press("space", "1", "4")
        before = terminal.position.tray.dice
        await terminal.press("r")
        after, play = terminal.position.tray.dice, terminal.table.play
        assert (after[0], after[3]) == (before[0], before[3])
        assert play.kept == {0, 3}
        await terminal.press("1")
        assert play.kept == {3}
        assert "Roll 4 dice" in "\n".join(terminal.read_lines())


@run_async
async def test_a_zero_that_need_not_be_is_asked_for(tmp_path: Path) -> None:
    async with open_terminal(tmp_path) as terminal:
        await terminal.play(YAHTZEE, (ADA, Sit("Bea")), seed="table")
        await terminal.press("space", "n")
        assert isinstance(terminal.app.screen, AskScreen)
        await terminal.press("escape")
        assert terminal.position.view.seats[0].entries.count(None) == 13
        await terminal.press("n", "left", "enter")
        assert terminal.position.view.seats[0].entries[11] == 0


@run_async
async def test_a_box_that_scores_can_be_crossed_out_after_a_question(tmp_path: Path) -> None:
    async with open_terminal(tmp_path) as terminal:
        await terminal.play(YAHTZEE, (ADA, Sit("Bea")), seed="table")
        await terminal.press("space", "up", "x")
        assert isinstance(terminal.app.screen, AskScreen)
        assert "would score 15" in "\n".join(terminal.read_lines())
        await terminal.press("left", "enter")
        assert terminal.position.view.seats[0].entries[12] == 0


@run_async
async def test_an_entry_is_undone(tmp_path: Path) -> None:
    async with open_terminal(tmp_path) as terminal:
        await terminal.play(YAHTZEE, (ADA, Sit("Bea")), seed="table")
        await terminal.press("space", "o", "u")
        assert terminal.position.view.seats[0].entries.count(None) == 13
        assert terminal.position.seat == 0
        kinds = [type(event) for event in terminal.position.table.events]
        assert kinds[-1] is Undone
        await terminal.press("u")
        assert "nothing" in "\n".join(terminal.read_lines()).lower()


@run_async
async def test_arrows_walk_through_the_open_boxes_and_enter_scores(tmp_path: Path) -> None:
    async with open_terminal(tmp_path) as terminal:
        await terminal.play(YAHTZEE, (ADA,), seed="table")
        await terminal.press("space", "down", "down", "enter", "space")
        assert terminal.position.view.seats[0].entries[2] is not None
        board = terminal.table.query_one(SheetBoard)
        await terminal.press("up")
        assert board.chosen_box == "twos"
        await terminal.press("down")
        assert board.chosen_box == "fours"


@run_async
async def test_the_coach_is_asked_after_a_question_and_the_record_says_so(tmp_path: Path) -> None:
    async with open_terminal(tmp_path) as terminal:
        await terminal.play(SHORT_GAME_AT_ONCE, (ADA,), seed="coach")
        await terminal.press("space", "h")
        assert "marked as assisted" in "\n".join(terminal.read_lines())
        await terminal.press("left", "enter")
        await terminal.app.workers.wait_for_complete()
        await terminal.pilot.pause()
        assert "Best:" in "\n".join(terminal.read_lines())
        assert terminal.position.table.replay.attendance.assisted == {0}
        await terminal.press("t")
        await terminal.app.workers.wait_for_complete()
        await terminal.pilot.pause()
        assert "par " in "\n".join(terminal.read_lines())


@run_async
async def test_points_of_real_dice_are_entered_without_dice_and_corrected(tmp_path: Path) -> None:
    async with open_terminal(tmp_path) as terminal:
        await terminal.play(ChangeSettings("carlit-yatzy", pace=0, start="first"), ALL_REAL)
        await terminal.press("a")
        assert isinstance(terminal.app.screen, ChooseScreen)
        await terminal.press("down", "enter")
        first = terminal.position.view.seats[0].entries[0]
        assert first is not None
        await terminal.press("a", "enter", "c", "down", "down", "enter")
        assert terminal.position.view.seats[0].corrected == ("ones",)
        assert terminal.position.view.seats[0].entries[0] != first


@run_async
async def test_a_round_of_real_dice_is_corrected(tmp_path: Path) -> None:
    async with open_terminal(tmp_path) as terminal:
        await terminal.play(ChangeSettings("carlit-chicago", pace=0, start="first"), ALL_REAL)
        await terminal.press("c")
        assert "nothing is entered in round 1" in terminal.table.message
        await terminal.press("5", "4", "3", "enter", "+")
        assert terminal.position.view.target == 12
        await terminal.press("c", "enter", *"64", "enter")
        assert "dice" in terminal.table.message
        await terminal.press("c", "enter", *"643", "enter", "down", "enter")
        assert isinstance(terminal.app.screen, ChooseScreen)
        await terminal.press("down", "enter")
        assert terminal.position.view.target == 13
        assert terminal.position.view.aim == "under"
        assert terminal.position.view.seats[0].corrected


@run_async
async def test_typed_real_dice_can_be_cleared_before_the_last(tmp_path: Path) -> None:
    async with open_terminal(tmp_path) as terminal:
        await terminal.play(ChangeSettings("carlit-yatzy", pace=0, start="first"), ALL_REAL)
        await terminal.press("6", "6", "backspace", "5", "5", "5", "5")
        assert sorted(terminal.position.tray.dice) == [5, 5, 5, 5, 6]


@run_async
async def test_keys_are_listed_and_the_game_waits_on_the_first_screen(tmp_path: Path) -> None:
    async with open_terminal(tmp_path) as terminal:
        await terminal.play(YAHTZEE, seed="table")
        await terminal.press("question_mark")
        assert isinstance(terminal.app.screen, HelpScreen)
        await terminal.press("escape", "space", "escape")
        assert isinstance(terminal.app.screen, HomeScreen)
        assert "Continue Yahtzee" in "\n".join(terminal.read_lines())
        await terminal.press("enter")
        assert terminal.position.tray.dice


TYPED = st.lists(st.sampled_from(KEYS) | st.characters(categories=("L", "N", "P", "S")), min_size=10, max_size=40)


@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(typed=TYPED)
def test_nothing_typed_ever_breaks_anything(typed: list[str]) -> None:
    type_at_table("carlit-chicago", typed)


@pytest.mark.rest
@pytest.mark.parametrize("edition", ["carlit-chicago", "tactic-xl-yatzy"])
def test_much_more_that_is_typed_breaks_nothing(edition: str) -> None:
    type_at_table(edition, Random(edition).choices(KEYS, k=150))


@run_async
async def type_at_table(edition: str, typed: list[str]) -> None:
    """Type at a table with somebody who rolls real dice, somebody who does not, and a bot."""
    with TemporaryDirectory() as folder:
        async with open_terminal(Path(folder)) as terminal:
            seats = (Sit("Ada", real_dice=True), Sit("Bea"), BOT)
            await terminal.play(ChangeSettings(edition, "de", pace=0), seats)
            for key in typed:
                await terminal.press(key)
                if isinstance(terminal.app.screen, HomeScreen):
                    await terminal.press("home", "enter")
            assert isinstance(terminal.app, KnobelApp)
            assert terminal.app.is_running


@run_async
async def test_a_joker_is_offered_where_it_may_go(tmp_path: Path) -> None:
    async with open_terminal(tmp_path) as terminal:
        await terminal.play(YAHTZEE, (Sit("Ada", real_dice=True),))
        await terminal.press(*"55555", "n")
        await terminal.press(*"55555")
        assert find_cell(terminal, "fives") == "25+100"
        assert find_cell(terminal, "full_house") == "–"
        await terminal.press("k")
        assert "played anyway" in "\n".join(terminal.read_lines())
        await terminal.press("escape", "f", *"55555")
        assert find_cell(terminal, "full_house") == "25+100"
        await terminal.press("k")
        shown = terminal.position.view.seats[0]
        assert (shown.extra, shown.total) == (200, 50 + 25 + 25 + 200)


def find_cell(terminal: Terminal, box: str) -> str:
    return next(row.cells[0].text for row in terminal.table.query_one(SheetBoard).rows if row.box == box)


@run_async
async def test_the_next_game_of_a_series_follows(tmp_path: Path) -> None:
    async with open_terminal(tmp_path) as terminal:
        agreed = ChangeSettings("two-dice", house_rules=SHORT_GAME_AT_ONCE.house_rules, pace=0, games=2, start="first")
        await terminal.play(agreed, (ADA, Sit("Bea")), seed="series")
        first = terminal.position.table.header.game
        await play_by_keys(terminal, Random(1))
        assert "Next game (2 of 2)" in "\n".join(terminal.read_lines())
        await terminal.press("enter")
        assert terminal.position.table.header.game != first
        assert not any(isinstance(event, Acted) for event in terminal.position.table.events)
