"""The first and the last line of a screen: what it is about, and the keys that help now; a click presses one."""

from collections.abc import Sequence

from textual.content import Content
from textual.widgets import Static

KeyHint = tuple[str, str, str]
"""The key a click presses, how keys are shown, and what they do."""

ALWAYS_SHOWN = 2


class KeyBar(Static):
    """Shows keys and what they do."""

    def __init__(self, keys: Sequence[KeyHint] = ()) -> None:
        super().__init__(id="keys")
        self.keys = list(keys)

    def show(self, keys: Sequence[KeyHint]) -> None:
        """Show other keys; of more than fit, those before the last two are left out."""
        self.keys = list(keys)
        self.fit()

    def on_resize(self) -> None:
        self.fit()

    def fit(self) -> None:
        shown = self.keys
        while len(shown) > ALWAYS_SHOWN and draw_keys(shown).cell_length > self.size.width - 2 > 0:
            shown = [*shown[: -ALWAYS_SHOWN - 1], *shown[-ALWAYS_SHOWN:]]
        self.update(draw_keys(shown))


def draw_keys(keys: Sequence[KeyHint]) -> Content:
    """Draw keys side by side; a click on one presses it."""
    parts = []
    for pressed, shown, does in keys:
        markup = f"[@click=app.press('{pressed}')][b $accent]$shown[/] $does[/]"
        parts.append(Content.from_markup(markup, shown=shown, does=does))
    return Content("  ").join(parts)


def draw_heading(*parts: str) -> Content:
    """Draw the title of a screen: our name, then what it is about."""
    first, *others = parts
    return Content.assemble(
        (" Knobel ", "bold $background on $accent"),
        (f" {first}", "bold"),
        *((f" · {part}", "$faint") for part in others),
    )
