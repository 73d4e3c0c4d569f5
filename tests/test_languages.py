"""Every language is spoken alike in the browser, in the terminal and on paper: its words, its plurals, its numbers."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Route, expect

from knobel.lang import LANGUAGES, PluralText, Translator, list_catalog, load_catalog, read_plural_rule
from knobel.phrase import phrase
from knobel.rules import load_edition
from knobel.rules.leaflet import CHAPTERS
from tests.browser import PREVIEW, THROW, Screen, Server, launched, screen_of
from tests.screenshots import TOURS, device, first_visit, laid, workers_folder
from tests.test_access import Tour, called
from tests.test_lang import COMPLETE
from tests.walking import wrong

SPOKEN = COMPLETE
ELSEWHERE = ("fi", "uk")
"""Languages whose every screen is walked over in another test."""
WALKED = [lang for lang in SPOKEN if lang not in ELSEWHERE]
DICE = "paper.dice"
"""An entry with plural forms that every language has."""
FORMS = "{n:<0 #>|<1 #>|<2 #>}"
TO_COUNT = """async ([lang, most]) => {
  const { loadTranslations, t } = await import("/static/translations.js");
  await loadTranslations(lang);
  const said = (n) => [t("dice", { n }), t("forms", { n }), t("forms", { n: `−${n}` })];
  return Array.from({ length: most }, (_, n) => said(n)).flat().join("\\n");
}"""


def counting(lang: str) -> dict[str, Any]:
    """Write a page of words in which something is counted, as the house sends it."""
    forms = read_plural_rule(load_catalog("paper", lang)).categories
    return {
        "lang": lang,
        "spoken": lang,
        "forms": forms,
        "words": {"web.dice": list_catalog("paper", lang)[DICE], "web.forms": FORMS},
    }


def counted(lang: str, most: int) -> Iterator[str]:
    """Count as the catalogs do."""
    catalog = load_catalog("paper", lang)
    plural = read_plural_rule(catalog)
    for n in range(most):
        yield catalog.ngettext(DICE, DICE, n).format(n=n)
        yield from (FORMS.format_map({"n": PluralText(said, plural)}) for said in (str(n), f"−{n}"))


class House(Server):
    """A house in which every table there is has been laid, once for each language."""

    rooms: dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Lay all tables, and open the house."""
    server = House(tmp_path_factory.mktemp("languages"))
    rooms = laid(server.database, len(WALKED), workers_folder(tmp_path_factory, "languages"))
    server.rooms = dict(zip(WALKED, rooms, strict=True))
    with server:
        yield server


@pytest.fixture(scope="module")
def browser(house: House) -> Iterator[Browser]:
    """A browser for this file; tables are laid before it runs, as no other event loop can run beside it."""
    with launched() as opened:
        yield opened


# Plurals.


def test_the_browser_counts_in_every_language_as_the_catalogs_do(browser: Browser, house: House) -> None:
    one = device(browser, house, "desktop", "light").home(house.url)

    def answered(route: Route) -> None:
        (lang,) = parse_qs(urlsplit(route.request.url).query)["lang"]
        route.fulfill(body=json.dumps(counting(lang)), content_type="application/json")

    one.page.route("**/api/words?*", answered)
    for lang in LANGUAGES:
        assert one.page.evaluate(TO_COUNT, [lang, 1001]) == "\n".join(counted(lang, 1001)), lang
    one.page.context.close()


# Every screen.


def walk(browser: Browser, house: House, tour: Tour, lang: str) -> None:
    """Walk over the screens of a tour on a phone, and look whether every word is right and has its place."""
    rooms = house.rooms[lang]
    fresh: dict[str, Any] = {"guided": False, "name": "", "family": [], "known": []}
    known = {"rooms": [rooms["table-before"], rooms["theirs"], rooms["lobby-host"]]}
    one = device(browser, house, "phone", "light", lang=lang, **(fresh if tour is first_visit else known))
    found = {name: wrong(one, lang) for name in tour(one, house.url, rooms)}
    assert one.page.evaluate("document.documentElement.lang") == lang
    one.page.context.close()
    one.check()
    assert {name: what for name, what in found.items() if what} == {}


def some_tours() -> Iterator[Any]:
    """Give every language a third of the tours, and every tour to some languages; `torture` walks all of them."""
    for place, lang in enumerate(WALKED):
        for number, tour in enumerate(TOURS):
            marks = [] if number % 3 == place % 3 else [pytest.mark.torture]
            yield pytest.param(tour, lang, marks=marks, id=f"{lang}-{called(tour)}")


