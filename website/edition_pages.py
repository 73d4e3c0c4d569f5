"""A page for every edition, made from its data: its rules, perfect play, other texts and editions, score pads."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from knobel.lang import SOURCE_LANGUAGE, Translator, name_language
from knobel.paper.families import PrintJob, lay_out_pad
from knobel.paper.pad import PadOptions
from knobel.paper.render import render_pdf, render_png
from knobel.phrase import LanguageName
from knobel.rules import Edition, edition_ids, load_edition
from knobel.rules.articles import Article, Difference
from knobel.rules.families import is_comparable, list_boxes
from knobel.rules.leaflet import (
    cite_article,
    compare_rules,
    list_chapters,
    list_specials,
    list_switches,
    summarize_players,
)
from website.families import FAMILIES, PerfectPlay, group_texts, name_texts
from website.links import ROOT

FOLDER = "editions"
PREVIEW_PPI = 80.0
RULING = re.compile(r"^### ((\S+) .+)$", re.MULTILINE)
RULING_ID = re.compile(r"\b[A-Z]{1,2}-[A-Z]?\d*")
NO_ARTICLE = "no such rule"


@dataclass(frozen=True)
class EditionPage:
    """An edition, its words in the language of the guides, and what is known about perfect play."""

    edition: Edition
    words: Translator
    play: PerfectPlay

    @property
    def title(self) -> str:
        """Its title with its publisher: several publishers use the same one."""
        return name_edition(self.edition)

    @property
    def line(self) -> str:
        """How it feels to play, in one line."""
        key = self.edition.find_line(self.edition.default_text)
        return self.words(f"rules.line.{key}") if key else ""


def name_edition(edition: Edition) -> str:
    return f"{edition.title} ({edition.publisher})"


def open_editions() -> list[EditionPage]:
    """Open every edition there is."""
    return [open_edition(load_edition(name)) for name in edition_ids()]


def open_edition(edition: Edition) -> EditionPage:
    words = Translator(SOURCE_LANGUAGE, edition)
    return EditionPage(edition, words, FAMILIES[edition.family](edition, words))


def stage_editions(pages: Sequence[EditionPage], folder: Path, languages: Sequence[str]) -> None:
    """Write a page for every edition, with its pictures and pads, and one that lists them all."""
    place = folder / FOLDER
    place.mkdir(parents=True, exist_ok=True)
    (place / "index.md").write_text(build_overview(pages), encoding="utf-8")
    for page in pages:
        name = page.edition.id
        (place / f"{name}.md").write_text("\n".join(list_lines(page, languages)) + "\n", encoding="utf-8")
        (place / name).mkdir(exist_ok=True)
        for picture, content in page.play.pictures.items():
            (place / name / picture).write_text(content, encoding="utf-8")
        for file, printed in print_pads(page.edition, languages):
            (place / name / file).write_bytes(printed)


# One page.


def list_lines(page: EditionPage, languages: Sequence[str]) -> Iterator[str]:
    """Write the page of an edition, chapter by chapter."""
    edition = page.edition
    yield f"# {page.title}\n"
    yield f"[![The score pad of {page.title}]({edition.id}/pad.png){{ .pad }}](#score-pads)\n"
    yield from describe_edition(page)
    yield "\n## Rules\n"
    yield f"The {name_texts((edition.default_text,), page.words)} text, in our own words; after each rule the printed "
    yield "passage or the [ruling](../rulings.md) behind it."
    yield from list_rules(page)
    yield from list_texts(page)
    yield from list_switch_rows(page)
    yield "\n## Perfect play\n"
    yield from page.play.lines
    yield from list_others(page)
    yield from list_pads(page, languages)


def describe_edition(page: EditionPage) -> Iterator[str]:
    """Say in a few lines what kind of game it is, and how to start it."""
    edition, words, rules = page.edition, page.words, page.edition.rules()
    yield f"**{page.line}**\n"
    facts = [words.translate(summarize_players(rules)), f"{rules.dice} dice", f"{rules.rolls} rolls"]
    if boxes := list_boxes(rules):
        facts.insert(1, words("interface.editions.boxes", n=len(boxes)))
    yield f"- {words.join_list(facts)}"
    yield f"- printed in {words.join_sentence(words.format_value(LanguageName(text)) for text in edition.printed)}"
    yield from (f"- {words.translate(special)}" for special in list_specials(edition))
    yield f"\n```sh\nknobel play {edition.id}\nknobel serve           # and choose it in the browser\n```"


def list_rules(page: EditionPage) -> Iterator[str]:
    """Write every rule as a sentence, with its source."""
    edition, words = page.edition, page.words
    for chapter, articles in list_chapters(edition, edition.default_text, {}):
        yield f"\n### {words(f'rules.chapter.{chapter}')}\n"
        for article in articles:
            source = words.translate(cite_article(edition, edition.default_text, article))
            yield f"- {words.translate(article.phrase)} <small>{link_rulings(source)}</small>"


def link_rulings(source: str) -> str:
    """Link the rulings that a source names."""
    known = find_rulings()
    return RULING_ID.sub(
        lambda found: f"[{found[0]}](../rulings.md#{known[found[0]]})" if found[0] in known else found[0], source
    )


@cache
def find_rulings() -> dict[str, str]:
    """Find the anchor of every ruling."""
    text = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")
    return {name: build_anchor(heading) for heading, name in RULING.findall(text)}


def build_anchor(heading: str) -> str:
    """Build the anchor of a heading, as forges do."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def list_texts(page: EditionPage) -> Iterator[str]:
    """Say what other printed texts play differently."""
    edition, words = page.edition, page.words
    _, *others = group_texts(edition)
    if others:
        yield "\n## Texts that play differently\n"
        yield "An edition does not say the same in every language it is printed in; `--text` chooses the text.\n"
    for texts in others:
        rows = compare_rules(edition.rules(), edition.rules(texts[0]))
        yield from list_differences(
            f"{name_texts(texts, words)}: {count_rules(rows)}",
            (name_texts((edition.default_text,), words), name_texts(texts, words)),
            rows,
            (words, words),
        )


