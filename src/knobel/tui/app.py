"""The application: its themes, its screens, and the host it plays on."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from textual.app import App
from textual.filter import LineFilter, NoColor

from knobel.host import Host
from knobel.host.session import SolveProgress
from knobel.lang import Translator
from knobel.tui.game_room import GameRoom
from knobel.tui.position import Position
from knobel.tui.settings import DARK, NO_COLOUR, ScreenSettings, read_settings
from knobel.tui.themes import THEMES


class KnobelApp(App[None]):
    """Knobel in a terminal, as large as the terminal is."""

    CSS_PATH = "styles.tcss"
    TITLE = "Knobel"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS: ClassVar[list[tuple[int, str]]] = [(0, "-narrow"), (116, "-wide")]

    def __init__(self, host: Host, path: Path, environment: Mapping[str, str] = os.environ) -> None:
        super().__init__()
        self.host = host
        self.path = path
        self.environment = environment
        self.settings: ScreenSettings = read_settings(path)
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
        return ""

    def show_end(self, game: GameRoom) -> None: ...
    def show_help(self, position: Position) -> None: ...
    def go_home(self) -> None:
        self.exit()
