"""Leaflets: columns that fill the page, type that can be read, hyphens by language, and whose text is played."""

import re
from dataclasses import replace
from functools import cache
from statistics import mode
from typing import Any

import pypdfium2
import pytest

from knobel.lang import LANGUAGES, Translator, has_message
from knobel.paper.render import render_pdf
from knobel.paper.rules_page import PlainPage, build_rules_page
from knobel.paper.running_text import NO_BREAK_SPACE, SOFT_HYPHEN, prepare_text
from knobel.rules import edition_ids, load_edition
from tests.support.selection import mostly_rest, thin_out

LEAST_TYPE = {"a4": 9.0, "letter": 9.0, "a5": 8.0}
MILLIMETRE = 72 / 25.4
FOOT = 22 * MILLIMETRE


@cache
def print_leaflet(name: str, lang: str, size: str = "a4") -> bytes:
    edition = load_edition(name)
    page = build_rules_page(edition, edition.choose_text(None, lang), {}, Translator(lang, edition), size)
    return render_pdf("leaf", page)


def list_letters(page: Any) -> list[tuple[float, float, float]]:
    """List the size of each letter of a page with its left and lower edge."""
    text = page.get_textpage()
    found = []
    for at in range(text.count_chars()):
        left, bottom, right, _ = text.get_charbox(at)
        if right > left:
            found.append((round(pypdfium2.raw.FPDFText_GetFontSize(text, at), 1), left, bottom))
    return found


@pytest.mark.parametrize(
    ("lang", "size", "name"),
    thin_out(
        LANGUAGES,
        list(LEAST_TYPE),
        edition_ids(),
        chosen=[("lv", "a4", name) for name in ("mb-yahtzee", "carlit-chicago")],
    ),
)
def test_the_type_can_be_read_and_the_columns_fill_the_page(name: str, lang: str, size: str) -> None:
    pages = list(pypdfium2.PdfDocument(print_leaflet(name, lang, size)))
    assert len(pages) in ((1, 2) if size == "a5" else (1,))
    for page in pages:
        letters = list_letters(page)
        width, height = page.get_size()
        assert mode(kind for kind, _, _ in letters) >= LEAST_TYPE[size]
        assert min(kind for kind, _, _ in letters) >= 8
        foot = min(bottom for _, _, bottom in letters) + 12
        ends = [
            min(bottom for _, left, bottom in letters if low <= left < high and bottom > foot)
            for low, high in (((0, width * 0.38), (width * 0.62, width)) if len(pages) == 1 else ((0, width),))
        ]
        assert max(ends) < height * 0.2


def read_text(content: bytes) -> str:
    return "\n".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(content))


HYPHEN = "\ufffe"


@pytest.mark.parametrize("lang", mostly_rest(LANGUAGES, "lv"))
def test_every_language_is_hyphenated(lang: str) -> None:
    edition = load_edition("mb-yahtzee")
    page = build_rules_page(edition, "fr", {}, Translator(lang, edition))
    text = read_text(render_pdf("leaf", replace(page, page=PlainPage(110, 297, 6))))
    pieces = re.findall(rf"([^\W\d]+)[{HYPHEN}\x02{SOFT_HYPHEN}]([^\W\d]+)", text)
    assert pieces
    assert [word for word in pieces if min(map(len, word)) < 2] == []


def test_numbers_stay_with_their_nouns_and_no_sentence_ends_with_a_lonely_word() -> None:
    prepared = prepare_text("Wer 63 oder mehr hat, bekommt mit 2-3-4-4-5 gut 35 Punkte extra", "de")
    assert prepared.replace(NO_BREAK_SPACE, "_") == "Wer 63_oder_mehr hat, bekommt mit 2-3-4-4-5 gut 35_Punkte_extra"
    assert prepare_text("po kartę – bet tik jei", "lt").replace(NO_BREAK_SPACE, "_") == "po kartę_– bet tik_jei"


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("spēlētājs", "spē-lē-tājs"),
        ("vajadzīgs", "va-ja-dzīgs"),
        ("nedrīkst", "ne-drīkst"),
        ("atšķirīgs", "at-šķi-rīgs"),
        ("Iepriekš", "Ie-priekš"),
        ("otrais", "otrais"),
        ("metiens", "me-tiens"),
    ],
)
def test_latvian_words_are_divided_by_syllables_unless_they_end_a_sentence(word: str, wanted: str) -> None:
    prepared = prepare_text(f"{word} {word}", "lv").replace(NO_BREAK_SPACE, " ")
    assert prepared.replace(SOFT_HYPHEN, "-") == f"{wanted} {word}"
    assert SOFT_HYPHEN not in prepare_text(f"{word} {word}", "lt")


def test_no_sentence_on_a_screen_has_a_soft_hyphen() -> None:
    words = Translator("lv", load_edition("mb-yahtzee"))
    assert SOFT_HYPHEN not in words("rules.contents.none")


def test_a_leaflet_names_the_text_it_follows_only_if_it_speaks_another_language() -> None:
    def about(name: str, text: str, lang: str) -> str:
        edition = load_edition(name)
        return build_rules_page(edition, text, {}, Translator(lang, edition)).about

    assert about("carlit-chicago", "de", "ru") == "Правила · текст: немецкий"
    assert about("carlit-chicago", "de", "en") == "Rules · text: German"
    assert about("carlit-chicago", "de", "de") == "Regeln"
    texts = {about("tactic-xl-yatzy", "fi", lang) for lang in LANGUAGES}
    assert len(texts) > len(LANGUAGES) - 4


def test_dark_dice_are_explained_only_where_some_are_light() -> None:
    feet = {
        name: build_rules_page(load_edition(name), load_edition(name).default_text, {}, Translator("en")).foot
        for name in ("mb-yahtzee", "carlit-chicago")
    }
    assert feet == {
        "mb-yahtzee": "In our own words. The dark dice count.",
        "carlit-chicago": "In our own words.",
    }


class HalfTranslator(Translator):
    """Knows no sentence about dice in its language."""

    def find_language(self, message: Any) -> str:
        return "en" if message.key == "rules.material" else super().find_language(message)


def test_a_sentence_that_is_not_translated_is_marked_as_english() -> None:
    assert has_message("rules.contents.none", "fi")
    assert not has_message("rules.no_such_sentence", "fi")
    edition = load_edition("mb-yahtzee")
    page = build_rules_page(edition, "fr", {}, HalfTranslator("fi", edition))
    langs = [rule.lang for chapter in page.chapters for rule in chapter.rules]
    assert langs.count("en") == 1
    assert langs.count("fi") == len(langs) - 1
    assert set(re.findall(rb"/Lang ?\((\w+)\)", render_pdf("leaf", page))) == {b"fi", b"en"}
