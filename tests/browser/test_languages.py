"""Every language is spoken alike in the browser, in the terminal and on paper: its words, its plurals, its numbers."""

import json
from collections.abc import Iterator
from itertools import product
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Route, expect

from knobel.cli.sheet_display import describe_bonus_pace
from knobel.lang import COMPLETE, LANGUAGES, PluralText, Translator, list_catalog, load_catalog, read_plural_rule
from knobel.phrase import FormattedNumber
from knobel.rules import load_edition
from knobel.rules.leaflet import CHAPTERS
from knobel.web.descriptions import describe_marks
from tests.browser.test_accessibility import Tour, name_tour
from tests.screenshots import TOURS, PreparedServer, device, first_visit, workers_folder
from tests.support.browser import (
    LEFT_WHILE_CONNECTING,
    PREVIEW_CELL,
    ROLL_BUTTON,
    Screen,
    launch_browser,
    open_screen,
)
from tests.support.language_walk import find_problems

ELSEWHERE = ("fi",)
"""Languages whose every screen is walked over in another test."""
WALKED = [lang for lang in COMPLETE if lang not in ELSEWHERE]
WALKED_BY_CI = ("ru",)
"""With those walked elsewhere, a language in each script, both with long words; `make languages` walks all others."""
DICE = "paper.dice"
"""An entry with plural forms that every language has."""
FORMS = "{n:<0 #>|<1 #>|<2 #>}"
WORD_ON_IT = """one => {
  const { left, top } = one.getBoundingClientRect();
  const word = document.createElement("b");
  word.id = "above";
  word.textContent = "daneben";
  word.style.cssText = `position: absolute; z-index: 9; left: ${left + scrollX}px; top: ${top + scrollY}px`;
  document.body.append(word);
}"""
TO_COUNT = """async ([lang, most]) => {
  const { loadTranslations, t } = await import("/static/translations.js");
  await loadTranslations(lang);
  const said = (n) => [t("dice", { n }), t("forms", { n }), t("forms", { n: `−${n}` })];
  return Array.from({ length: most }, (_, n) => said(n)).flat().join("\\n");
}"""
TO_WRITE = """async (lang) => {
  const { formatDecimal, formatList, loadTranslations } = await import("/static/translations.js");
  await loadTranslations(lang);
  return [["A"], ["A", "B"], ["A", "B", "C"]].map(formatList).concat([12.5, 1234.5].map((n) => formatDecimal(n)));
}"""


def counting(lang: str) -> dict[str, Any]:
    """Write a page of words in which something is counted, as the server sends it."""
    forms = read_plural_rule(load_catalog("paper", lang)).categories
    return {
        "lang": lang,
        "spoken": lang,
        "forms": forms,
        "marks": describe_marks(lang),
        "words": {"web.dice": list_catalog("paper", lang)[DICE], "web.forms": FORMS},
        "untranslated": [],
    }


def iter_counted(lang: str, most: int) -> Iterator[str]:
    """Count as the catalogs do."""
    catalog = load_catalog("paper", lang)
    plural = read_plural_rule(catalog)
    for n in range(most):
        yield catalog.ngettext(DICE, DICE, n).format(n=n)
        yield from (FORMS.format_map({"n": PluralText(said, plural)}) for said in (str(n), f"−{n}"))


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PreparedServer]:
    """Prepare the tables of every language that is walked in this run, and start the server."""
    cases = [item.callspec.params for item in request.session.items if hasattr(item, "callspec")]
    walked = [lang for lang in WALKED if lang == "de" or lang in {params.get("lang") for params in cases}]
    shared = workers_folder(tmp_path_factory, "languages")
    with PreparedServer(tmp_path_factory.mktemp("languages"), walked, shared) as server:
        yield server


@pytest.fixture(scope="module")
def browser(server: PreparedServer) -> Iterator[Browser]:
    """A browser for this file; tables are prepared before it runs, as no other event loop can run beside it."""
    with launch_browser() as opened:
        yield opened


# Plurals.


