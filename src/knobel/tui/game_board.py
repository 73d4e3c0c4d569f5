"""What the boards of all families share: they show a position, and say which box was chosen."""

from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from knobel.tui.position import Position


class GameBoard(Widget):
    """The sheet or the chips of everybody; a family that has no board of its own shows the players."""

    class BoxPressed(Message):
        """Somebody pressed a box."""

        def __init__(self, box: str) -> None:
            super().__init__()
            self.box = box

    def __init__(self, *, has_cursor: bool = True) -> None:
        super().__init__(id="board")
        self.has_cursor = has_cursor
        """Whether somebody can choose a box; where a game is only looked at, nobody can."""
        self.position: Position | None = None

    @property
    def title(self) -> str:
        """The key of its name."""
        return "web.player.all"

    @property
    def chosen_box(self) -> str | None:
        """The box the cursor is on."""
        return None

    def show(self, position: Position) -> None:
        self.position = position
        self.refresh(layout=True)

    def move(self, steps: int) -> None:
        """Move the cursor up or down."""

    def find_box(self, letter: str) -> str | None:  # noqa: ARG002
        """Find the box of a key."""
        return None

    def render(self) -> Content:
        seats = self.position.table.header.seats if self.position else ()
        return Content("\n".join(seat.name for seat in seats))
