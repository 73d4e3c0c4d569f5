"""What most commands are asked first: which box, in which words, by which text and switches."""

from dataclasses import dataclass

from knobel.cli.line import Given
from knobel.lang import Words, language
from knobel.rules import Edition, load
from knobel.rules.rounds import RoundRules
from knobel.rules.ruleset import SheetRules
from knobel.rules.switches import VALUES, read_switches


@dataclass(frozen=True, slots=True)
class Chosen:
    """The box on the table, as it is played and spoken about."""

    edition: Edition
    text: str
    switches: dict[str, str]
    words: Words

    @property
    def rules(self) -> SheetRules:
        """The rules of a score-sheet game; other families have none."""
        return self.edition.rules(self.text, self.switches)

    @property
    def round_rules(self) -> RoundRules:
        """The rules of a game of rounds."""
        return self.edition.round_rules(self.text, self.switches)


def choose(given: Given) -> Chosen:
    """Lay the box on the table that was asked for."""
    asked = given.word("lang")
    lang = language(asked)
    edition = load(given.the("edition"))
    text = edition.text_for(given.word("text"), lang if asked else None)
    return Chosen(edition, text, read_switches(given.all("set"), VALUES[edition.family]), Words(lang, edition))
