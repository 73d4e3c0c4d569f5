"""What may be agreed before a game, and who sits where, as a form."""

from dataclasses import dataclass
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Input, Select, Static

from knobel.lang import Translator, has_message, list_printed_names
from knobel.phrase import LanguageName
from knobel.rooms.intents import ChangeSettings, Start
from knobel.rules import Edition, edition_ids
from knobel.rules.leaflet import list_switches
from knobel.rules.toml_file import MAX_BYTES, read_bytes
from knobel.tui.form import FormRow, build_select

PERSON, NOBODY = "person", "nobody"
GAMES = (1, 2, 3, 5, 7, 10)
AS_PRINTED = "printed"
STARTS: dict[str, Start] = {"first": "first", "random": "random", "roll": "roll_off"}
"""Who may start, by the last part of the key that names it."""


@dataclass(frozen=True, slots=True)
class SeatChoice:
    """Who sits on a seat: a person by name, or a bot by its kind."""

    kind: str
    name: str


class AgreementForm(VerticalScroll):
    """Asks for the printed text, how many games, who starts, whose dice, and the rules people argue about."""

    def __init__(self, words: Translator, edition: Edition) -> None:
        super().__init__(id="agreed", classes="form", can_focus=False)
        self.words = words
        self.edition = edition
        self.text = edition.choose_text(None, words.lang)

    def compose(self) -> ComposeResult:
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
        yield from self.compose_switches()

    def compose_switches(self) -> ComposeResult:
        """Ask for the switches that change something here."""
        words, edition = self.words, self.edition
        switches = [one for one in list_switches(edition, self.text, {}) if one.matters]
        if switches:
            yield Static(words("web.agree.switches"), classes="heading", markup=False)
        for one in switches:
            options = [(name_switch_value(words, one.name, value), value) for value in one.allowed]
            label = words(f"web.switch.{one.name}", **list_printed_names(words))
            yield FormRow(label, build_select(options, one.default, f"switch-{one.name}"))

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

    def read_agreement(self, pace: float) -> ChangeSettings:
        """Read everything that is agreed."""
        own = self.edition.id not in edition_ids()
        start = self.read("start", AS_PRINTED)
        return ChangeSettings(
            self.edition.id,
            self.read("text", self.text),
            self.read_switches(),
            int(self.read("games", "1")),
            read_bytes(Path(self.edition.id), MAX_BYTES).decode("utf-8") if own else None,
            pace=pace,
            start=STARTS.get(start),
        )

    @property
    def has_real_dice(self) -> bool:
        return self.read("dice", "ours") == "real"


class SeatRow(Horizontal):
    """One seat: who sits there, and the name of a person."""

    def __init__(self, number: int, choice: SeatChoice, kinds: list[tuple[str, str]]) -> None:
        super().__init__(classes="seat")
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


def name_switch_value(words: Translator, name: str, value: str) -> str:
    """Name what a switch may be."""
    if value in ("true", "false"):
        return words("web.ask.yes" if value == "true" else "web.ask.no")
    key = f"web.switch.{name}.{value}"
    return words(key) if has_message(key, "en") else value
