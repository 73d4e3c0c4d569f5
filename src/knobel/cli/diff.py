"""`knobel diff`: the rules in which two editions differ."""

from knobel.cli.parser import JSON, LANG, Argument, Command, Given
from knobel.cli.screen import say, say_columns, say_json
from knobel.cli.selection import say_notes
from knobel.errors import DifferentFamilies
from knobel.lang import Translator, choose_language
from knobel.phrase import LanguageName
from knobel.rules import Edition, edition_ids, load_edition
from knobel.rules.articles import Article, Difference
from knobel.rules.families import is_comparable
from knobel.rules.leaflet import compare_rules

LEFT, RIGHT = "-", "+"


def run(given: Given) -> None:
    asked = given.read_value("lang")
    lang = choose_language(asked)
    (left, left_text), (right, right_text) = (
        choose_side(given.required(name), lang if asked else None) for name in ("edition", "other")
    )
    rows = find_differences(left, left_text, right, right_text)
    here, there = Translator(lang, left), Translator(lang, right)
    if given.has("json"):
        say_json(
            {
                "lang": lang,
                "left": build_side_json(left, left_text),
                "right": build_side_json(right, right_text),
                "differences": [build_difference_json(row, here, there) for row in rows],
                "notes": [here.translate(note) for note in dict.fromkeys((*left.notes, *right.notes))],
            }
        )
        return
    say_notes(here, left, right)
    say(f"{LEFT} {format_title(left, left_text, here)}\n{RIGHT} {format_title(right, right_text, there)}")
    show_differences(rows, here, there)


def find_differences(left: Edition, left_text: str, right: Edition, right_text: str) -> tuple[Difference, ...]:
    """Compare two editions; refuse those of different families."""
    left_rules, right_rules = left.rules(left_text), right.rules(right_text)
    if not is_comparable(left_rules, right_rules):
        raise DifferentFamilies(left=left.title, right=right.title)
    return compare_rules(left_rules, right_rules)


def choose_side(name: str, lang: str | None) -> tuple[Edition, str]:
    """Open an edition by id or file; `id:text` chooses a printed text."""
    edition_name, colon, text = name.rpartition(":")
    if colon and (edition_name in edition_ids() or edition_name.endswith(".toml")):
        edition = load_edition(edition_name)
        return edition, edition.choose_text(text, None)
    edition = load_edition(name)
    return edition, edition.choose_text(None, lang)


def show_differences(rows: tuple[Difference, ...], here: Translator, there: Translator) -> None:
    """Print the differences."""
    if not rows:
        say(f"\n{here('interface.diff.same')}")
    for row in rows:
        say(f"\n{format_topic(row, here, there)}")
        for sign, article, words in ((LEFT, row.left, here), (RIGHT, row.right, there)):
            said = words.translate(article.phrase) if article else words("interface.diff.nothing")
            say_columns([[f"  {sign}", said]], gap=" ")


def format_topic(row: Difference, here: Translator, there: Translator) -> str:
    """Name the topic of a difference."""
    words = here if row.left else there
    group, _, box = row.topic.partition(".")
    return words.name_box(box) if group == "box" else words(f"rules.topic.{group}")


def format_title(edition: Edition, text: str, words: Translator) -> str:
    """Name one side."""
    if not edition.publisher:
        return edition.title
    language_name = LanguageName(text)
    return words("interface.rules.printed", title=edition.title, publisher=edition.publisher, language=language_name)


def build_side_json(edition: Edition, text: str) -> dict[str, object]:
    """Describe one side as JSON."""
    return {"edition": edition.id, "text": text, "fingerprint": edition.rules(text).fingerprint}


def build_difference_json(row: Difference, here: Translator, there: Translator) -> dict[str, object]:
    """Describe one difference as JSON."""

    def say_article(article: Article | None, words: Translator) -> str | None:
        return words.translate(article.phrase) if article else None

    return {"topic": row.topic, "left": say_article(row.left, here), "right": say_article(row.right, there)}


COMMAND = Command("diff", (Argument("edition"), Argument("other")), (LANG, JSON), run)
