"""Every sentence with a number is right for any number: its plural form is chosen, and no noun stands without one."""

import re
from collections.abc import Iterator
from functools import cache

import catalogs
import pytest
from babel.messages.catalog import Message

from knobel.lang import COMPLETE, Translator, load_catalog
from knobel.phrase import FormattedNumber, Value
from tests.support.languages import SPOKEN

NUMBERS = (0, 1, 2, 5, 21)
INLINE = re.compile(r"\{(\w+):([^{}]*)\}")
COUNTED = re.compile(r"(?:\{n\}|#)[ \u00a0\u202f]([^\W\d_][\w’-]*)")
"""The word after a number."""
NUMBER_BEFORE_WORD = re.compile(r"\{(\w+)\}[ \u00a0\u202f]([^\W\d_][\w’-]*)")
NO_NUMBERS = frozenset(("name", "box", "chance", "file", "known", "names", "title"))
"""Values before a word that are no numbers."""
PLAIN_NUMBERS = {
    r"errors\.(key_length|bot_loss)": "a range, which ends above one",
    r"(errors\.(totals_players|people_full)|coach\.win\.partly_exact)": "a limit, which is above one",
    r"errors\.(theme_not_found|puzzle_not_found|too_many_open_boxes)": "a number that is above one",
    r"errors\.tournament_players": "a range, which ends above one",
    r"(errors\.tournament_rounds|interface\.tournament\.after)": "the rounds of a tournament, which are several",
    r"coach\.lesson\.(all_alike\.first|last_box\.second)": "dice that are alike are at least two",
    r"coach\.lesson\.bonus\.first": "an upper total for the bonus, which is above one",
    r"errors\.server_contradicts": "which event, and not how many",
    r"errors\.yatzys_too_(few|many)": "the value of an option",
    r"errors\.database_\w+": "the address of a database",
    r"(interface\.(solve\.par|advise\.value)|web\.(home\.par|hint\.best_points))": "an average, with decimals",
    r"(paper\.wants|rules\.pattern)\.(group|all_alike|house|house_same)": "dice that are alike are at least two",
    r"rules\.(joker\.\w+|prime|second)": "all dice of a game, and alike",
    r"rules\.refusal\.later_round": "which round, and not how many",
    r"web\.(player\.place|rounds\.place_safe|past\.placed)": "which place, and not how many",
    r"web\.(stats\.(every|per_game)|hint\.wins_more)": "an average or a loss, with decimals",
}
"""Sentences in which a word after a number needs no forms, and why."""
SEVERAL_FORMS = ("lt", "lv", "pl", "ru", "uk")
"""Languages in which whole numbers of a noun take three forms."""
EQUAL_FORMS = {
    r"coach\.why\.(primes|later|crosses_out|brings|brings_now)": "a coach's average, with a decimal",
    r"coach\.why\.(comes_less|others|together|zeros|announces|leaves)": "a coach's average, with a decimal",
    r"coach\.why\.but_(brings|together|primes|later|others)": "a coach's average, with a decimal",
    r"coach\.report\.(rate|loss|adjusted)_points": "an average, with decimals",
    r"web\.(home\.par|hint\.wins_more|review\.cost_(points|percent))": "an average or a loss, with decimals",
    r"interface\.puzzle\.cost_points": "a loss, with decimals",
    r"coach\.lesson\.(bonus\.second|(cross_out|joker|pair|announce)\.first)": "an average, with decimals",
    r"web\.(end\.evening|stats\.reviewed)": "the genitive of this noun has one form in Polish",
}
"""Sentences in which all forms after a number may be equal, and why."""


def entries(lang: str) -> Iterator[tuple[str, Message]]:
    for domain in catalogs.DOMAINS:
        for message in catalogs.iterate_entries(lang, domain):
            if not catalogs.find_key(message).endswith(".example") and catalogs.is_filled(message):
                yield catalogs.find_key(message), message


def split_forms(message: Message) -> Iterator[tuple[str, ...]]:
    """Give every group of plural forms in an entry: its own, and those inside a sentence."""
    if message.pluralizable:
        yield catalogs.list_forms(message)
    for text in catalogs.list_forms(message):
        yield from (tuple(several.split("|")) for _, several in INLINE.findall(text))


