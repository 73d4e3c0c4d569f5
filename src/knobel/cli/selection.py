"""What most commands are asked first: which box, in which words, by which text and switches."""

from dataclasses import dataclass

from knobel.cli.parser import Given
from knobel.cli.screen import say
from knobel.lang import Translator, choose_language
from knobel.rules import Edition, load_edition
from knobel.rules.round_rules import RoundRules
from knobel.rules.sheet_rules import SheetRules
from knobel.rules.switches import SWITCH_VALUES, read_switches


@dataclass(frozen=True, slots=True)
class Selection:
    """The box on the table, as it is played and spoken about."""

    edition: Edition
    text: str
    switches: dict[str, str]
    words: Translator

    @property
    def rules(self) -> SheetRules:
        """The rules of a score-sheet game; other families have none."""
        return self.edition.rules(self.text, self.switches)

    @property
    def round_rules(self) -> RoundRules:
        """The rules of a game of rounds."""
        return self.edition.round_rules(self.text, self.switches)


def say_notes(words: Translator, *editions: Edition) -> None:
    """Say once which keys of a rules file have new names."""
    for note in dict.fromkeys(note for edition in editions for note in edition.notes):
        say(words.translate(note), aside=True)


def read_selection(given: Given, *, quiet: bool = False) -> Selection:
    """Open the edition that was asked for, with its text and switches."""
    asked = given.value("lang")
    lang = choose_language(asked)
    edition = load_edition(given.required("edition"))
    text = edition.choose_text(given.value("text"), lang if asked else None)
    words = Translator(lang, edition)
    if not quiet:
        say_notes(words, edition)
    return Selection(edition, text, read_switches(given.values("set"), SWITCH_VALUES[edition.family]), words)