def test_the_browser_counts_in_every_language_as_the_catalogs_do(browser: Browser, server: PreparedServer) -> None:
    one = device(browser, server, "desktop", "light").open_home(server.url)

    def answered(route: Route) -> None:
        (lang,) = parse_qs(urlsplit(route.request.url).query)["lang"]
        route.fulfill(body=json.dumps(counting(lang)), content_type="application/json")

    one.page.route("**/api/words?*", answered)
    for lang in LANGUAGES:
        assert one.page.evaluate(TO_COUNT, [lang, 1001]) == "\n".join(iter_counted(lang, 1001)), lang
    one.page.context.close()


def test_the_browser_writes_lists_and_numbers_in_every_language_as_the_catalogs_do(
    browser: Browser, server: PreparedServer
) -> None:
    one = device(browser, server, "desktop", "light").open_home(server.url)
    for lang in COMPLETE:
        words = Translator(lang)
        lists = [words.join_sentence("ABC"[:length]) for length in (1, 2, 3)]
        numbers = [words.format_number(FormattedNumber(value, 1)) for value in (12.5, 1234.5)]
        assert one.page.evaluate(TO_WRITE, lang) == lists + numbers, lang
    one.page.context.close()


# Every screen.


def walk(browser: Browser, server: PreparedServer, tour: Tour, lang: str) -> None:
    """Walk over the screens of a tour, and look at every width whether every word is right and has its place."""
    rooms = server.take_rooms(tour.__name__, lang)
    fresh: dict[str, Any] = {"guided": False, "name": "", "family": [], "known": []}
    known = {"rooms": [rooms["table-before"], rooms["theirs"], rooms["lobby-host"]]}
    one = device(browser, server, "phone", "light", lang=lang, **(fresh if tour is first_visit else known))
    one.expected_problems = LEFT_WHILE_CONNECTING
    found = {name: find_problems(one, lang) for name in tour(one, server.url, rooms)}
    assert one.page.evaluate("document.documentElement.lang") == lang
    one.page.context.close()
    one.check_problems()
    assert {name: what for name, what in found.items() if what} == {}


def some_tours() -> Iterator[Any]:
    """Walk every tour in every language; the first steps in one of them say early that something is wrong."""
    for lang, tour in product(WALKED, TOURS):
        marks = [pytest.mark.languages, pytest.mark.rest if lang in WALKED_BY_CI else pytest.mark.torture]
        is_first = (lang, tour) == ("de", first_visit)
        yield pytest.param(tour, lang, marks=marks[:1] if is_first else marks, id=f"{lang}-{name_tour(tour)}")


@pytest.mark.parametrize(("tour", "lang"), some_tours())
def test_on_a_walk_nothing_is_left_in_english_and_nothing_is_cut(
    browser: Browser, server: PreparedServer, tour: Tour, lang: str
) -> None:
    walk(browser, server, tour, lang)


def test_english_that_was_left_or_cut_would_be_found(browser: Browser, server: PreparedServer) -> None:
    one = device(browser, server, "phone", "light", lang="de").open_home(server.url)
    assert find_problems(one, "de") == []
    one.find(".edition-heading").evaluate("one => { one.textContent = 'Which game is on your table?' }")
    one.find(".edition-card").first.evaluate("one => one.setAttribute('aria-label', '[home.card]')")
    one.find(".language span").evaluate("one => { one.textContent = 'Sprache'.repeat(20) }")
    found = find_problems(one, "de")
    assert found[:2] == ["English: Which game is on your table?", "English: [home.card]"]
    assert {text.partition(" px, ")[0] for text in found[2:]} >= {"320", "390"}
    one.page.context.close()


def test_words_that_lie_on_each_other_would_be_found(browser: Browser, server: PreparedServer) -> None:
    one = device(browser, server, "phone", "light", lang="de").open_home(server.url)
    one.find(".edition-title").last.evaluate(WORD_ON_IT)
    assert next(text for text in find_problems(one, "de") if "overlap" in text).endswith("daneben")
    one.find("#above").evaluate("one => { one.style.background = 'white' }")
    assert not [text for text in find_problems(one, "de") if "overlap" in text]
    assert one.page.viewport_size == {"width": 390, "height": 844}
    one.page.context.close()


# Two at one table, and another language in the middle of a game.


def at_table(browser: Browser, server: PreparedServer, lang: str, room: str) -> Screen:
    """Come to a table in a language."""
    one = device(browser, server, "phone", "light", lang=lang)
    one.page.goto(f"{server.url}/room/{server.rooms['de'][room]}")
    one.wait_for(".board .name")
    return one


