"""Writes the rules as pages, in every complete language the text of an edition that prints it.

python -m tests.rule_pages
"""

from collections.abc import Iterator
from pathlib import Path

from knobel.lang import COMPLETE, Translator
from knobel.phrase import LanguageName
from knobel.rules import Edition, edition_ids, load_edition
from knobel.rules.leaflet import cite_article, list_chapters

FOLDER = Path(__file__).parents[1] / "docs" / "rules"
FIRST = "tactic-xl-yatzy"
"""The booklet with the most languages."""


def find_edition(lang: str) -> Edition:
    """Find an edition that prints this language."""
    every = (load_edition(name) for name in (FIRST, *edition_ids()))
    return next(edition for edition in every if lang in edition.printed)


def build_page(lang: str) -> str:
    """Write the rules in a language: a sentence each, with its source."""
    return "\n".join(list_lines(find_edition(lang), lang)) + "\n"


def list_lines(edition: Edition, lang: str) -> Iterator[str]:
    words = Translator(lang, edition)
    language = LanguageName(lang)
    heading = words("interface.rules.printed", title=edition.title, publisher=edition.publisher, language=language)
    yield f"# {heading}"
    for chapter, found in list_chapters(edition, lang, {}):
        yield f"\n## {words(f'rules.chapter.{chapter}')}\n"
        for article in found:
            source = words.translate(cite_article(edition, lang, article))
            yield f"- {words.translate(article.phrase)} <sub>{source}</sub>"


def main() -> None:
    """Write them all."""
    FOLDER.mkdir(exist_ok=True)
    for lang in COMPLETE:
        (FOLDER / f"{lang}.md").write_text(build_page(lang), encoding="utf-8")


if __name__ == "__main__":
    main()
