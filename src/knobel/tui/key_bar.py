"""The last line of a screen: the keys that help now; a click presses one."""

from collections.abc import Iterable

from textual.content import Content
from textual.widgets import Static

KeyHint = tuple[str, str, str]
"""The key a click presses, how keys are shown, and what they do."""


class KeyBar(Static):
    """Shows keys and what they do."""

    def show(self, keys: Iterable[KeyHint]) -> None:
        self.update(draw_keys(keys))


def draw_keys(keys: Iterable[KeyHint]) -> Content:
    """Draw keys side by side; a click on one presses it."""
    parts = []
    for pressed, shown, does in keys:
        markup = f"[@click=app.press('{pressed}')][b $accent]$shown[/] $does[/]"
        parts.append(Content.from_markup(markup, shown=shown, does=does))
    return Content("  ").join(parts)
