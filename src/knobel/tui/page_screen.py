"""What all screens but the table share: a title, a line with keys, and Escape to go back."""

from textual.app import ComposeResult
from textual.events import Key
from textual.screen import Screen
from textual.widgets import Static

from knobel.lang import Translator
from knobel.tui.key_bar import KeyBar, KeyHint, draw_heading
from knobel.tui.terminal_app import TerminalApp


class PageScreen(Screen[None]):
    """A page with a title above and its keys below."""

    app: TerminalApp

    def __init__(self, words: Translator) -> None:
        super().__init__()
        self.words = words

    @property
    def heading(self) -> str:
        """What the page is called."""
        return ""

    def list_keys(self) -> list[KeyHint]:
        """List the keys of the page."""
        return [("escape", "Esc", self.words("web.family.back"))]

    def compose(self) -> ComposeResult:
        yield Static(draw_heading(self.heading), id="title")
        yield from self.compose_page()
        yield KeyBar(self.list_keys())

    def compose_page(self) -> ComposeResult:
        """Give what lies between title and keys."""
        yield from ()

    async def on_key(self, event: Key) -> None:
        if await self.press(event.key):
            event.stop()

    async def press(self, key: str) -> bool:
        """Do what a key stands for, and tell whether it stands for anything."""
        if key == "escape":
            self.app.pop_screen()
            return True
        return False
