"""Questions that lie over a screen: yes or no, or one of several."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.option_list import Option


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its two answers."""

    title: str
    text: str
    yes: str
    no: str


class AskScreen(ModalScreen[bool]):
    """Asks before something that is easily done by mistake; Escape means no."""

    def __init__(self, question: Question) -> None:
        super().__init__()
        self.question = question

    def compose(self) -> ComposeResult:
        with Vertical(classes="question"):
            yield Static(self.question.title, classes="heading", markup=False)
            yield Static(self.question.text, markup=False)
            with Horizontal(classes="answers"):
                yield Button(self.question.yes, id="yes", variant="primary")
                yield Button(self.question.no, id="no")

    def on_mount(self) -> None:
        self.query_one("#no", Button).focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")

    def on_key(self, event: Key) -> None:
        if event.key == "escape":
            self.dismiss(False)
        elif event.key in ("left", "right", "up", "down"):
            self.focus_next()
        else:
            return
        event.stop()


class ChooseScreen(ModalScreen[int | None]):
    """Lets somebody choose one line of several; Escape chooses none."""

    def __init__(self, title: str, lines: Sequence[str], text: str = "") -> None:
        super().__init__()
        self.heading = title
        self.lines = lines
        self.text = text

    def compose(self) -> ComposeResult:
        with Vertical(classes="question"):
            yield Static(self.heading, classes="heading", markup=False)
            if self.text:
                yield Static(self.text, markup=False)
            yield OptionList(*(Option(line) for line in self.lines), markup=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_index)

    def on_key(self, event: Key) -> None:
        if event.key == "escape":
            event.stop()
            self.dismiss(None)


class TypeScreen(ModalScreen[str | None]):
    """Asks for a line of text; Escape gives none."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.heading = title

    def compose(self) -> ComposeResult:
        with Vertical(classes="question"):
            yield Static(self.heading, classes="heading", markup=False)
            yield Input()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip() or None)

    def on_key(self, event: Key) -> None:
        if event.key == "escape":
            event.stop()
            self.dismiss(None)
