"""A review on the screen: the game moment by moment, with what was luck, what was lost and why."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from knobel.errors import KnobelError
from knobel.host.coach_service import CoachService
from knobel.host.win_chance_service import WinChanceService
from knobel.host.win_charts import WinChartService
from knobel.lang import Translator
from knobel.phrase import FormattedNumber
from knobel.record.track import Step
from knobel.table import Table
from knobel.tui.dice_tray import DiceTray, ShownDie
from knobel.tui.families import FAMILIES
from knobel.tui.game_board import GameBoard
from knobel.tui.key_bar import KeyHint
from knobel.tui.page_screen import PageScreen
from knobel.tui.position import Position, localize
from knobel.tui.review_text import FINE, describe_decision, describe_headlines, describe_luck, draw_chart
from knobel.tui.slider import MomentSlider
from knobel.tui.win_text import draw_win_chart

if TYPE_CHECKING:
    from knobel.coach.ledger import Review
    from knobel.coach.win_chart import WinChart

PLAY_SECONDS = 0.7


class ReviewScreen(PageScreen):
    """Goes through a finished game of one seat."""

    def __init__(self, words: Translator, coaching: CoachService, table: Table, faces: str, seat: int | None) -> None:
        super().__init__(localize(table, words.lang))
        self.coaching = coaching
        self.win_charts = WinChartService(coaching, WinChanceService(coaching.host.solve_queue, allow_exact=True))
        self.table = table
        self.faces = faces
        self.seat = seat
        self.review: Review | None = None
        self.win_chart: WinChart | None = None
        self.steps = sorted((step for track in table.replay.tracks for step in track.steps), key=lambda one: one.number)
        self.index = len(self.steps)
        self.timer: Timer | None = None

    @property
    def heading(self) -> str:
        return self.words("web.review.of", title=self.table.header.edition.title)

    def list_keys(self) -> list[KeyHint]:
        words = self.words
        return [
            ("right", "← →", words("web.review.step_on")),
            ("n", "n, p", words("web.review.next")),
            ("space", "␣", words("web.review.play")),
            ("w", "w", words("web.review.who")),
            *super().list_keys(),
        ]

    def compose_page(self) -> ComposeResult:
        position = self.draw_position()
        with Horizontal(id="table"):
            with VerticalScroll(id="sheet", can_focus=False):
                yield FAMILIES[position.family].board(has_cursor=False)
            with Container(id="side"):
                with Vertical(id="felt"):
                    yield Static(id="prompt", markup=False)
                    yield DiceTray(position.rules.dice, self.faces)
                    yield MomentSlider()
                with VerticalScroll(id="notes"):
                    yield Static("\n".join(map(self.words, ("web.review.busy", "web.review.first_time"))), id="note")
                    yield Static(id="headline", markup=False)
                    yield Static(id="chart")
                    yield Static(id="wins")

    def on_mount(self) -> None:
        self.query_one("#notes").border_title = self.words("web.review.notes")
        self.query_one("#sheet").border_title = self.words(self.query_one(GameBoard).title)
        self.query_one("#notes").focus()
        self.show()
        self.run_worker(self.load(), exclusive=True)

    async def load(self) -> None:
        """Ask the coach; the moments can be looked at meanwhile."""
        try:
            _, self.review = await self.coaching.review_seat(self.table.header.game, self.seat)
        except KnobelError as error:
            self.query_one("#note", Static).update(self.words.describe_error(error))
            return
        self.seat = self.review.seat
        self.show()
        wins = self.query_one("#wins", Static)
        if self.win_chart is None:
            self.win_chart = await find_win_chart(self.win_charts, self.table.header.game, self.words, wins)
        wins.update("")
        self.show()

    def draw_position(self) -> Position:
        """Draw the game as it stood at the moment."""
        events = self.table.events if self.step is None else self.table.events[: self.step.number]
        moment = Table(self.table.header, self.table.server_seed, tuple(events), self.table.header.game)
        return Position(moment, self.words)

    @property
    def step(self) -> Step | None:
        """The step that was just taken; none before the first and after the last."""
        return self.steps[self.index - 1] if 0 < self.index <= len(self.steps) else None

    def show(self) -> None:
        """Draw the moment, and what the coach says about it."""
        position, step = self.draw_position(), self.step
        self.query_one(GameBoard).show(position)
        said = position.narrate(step) if step else []
        self.query_one("#prompt", Static).update(" ".join(said) or position.prompt)
        dice = (step.after.dice or step.before.dice) if step else ()
        shown = [ShownDie(value) for value in dice] or [ShownDie()] * position.rules.dice
        self.query_one(DiceTray).show(shown)
        self.query_one(MomentSlider).show(self.index, len(self.steps) + 1, find_mistakes(self.steps, self.review))
        if self.review is not None:
            self.show_review(self.review)

    def show_review(self, review: "Review") -> None:
        number = self.step.number if self.step else 0
        notes = [describe_decision(self.words, one) for one in review.decisions if one.event_number == number]
        notes += [describe_luck(self.words, one) for one in review.luck_events if one.event_number == number]
        turns = [one.turn for one in review.decisions if one.event_number == number]
        turns += [one.turn for one in review.luck_events if one.event_number == number]
        from knobel.coach.report import name_level  # numpy loads only where it is needed

        name = self.table.header.seats[review.seat].name
        headline = "\n".join(
            [f"{name}: {self.words.translate(name_level(review))}", *describe_headlines(self.words, review)]
        )
        self.query_one("#note", Static).update(Content("\n").join(notes))
        self.query_one("#headline", Static).update(headline)
        current = turns[0] if turns else None
        self.query_one("#chart", Static).update(draw_chart(self.words, review, current))
        if self.win_chart is not None:
            names = [seat.name for seat in self.table.header.seats]
            self.query_one("#wins", Static).update(
                draw_win_chart(self.words, self.win_chart, review.seat, names, current)
            )

    def on_moment_slider_moved(self, event: MomentSlider.Moved) -> None:
        self.go_to(event.index)

    def go_to(self, index: int) -> None:
        self.index = max(0, min(index, len(self.steps)))
        self.show()

    async def press(self, key: str) -> bool:
        mistakes = find_mistakes(self.steps, self.review)
        match key:
            case "left" | "right":
                self.go_to(self.index + (1 if key == "right" else -1))
            case "home" | "end":
                self.go_to(0 if key == "home" else len(self.steps))
            case "n" | "p":
                later = [one for one in mistakes if one > self.index]
                earlier = [one for one in mistakes if one < self.index]
                self.go_to(min(later, default=self.index) if key == "n" else max(earlier, default=self.index))
            case "space":
                self.toggle_play()
            case "w":
                self.seat = ((self.seat or 0) + 1) % len(self.table.header.seats)
                self.run_worker(self.load(), exclusive=True)
            case _:
                return await super().press(key)
        return True

    def toggle_play(self) -> None:
        """Let the game run by itself, or stop it."""
        if self.timer is not None:
            self.timer.stop()
            self.timer = None
            return
        if self.index == len(self.steps):
            self.go_to(0)
        self.timer = self.set_interval(PLAY_SECONDS, self.advance)

    def advance(self) -> None:
        self.go_to(self.index + 1)
        if self.index == len(self.steps):
            self.toggle_play()


async def find_win_chart(charts: WinChartService, game: str, words: Translator, line: Static) -> "WinChart | None":
    """Work out who would have won at every moment, with progress; a game of one has no such chart."""
    chart, progress = None, 0.0
    while chart is None and progress < 1:
        done = words.format_number(FormattedNumber(progress, 0, percent=True))
        line.update(f"{words('coach.win.title')}: {done}")
        try:
            _, chart, progress = await charts.find_chart(game)
        except KnobelError:
            return None  # rules that are too large: the review stands without it
    return chart


def find_mistakes(steps: Sequence[Step], review: "Review | None") -> list[int]:
    """Find the moments at which something was lost."""
    lost = {one.event_number for one in review.decisions if one.grade != FINE} if review else set()
    return [index for index, step in enumerate(steps, 1) if step.number in lost]
