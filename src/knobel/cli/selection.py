"""What most commands need first: the edition, the language, the text and the switches."""

from dataclasses import dataclass

from knobel.cli.parser import Given
from knobel.cli.screen import say
from knobel.lang import Translator, choose_language
from knobel.rules import Edition, load_edition
from knobel.rules.families import Rules, expect_round_rules, expect_sheet_rules
from knobel.rules.round_rules import RoundRules
from knobel.rules.sheet_rules import SheetRules
from knobel.rules.switches import read_switches


@dataclass(frozen=True, slots=True)
class Selection:
    """An edition as it is played and described."""

    edition: Edition
    text: str
    switches: dict[str, str]
    words: Translator

    @property
    def rules(self) -> Rules:
        """The rules of whatever family it is."""
        rules: Rules = self.edition.rules(self.text, self.switches)
        return rules

    @property
    def sheet_rules(self) -> SheetRules:
        """The rules of a score sheet, for commands that work only with one."""
        return expect_sheet_rules(self.rules, self.edition.title)

    @property
    def round_rules(self) -> RoundRules:
        """The rules of a game of rounds."""
        return expect_round_rules(self.rules)


def say_notes(words: Translator, *editions: Edition) -> None:
    """Say once which keys of a rules file have new names."""
    for note in dict.fromkeys(note for edition in editions for note in edition.notes):
        say(words.translate(note), aside=True)


def read_selection(given: Given, *, quiet: bool = False) -> Selection:
    """Open the requested edition, with its text and switches."""
    asked = given.read_value("lang")
    lang = choose_language(asked)
    edition = load_edition(given.required("edition"))
    text = edition.choose_text(given.read_value("text"), lang if asked else None)
    words = Translator(lang, edition)
    if not quiet:
        say_notes(words, edition)
    return Selection(edition, text, read_switches(given.read_values("set"), edition.switch_values), words)
