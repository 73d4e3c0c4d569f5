"""The application: its themes, its screens, and the host it plays on.

Screens are imported when they are shown: the first one is there sooner.
"""

import gc
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from textual.filter import LineFilter, NoColor
from textual.screen import Screen

from knobel.errors import KnobelError
from knobel.host import Host
from knobel.host.session import SolveProgress
from knobel.lang import Translator
from knobel.tui.home_screen import HomeScreen
from knobel.tui.settings import DARK, NO_COLOUR, ScreenSettings, read_settings, write_settings
from knobel.tui.terminal_app import TerminalApp
from knobel.tui.themes import THEMES

if TYPE_CHECKING:
    from knobel.tui.game_room import GameRoom
    from knobel.tui.position import Position


class KnobelApp(TerminalApp):
    """Knobel in a terminal, as large as the terminal is."""

    CSS_PATH = "styles.tcss"
    TITLE = "Knobel"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-narrow"),
        (116, "-wide"),
    ]

    def __init__(
        self, host: Host, path: Path, environment: Mapping[str, str] = os.environ, lang: str | None = None
    ) -> None:
        super().__init__()
        self.host = host
        self.path = path
        self.environment = environment
        self.settings: ScreenSettings = read_settings(path)
        if lang is not None:
            self.settings = replace(self.settings, lang=lang)
        for theme in THEMES.values():
            self.register_theme(theme)
        self.apply_settings()

    @property
    def words(self) -> Translator:
        return Translator(self.settings.find_language())

    def apply_settings(self) -> None:
        """Use the colours and the motion that were chosen."""
        self.theme = self.settings.find_theme(self.environment)
        self.animation_level = "full" if self.settings.has_motion(self.environment) else "none"

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Give the colours of our own a value in every theme."""
        return dict(THEMES[DARK].variables)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Write no colour at all in the theme without colours."""
        own = [NoColor()] if self.theme == NO_COLOUR else []
        return [*super().get_line_filters(), *own]

    def action_press(self, key: str) -> None:
        """Press a key: what a click on the last line does."""
        self.simulate_key(key)

    def describe_progress(self, progress: SolveProgress) -> str:
        """Say how far the solve is that a bot waits for."""
        if progress.error is not None:
            return self.words.describe_error(progress.error)
        if progress.fraction is None:
            return ""
        if progress.is_queued:
            return self.words("interface.solving.waiting")
        return self.words("interface.solving.working", percent=round(100 * progress.fraction))

    def change_settings(self, settings: ScreenSettings) -> None:
        """Use other settings from now on, and store them; where that cannot be done, they hold until the end."""
        other_language = settings.find_language() != self.settings.find_language()
        self.settings = settings
        self.apply_settings()
        with suppress(KnobelError):
            write_settings(self.path, settings)
        if other_language:
            self.call_later(self.restart_screens)

    async def restart_screens(self) -> None:
        """Show the first screen again, in the language of now."""
        self.go_home()
        if isinstance(self.screen, HomeScreen):
            await self.screen.change_language(self.words)
        from knobel.tui.settings_screen import SettingsScreen

        self.push_screen(SettingsScreen(self.words, self.settings))

    def on_ready(self) -> None:
        """Collect garbage from now on; it was left alone while everything was imported."""
        gc.enable()

    def get_default_screen(self) -> Screen[None]:
        return HomeScreen(self.words, self.host)

    def show_table(self, game: "GameRoom") -> None:
        from knobel.tui.table_screen import TableScreen

        self.push_screen(TableScreen(game, self.settings))

    def show_end(self, game: "GameRoom") -> None:
        """Show the end of a game that was played on the screen."""
        from knobel.tui.end_screen import EndScreen

        self.go_home()
        self.push_screen(EndScreen(game, self.settings))

    def show_help(self, position: "Position") -> None:
        from knobel.tui.rules_screen import HelpScreen

        self.push_screen(HelpScreen(position.words, position.family))

    def go_home(self) -> None:
        """Leave every screen but the first."""
        while len(self.screen_stack) > 1:
            self.pop_screen()
