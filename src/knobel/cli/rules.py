"""`knobel rules`: the complete rules of an edition, one sentence each, with sources."""

from knobel.cli.parser import JSON, LANG, SET, TEXT, Argument, Command, Given
from knobel.cli.screen import say, say_json, say_paragraph
from knobel.cli.selection import Selection, read_selection
from knobel.phrase import LanguageName
from knobel.rules.articles import Article
from knobel.rules.leaflet import build_articles, build_package_articles, cite_article, list_chapters, list_switches


def run(given: Given) -> None:
    table = read_selection(given, quiet=given.has("json"))
    if given.has("json"):
        say_json(build_json(table))
        return
    show(table)


def show(selection: Selection) -> None:
    """Print the rules."""
    words = selection.words
    say(format_heading(selection))
    for chapter, found in list_chapters(selection.edition, selection.text, selection.switches):
        say(f"\n{words(f'rules.chapter.{chapter}')}")
        for article in found:
            say_paragraph(words.translate(article.phrase), "  ")
            if selection.edition.publisher:
                say_paragraph(f"[{cite_source(selection, article)}]", "      ")
    say(f"\n{words('rules.chapter.switches')}")
    for state in list_switches(selection.edition, selection.text, selection.switches):
        facts = words(
            "interface.rules.switch",
            name=state.name,
            value=state.value,
            allowed=state.allowed,
            default=state.default,
        )
        say_paragraph(facts, "  ")
        say_paragraph(words(f"rules.switch.{state.name}"), "      ")
        if not state.matters:
            say_paragraph(words("interface.rules.no_effect"), "      ")


def format_heading(selection: Selection) -> str:
    """Name the edition and the text whose rules are shown."""
    words, edition = selection.words, selection.edition
    language = LanguageName(selection.text)
    if not edition.publisher:
        return words("interface.rules.house", title=edition.title)
    if edition.base:
        return words("interface.rules.house_over", title=edition.title, base=edition.base, language=language)
    return words("interface.rules.printed", title=edition.title, publisher=edition.publisher, language=language)


def cite_source(selection: Selection, article: Article) -> str:
    """Cite the source of a rule."""
    return selection.words.translate(cite_article(selection.edition, selection.text, article))


def build_json(selection: Selection) -> dict[str, object]:
    """Describe the rules as JSON."""
    return {
        "edition": selection.edition.id,
        "title": selection.edition.title,
        "lang": selection.words.lang,
        "text": selection.text,
        "fingerprint": selection.rules.fingerprint,
        "notes": [selection.words.translate(note) for note in selection.edition.notes],
        "rules": [
            describe_article(selection, article)
            for article in build_articles(selection.edition, selection.text, selection.switches)
        ],
        "package": [describe_article(selection, article) for article in build_package_articles(selection.edition)],
        "switches": {
            state.name: {
                "value": state.value,
                "default": state.default,
                "allowed": state.allowed,
                "matters": state.matters,
                "reason": selection.words(f"rules.switch.{state.name}"),
            }
            for state in list_switches(selection.edition, selection.text, selection.switches)
        },
    }


def describe_article(selection: Selection, article: Article) -> dict[str, str]:
    """Describe one article as JSON."""
    return {
        "topic": article.topic,
        "rule": selection.words.translate(article.phrase),
        "source": cite_source(selection, article),
    }


COMMAND = Command("rules", (Argument("edition"),), (LANG, TEXT, SET, JSON), run)
