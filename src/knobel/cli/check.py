"""`knobel check`: whether a house-rule file is sound, and what it changes."""

from knobel.cli.diff import row_form, show
from knobel.cli.line import JSON, LANG, Argument, Command, Given
from knobel.cli.screen import say, say_json
from knobel.lang import Words, language
from knobel.rules import load
from knobel.rules.articles import articles, differences
from knobel.rules.round_articles import round_articles


def run(given: Given) -> None:
    """Check a file."""
    edition = load(given.the("file"))
    words = Words(language(given.word("lang")), edition)
    sheet = edition.family == "sheet"
    rules = edition.rules() if sheet else edition.round_rules()
    rows = differences(edition.as_printed().rules(), edition.rules()) if edition.base else ()
    if given.flag("json"):
        say_json(
            {
                "edition": edition.id,
                "title": edition.title,
                "extends": edition.base,
                "lang": words.lang,
                "text": edition.default_text,
                "fingerprint": rules.fingerprint,
                "differences": [row_form(row, words, words) for row in rows],
            }
        )
        return
    say(words("interface.check.sound", title=edition.title))
    written = articles(edition.rules()) if sheet else round_articles(edition.round_rules())
    say(words.say(written[0].phrase))
    if edition.base:
        say(words("interface.check.differs", base=edition.base))
        show(rows, words, words)


COMMAND = Command("check", (Argument("file"),), (LANG, JSON), run)
