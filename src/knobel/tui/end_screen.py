"""The end of a game: who won, everybody's place, and what comes next."""

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from knobel.errors import KnobelError
from knobel.lang import format_sentence
from knobel.rooms.room import find_room_edition
from knobel.rooms.series import find_series
from knobel.tui.families import FAMILIES
from knobel.tui.game_board import GameBoard
from knobel.tui.game_room import GameRoom
from knobel.tui.page_screen import PageScreen
from knobel.tui.position import Position
from knobel.tui.review_screen import ReviewScreen
from knobel.tui.settings import ScreenSettings
from knobel.tui.setup_screen import SetupScreen
from knobel.view.standings import list_standings

REVIEW, AGAIN, CHANGE, HOME = "review", "again", "change", "home"


class EndScreen(PageScreen):
    """Shows the finished sheet, the ranking, and what can be done now."""

    def __init__(self, game: GameRoom, settings: ScreenSettings) -> None:
        self.game = game
        self.settings = settings
        self.position = game.draw()
        super().__init__(self.position.words)

    @property
    def heading(self) -> str:
        return f"{self.position.table.header.edition.title}: {self.words('web.end.end')}"

    def compose_page(self) -> ComposeResult:
        with Horizontal(id="table"):
            with VerticalScroll(id="sheet", can_focus=False):
                yield FAMILIES[self.position.family].board(has_cursor=False)
            with Vertical(id="result"):
                yield Static(draw_result(self.position), id="ranking")
                if series := self.draw_series():
                    yield Static(series, id="series", markup=False)
                yield Static(id="summary", markup=False)
                yield OptionList(*(Option(text, name) for name, text in self.list_choices()), id="next", markup=False)
                yield Static(self.words("interface.play.saved", game=self.position.table.header.game), id="saved")

    def list_choices(self) -> list[tuple[str, str]]:
        """List what can be done now: the next game first, if one more is agreed."""
        words, series = self.words, find_series(self.game.room)
        again = (
            words("web.end.rematch")
            if series.is_over
            else words("web.end.next_game", number=len(series.totals) + 1, games=series.games)
        )
        choices = [(AGAIN, again)]
        if self.position.view.places is not None:
            choices.append((REVIEW, words("web.end.review")))
        return [*choices, (CHANGE, words("web.end.change")), (HOME, words("web.end.home"))]

    def draw_series(self) -> str:
        """Say how a series of several games stands."""
        series = find_series(self.game.room)
        if series.games == 1:
            return ""
        names = [seat.name for seat in self.position.table.header.seats]
        return "\n".join(
            self.words(line.key, place=line.place, names=self.words.join_sentence(line.names), n=line.score)
            for line in list_standings(series, names)
        )

    def on_mount(self) -> None:
        board = self.query_one(GameBoard)
        board.show(self.position)
        self.query_one("#sheet").border_title = self.words(board.title)
        self.query_one("#next", OptionList).focus()
        self.run_worker(self.summarize(), exclusive=True)

    async def summarize(self) -> None:
        """Let the coach say one sentence, if it knows these rules already."""
        people = sorted(self.position.here)
        if not people or self.position.view.places is None:
            return
        try:
            _, said = await self.game.coaching.summarize_seat(self.position.table.header.game, people[0])
        except KnobelError:
            return
        if said is not None:
            self.query_one("#summary", Static).update(format_sentence(self.words.translate(said)))

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        match event.option_id:
            case "again":
                await self.play_again()
            case "review":
                coaching, table = self.game.coaching, self.position.table
                self.app.push_screen(ReviewScreen(self.words, coaching, table, self.settings.faces, None))
            case "change":
                edition = find_room_edition(self.game.room)
                self.app.go_home()
                self.app.push_screen(SetupScreen(self.words, self.game.host, edition, self.app.settings))
            case "home":
                self.app.go_home()

    async def play_again(self) -> None:
        """Begin the next game of the same room."""
        try:
            await self.game.begin()
        except KnobelError as error:
            self.query_one("#summary", Static).update(self.words.describe_error(error))
            return
        self.app.go_home()
        self.app.show_table(self.game)

    async def press(self, key: str) -> bool:
        if key == "escape":
            self.app.go_home()
            return True
        return False


def draw_result(position: Position) -> Content:
    """Say who won, and list all places."""
    words, outcome = position.words, position.table.replay.outcome
    if outcome is None:
        return Content.styled(words(f"web.end.{position.view.closed}"), "$primary bold")
    names = [seat.name for seat in position.table.header.seats]
    lines = [Content.styled(describe_winner(position), "$primary bold"), Content("")]
    place = 1
    for group in outcome.places:
        key = choose_place_key(position, group[0])
        people = words.join_sentence(names[seat] for seat in group)
        line = words(key, place=place, names=people, n=outcome.totals[group[0]])
        lines.append(Content.styled(line, "bold" if place == 1 else ""))
        place += len(group)
    return Content("\n").join(lines)


def describe_winner(position: Position) -> str:
    """Name the winner, or those who share the first place."""
    words, outcome = position.words, position.table.replay.outcome
    names = [seat.name for seat in position.table.header.seats]
    first = outcome.places[0] if outcome else ()
    if len(names) == 1 and outcome:
        return words("web.end.alone", n=outcome.totals[0])
    if len(first) > 1:
        return words("web.end.tie", names=words.join_sentence(names[seat] for seat in first))
    return (
        words("web.end.you_win")
        if position.is_alone and first[0] in position.here
        else words("web.end.wins", name=names[first[0]])
    )


def choose_place_key(position: Position, seat: int) -> str:
    """Choose the message for a place: of somebody who stayed, or who left the game."""
    family = FAMILIES[position.family]
    return family.left_place_key if position.view.seats[seat].left else family.place_key
