"""What most commands are asked first: which box, in which words, by which text and switches."""

from dataclasses import dataclass

from knobel.cli.parser import Given
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


def read_selection(given: Given) -> Selection:
    """Lay the box on the table that was asked for."""
    asked = given.value("lang")
    lang = choose_language(asked)
    edition = load_edition(given.required("edition"))
    text = edition.choose_text(given.value("text"), lang if asked else None)
    return Selection(
        edition, text, read_switches(given.values("set"), SWITCH_VALUES[edition.family]), Translator(lang, edition)
    )
