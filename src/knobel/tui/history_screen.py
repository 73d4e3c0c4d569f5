"""The games that are over: when each was played, and how everybody did; one that is chosen is reviewed."""

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from knobel.errors import KnobelError
from knobel.host import Host
from knobel.host.coach_service import CoachService
from knobel.host.history_text import format_ended, format_ranking
from knobel.host.play_history import HistoryGame, PlayHistory
from knobel.lang import Translator
from knobel.store.people import GameFilter
from knobel.tui.key_bar import KeyHint
from knobel.tui.page_screen import PageScreen
from knobel.tui.review_screen import ReviewScreen

PAGE_GAMES = 50
OLDER = "older"


class HistoryScreen(PageScreen):
    """Lists finished games, the last first."""

    def __init__(self, words: Translator, host: Host) -> None:
        super().__init__(words)
        self.coaching = CoachService(host)
        self.history = PlayHistory(host.store, host.statistics, is_open=True)
        self.following: tuple[float, str] | None = GameFilter().before

    @property
    def heading(self) -> str:
        return self.words("web.games.title")

    def list_keys(self) -> list[KeyHint]:
        return [("enter", "↵", self.words("web.end.review")), *super().list_keys()]

    def compose_page(self) -> ComposeResult:
        yield OptionList(id="games", markup=False)
        yield Static(id="said", markup=False)

    async def on_mount(self) -> None:
        self.query_one(OptionList).focus()
        await self.list_more()

    async def list_more(self) -> None:
        """List some more games, and offer those before them."""
        if self.following is None:
            return
        wanted = GameFilter(before=self.following, limit=PAGE_GAMES)
        found, self.following = await self.history.list_all_games(wanted)
        games = self.query_one(OptionList)
        if games.option_count:
            games.remove_option(OLDER)
        first = games.option_count
        games.add_options([Option(draw_game(game, self.words), game.results[0].row.game) for game in found])
        if self.following is not None:
            games.add_option(Option(self.words("web.games.more"), OLDER))
        if games.option_count:
            games.highlighted = min(first, games.option_count - 1)
        else:
            self.say(self.words("web.games.none"))

    def say(self, sentence: str) -> None:
        self.query_one("#said", Static).update(sentence)

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id == OLDER:
            await self.list_more()
            return
        try:
            table = await self.coaching.load_finished_game(str(event.option_id))
        except KnobelError as error:
            self.say(self.words.describe_error(error))
            return
        self.say("")
        self.app.push_screen(ReviewScreen(self.words, self.coaching, table, self.app.settings.faces, None))


def draw_game(game: HistoryGame, words: Translator) -> Content:
    """Draw a game: when it ended and what it was, then everybody's place and total."""
    return Content.assemble(
        (game.results[0].row.title, "bold"),
        f" · {format_ended(game, words)}\n   ",
        format_ranking(game),
    )
