"""What is printed on score pads can be read and photocopied: no small type, nothing pale, no letter on a line."""

from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from pypdfium2.raw import FPDF_PAGEOBJ_PATH

from knobel.lang import LANGUAGES, Translator
from knobel.paper.families import lay_out_pad
from knobel.paper.pad import PadOptions
from knobel.paper.render import render_pdf
from knobel.rules import edition_ids, load_edition, read_house_rules
from tests.support.pdf_pages import find_crossed_letters, list_type_sizes, read_letters, read_lines
from tests.support.selection import mostly_rest, thin_out

ROOT = Path(__file__).parents[2]
MAXI = str(ROOT / "examples" / "house-rules" / "maxi-yatzy.toml")
SMALLEST, LARGE_PRINT, DARK = 8, 16, 0.3
PAPERS: dict[str, dict[str, Any]] = {
    "a4": {},
    "a5": {"size": "a5"},
    "a6": {"size": "a6"},
    "letter": {"size": "letter"},
    "landscape": {"landscape": True},
    "a5-landscape": {"size": "a5", "landscape": True},
    "large": {"large": True},
    "large-a5": {"size": "a5", "large": True},
    "large-landscape": {"large": True, "landscape": True},
    "two-to-a-page": {"per_page": 2},
    "four-to-a-page": {"per_page": 4},
    "quarter-letter": {"size": "letter", "per_page": 4},
}


def print_pad(name: str, lang: str, **wish: Any) -> bytes:
    edition = load_edition(name)
    rules = edition.rules(edition.choose_text(None, lang))
    pad = lay_out_pad(rules, Translator(lang, edition), edition.title, edition.printed_by, PadOptions(**wish))
    return render_pdf(pad.template, pad.page)


@pytest.mark.parametrize(
    ("lang", "paper", "name"),
    thin_out(
        LANGUAGES,
        list(PAPERS),
        (*edition_ids(), MAXI),
        chosen=[("fr", paper, "mb-yahtzee") for paper in ("a5", "a6", "large-a5")],
    ),
)
def test_no_type_is_small_and_no_letter_touches_a_line(name: str, lang: str, paper: str) -> None:
    content = print_pad(name, lang, **PAPERS[paper])
    assert min(list_type_sizes(content)) >= SMALLEST
    assert find_crossed_letters(content) == []


@pytest.mark.parametrize("paper", mostly_rest(PAPERS, "a5"))
def test_everything_is_dark_enough_to_be_photocopied(paper: str) -> None:
    for name in ("philos-yatzi", "carlit-chicago"):
        document = pypdfium2.PdfDocument(print_pad(name, "de", **PAPERS[paper]))
        assert [one.text for page in document for one in read_letters(page) if one.luma > DARK] == []
        document.close()


@pytest.mark.parametrize("lang", mostly_rest(LANGUAGES, "uk"))
def test_captions_of_a_page_have_one_size(lang: str) -> None:
    """A pad has five sizes at most: title, publisher, names, captions, total, and what stands in the head and foot."""
    edition = load_edition("tactic-xl-yatzy")
    words = Translator(lang, edition)
    rules = edition.rules(edition.choose_text(None, lang))
    pad = lay_out_pad(rules, words, edition.title, "", PadOptions(size="a5"))
    captions = {line.hint for sheet in pad.page.sheets for line in (*sheet.upper, *sheet.lower) if line.hint}  # type: ignore[attr-defined]
    document = pypdfium2.PdfDocument(render_pdf(pad.template, pad.page))
    text = document[0].get_textpage()
    letters = list(read_letters(document[0]))
    sizes = set()
    for caption in captions:
        if found := text.search(caption).get_next():
            box = text.get_charbox(found[0])
            sizes |= {round(one.size, 2) for one in letters if (one.ink.left, one.ink.bottom) == (box[0], box[1])}
    document.close()
    assert len(sizes) == 1


def test_names_in_large_print_are_large_on_small_paper_too() -> None:
    for size in ("a4", "a5"):
        for name in ("philos-yatzi", "tactic-xl-yatzy", MAXI):
            document = pypdfium2.PdfDocument(print_pad(name, "en", size=size, large=True))
            text, letters = document[0].get_textpage(), list(read_letters(document[0]))
            found = text.search("Small Straight").get_next()
            assert found is not None
            left, bottom, *_ = text.get_charbox(found[0])
            (first,) = [one for one in letters if (one.ink.left, one.ink.bottom) == (left, bottom)]
            assert first.size >= LARGE_PRINT
            document.close()


def test_a_long_name_drops_the_dice_of_its_own_row_only() -> None:
    short, long = (count_dice_shapes(print_named(name)) for name in ("House", "A house full of friends"))
    assert 0 < short - long < short / 5


def print_named(name: str) -> bytes:
    """Print a pad in large print on which one box has this name."""
    rules = f"""title = "Ours"\nextends = "noris-yatzy"\nboxes.full_house.names = {{ en = "{name}" }}"""
    edition = read_house_rules(rules.encode(), "ours.toml")
    wish = PadOptions(size="a5", large=True)
    pad = lay_out_pad(edition.rules(), Translator("en", edition), edition.title, "", wish)
    return render_pdf(pad.template, pad.page)


def count_dice_shapes(content: bytes) -> int:
    """Count what is neither a line nor a letter: the frames and pips of dice, and the tints of a few rows."""
    document = pypdfium2.PdfDocument(content)
    shapes = sum(1 for _ in document[0].get_objects(filter=[FPDF_PAGEOBJ_PATH])) - len(read_lines(document[0]))
    document.close()
    return shapes