def list_switch_rows(page: EditionPage) -> Iterator[str]:
    """List the switches that change something here."""
    states = [state for state in list_switches(page.edition, page.edition.default_text, {}) if state.matters]
    if not states:
        return
    yield "\n## Switches\n"
    yield "Rules people argue about: `--set NAME=VALUE` plays them the other way.\n"
    yield "| switch | values | what it changes |\n|---|---|---|"
    for state in states:
        values = " ".join(f"**`{value}`**" if value == state.default else f"`{value}`" for value in state.allowed)
        yield f"| `{state.name}` | {values} | {escape_cell(page.words(f'rules.switch.{state.name}'))} |"


def list_others(page: EditionPage) -> Iterator[str]:
    """Say how every other edition of its family differs."""
    edition = page.edition
    others = [load_edition(name) for name in edition_ids() if name != edition.id]
    comparable = [other for other in others if is_comparable(edition.rules(), other.rules())]
    if not comparable:
        return
    yield "\n## Compared with other editions\n"
    yield f"`knobel diff {edition.id} EDITION` says the same, in any language.\n"
    for other in comparable:
        rows = compare_rules(edition.rules(), other.rules())
        yield from list_differences(
            f"{name_edition(other)}: {count_rules(rows)}",
            (page.title, f"[{name_edition(other)}]({other.id}.md)"),
            rows,
            (page.words, Translator(SOURCE_LANGUAGE, other)),
        )


def count_rules(rows: Sequence[Difference]) -> str:
    return "1 rule differs" if len(rows) == 1 else f"{len(rows)} rules differ"


def list_differences(
    heading: str, sides: tuple[str, str], rows: Sequence[Difference], words: tuple[Translator, Translator]
) -> Iterator[str]:
    """Write the rules that differ as a table that opens on request."""
    yield f'??? info "{heading}"\n'
    yield f"    | rule | {sides[0]} | {sides[1]} |\n    |---|---|---|"
    for row in rows:
        left, right = say_article(row.left, words[0]), say_article(row.right, words[1])
        yield f"    | {name_topic(row, words[0 if row.left else 1])} | {left} | {right} |"
    yield ""


def say_article(article: Article | None, words: Translator) -> str:
    return escape_cell(words.translate(article.phrase)) if article else f"*{NO_ARTICLE}*"


def name_topic(row: Difference, words: Translator) -> str:
    """Name what a difference is about."""
    group, _, box = row.topic.partition(".")
    return words.name_box(box) if group == "box" else words(f"rules.topic.{group}")


def escape_cell(text: str) -> str:
    return text.replace("|", "\\|")


# Score pads.


def list_pads(page: EditionPage, languages: Sequence[str]) -> Iterator[str]:
    """Offer the score pad in every language."""
    yield "\n## Score pads\n"
    yield f"A4, ready to print. `knobel pad {page.edition.id}` makes others: sizes, names, large print and more are in "
    yield "[paper](../paper.md).\n"
    yield '<div class="pads" markdown>\n'
    for lang in languages:
        yield f"- [{name_language(lang)}]({page.edition.id}/{name_pad(lang)}){{ lang={lang} }}"
    yield "\n</div>"


def name_pad(lang: str) -> str:
    return f"pad-{lang}.pdf"


def print_pads(edition: Edition, languages: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Print the pad in every language, and a picture of one."""
    preview = lay_out(edition, SOURCE_LANGUAGE)
    yield "pad.png", render_png(preview.template, preview.page, PREVIEW_PPI)[0]
    for lang in languages:
        job = lay_out(edition, lang)
        yield name_pad(lang), render_pdf(job.template, job.page)


def lay_out(edition: Edition, lang: str) -> PrintJob:
    """Lay out the pad in a language, with the rules of its text where the edition was printed in it."""
    rules = edition.rules(edition.choose_text(None, lang))
    return lay_out_pad(rules, Translator(lang, edition), edition.title, edition.printed_by, PadOptions())


# All of them.


def build_overview(pages: Sequence[EditionPage]) -> str:
    """List every edition with a few facts."""
    rows = [
        f"| [{page.title}]({page.edition.id}.md) | `{page.edition.id}` "
        f"| {page.words.translate(summarize_players(page.edition.rules()))} "
        f"| {' '.join(page.edition.printed)} | {page.play.figure} |"
        for page in pages
    ]
    head = "| edition | id | players | printed in | perfect play |\n|---|---|---|---|---|"
    return "\n".join(["# Editions\n", "What is printed, edition by edition, as Knobel plays it.\n", head, *rows]) + "\n"


def build_cards(pages: Sequence[EditionPage]) -> str:
    """Show every edition as a card, for the first page."""
    lines = ['<div class="grid cards" markdown>\n']
    for page in pages:
        lines.append(
            f"- [{page.edition.title} <small>{page.edition.publisher}</small>]({FOLDER}/{page.edition.id}.md)\n"
        )
        lines.append(f"    {page.line}\n\n    <small>Perfect play: {page.play.figure}</small>\n")
    return "\n".join([*lines, "</div>"])
