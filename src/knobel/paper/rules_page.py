"""The rules of an edition on one page: our own sentences, and beside them dice as worked examples."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from knobel.paper.boxes import CaptionedExample, PageTranslator
from knobel.paper.families import FAMILIES
from knobel.paper.page import find_paper_size
from knobel.paper.running_text import Sentence, prepare_text
from knobel.phrase import LanguageName, Phrase, phrase
from knobel.rules import Edition
from knobel.rules.leaflet import list_chapters


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
    rules: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class RulesPage:
    """The rules on one page: chapters, and the examples with the sentences that belong to them."""

    page: PlainPage
    lang: str
    title: str
    publisher: str
    about: str
    faces: int
    chapters: tuple[Chapter, ...]
    heading: str
    examples: tuple[CaptionedExample, ...]
    beside: tuple[Sentence, ...]
    foot: str


def build_rules_page(
    edition: Edition, text: str, switches: Mapping[str, str], words: PageTranslator, size: str = "a4"
) -> RulesPage:
    """Write the rules of an edition on one page."""
    paper = find_paper_size(size)
    rules = edition.rules(text, switches)
    examples = FAMILIES[edition.family].build_examples(rules, words)
    chapters = list[Chapter]()
    heading, beside = words.translate(phrase("paper.example")), tuple[Sentence, ...]()
    for name, found in list_chapters(edition, text, switches):
        title = words.translate(phrase(f"rules.chapter.{name}"))
        phrases = [article.phrase for article in found if not article.topic.startswith("box.")]
        sentences = tuple(build_sentences(phrases, words))
        if len(phrases) < len(found):
            heading, beside = title, sentences
        else:
            chapters.append(Chapter(title, sentences))
    return RulesPage(
        page=PlainPage(paper.width, paper.height, paper.margin),
        lang=words.lang,
        title=edition.title,
        publisher=edition.publisher,
        about=describe_text(edition, text, words),
        faces=rules.faces,
        chapters=tuple(chapters),
        heading=heading,
        examples=tuple(replace(one, hint=prepare_text(one.hint, words.lang)) for one in examples),
        beside=beside,
        foot=describe_dice(examples, words),
    )


def build_sentences(phrases: Iterable[Phrase], words: PageTranslator) -> Iterable[Sentence]:
    """Translate sentences for print; one that is not translated speaks another language than the page."""
    for message in phrases:
        lang = words.find_language(message)
        yield Sentence(prepare_text(words.translate(message), lang), lang)


def describe_dice(examples: tuple[CaptionedExample, ...], words: PageTranslator) -> str:
    """Say that the words are ours, and what dark dice mean where some are light."""
    keys = ["paper.own_words"] + ["paper.dark_dice"] * any(not all(one.example.counted) for one in examples)
    return " ".join(words.translate(phrase(key)) for key in keys)


def describe_text(edition: Edition, text: str, words: PageTranslator) -> str:
    """Say beside the title whose rules these are, and which printed text they follow if it is in another language."""
    if not edition.publisher:
        return words.translate(phrase("paper.house"))
    rules = phrase("paper.house_over", publisher=edition.publisher) if edition.base else phrase("paper.rules")
    if text == words.lang:
        return words.translate(rules)
    return words.translate(phrase("paper.text", rules=rules, language=LanguageName(text)))
