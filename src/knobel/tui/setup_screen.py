"""What is agreed before a game: who plays, which text, who starts, whose dice, the rules people argue about."""

from dataclasses import dataclass, replace
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Button, Input, Select, Static

from knobel.bots import find_kind
from knobel.bots.averages import find_averages, sort_by_strength
from knobel.errors import KnobelError
from knobel.extras import find_missing
from knobel.host import Host
from knobel.lang import Translator, has_message, list_printed_names
from knobel.phrase import LanguageName
from knobel.rooms.intents import ChangeSettings, Sit, SitBot, Start
from knobel.rules import Edition, edition_ids
from knobel.rules.leaflet import list_switches
from knobel.rules.toml_file import MAX_BYTES, read_bytes
from knobel.solve_worker import find_par
from knobel.tui.form import FormRow, build_select
from knobel.tui.game_room import open_game
from knobel.tui.key_bar import KeyHint
from knobel.tui.page_screen import PageScreen
from knobel.tui.rules_screen import RulesScreen
from knobel.tui.settings import ScreenSettings

PERSON, NOBODY = "person", "nobody"
MAX_ROWS = 8
"""How many seats the form has; more do not fit around a terminal."""
GAMES = (1, 2, 3, 5, 7, 10)
AS_PRINTED = "printed"
STARTS: dict[str, Start] = {"first": "first", "random": "random", "roll": "roll_off"}
"""Who may start, by the last part of the key that names it."""
USUAL_BOTS = ("cautious", "greedy")


@dataclass(frozen=True, slots=True)
class SeatChoice:
    """Who sits on a seat: a person by name, or a bot by its kind."""

    kind: str
    name: str


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
            ("tab", "Tab", words("tui.key.next")),
            ("f2", "F2", words("web.bar.rules")),
            *super().list_keys(),
        ]

    def compose_page(self) -> ComposeResult:
        words = self.words
        with Horizontal(id="setup"):
            with VerticalScroll(id="seats", classes="form", can_focus=False):
                for number, choice in enumerate(self.suggest_seats()):
                    yield SeatRow(number, choice, self.list_kinds())
            with VerticalScroll(id="agreed", classes="form", can_focus=False):
                yield from self.compose_agreement()
        with Horizontal(id="begin"):
            yield Button(words("web.lobby.start"), id="start", variant="primary")
            yield Static(id="problem", markup=False)

    def compose_agreement(self) -> ComposeResult:
        """Ask for what may be agreed, as printed at first."""
        words, edition = self.words, self.edition
        if len(edition.printed) > 1 and edition.publisher:
            texts = [(words.format_value(LanguageName(one)), one) for one in edition.printed]
            yield FormRow(words("web.agree.text"), build_select(texts, self.text, "text"))
        games = [(words("web.agree.games_n", n=count), str(count)) for count in GAMES]
        yield FormRow(words("web.agree.games"), build_select(games, "1", "games"))
        starts = [(words(f"web.agree.start.{one}"), one) for one in STARTS]
        printed = (words("web.agree.as_printed"), AS_PRINTED)
        yield FormRow(words("web.agree.start"), build_select([printed, *starts], AS_PRINTED, "start"))
        dice = [(words("web.lobby.ours"), "ours"), (words("web.lobby.real"), "real")]
        yield FormRow(words("web.settings.faces"), build_select(dice, "ours", "dice"))
        switches = [one for one in list_switches(edition, self.text, {}) if one.matters]
        if switches:
            yield Static(words("web.agree.switches"), classes="heading", markup=False)
        for one in switches:
            options = [(name_switch_value(words, one.name, value), value) for value in one.allowed]
            label = words(f"web.switch.{one.name}", **list_printed_names(words))
            yield FormRow(label, build_select(options, one.default, f"switch-{one.name}"))

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
        return [(words("tui.setup.person"), PERSON), *bots, (words("web.lobby.free"), NOBODY)]

    async def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        await self.start()

    async def press(self, key: str) -> bool:
        if key == "f5":
            await self.start()
        elif key == "f2":
            self.app.push_screen(
                RulesScreen(self.words, self.edition, self.read("text", self.text), self.read_switches())
            )
        else:
            return await super().press(key)
        return True

    async def start(self) -> None:
        """Begin the game, or say why it cannot begin."""
        seats, rows = self.read_seats(), list(self.query(SeatRow))
        try:
            game = await open_game(self.host, self.words.lang, self.read_agreement(), seats)
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

    def read(self, name: str, otherwise: str) -> str:
        """Read what is chosen in a row of the form, if it has that row."""
        found = self.query(f"#choose-{name}").results(Select)
        return next((str(one.value) for one in found), otherwise)

    def read_switches(self) -> dict[str, str]:
        """Read the switches that are not as printed."""
        chosen = self.read("text", self.text)
        states = list_switches(self.edition, chosen, {})
        values = {one.name: self.read(f"switch-{one.name}", one.default) for one in states}
        return {one.name: values[one.name] for one in states if values[one.name] != one.default}

    def read_agreement(self) -> ChangeSettings:
        """Read everything that is agreed."""
        own = self.edition.id not in edition_ids()
        start = self.read("start", AS_PRINTED)
        return ChangeSettings(
            self.edition.id,
            self.read("text", self.text),
            self.read_switches(),
            int(self.read("games", "1")),
            read_bytes(Path(self.edition.id), MAX_BYTES).decode("utf-8") if own else None,
            pace=self.app.settings.seconds,
            start=STARTS.get(start),
        )

    def read_seats(self) -> list[Sit | SitBot]:
        """Read who plays; a person without a name gets one."""
        real, seats = self.read("dice", "ours") == "real", list[Sit | SitBot]()
        for row in self.query(SeatRow):
            choice = row.read()
            if choice.kind == PERSON:
                seats.append(Sit(choice.name or self.words("web.home.you"), real_dice=real))
            elif choice.kind in self.bots:
                seats.append(SitBot(choice.kind, self.bots[choice.kind]))
        return seats


class SeatRow(Horizontal):
    """One seat: who sits there, and the name of a person."""

    def __init__(self, number: int, choice: SeatChoice, kinds: list[tuple[str, str]]) -> None:
        super().__init__(classes="row seat")
        self.number = number
        self.choice = choice
        self.kinds = kinds

    def compose(self) -> ComposeResult:
        yield build_select(self.kinds, self.choice.kind, f"seat-{self.number}")
        name = Input(self.choice.name, id=f"name-{self.number}", compact=True, max_length=20)
        name.display = self.choice.kind == PERSON
        yield name

    def on_select_changed(self, event: Select.Changed) -> None:
        self.query_one(Input).display = event.value == PERSON

    def read(self) -> SeatChoice:
        return SeatChoice(str(self.query_one(Select).value), self.query_one(Input).value.strip())


def list_bots(words: Translator, edition: Edition, text: str) -> dict[str, str]:
    """List the bots that can play here by name, the weakest first; some need what may not be installed."""
    rules = edition.rules(text)
    found = sort_by_strength(rules.family, find_averages(rules, find_par))
    extras = {bot: find_kind(bot, rules.family).extra for bot in found}
    return {bot: words(f"web.bot.{bot.replace(':', '_')}") for bot in found if is_installed(extras[bot])}


def is_installed(extra: str | None) -> bool:
    return extra is None or find_missing(extra) is None


def name_switch_value(words: Translator, name: str, value: str) -> str:
    """Name what a switch may be."""
    if value in ("true", "false"):
        return words("web.ask.yes" if value == "true" else "web.ask.no")
    key = f"web.switch.{name}.{value}"
    return words(key) if has_message(key, "en") else value