def box_names(one: Screen) -> list[str]:
    """Read the names of the rows."""
    return [name.strip() for name in one.find(".board tbody .line .name").all_inner_texts()]


def test_each_device_at_a_table_is_spoken_to_in_its_own_language(browser: Browser, server: PreparedServer) -> None:
    edition, boxes = load_edition("noris-yatzy"), [box.id for box in load_edition("noris-yatzy").rules().boxes]
    ones = {lang: at_table(browser, server, lang, "locked") for lang in ("de", "fi")}
    for lang, one in ones.items():
        words = Translator(lang, edition)
        assert sorted(box_names(one)) == sorted(words.name_box(box) for box in boxes)
        one.press_at(".cell.refused")
        one.wait_for("dialog p")
        said = one.find("dialog p").first.inner_text().casefold()
        for part in words("rules.refusal.must_fit", box="\n").casefold().split("\n"):
            assert part.strip() in said
        one.press("dialog [data-act=no]")
        one.press(".bar [data-act=more]")
        one.press(".menu [data-act=rules]")
        one.wait_for(".chapters details")
        chapter = words(f"rules.chapter.{next(iter(CHAPTERS))}")
        assert one.find(".chapters summary").first.inner_text().strip() == chapter
        one.press("dialog [data-act=close]")
    assert ones["de"].find("html").get_attribute("lang") == "de"
    for one in ones.values():
        one.page.context.close()


def test_the_way_to_the_bonus_is_said_in_words_wherever_it_is_a_number(
    browser: Browser, server: PreparedServer
) -> None:
    one = at_table(browser, server, "fr", "table-rolled")
    words = Translator("fr", load_edition("tactic-xl-yatzy"))
    chip, cell = one.find(".seats button").first, one.find(".board tr.bonus td").first
    shown = chip.locator("small").inner_text()
    ahead = int(shown.removeprefix(words.name_printed("bonus")).strip(" ±").replace("−", "-"))
    said = words.translate(describe_bonus_pace(ahead))
    assert said in str(chip.get_attribute("aria-label"))
    assert cell.inner_text().endswith("/63")
    assert cell.get_attribute("aria-label") == said
    one.page.context.close()


def test_the_wish_of_the_browser_reaches_the_table(browser: Browser, server: PreparedServer) -> None:
    one = open_screen(browser, "phone", locale="sv-SE")
    one.page.goto(f"{server.url}/room/{server.rooms['de']['table-rolled']}")
    one.wait_for(".board .name")
    assert box_names(one)[0] == Translator("sv", load_edition("tactic-xl-yatzy")).name_box("ones")
    one.page.context.close()


@pytest.mark.rest
def test_another_language_in_the_middle_of_a_turn_leaves_the_table_as_it_lies(
    browser: Browser, server: PreparedServer
) -> None:
    one = at_table(browser, server, "de", "table-rolled")
    one.wait_for(PREVIEW_CELL)
    shown = one.read_previews()
    watching = at_table(browser, server, "fr", "table-rolled")
    one.open_settings()
    assert {option.strip() for option in one.find("dialog [data-field=lang] option").all_inner_texts()} >= {
        "Deutsch", "English", "Français", "Suomi", "Svenska", "Dansk", "Italiano", "Українська",
    }  # fmt: skip
    one.find("dialog [data-field=lang]").select_option("uk")
    expect(one.find("html")).to_have_attribute("lang", "uk")
    words = Translator("uk", load_edition("tactic-xl-yatzy"))
    expect(one.find(".board tbody .line .name").first).to_have_text(words.name_box("ones"))
    one.wait_for(PREVIEW_CELL)
    assert one.read_previews() == shown
    assert find_problems(one, "uk") == []
    one.score("chance")
    one.wait_for(".tray.theirs, " + ROLL_BUTTON)
    expect(watching.find("html")).to_have_attribute("lang", "fr")
    assert box_names(watching)[0] == Translator("fr", load_edition("tactic-xl-yatzy")).name_box("ones")
    one.page.goto(server.url)
    one.wait_for(".bar [data-field=lang]")
    one.find(".bar [data-field=lang]").select_option("da")
    expect(one.find(".edition-heading")).to_have_text(list_catalog("web", "da")["web.home.which"])  # type: ignore[arg-type]
    for each in (one, watching):
        each.page.context.close()
