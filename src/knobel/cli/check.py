"""`knobel check`: whether a house-rule file is sound, and what it changes."""

from knobel.cli.diff import build_difference_json, show_differences
from knobel.cli.parser import JSON, LANG, Argument, Command, Given
from knobel.cli.screen import say, say_json
from knobel.cli.selection import say_notes
from knobel.lang import Translator, choose_language
from knobel.rules import load_edition
from knobel.rules.leaflet import compare_rules, describe_rules


def run(given: Given) -> None:
    edition = load_edition(given.required("file"))
    words = Translator(choose_language(given.read_value("lang")), edition)
    rules = edition.rules()
    rows = compare_rules(edition.without_house_rules().rules(), rules) if edition.base else ()
    if given.has("json"):
        say_json(
            {
                "edition": edition.id,
                "title": edition.title,
                "extends": edition.base,
                "lang": words.lang,
                "text": edition.default_text,
                "fingerprint": rules.fingerprint,
                "differences": [build_difference_json(row, words, words) for row in rows],
                "notes": [words.translate(note) for note in edition.notes],
            }
        )
        return
    say_notes(words, edition)
    say(words("interface.check.sound", title=edition.title))
    say(words.translate(describe_rules(rules)[0].phrase))
    if edition.base:
        say(words("interface.check.differs", base=edition.base))
        show_differences(rows, words, words)


COMMAND = Command("check", (Argument("file"),), (LANG, JSON), run)
