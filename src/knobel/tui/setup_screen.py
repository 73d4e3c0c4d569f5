"""What is agreed before a game: who plays, which text, who starts, whose dice, the rules people argue about."""

from dataclasses import replace

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Button, Select, Static

from knobel.bots import find_kind
from knobel.bots.averages import find_averages, sort_by_strength
from knobel.errors import KnobelError
from knobel.extras import find_missing
from knobel.host import Host
from knobel.lang import Translator
from knobel.rooms.intents import Sit, SitBot
from knobel.rules import Edition
from knobel.solve_worker import find_par
from knobel.tui.agreement_form import NOBODY, PERSON, AgreementForm, SeatChoice, SeatRow
from knobel.tui.game_room import open_game
from knobel.tui.key_bar import KeyHint
from knobel.tui.page_screen import PageScreen
from knobel.tui.rules_screen import RulesScreen
from knobel.tui.settings import ScreenSettings

MAX_ROWS = 8
"""How many seats the form has; more do not fit around a terminal."""
USUAL_BOTS = ("cautious", "greedy")


class SetupScreen(PageScreen):
    """A form with sensible answers: the button at its end starts a game at once."""

    def __init__(self, words: Translator, host: Host, edition: Edition, settings: ScreenSettings) -> None:
        super().__init__(Translator(words.lang, edition))
        self.host = host
        self.edition = edition
        self.settings = settings
        self.text = edition.choose_text(None, words.lang)
        self.bots = list_bots(self.words, edition, self.text)

    @property
    def heading(self) -> str:
        return f"{self.edition.title}: {self.words('web.lobby.under')}"

    def list_keys(self) -> list[KeyHint]:
        words = self.words
        return [
            ("f5", "F5", words("web.lobby.start")),
            ("tab", "Tab", words("interface.tui.key.next")),
            ("f2", "F2", words("web.bar.rules")),
            *super().list_keys(),
        ]

    def compose_page(self) -> ComposeResult:
        words = self.words
        with Horizontal(id="setup"):
            with VerticalScroll(id="seats", classes="form", can_focus=False):
                for number, choice in enumerate(self.suggest_seats()):
                    yield SeatRow(number, choice, self.list_kinds())
            yield AgreementForm(words, self.edition)
        with Horizontal(id="begin"):
            yield Button(words("web.lobby.start"), id="start", variant="primary")
            yield Static(id="problem", markup=False)

    def on_mount(self) -> None:
        self.query_one("#seats").border_title = self.words("web.family.who")
        self.query_one("#agreed").border_title = self.words("web.lobby.agreed")
        self.query_one("#start", Button).focus()
        self.show_free_seats()

    def on_select_changed(self, event: Select.Changed) -> None:  # noqa: ARG002
        self.show_free_seats()

    def show_free_seats(self) -> None:
        """Show the seats that are taken, and one more."""
        rows = list(self.query(SeatRow))
        taken = [row.number for row in rows if row.read().kind != NOBODY]
        for row in rows:
            row.display = row.number <= max(taken, default=-1) + 1

    def suggest_seats(self) -> list[SeatChoice]:
        """Suggest one person and the bot played against last time, and leave the other seats free."""
        usual = (self.settings.bot, *USUAL_BOTS, *self.bots)
        bot = next((one for one in usual if one in self.bots), NOBODY)
        you = SeatChoice(PERSON, self.settings.name or self.words("web.home.you"))
        return [you, SeatChoice(bot, ""), *[SeatChoice(NOBODY, "")] * (MAX_ROWS - 2)]

    def list_kinds(self) -> list[tuple[str, str]]:
        words = self.words
        bots = [(f"{name} ({words('web.lobby.bot')})", bot) for bot, name in self.bots.items()]
        return [(words("interface.tui.setup.person"), PERSON), *bots, (words("web.lobby.free"), NOBODY)]

    async def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        await self.start()

    async def press(self, key: str) -> bool:
        if key == "f5":
            await self.start()
        elif key == "f2":
            agreement = self.query_one(AgreementForm)
            self.app.push_screen(
                RulesScreen(self.words, self.edition, agreement.read("text", self.text), agreement.read_switches())
            )
        else:
            return await super().press(key)
        return True

    async def start(self) -> None:
        """Begin the game, or say why it cannot begin."""
        seats, rows = self.read_seats(), list(self.query(SeatRow))
        try:
            agreement = self.query_one(AgreementForm).read_agreement(self.app.settings.seconds)
            game = await open_game(self.host, self.words.lang, agreement, seats)
        except KnobelError as error:
            self.query_one("#problem", Static).update(self.words.describe_error(error))
            return
        people = [row.read().name for row in rows if row.read().kind == PERSON]
        bots = [row.read().kind for row in rows if row.read().kind in self.bots]
        self.app.change_settings(
            replace(
                self.app.settings,
                name=people[0] if people else "",
                bot=bots[0] if bots else self.settings.bot,
                edition=self.edition.id,
            )
        )
        self.app.pop_screen()
        self.app.show_table(game)

    def read_seats(self) -> list[Sit | SitBot]:
        """Read who plays; a person without a name gets one."""
        real, seats = self.query_one(AgreementForm).has_real_dice, list[Sit | SitBot]()
        for row in self.query(SeatRow):
            choice = row.read()
            if choice.kind == PERSON:
                seats.append(Sit(choice.name or self.words("web.home.you"), real_dice=real))
            elif choice.kind in self.bots:
                seats.append(SitBot(choice.kind, self.bots[choice.kind]))
        return seats


def list_bots(words: Translator, edition: Edition, text: str) -> dict[str, str]:
    """List the bots that can play here by name, the weakest first; some need what may not be installed."""
    rules = edition.rules(text)
    found = sort_by_strength(rules.family, find_averages(rules, find_par))
    extras = {bot: find_kind(bot, rules.family).extra for bot in found}
    return {bot: words(f"web.bot.{bot.replace(':', '_')}") for bot in found if is_installed(extras[bot])}


def is_installed(extra: str | None) -> bool:
    return extra is None or find_missing(extra) is None
