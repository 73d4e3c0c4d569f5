"""`knobel rules`: the complete rules of a box, a sentence each, with its source."""

from knobel.cli.chosen import Chosen, choose
from knobel.cli.line import JSON, LANG, SET, TEXT, Argument, Command, Given
from knobel.cli.screen import paragraph, say, say_json
from knobel.phrase import LanguageName
from knobel.rules.articles import Article
from knobel.rules.leaflet import articles_of, chapters, source_of, switches_of


def run(given: Given) -> None:
    """Show the rules."""
    table = choose(given)
    if given.flag("json"):
        say_json(form(table))
        return
    show(table)


def show(table: Chosen) -> None:
    """Write the rules for people."""
    words = table.words
    say(heading(table))
    for chapter, found in chapters(table.edition, table.text, table.switches):
        say(f"\n{words(f'rules.chapter.{chapter}')}")
        for article in found:
            paragraph(words.say(article.phrase), "  ")
            if table.edition.publisher:
                paragraph(f"[{cited(table, article)}]", "      ")
    say(f"\n{words('rules.chapter.switches')}")
    for state in switches_of(table.edition, table.text, table.switches):
        facts = words(
            "interface.rules.switch",
            name=state.name,
            value=state.value,
            allowed=state.allowed,
            default=state.default,
        )
        paragraph(facts, "  ")
        paragraph(words(f"rules.switch.{state.name}"), "      ")
        if not state.matters:
            paragraph(words("interface.rules.no_effect"), "      ")


def heading(table: Chosen) -> str:
    """Name the box and the text whose rules are shown."""
    words, edition = table.words, table.edition
    language = LanguageName(table.text)
    if not edition.publisher:
        return words("interface.rules.house", title=edition.title)
    if edition.base:
        return words("interface.rules.house_over", title=edition.title, base=edition.base, language=language)
    return words("interface.rules.printed", title=edition.title, publisher=edition.publisher, language=language)


def cited(table: Chosen, article: Article) -> str:
    """Say where a rule stands."""
    return table.words.say(source_of(table.edition, table.text, article))


def form(table: Chosen) -> dict[str, object]:
    """Write the rules for machines."""
    return {
        "edition": table.edition.id,
        "title": table.edition.title,
        "lang": table.words.lang,
        "text": table.text,
        "fingerprint": (table.rules if table.edition.family == "sheet" else table.round_rules).fingerprint,
        "rules": [
            {"topic": article.topic, "rule": table.words.say(article.phrase), "source": cited(table, article)}
            for article in articles_of(table.edition, table.text, table.switches)
        ],
        "switches": {
            state.name: {
                "value": state.value,
                "default": state.default,
                "allowed": state.allowed,
                "matters": state.matters,
                "reason": table.words(f"rules.switch.{state.name}"),
            }
            for state in switches_of(table.edition, table.text, table.switches)
        },
    }


COMMAND = Command("rules", (Argument("edition"),), (LANG, TEXT, SET, JSON), run)
