"""The first screen: a game to continue, the editions, your own rules, and what was played before.

What is shown only later is imported only then.
"""

from collections.abc import Iterable
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from knobel.errors import KnobelError
from knobel.host import Host
from knobel.host.room_device import TERMINAL
from knobel.host.unfinished_games import walk_unfinished_rooms
from knobel.lang import Translator, format_sentence
from knobel.phrase import LanguageName
from knobel.rooms.room import Room, find_room_edition
from knobel.rules import Edition, edition_ids, load_edition
from knobel.rules.families import list_boxes
from knobel.rules.leaflet import list_specials, summarize_players
from knobel.tui.key_bar import KeyHint
from knobel.tui.page_screen import PageScreen

CONTINUE, OWN_RULES, HISTORY, STATISTICS = "continue", "own", "history", "statistics"
BANNER = "⚀ ⚁ ⚂ ⚃ ⚄ ⚅"


class HomeScreen(PageScreen):
    """Lists what can be played."""

    def __init__(self, words: Translator, host: Host) -> None:
        super().__init__(words)
        self.host = host
        self.unfinished: Room | None = None

    @property
    def heading(self) -> str:
        return self.words("web.home.under")

    def list_keys(self) -> list[KeyHint]:
        words = self.words
        return [
            ("enter", "↵", words("web.home.play")),
            ("r", "r", words("web.bar.rules")),
            ("s", "s", words("web.bar.settings")),
            ("q", "q", words("interface.tui.key.quit")),
        ]

    def compose_page(self) -> ComposeResult:
        with Horizontal(id="home"):
            yield OptionList(id="shelf", markup=False)
            with VerticalScroll(id="about", can_focus=False):
                yield Static(id="card")

    async def on_mount(self) -> None:
        await self.fill()
        self.query_one(OptionList).focus()

    async def change_language(self, words: Translator) -> None:
        """Say everything in another language."""
        self.words = words
        await self.recompose()
        await self.fill()

    async def on_screen_resume(self) -> None:
        """Look again which game can be continued."""
        if self.is_mounted:
            await self.fill()

    async def fill(self) -> None:
        """List the unfinished game that was played last, then what can be begun."""
        games = self.query_one(OptionList)
        chosen = games.highlighted
        self.unfinished = await find_unfinished_room(self.host)
        editions = sort_editions(map(load_edition, edition_ids()), self.words.lang, self.app.settings.edition)
        options = [Option(name_edition(edition), edition.id) for edition in editions]
        options.append(Option(self.words("web.home.house_rules"), OWN_RULES))
        options.append(Option(self.words("web.games.title"), HISTORY))
        options.append(Option(self.words("web.stats.title"), STATISTICS))
        if self.unfinished is not None:
            title = find_room_edition(self.unfinished).title
            options.insert(0, Option(f"▸ {self.words('web.home.continue_title', title=title)}", CONTINUE))
        games.clear_options()
        games.add_options(options)
        games.border_title = self.words("web.home.which")
        last = [place for place, option in enumerate(options) if option.id == self.app.settings.edition]
        games.highlighted = 0 if self.unfinished else last[0] if last and chosen is None else chosen or 0

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self.query_one("#card", Static).update(self.describe(str(event.option_id)))

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        match str(event.option_id):
            case "continue" if self.unfinished is not None:
                from knobel.tui.game_room import resume_game

                self.app.show_table(await resume_game(self.host, self.words.lang, self.unfinished))
            case "own":
                from knobel.tui.questions import TypeScreen

                self.app.push_screen(TypeScreen(self.words("web.home.house_rules")), self.open_house_rules)
            case "history":
                from knobel.tui.history_screen import HistoryScreen

                self.app.push_screen(HistoryScreen(self.words, self.host))
            case "statistics":
                from knobel.tui.statistics_screen import StatisticsScreen

                self.app.push_screen(StatisticsScreen(self.words, self.host))
            case name if name in edition_ids():
                self.set_up(load_edition(name))

    def set_up(self, edition: Edition) -> None:
        """Let players agree on what is played."""
        from knobel.tui.setup_screen import SetupScreen

        self.app.push_screen(SetupScreen(self.words, self.host, edition, self.app.settings))

    def open_house_rules(self, path: str | None) -> None:
        """Choose what is agreed for the rules of a file."""
        if not path:
            return
        try:
            edition = load_edition(str(Path(path).expanduser().resolve()))
        except KnobelError as error:
            self.query_one("#card", Static).update(Content.styled(self.words.describe_error(error), "$warning bold"))
            return
        self.set_up(edition)

    async def press(self, key: str) -> bool:
        games = self.query_one(OptionList)
        chosen = games.get_option_at_index(games.highlighted).id if games.highlighted is not None else None
        if key == "r" and chosen in edition_ids():
            from knobel.tui.rules_screen import RulesScreen

            edition = load_edition(str(chosen))
            text = edition.choose_text(None, self.words.lang)
            self.app.push_screen(RulesScreen(self.words, edition, text, {}))
        elif key == "s":
            from knobel.tui.settings_screen import SettingsScreen

            self.app.push_screen(SettingsScreen(self.words, self.app.settings))
        elif key in ("q", "escape"):
            self.app.exit()
        else:
            return False
        return True

    def describe(self, chosen: str) -> Content:
        """Describe an edition, or what else was chosen."""
        if chosen in edition_ids():
            return describe_edition(load_edition(chosen), self.words.lang)
        if chosen == CONTINUE and self.unfinished is not None:
            return describe_unfinished(self.unfinished, self.words)
        others = {HISTORY: "web.games.under", STATISTICS: "web.stats.under"}
        return Content(format_sentence(self.words(others.get(chosen, "web.home.hero"))))


