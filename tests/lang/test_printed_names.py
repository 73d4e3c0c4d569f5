"""Bonus, chance and the box for five alike have the names their edition prints, wherever they are named."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

import catalogs
import pytest

from knobel.lang import PRINTED_NAMES, Translator, list_printed_names
from knobel.paper.pad import PadOptions, build_blank_pad
from knobel.paper.rules_page import build_rules_page
from knobel.phrase import Value
from knobel.rules import Edition, edition_ids, load_edition
from knobel.rules.articles import build_sheet_articles
from knobel.rules.leaflet import build_package_articles, cite_article, list_specials
from knobel.web.descriptions import describe_edition, describe_rules
from tests.lang.test_complete_languages import strings
from tests.support.languages import SPOKEN

SHEETS = [name for name in edition_ids() if load_edition(name).family == "sheet"]
TRADES = ("Yatzy", "Yahtzee", "Yatzi", "Yams")
"""What boxes for five alike are called in the complete languages."""
NAMES_THE_FAMILY = {
    "interface.help.about": "the whole family of games",
    "web.home.under": "several games by name",
}
SPEAKS_OF_LUCK = {"coach.luck.lucky", "coach.luck.very_lucky", "web.remark.lucky"}
"""Sentences with a noun that is the name of a box in one edition and means luck here."""
LINE_KINDS = frozenset(("bonus",))
"""What kind of line this is: words of the program."""
GIVEN_BY_THE_PAGE = {
    "web.make.bonus": "bonus",
    "web.make.chance": "chance",
    "web.make.threshold": "bonus",
    "web.pace.ahead": "bonus",
    "web.pace.behind": "bonus",
    "web.pace.on": "bonus",
    "web.switch.chance_rule": "chance",
    "web.switch.forced_zero": "five",
    "web.switch.literal_bonus": "bonus",
    "web.switch.literal_chance": "chance",
    "web.table.celebrate_bonus": "bonus",
}
"""Sentences of the browser with a printed name; the page gives it, from the card, the room or the game."""


@cache
def names_in(lang: str) -> Mapping[str, Mapping[str, str]]:
    """Give the printed names of every edition in a language."""
    return {name: list_printed_names(Translator(lang, load_edition(name))) for name in SHEETS}


def foreign(lang: str, edition: str) -> re.Pattern[str]:
    """Find the names that other editions print, and this one does not."""
    own = {word.casefold() for word in names_in(lang)[edition].values()}
    others = {word.casefold() for printed in names_in(lang).values() for word in printed.values()}
    others |= {word.casefold() for word in TRADES if word != names_in(lang)[edition]["five"]}
    words = sorted(others - own)
    return re.compile(rf"\b({'|'.join(words)})(s|n|en)?\b", re.IGNORECASE)


def slips(lang: str, edition: Edition, said: Iterator[str]) -> list[str]:
    """Find sentences with the name of another edition; titles, publishers and options may have any name."""
    pattern = foreign(lang, edition.id)
    named = re.compile(rf"{re.escape(edition.title)}|\(Yatzy\)|--yatzys|[a-z]+-(xl-)?ya\w+")
    return [text for text in said if pattern.search(named.sub("", text))]


def values_of(message_text: str) -> dict[str, Value]:
    return {name: 7 for name in re.findall(r"\{(\w+)", message_text) if name not in PRINTED_NAMES}


@cache
def keys_and_values() -> dict[str, dict[str, Value]]:
    """Give every English key with a number for each of its values; examples are commands."""
    found = {}
    for domain in catalogs.DOMAINS:
        for message in catalogs.iterate_entries("en", domain):
            key = catalogs.find_key(message)
            if not key.endswith(".example") and not key.startswith(("rules.name.", "rules.term.", "interface.date.")):
                found[key] = values_of(" ".join(catalogs.list_forms(message)))
    return found


def every_sentence(words: Translator) -> Iterator[str]:
    """Say everything that can be said: rules, refusals, coach, terminal, paper, browser."""
    left_out = {*NAMES_THE_FAMILY, *SPEAKS_OF_LUCK}
    yield from (words(key, **values) for key, values in keys_and_values().items() if key not in left_out)


@pytest.mark.parametrize("lang", SPOKEN)
@pytest.mark.parametrize("name", SHEETS)
class TestAnEdition:
    def test_no_sentence_has_the_name_of_another_edition(self, name: str, lang: str) -> None:
        edition = load_edition(name)
        assert slips(lang, edition, every_sentence(Translator(lang, edition))) == []

    def test_its_rules_cards_and_sheets_have_its_own_names(self, name: str, lang: str) -> None:
        edition = load_edition(name)
        words = Translator(lang, edition)
        for text in edition.printed:
            rules = edition.rules(text)
            pages = (
                build_rules_page(edition, text, {}, words, "a4"),
                build_blank_pad(rules, words, edition.title, edition.publisher, PadOptions()),
                [words.translate(article.phrase) for article in build_sheet_articles(rules)],
                [words.translate(special) for special in list_specials(edition)],
                list(flat(describe_rules(edition, text, {}, lang))),
                list(flat(describe_edition(edition, lang))),
            )
            articles = (*build_sheet_articles(rules), *build_package_articles(edition))
            cited = {words.translate(cite_article(edition, text, article)) for article in articles}
            assert slips(lang, edition, (said for said in strings(pages) if said not in {*cited, *LINE_KINDS})) == []


def flat(value: object) -> Iterator[str]:
    """Walk over the texts of a card for the browser."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from flat(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from flat(one)


