"""Settings of the terminal: language, colours, motion, faces of the dice, speed of the bots, a name."""

from dataclasses import replace

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Input, Select

from knobel.lang import COMPLETE, Translator, name_language, sort_languages
from knobel.rooms.names import clean_name
from knobel.tui.form import FormRow, build_select
from knobel.tui.page_screen import PageScreen
from knobel.tui.settings import CHOICES, NO_COLOUR, ScreenSettings

OWN_WORDS = {("theme", NO_COLOUR): "interface.tui.settings.theme.none"}
"""Values that only a terminal knows."""


class SettingsScreen(PageScreen):
    """Changes a setting as soon as something else is chosen."""

    def __init__(self, words: Translator, settings: ScreenSettings) -> None:
        super().__init__(words)
        self.settings = settings

    @property
    def heading(self) -> str:
        return self.words("web.settings.title")

    def compose_page(self) -> ComposeResult:
        words, settings = self.words, self.settings
        languages = [(name_language(one), one) for one in sort_languages() if one in COMPLETE]
        with VerticalScroll(id="settings", can_focus=False):
            chosen = settings.find_language() if settings.find_language() in COMPLETE else "en"
            yield FormRow(words("web.settings.lang"), build_select(languages, chosen, "lang"))
            for name, values in CHOICES.items():
                options = [(self.name_value(name, value), value) for value in values]
                yield FormRow(words(f"web.settings.{name}"), build_select(options, getattr(settings, name), name))
            yield FormRow(words("web.settings.name"), Input(settings.name, id="name", compact=True, max_length=20))

    def name_value(self, name: str, value: str) -> str:
        return self.words(OWN_WORDS.get((name, value), f"web.settings.{name}.{value}"))

    def on_select_changed(self, event: Select.Changed) -> None:
        name, value = str(event.select.id).removeprefix("choose-"), str(event.value)
        if value != getattr(self.settings, name):
            self.change(replace(self.settings, **{name: value}))

    def on_input_changed(self, event: Input.Changed) -> None:
        self.change(replace(self.settings, name=clean_name(event.value)))

    def change(self, settings: ScreenSettings) -> None:
        """Use and store other settings; another language is shown when the page is closed."""
        self.settings = settings
        self.app.change_settings(settings)