async def find_unfinished_room(host: Host) -> Room | None:
    """Find the room of the unfinished game that was played last."""
    async for found in walk_unfinished_rooms(host.store, TERMINAL):
        if isinstance(found, Room):
            return found
    return None


def sort_editions(editions: Iterable[Edition], lang: str, last: str | None) -> list[Edition]:
    """Sort as the browser does: played last, with a score sheet, printed in this language, and for it alone."""

    def rank(edition: Edition) -> tuple[bool, bool, bool, int]:
        has_sheet = bool(list_boxes(edition.rules(edition.choose_text(None, lang))))
        return edition.id != last, not has_sheet, lang not in edition.printed, len(edition.printed)

    return sorted(editions, key=rank)


def name_edition(edition: Edition) -> str:
    return f"{edition.title} · {edition.printed_by}" if edition.printed_by else edition.title


def describe_unfinished(room: Room, words: Translator) -> Content:
    """Say who plays the game that can be continued."""
    names = words.join_list(seat.name for seat in room.seats)
    return Content.assemble((find_room_edition(room).title, "$primary bold"), "\n\n", names)


def describe_edition(edition: Edition, lang: str) -> Content:
    """Say how an edition feels to play, who may play it, and what is special about it."""
    words = Translator(lang, edition)
    text = edition.choose_text(None, lang)
    rules = edition.rules(text)
    boxes = len(list_boxes(rules))
    facts = [words.translate(summarize_players(rules)), words("web.home.dice", n=rules.dice)]
    facts += [words("web.home.boxes", n=boxes)] if boxes else []
    languages = words.join_list(words.format_value(LanguageName(one)) for one in edition.printed)
    line = edition.find_line(text)
    specials = Content("\n").join(Content(f"– {words.translate(special)}") for special in list_specials(edition))
    parts = [
        Content.styled(BANNER, "$accent bold"),
        Content.assemble((edition.title, "$primary bold"), (f"  {edition.printed_by}", "$faint")),
        Content.styled(words(f"rules.line.{line}") if line else "", "italic"),
        Content(" · ".join(facts)),
        specials,
        Content.styled(words("web.home.printed", languages=languages), "$faint"),
    ]
    return Content("\n\n").join(parts)
