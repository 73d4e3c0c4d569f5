"""Rows of a form: what is asked, and the control that answers it."""

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Select, Static


class FormRow(Horizontal):
    """A label and its control, side by side."""

    def __init__(self, label: str, control: Widget) -> None:
        super().__init__(classes="row")
        self.label = label
        self.control = control

    def compose(self) -> ComposeResult:
        yield Static(self.label, classes="label", markup=False)
        yield self.control


def build_select(options: list[tuple[str, str]], value: str, name: str) -> Select[str]:
    """Build a list to choose one value from; one is always chosen."""
    return Select(options, value=value, id=f"choose-{name}", allow_blank=False, compact=True)
