"""The last line of a screen: the keys that help now; a click presses one."""

from collections.abc import Iterable

from textual.content import Content
from textual.widgets import Static

KeyHint = tuple[str, str, str]
"""The key a click presses, how keys are shown, and what they do."""


class KeyBar(Static):
    """Shows keys and what they do."""

    def show(self, keys: Iterable[KeyHint]) -> None:
        parts = []
        for pressed, shown, does in keys:
            hint = Content.from_markup(
                f"[@click=app.press('{pressed}')][b $accent]$shown[/] $does[/]", shown=shown, does=does
            )
            parts.append(hint)
        self.update(Content("  ").join(parts))