@pytest.mark.parametrize(("tour", "lang"), some_tours())
def test_on_a_walk_nothing_is_left_in_english_and_nothing_is_cut(
    browser: Browser, house: House, tour: Tour, lang: str
) -> None:
    walk(browser, house, tour, lang)


def test_english_that_was_left_or_cut_would_be_found(browser: Browser, house: House) -> None:
    one = device(browser, house, "phone", "light", lang="de").home(house.url)
    assert wrong(one, "de") == []
    one.find(".which").evaluate("one => { one.textContent = 'Which box is on your table?' }")
    one.find(".lid").first.evaluate("one => one.setAttribute('aria-label', '[home.lid]')")
    one.find(".tongue span").evaluate("one => { one.textContent = 'Sprache'.repeat(20) }")
    found = wrong(one, "de")
    assert found[:2] == ["English: Which box is on your table?", "English: [home.lid]"]
    assert len(found) > 2
    one.page.context.close()


# Two at one table, and another language in the middle of a game.


def at_table(browser: Browser, house: House, lang: str, room: str) -> Screen:
    """Come to a table in a language."""
    one = device(browser, house, "phone", "light", lang=lang)
    one.page.goto(f"{house.url}/room/{house.rooms['de'][room]}")
    one.await_(".block .name")
    return one


def box_names(one: Screen) -> list[str]:
    """Read the names of the rows."""
    return [name.strip() for name in one.find(".block tbody .line .name").all_inner_texts()]


def test_each_device_at_a_table_is_spoken_to_in_its_own_language(browser: Browser, house: House) -> None:
    edition, boxes = load_edition("noris-yatzy"), [box.id for box in load_edition("noris-yatzy").rules().boxes]
    ones = {lang: at_table(browser, house, lang, "locked") for lang in ("de", "fi")}
    for lang, one in ones.items():
        words = Translator(lang, edition)
        assert sorted(box_names(one)) == sorted(words.name_box(box) for box in boxes)
        one.poke(".cell.refused")
        one.await_("dialog p")
        refusal = words.translate(phrase("rules.refusal.must_fit"))
        assert refusal.casefold() in one.find("dialog p").first.inner_text().casefold()
        one.press("dialog [data-act=no]")
        one.press(".bar [data-act=more]")
        one.press(".menu [data-act=rules]")
        one.await_(".chapters details")
        chapter = words(f"rules.chapter.{next(iter(CHAPTERS))}")
        assert one.find(".chapters summary").first.inner_text().strip() == chapter
        one.press("dialog [data-act=close]")
    assert ones["de"].find("html").get_attribute("lang") == "de"
    for one in ones.values():
        one.page.context.close()


def test_the_wish_of_the_browser_reaches_the_table(browser: Browser, house: House) -> None:
    one = screen_of(browser, "phone", locale="sv-SE")
    one.page.goto(f"{house.url}/room/{house.rooms['de']['table-thrown']}")
    one.await_(".block .name")
    assert box_names(one)[0] == Translator("sv", load_edition("tactic-xl-yatzy")).name_box("ones")
    one.page.context.close()


def test_another_language_in_the_middle_of_a_turn_leaves_the_table_as_it_lies(browser: Browser, house: House) -> None:
    one = at_table(browser, house, "de", "table-thrown")
    one.await_(PREVIEW)
    shown = one.previews()
    watching = at_table(browser, house, "fr", "table-thrown")
    one.settings()
    assert {option.strip() for option in one.find("dialog [data-field=lang] option").all_inner_texts()} >= {
        "Deutsch", "English", "Français", "Suomi", "Svenska", "Dansk", "Italiano", "Українська",
    }  # fmt: skip
    one.find("dialog [data-field=lang]").select_option("uk")
    expect(one.find("html")).to_have_attribute("lang", "uk")
    one.await_(PREVIEW)
    words = Translator("uk", load_edition("tactic-xl-yatzy"))
    assert box_names(one)[0] == words.name_box("ones")
    assert one.previews() == shown
    assert wrong(one, "uk") == []
    one.choose("chance")
    one.await_(".tray.theirs, " + THROW)
    expect(watching.find("html")).to_have_attribute("lang", "fr")
    assert box_names(watching)[0] == Translator("fr", load_edition("tactic-xl-yatzy")).name_box("ones")
    one.page.goto(house.url)
    one.await_(".home-foot [data-field=lang]")
    one.find(".home-foot [data-field=lang]").select_option("da")
    expect(one.find(".which")).to_have_text(list_catalog("web", "da")["web.home.which"])  # type: ignore[arg-type]
    for each in (one, watching):
        each.page.context.close()
