"""The dice of whoever's turn it is, drawn large; a die is kept by its number or by mouse."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from random import Random

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.events import Click, Resize
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from knobel.tui.dice_art import LARGE, SMALL, draw_die, write_caption
from knobel.tui.settings import PIPS

TUMBLES, TUMBLE_SECONDS = 6, 0.07
"""How often dice change their face while they roll, and how quickly."""


@dataclass(frozen=True, slots=True)
class ShownDie:
    """A die as it is drawn: its value if it was rolled, whether it is kept, and the word or number below it."""

    value: int | None = None
    kept: bool = False
    locked: bool = False
    caption: str = ""


class DieFace(Widget):
    """One die."""

    def __init__(self, place: int) -> None:
        super().__init__(classes="die" if place else "die -first")
        self.place = place
        self.shown = ShownDie()
        self.faces = PIPS
        self.cells = LARGE

    def show(self, shown: ShownDie, faces: str, cells: int) -> None:
        if (shown, faces, cells) == (self.shown, self.faces, self.cells) and self.styles.width is not None:
            return
        self.shown, self.faces, self.cells = shown, faces, cells
        self.styles.width = cells
        self.refresh()

    def render(self) -> Content:
        shown = self.shown
        lines = draw_die(shown.value, self.faces, self.cells, kept=shown.kept or shown.locked)
        ink = "$locked on $ivory bold" if shown.locked else "$kept on $ivory bold" if shown.kept else ""
        word = write_caption(shown.caption, self.cells)
        return Content.assemble(
            ("\n".join(lines), ink or "$pip on $ivory"),
            "\n",
            (word, "bold" if shown.kept or shown.locked else "$faint"),
        )

    def on_click(self, event: Click) -> None:
        event.stop()
        self.post_message(DiceTray.Pressed(self.place))


class DiceTray(Horizontal):
    """All dice side by side, as large as they fit; dice that are rolled tumble first, unless motion is off."""

    class Pressed(Message):
        """Somebody pressed a die."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

    def __init__(self, count: int, faces: str) -> None:
        super().__init__(id="tray")
        self.count = count
        self.faces = faces
        self.shown: tuple[ShownDie, ...] = (ShownDie(),) * count
        self.tumbling: frozenset[int] = frozenset()
        self.timer: Timer | None = None
        self.tumbles_left = 0
        self.random = Random()  # noqa: S311

    def compose(self) -> ComposeResult:
        for place in range(self.count):
            yield DieFace(place)

    def on_resize(self, event: Resize) -> None:  # noqa: ARG002
        self.redraw()

    @property
    def cells(self) -> int:
        """How wide a die is drawn."""
        return LARGE if self.count * (LARGE + 1) - 1 <= self.size.width else SMALL

    def show(self, dice: Sequence[ShownDie], rolled: Collection[int] = (), *, motion: bool = False) -> None:
        """Show dice; those that were just rolled tumble first."""
        self.shown = tuple(dice)
        if rolled and motion:
            self.tumbling, self.tumbles_left = frozenset(rolled), TUMBLES
            if self.timer is None:
                self.timer = self.set_interval(TUMBLE_SECONDS, self.tumble)
        self.redraw()

    def tumble(self) -> None:
        """Show other faces for a moment."""
        self.tumbles_left -= 1
        if self.tumbles_left <= 0:
            self.tumbling = frozenset()
            if self.timer:
                self.timer.stop()
                self.timer = None
        self.redraw()

    def redraw(self) -> None:
        for face in self.query(DieFace):
            shown = self.shown[face.place]
            if face.place in self.tumbling and shown.value is not None:
                shown = ShownDie(self.random.randint(1, 6), caption=shown.caption)
            face.show(shown, self.faces, self.cells)
