"""The rules of an edition on one page: our own sentences, and beside them dice as worked examples."""

from collections.abc import Mapping
from dataclasses import dataclass

from knobel.paper.boxes import CaptionedExample, PageTranslator
from knobel.paper.families import FAMILIES
from knobel.paper.page import find_paper_size
from knobel.phrase import LanguageName, phrase
from knobel.rules import Edition
from knobel.rules.leaflet import list_chapters

LAST_CHAPTER = "end"
"""The chapter that stands below the examples where those are few."""


@dataclass(frozen=True, slots=True)
class PlainPage:
    """A sheet without columns, in millimetres."""

    width: float
    height: float
    margin: float


@dataclass(frozen=True, slots=True)
class Chapter:
    """A heading and its sentences."""

    title: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RulesPage:
    """The rules on one page: chapters on the left, examples on the right and below them what belongs to them."""

    page: PlainPage
    lang: str
    title: str
    publisher: str
    about: str
    faces: int
    chapters: tuple[Chapter, ...]
    heading: str
    examples: tuple[CaptionedExample, ...]
    beside: tuple[str, ...]
    after: tuple[Chapter, ...]
    foot: str


def build_rules_page(
    edition: Edition, text: str, switches: Mapping[str, str], words: PageTranslator, size: str = "a4"
) -> RulesPage:
    """Write the rules of an edition on one page."""
    paper = find_paper_size(size)
    chapters, after = list[Chapter](), list[Chapter]()
    heading, beside = words.translate(phrase("paper.example")), list[str]()
    family = FAMILIES[edition.family]
    for name, found in list_chapters(edition, text, switches):
        title = words.translate(phrase(f"rules.chapter.{name}"))
        rules = tuple(words.translate(article.phrase) for article in found if not article.topic.startswith("box."))
        if len(rules) < len(found):
            heading, beside = title, [*rules]
        else:
            (after if name == LAST_CHAPTER and family.last_chapter_below else chapters).append(Chapter(title, rules))
    rules_now = edition.rules(text, switches)
    return RulesPage(
        page=PlainPage(paper.width, paper.height, paper.margin),
        lang=words.lang,
        title=edition.title,
        publisher=edition.publisher,
        about=describe_text(edition, text, words),
        faces=rules_now.faces,
        chapters=tuple(chapters),
        heading=heading,
        examples=family.build_examples(rules_now, words),
        beside=tuple(beside),
        after=tuple(after),
        foot=words.translate(phrase("paper.own_words")),
    )


def describe_text(edition: Edition, text: str, words: PageTranslator) -> str:
    """Say below the title which text is played."""
    if not edition.publisher:
        return words.translate(phrase("paper.house"))
    if edition.base:
        return words.translate(phrase("paper.house_over", publisher=edition.publisher, language=LanguageName(text)))
    return words.translate(phrase("paper.text", language=LanguageName(text)))
