"""Settings of the terminal are kept, and nothing that is stored can break the screens."""

import json
from pathlib import Path

import pytest
from textual.widgets import Select

from knobel.tui.home_screen import HomeScreen
from knobel.tui.settings import (
    DARK,
    LIGHT,
    NO_COLOUR,
    ScreenSettings,
    read_settings,
    write_settings,
)
from knobel.tui.settings_screen import SettingsScreen
from tests.support.hosted_rooms import run_async
from tests.support.terminal import open_terminal


def test_settings_read_back(tmp_path: Path) -> None:
    settings = ScreenSettings("de", LIGHT, "digits", "off", "quick", "Ada", "greedy", "noris-yatzy")
    write_settings(tmp_path / "deep" / "terminal.json", settings)
    assert read_settings(tmp_path / "deep" / "terminal.json") == settings


@pytest.mark.parametrize(
    "stored",
    [
        "",
        "[]",
        "null",
        '"dark"',
        "{",
        '{"theme": 3, "faces": "stars", "lang": "xx", "name": "a\\u0007b", "more": 1, "pace": null}',
        "\x00",
    ],
)
def test_what_cannot_be_read_is_as_at_first(tmp_path: Path, stored: str) -> None:
    (tmp_path / "terminal.json").write_text(stored)
    assert read_settings(tmp_path / "terminal.json") == ScreenSettings()


@pytest.mark.parametrize(
    ("chosen", "environment", "theme"),
    [
        ("auto", {}, DARK),
        ("auto", {"COLORFGBG": "0;15"}, LIGHT),
        ("auto", {"COLORFGBG": "15;0"}, DARK),
        ("dark", {"COLORFGBG": "0;15"}, DARK),
        ("light", {"NO_COLOR": "1"}, NO_COLOUR),
        ("light", {"NO_COLOR": ""}, LIGHT),
    ],
)
def test_the_theme_follows_the_choice_and_the_terminal(chosen: str, environment: dict[str, str], theme: str) -> None:
    assert ScreenSettings(theme=chosen).find_theme(environment) == theme


@pytest.mark.parametrize(
    ("environment", "motion"),
    [
        ({}, True),
        ({"TEXTUAL_ANIMATIONS": "none"}, False),
        ({"REDUCE_MOTION": "1"}, False),
        ({"REDUCE_MOTION": ""}, True),
    ],
)
def test_motion_can_be_off_for_the_whole_terminal(environment: dict[str, str], motion: bool) -> None:
    assert ScreenSettings().has_motion(environment) is motion
    assert not ScreenSettings(motion="off").has_motion(environment)


@run_async
async def test_a_change_holds_at_once_and_is_stored(tmp_path: Path) -> None:
    async with open_terminal(tmp_path) as terminal:
        await terminal.press("s")
        terminal.app.screen.query_one("#choose-theme", Select).value = "light"
        await terminal.wait_for(lambda: terminal.app.theme == "light")
        assert json.loads((tmp_path / "terminal.json").read_text())["theme"] == "light"


@run_async
async def test_another_language_is_spoken_at_once(tmp_path: Path) -> None:
    async with open_terminal(tmp_path) as terminal:
        await terminal.press("s")
        terminal.app.screen.query_one("#choose-lang", Select).value = "de"
        await terminal.wait_for(
            lambda: isinstance(terminal.app.screen, SettingsScreen) and terminal.app.screen.words.lang == "de"
        )
        await terminal.pilot.pause()
        assert terminal.app.words("web.settings.lang") in "\n".join(terminal.read_lines())
        await terminal.press("escape")
        assert isinstance(terminal.app.screen, HomeScreen)
        assert terminal.app.screen.words.lang == "de"


@run_async
async def test_settings_that_cannot_be_stored_hold_until_the_end(tmp_path: Path) -> None:
    async with open_terminal(tmp_path) as terminal:
        terminal.app.path = tmp_path / "host.db" / "terminal.json"
        await terminal.press("s")
        terminal.app.screen.query_one("#choose-faces", Select).value = "digits"
        await terminal.wait_for(lambda: terminal.app.settings.faces == "digits")
