"""How sentences and guides are written: no gender in English, the marks of a language, no English in another one."""

import re
from collections.abc import Iterator
from pathlib import Path

import catalogs
import pytest

from knobel.lang import COMPLETE, LANGUAGES

TYPED = {
    "errors.solver_missing": "a command to copy, in the quotes of a shell",
    "errors.paper_missing": "a command to copy, in the quotes of a shell",
    "errors.database_driver": "a command to copy, in the quotes of a shell",
    "errors.tui_missing": "a command to copy, in the quotes of a shell",
    "errors.lab_missing": "a command to copy, in the quotes of a shell",
}
"""Entries with straight quotes, and why."""
GENDER = re.compile(r"\b(he|him|his|she|her|hers)\b", re.IGNORECASE)
STRAIGHT = re.compile(r"['\"]")
ENGLISH = re.compile(
    r"(?<![\w={/.-])(the|and|with|your|you|this|that|which|box|boxes|dice|roll|rolls|scores?|players?|turn|seat|room|of)"
    r"(?![\w=}/.:-])"
)
"""English words that no other complete language has."""
SHARED = {"es": {"dice"}, "fr": {"score", "scores"}, "is": {"of"}, "it": {"dice"}, "nl": {"of", "score", "scores"}}
"""Those a language has all the same."""
NAMED = {
    "errors.totals_columns": {"player"},
    "interface.argument.table": {"player"},
    "errors.tournament_player": {"players"},
}
"""Words of English that a sentence names: the columns and keys of a file."""
FRENCH_MARK = re.compile(r"(?<![\u202f])[:;?!](?=\s|$)")
ROOT = Path(__file__).parents[2]
GUIDES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
CODE = re.compile(r"^ *```.*?^ *```|^    .*?$|`[^`\n]*`|<[a-z][^>]*>", re.MULTILINE | re.DOTALL)
"""What a guide shows as code, between fences, indented or in backticks, and its HTML."""


def sentences(lang: str) -> Iterator[tuple[str, str]]:
    """Walk over every form of every entry of a language that is not only commands to copy."""
    paths = (catalogs.find_catalog_path(lang, domain) for domain in catalogs.DOMAINS)
    for path in filter(Path.exists, paths):
        for message in catalogs.read_catalog(path):
            if message.id and not catalogs.find_key(message).endswith(".example"):
                yield from ((catalogs.find_key(message), text) for text in catalogs.list_forms(message))


def test_english_gives_nobody_a_gender() -> None:
    assert [(key, text) for key, text in sentences("en") if GENDER.search(text)] == []


def find_in_guides(pattern: re.Pattern[str]) -> list[str]:
    """List the lines of prose in the guides that have something."""
    texts = [(guide, CODE.sub("", guide.read_text(encoding="utf-8"))) for guide in GUIDES]
    return [f"{guide.name}: {line}" for guide, text in texts for line in text.splitlines() if pattern.search(line)]


def test_the_guides_give_nobody_a_gender() -> None:
    assert find_in_guides(GENDER) == []


def test_the_guides_have_no_straight_quotes_in_their_prose() -> None:
    assert find_in_guides(STRAIGHT) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_quote_or_apostrophe_is_straight(lang: str) -> None:
    assert [(key, text) for key, text in sentences(lang) if STRAIGHT.search(text) and key not in TYPED] == []


def test_french_has_a_narrow_space_before_its_high_marks() -> None:
    assert [(key, text) for key, text in sentences("fr") if FRENCH_MARK.search(text)] == []


@pytest.mark.parametrize("lang", [lang for lang in COMPLETE if lang != "en"])
def test_no_english_word_is_left_in_another_language(lang: str) -> None:
    shared = SHARED.get(lang, set())
    found = [(key, set(ENGLISH.findall(text)) - shared - NAMED.get(key, set())) for key, text in sentences(lang)]
    assert [(key, words) for key, words in found if words] == []


@pytest.mark.parametrize(
    ("wrong", "pattern"),
    [("Melde a box", ENGLISH), ("beat him", GENDER), ("the player's", STRAIGHT), ("Quoi ?", FRENCH_MARK)],
)
def test_a_slip_would_be_found(wrong: str, pattern: re.Pattern[str]) -> None:
    assert pattern.search(wrong)


@pytest.mark.parametrize(
    ("prose", "left"), [("it's `don't`", "it's "), ("```sh\na 'b'\n```\nhis", "\nhis"), ("    a='b'", "")]
)
def test_the_code_of_a_guide_is_left_out(prose: str, left: str) -> None:
    assert CODE.sub("", prose) == left