@pytest.mark.parametrize(
    ("name", "lang", "printed"),
    [
        ("mb-yahtzee", "fr", ("Prime", "Chance", "Yahtzee")),
        ("philos-yatzi", "fr", ("Prime", "Chance", "Yatzi")),
        ("carlit-yatzy", "fr", ("Bonification", "Chance", "Yatzy")),
        ("carlit-yatzy", "it", ("Buono", "Chance", "Yatzy")),
        ("tactic-xl-yatzy", "it", ("Abbuono", "Fortuna", "Yatzy")),
        ("tactic-xl-yatzy", "fr", ("Bonus", "Chance", "Yams")),
        ("mb-yahtzee", "fi", ("Hyvitys", "Sattuma", "Yahtzee")),
        ("hasbro-yahtzee", "uk", ("Бонус", "Шанс", "Yahtzee")),
        ("philos-yatzi", "da", ("Bonus", "Chancen", "Yatzi")),
    ],
)
def test_a_sentence_asks_for_what_is_printed(name: str, lang: str, printed: tuple[str, ...]) -> None:
    words = Translator(lang, load_edition(name))
    assert tuple(list_printed_names(words).values()) == printed
    assert words("rules.bonus.reached", points=35, threshold=63).startswith(printed[0])
    assert printed[1] in words("rules.topic.chance")
    assert printed[2] in words("rules.topic.second")


def test_a_house_rule_names_the_box_itself() -> None:
    house = load_edition("examples/house-rules/maxi-yatzy.toml")
    words = Translator("en", house)
    assert words.name_printed("five") == words.name_box("maxi_yatzy")
    assert Translator("en").name_printed("five") == "Yatzy"


def test_only_printed_names_are_filled_in() -> None:
    with pytest.raises(KeyError):
        Translator("en")("rules.refusal.top_down")


def test_the_tools_of_translators_know_the_printed_names() -> None:
    assert set(PRINTED_NAMES) == catalogs.PRINTED_NAMES


@pytest.mark.parametrize("lang", SPOKEN)
def test_the_page_gives_every_printed_name_its_sentences_ask_for(lang: str) -> None:
    for message in catalogs.iterate_entries(lang, "web"):
        asked = catalogs.list_values(message) & set(PRINTED_NAMES)
        assert asked <= {GIVEN_BY_THE_PAGE.get(catalogs.find_key(message), "")}


def test_a_name_of_another_edition_would_be_found() -> None:
    edition = load_edition("carlit-yatzy")
    assert slips("it", edition, iter(["la casella Fortuna", "Ecco l’abbuono!", "«Buono» di 30"])) == [
        "la casella Fortuna",
        "Ecco l’abbuono!",
    ]
    assert slips("fr", load_edition("mb-yahtzee"), iter(["le bonus", "Encore « Yahtzee »"])) == ["le bonus"]
