"""Statistics by person and edition: the figures, and the average of every box beside perfect play."""

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from knobel.host import Host
from knobel.host.play_history import PlayHistory
from knobel.host.statistics_answers import EditionStatistics, StatisticsAnswers
from knobel.host.statistics_text import (
    BoxAverage,
    PersonStatistics,
    format_number,
    list_box_averages,
    list_figures,
    list_statistics,
)
from knobel.lang import Translator
from knobel.tui.key_bar import KeyHint
from knobel.tui.page_screen import PageScreen
from knobel.tui.sheet_board import fit

NAME_CELLS, BAR_CELLS, NUMBER_CELLS = 13, 12, 6
FIGURE_CELLS = 26
BAR, HALF_BAR, MARK = "█", "▌", "┃"


class StatisticsScreen(PageScreen):
    """Lists who played what, and shows the figures of the one that is chosen."""

    def __init__(self, words: Translator, host: Host) -> None:
        super().__init__(words)
        self.host = host
        self.rows: list[PersonStatistics] = []

    @property
    def heading(self) -> str:
        return self.words("web.stats.title")

    def list_keys(self) -> list[KeyHint]:
        return [*super().list_keys(), ("space", "␣", self.words("web.stats.chart.boxes"))]

    def compose_page(self) -> ComposeResult:
        with Horizontal(id="home"):
            yield OptionList(id="shelf", markup=False)
            with VerticalScroll(id="about"):
                yield Static(self.words("web.stats.loading"), id="card")

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()
        self.run_worker(self.load(), exclusive=True)

    async def load(self) -> None:
        """Count what is not counted yet, then list everybody."""
        answers = StatisticsAnswers(PlayHistory(self.host.store, self.host.statistics, is_open=True))
        self.rows = await list_statistics(answers, await self.host.store.list_people())
        shelf = self.query_one(OptionList)
        shelf.add_options(
            Option(self.words("web.stats.heading", name=person.name, title=one.sample.title))
            for person, one in self.rows
        )
        if self.rows:
            shelf.highlighted = 0
        else:
            self.query_one("#card", Static).update(self.words("interface.stats.none"))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        _, one = self.rows[event.option_index]
        self.query_one("#card", Static).update(draw_statistics(one, self.words))
        self.query_one("#about").scroll_home(animate=False)

    async def press(self, key: str) -> bool:
        """Scroll to the boxes, which a small screen has no room for, and back again."""
        if key != "space":
            return await super().press(key)
        about = self.query_one("#about")
        if about.scroll_y < about.max_scroll_y:
            about.scroll_end(animate=False)
        else:
            about.scroll_home(animate=False)
        return True


def draw_statistics(one: EditionStatistics, words: Translator) -> Content:
    """Draw every figure on a line of its own, then the boxes."""
    lines = [
        Content.assemble(set_cell_size(name, FIGURE_CELLS), (number, "$secondary bold"))
        for name, number in list_figures(one, words)
    ]
    return Content("\n").join([*lines, *draw_boxes(list_box_averages(one, words), words)])


def draw_boxes(boxes: Sequence[BoxAverage], words: Translator) -> list[Content]:
    """Draw a bar for the average of each box, with a mark where perfect play is."""
    if not boxes:
        return []
    scale = max(max(box.average or 0.0, box.perfect or 0.0) for box in boxes) or 1.0
    is_solved = any(box.perfect is not None for box in boxes)
    about = words("web.stats.boxes_about" if is_solved else "web.stats.boxes_unsolved")
    head = [Content(""), Content.styled(words("web.stats.chart.boxes"), "$primary bold")]
    return [*head, Content.styled(about, "$faint"), *(draw_box(box, scale, words) for box in boxes)]


def draw_box(box: BoxAverage, scale: float, words: Translator) -> Content:
    numbers = [format_number(value, "average", words) for value in (box.average, box.perfect)]
    average, perfect = (" " * (NUMBER_CELLS - cell_len(number)) + number for number in numbers)
    return Content.assemble(
        set_cell_size(fit(box.name, NAME_CELLS), NAME_CELLS),
        *draw_box_bar((box.average or 0.0) / scale, None if box.perfect is None else box.perfect / scale),
        (average, "$secondary bold"),
        (perfect, "$faint"),
    )


def draw_box_bar(share: float, mark: float | None) -> list[tuple[str, str]]:
    """Draw a bar from the left; the mark lies over it."""
    full, half = divmod(round(share * BAR_CELLS * 2), 2)
    bar = f"{BAR * full}{HALF_BAR if half else ''}".ljust(BAR_CELLS)
    if mark is None:
        return [(bar, "$success")]
    place = min(round(mark * BAR_CELLS), BAR_CELLS - 1)
    return [(bar[:place], "$success"), (MARK, "$accent bold"), (bar[place + 1 :], "$success")]
