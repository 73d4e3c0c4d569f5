"""Finished games and statistics on the screen: what is listed, and where Enter leads."""

from pathlib import Path

import pytest
from textual.widgets import Static

from knobel.store.people import GameFilter
from knobel.tui import history_screen
from knobel.tui.history_screen import HistoryScreen
from knobel.tui.review_screen import ReviewScreen
from knobel.tui.statistics_screen import StatisticsScreen, draw_box_bar
from tests.support.hosted_rooms import run_async
from tests.support.terminal import open_terminal
from tests.support.terminal_scenes import show_history, show_statistics


@run_async
async def test_a_listed_game_is_reviewed_and_older_ones_are_listed_when_asked_for(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(history_screen, "PAGE_GAMES", 1)
        async with open_terminal(tmp_path) as terminal:
            await show_history(terminal)
            games = [game for _, game in await terminal.app.host.store.list_result_games(GameFilter())]
            assert "Show older games" in "\n".join(terminal.read_lines())
            await terminal.press("down", "enter")
            lines = "\n".join(terminal.read_lines())
            assert "Show older games" not in lines
            assert lines.count("Two dice") == len(games) == 2
            await terminal.press("enter")
            assert isinstance(terminal.app.screen, ReviewScreen)
            assert terminal.app.screen.table.header.game == games[1]
            await terminal.app.workers.wait_for_complete()
            await terminal.press("end")
            chart = str(terminal.app.screen.query_one("#wins", Static).content)
            assert chart.startswith("Chance to win after each turn\n")
            assert "Chances under best play, exact." in chart
            await terminal.press("escape")
            assert isinstance(terminal.app.screen, HistoryScreen)


@run_async
async def test_statistics_follow_the_person_who_is_chosen(tmp_path: Path) -> None:
    async with open_terminal(tmp_path) as terminal:
        await show_statistics(terminal)
        assert isinstance(terminal.app.screen, StatisticsScreen)
        first = terminal.read_lines()
        await terminal.press("down")
        assert terminal.read_lines() != first
        assert [person.name for person, _ in terminal.app.screen.rows] == ["Ada", "Bea"]


@run_async
async def test_without_a_finished_game_both_screens_say_so(tmp_path: Path) -> None:
    async with open_terminal(tmp_path) as terminal:
        await terminal.press("end", "enter")
        await terminal.app.workers.wait_for_complete()
        await terminal.pilot.pause()
        assert "There are no statistics yet" in "\n".join(terminal.read_lines())
        await terminal.press("escape", "end", "up", "enter")
        assert "No finished game yet" in "\n".join(terminal.read_lines())


@pytest.mark.parametrize(
    ("share", "mark", "drawn"),
    [(0.0, None, " " * 12), (1.0, None, "█" * 12), (0.5, 1.0, "██████     ┃"), (1.0, 0.0, "┃" + "█" * 11)],
)
def test_a_bar_shows_the_average_and_a_mark_perfect_play(share: float, mark: float | None, drawn: str) -> None:
    assert "".join(text for text, _ in draw_box_bar(share, mark)) == drawn
