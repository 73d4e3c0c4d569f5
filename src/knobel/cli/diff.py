"""`knobel diff`: what plays differently between two boxes, row by row."""

from knobel.cli.line import JSON, LANG, Argument, Command, Given
from knobel.cli.screen import columns, say, say_json
from knobel.errors import TwoFamilies
from knobel.lang import Words, language
from knobel.phrase import BoxName, LanguageName
from knobel.rules import Edition, editions, load
from knobel.rules.articles import Article, Difference, compared, differences
from knobel.rules.round_articles import round_articles

LEFT, RIGHT = "-", "+"


def run(given: Given) -> None:
    """Compare two boxes."""
    asked = given.word("lang")
    lang = language(asked)
    (left, left_text), (right, right_text) = (
        opened(given.the(name), lang if asked else None) for name in ("edition", "other")
    )
    rows = rows_between(left, left_text, right, right_text)
    here, there = Words(lang, left), Words(lang, right)
    if given.flag("json"):
        say_json(
            {
                "lang": lang,
                "left": side(left, left_text),
                "right": side(right, right_text),
                "differences": [row_form(row, here, there) for row in rows],
            }
        )
        return
    say(f"{LEFT} {title(left, left_text, here)}\n{RIGHT} {title(right, right_text, there)}")
    show(rows, here, there)


def rows_between(left: Edition, left_text: str, right: Edition, right_text: str) -> tuple[Difference, ...]:
    """Compare two games of one family; two families have no row in common."""
    if left.family != right.family:
        raise TwoFamilies(left=left.title, right=right.title)
    if left.family == "sheet":
        return differences(left.rules(left_text), right.rules(right_text))
    return compared(round_articles(left.round_rules(left_text)), round_articles(right.round_rules(right_text)))


def opened(name: str, lang: str | None) -> tuple[Edition, str]:
    """Open a box by id or file; `id:text` chooses a printed text."""
    box, colon, text = name.rpartition(":")
    if colon and (box in editions() or box.endswith(".toml")):
        edition = load(box)
        return edition, edition.text_for(text, None)
    edition = load(name)
    return edition, edition.text_for(None, lang)


def show(rows: tuple[Difference, ...], here: Words, there: Words) -> None:
    """Write the rows for people."""
    if not rows:
        say(f"\n{here('interface.diff.same')}")
    for row in rows:
        say(f"\n{topic(row, here, there)}")
        for sign, article, words in ((LEFT, row.left, here), (RIGHT, row.right, there)):
            said = words.say(article.phrase) if article else words("interface.diff.nothing")
            columns([[f"  {sign}", said]], gap=" ")


def topic(row: Difference, here: Words, there: Words) -> str:
    """Name what a row is about."""
    group, _, box = row.topic.partition(".")
    if group != "box":
        return here(f"rules.topic.{group}")
    return (here if row.left else there).word(BoxName(box))


def title(edition: Edition, text: str, words: Words) -> str:
    """Name one side."""
    if not edition.publisher:
        return edition.title
    language_name = LanguageName(text)
    return words("interface.rules.printed", title=edition.title, publisher=edition.publisher, language=language_name)


def side(edition: Edition, text: str) -> dict[str, object]:
    """Name one side for machines."""
    rules = edition.rules(text) if edition.family == "sheet" else edition.round_rules(text)
    return {"edition": edition.id, "text": text, "fingerprint": rules.fingerprint}


def row_form(row: Difference, here: Words, there: Words) -> dict[str, object]:
    """Write one row for machines."""

    def said(article: Article | None, words: Words) -> str | None:
        return words.say(article.phrase) if article else None

    return {"topic": row.topic, "left": said(row.left, here), "right": said(row.right, there)}


COMMAND = Command("diff", (Argument("edition"), Argument("other")), (LANG, JSON), run)