@cache
def counted_words(lang: str) -> frozenset[str]:
    """Learn which words change with the number before them, from the entries that have forms."""
    found: set[str] = set()
    for _, message in entries(lang):
        for forms in split_forms(message):
            words = [match[1] for form in forms for match in COUNTED.finditer(form)]
            if len(set(words)) > 1:
                found |= set(words)
    return frozenset(found)


def unbending(lang: str) -> dict[str, str]:
    """Find sentences in which a number stands before such a word without forms for it."""
    found = {}
    for key, message in entries(lang):
        for text in catalogs.list_forms(message):
            for name, word in NUMBER_BEFORE_WORD.findall(text):
                chosen = name == "n" and message.pluralizable
                if not chosen and name not in NO_NUMBERS and word in counted_words(lang):
                    found[key] = text
    return found


def equal_forms(lang: str) -> dict[str, str]:
    """Find sentences in which a noun has the same form after every number."""
    found = {}
    for key, message in entries(lang):
        for text in catalogs.list_forms(message):
            for _, several in INLINE.findall(text):
                if len(set(several.split("|"))) == 1 and COUNTED.search(several):
                    found[key] = text
    return found


@pytest.mark.parametrize("lang", SEVERAL_FORMS)
def test_only_decimals_take_one_form(lang: str) -> None:
    equal = re.compile("|".join(EQUAL_FORMS))
    assert {key: text for key, text in equal_forms(lang).items() if not equal.fullmatch(key)} == {}


def test_every_reason_for_equal_forms_is_one_somewhere() -> None:
    found = {key for lang in SEVERAL_FORMS for key in equal_forms(lang)}
    assert [one for one in EQUAL_FORMS if not any(re.fullmatch(one, key) for key in found)] == []


@pytest.mark.parametrize(
    ("lang", "said"),
    [("ru", "5 очков"), ("uk", "5 очок"), ("pl", "5 punktów"), ("lt", "5 taškus"), ("lv", "5 punktus")],
)
def test_the_summary_of_a_game_counts_whole_points(lang: str, said: str) -> None:
    assert said in Translator(lang)(
        "coach.summary.costly", lost=FormattedNumber(5.2), most=FormattedNumber(3.1), turn=7
    )


@pytest.mark.parametrize("lang", SPOKEN)
class TestALanguage:
    def test_no_number_stands_before_a_noun_that_has_no_forms(self, lang: str) -> None:
        plain = re.compile("|".join(PLAIN_NUMBERS))
        assert {key: text for key, text in unbending(lang).items() if not plain.fullmatch(key)} == {}

    def test_every_number_can_be_said(self, lang: str) -> None:
        words, rule = Translator(lang), load_catalog("rules", lang).plural  # type: ignore[attr-defined]
        said = 0
        for key, message in entries(lang):
            values = {name for text in catalogs.list_forms(message) for name in re.findall(r"\{(\w+)", text)}
            for number in NUMBERS if values else ():
                given: dict[str, Value] = dict.fromkeys(values, number)
                wanted = catalogs.list_forms(message)
                chosen = wanted[rule(number)] if message.pluralizable and "n" in values else wanted[0]
                inline = INLINE.sub(lambda found: found[2].split("|")[rule(number)].replace("#", str(number)), chosen)  # noqa: B023
                assert words(key, **given) == re.sub(r"\{\w+\}", str(number), inline), key
                said += 1
        assert said > 100


def test_every_plain_number_is_one_somewhere() -> None:
    found = {key for lang in COMPLETE for key in unbending(lang)}
    assert [one for one in PLAIN_NUMBERS if not any(re.fullmatch(one, key) for key in found)] == []


def test_a_noun_without_forms_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Message("rules.wrong", "you have {boxes} boxes")
    found = [*entries("en"), ("rules.wrong", wrong)]
    counted_words("en")
    monkeypatch.setattr("tests.lang.test_plurals.entries", lambda _: iter(found))
    assert unbending("en")["rules.wrong"] == "you have {boxes} boxes"
