"""What most commands are asked first: which box, in which words, by which text and switches."""

from dataclasses import dataclass

from knobel.cli.line import Given
from knobel.lang import Words, language
from knobel.rules import Edition, load
from knobel.rules.ruleset import SheetRules
from knobel.rules.switches import read_switches


@dataclass(frozen=True, slots=True)
class Chosen:
    """The box on the table, as it is played and spoken about."""

    edition: Edition
    text: str
    switches: dict[str, str]
    rules: SheetRules
    words: Words


def choose(given: Given) -> Chosen:
    """Lay the box on the table that was asked for."""
    asked = given.word("lang")
    lang = language(asked)
    edition = load(given.the("edition"))
    text = edition.text_for(given.word("text"), lang if asked else None)
    switches = read_switches(given.all("set"))
    return Chosen(edition, text, switches, edition.rules(text, switches), Words(lang, edition))
