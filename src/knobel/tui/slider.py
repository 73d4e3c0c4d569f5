"""A slider through the moments of a game, with a mark where something was lost."""

from collections.abc import Collection

from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.widget import Widget


class MomentSlider(Widget):
    """Shows where one is in a game; a click goes there."""

    class Moved(Message):
        """Somebody chose another moment."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self) -> None:
        super().__init__(id="slider")
        self.count, self.index = 1, 0
        self.marks: Collection[int] = ()

    def show(self, index: int, count: int, marks: Collection[int]) -> None:
        self.index, self.count, self.marks = index, max(count, 1), marks
        self.refresh()

    def find_cell(self, index: int) -> int:
        """Find the cell of a moment."""
        return round(index * (max(self.size.width, 2) - 1) / max(self.count - 1, 1))

    def render(self) -> Content:
        marks, here = {self.find_cell(index) for index in self.marks}, self.find_cell(self.index)
        cells = [
            ("●", "$accent bold") if cell == here else ("┃", "$error bold") if cell in marks else ("─", "$faint")
            for cell in range(max(self.size.width, 2))
        ]
        return Content.assemble(*cells)

    def on_click(self, event: Click) -> None:
        self.post_message(self.Moved(round(event.x * (self.count - 1) / max(self.size.width - 1, 1))))
