"""What screens may ask of the application they are part of."""

from typing import TYPE_CHECKING

from textual.app import App

from knobel.tui.settings import ScreenSettings

if TYPE_CHECKING:
    from knobel.host.session import SolveProgress
    from knobel.tui.game_room import GameRoom
    from knobel.tui.position import Position


class TerminalApp(App[None]):
    """The application as its screens know it: settings, and the way to other screens."""

    settings: ScreenSettings

    def change_settings(self, settings: ScreenSettings) -> None:
        """Use other settings from now on, and store them."""
        raise NotImplementedError

    def show_table(self, game: "GameRoom") -> None:
        raise NotImplementedError

    def show_end(self, game: "GameRoom") -> None:
        """Show the end of a game that was played on the screen."""
        raise NotImplementedError

    def show_help(self, position: "Position") -> None:
        raise NotImplementedError

    def go_home(self) -> None:
        """Leave every screen but the first."""
        raise NotImplementedError

    def describe_progress(self, progress: "SolveProgress") -> str:
        """Say how far the solve is that a bot waits for."""
        raise NotImplementedError
