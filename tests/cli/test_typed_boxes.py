"""Boxes as players name them, in every edition and language."""

import pytest

from knobel.cli.typed_boxes import find_typed_box, match_boxes
from knobel.errors import AmbiguousBox, UnknownBox
from knobel.lang import LANGUAGES, Translator
from knobel.rules import edition_ids, load_edition
from knobel.rules.families import SHEET

SHEETS = [name for name in edition_ids() if load_edition(name).family == SHEET]


@pytest.mark.parametrize("edition", SHEETS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_box_is_found_by_its_names_and_its_id(edition: str, lang: str) -> None:
    found = load_edition(edition)
    rules, words, english = found.rules(), Translator(lang, found), Translator("en", found)
    for box in rules.boxes:
        printed = words.name_box(box.id)
        for typed in (printed, printed.upper(), f" “{printed}” ", box.id, english.name_box(box.id)):
            assert find_typed_box(words, rules, typed) == box.id


def test_marks_and_apostrophes_need_not_be_typed() -> None:
    edition = load_edition("noris-yatzy")
    rules, german = edition.rules(), Translator("de", edition)
    assert find_typed_box(german, rules, "grosse str") == "large_straight"
    assert find_typed_box(german, rules, "GROẞE STRAẞE") == "large_straight"


@pytest.mark.parametrize(
    ("typed", "box"),
    [
        ("full", "full_house"),
        ("fh", "full_house"),
        ("ls", "large_straight"),
        ("toak", "three_of_a_kind"),
        ("three k", "three_of_a_kind"),
        ("small", "small_straight"),
    ],
)
def test_a_box_is_found_by_how_its_words_begin_or_by_their_initials(typed: str, box: str) -> None:
    edition = load_edition("mb-yahtzee")
    assert find_typed_box(Translator("en", edition), edition.rules(), typed) == box


def test_several_are_named_unless_only_one_of_them_is_open() -> None:
    edition = load_edition("mb-yahtzee")
    words, rules = Translator("en", edition), edition.rules()
    with pytest.raises(AmbiguousBox) as refusal:
        find_typed_box(words, rules, "straight")
    assert refusal.value.values["known"] == ("Small Straight", "Large Straight")
    assert find_typed_box(words, rules, "straight", ("large_straight", "ones")) == "large_straight"
    with pytest.raises(AmbiguousBox):
        find_typed_box(words, rules, "straight", ("ones",))


@pytest.mark.parametrize("typed", ["", " ", "“”", "zz", "full full", "house full", "sixes!", "0", "--"])
def test_what_names_no_box_is_refused_with_those_there_are(typed: str) -> None:
    edition = load_edition("mb-yahtzee")
    words, rules = Translator("en", edition), edition.rules()
    assert match_boxes(words, rules, typed) == []
    with pytest.raises(UnknownBox):
        find_typed_box(words, rules, typed)
