"""Your games: people, past games, statistics and what home remembers, on a phone and with the keys."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.browser.test_accessibility import SMALL, run_axe
from tests.support.browser import OpenScreen, Screen, Server

TWO_DICE = Path(__file__).parents[2] / "examples" / "house-rules" / "two-dice.toml"
PHONE_WIDTH = 390
CHARTS = """async () => {
  const { fitTrend, groupTotals, listTicks, pickEvenly } = await import("/static/chart-scale.js");
  const { writeCsv } = await import("/static/chart.js");
  return {
    ticks: [listTicks(0, 7), listTicks(96, 243), listTicks(0, 2, 4, 1), listTicks(5, 5),
      listTicks(98.277, 98.277 + 2e-14)],
    trend: [fitTrend([1, 3, 5]), fitTrend([4, 4]), fitTrend([2, 8, 2])],
    totals: groupTotals([96, 206, 240]).filter((bin) => bin.games),
    counted: groupTotals([7, 8, 8, 12]).map((bin) => bin.games).reduce((all, n) => all + n),
    picked: pickEvenly([..."abcdefgh"], 4).map(({ one }) => one).join(""),
    csv: writeCsv([["Box", "Mine"], ['Full "house", big', 2.5], ["None", null]]),
  };
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of this file alone, as what is remembered is counted here."""
    with Server(tmp_path_factory.mktemp("games")) as started:
        yield started


def finish_game(one: Screen, server: Server, *names: str) -> Screen:
    """Play a short game of two dice to its end."""
    one.open_home(server.url).upload_house_rules(TWO_DICE).start_shared_game(*names)
    one.play_to_end()
    one.confirm_end()
    return one


def visit(one: Screen, server: Server, page: str, *selectors: str) -> Screen:
    """Open a page, and wait until it shows something."""
    one.page.goto(f"{server.url}{page}")
    one.wait_for(*selectors)
    return one


def insist_on_care(one: Screen) -> None:
    """Insist that everybody can use a page on a phone, by day and by night."""
    assert one.page.evaluate("document.documentElement.scrollWidth") <= PHONE_WIDTH
    assert one.page.evaluate(SMALL) == []
    for light in ("light", "dark"):
        one.page.emulate_media(color_scheme=light)
        assert run_axe(one) == []


def learn(one: Screen, server: Server) -> None:
    """Go through a lesson to its end, as grown-ups and as children do."""
    visit(one, server, "/practice?edition=carlit-chicago&kind=lesson", ".lessons")
    one.press("[data-lesson=aim]")
    for step in ("1", "2"):
        expect(one.find(".practice-lead")).to_contain_text(f"{step} of 2")
        one.press("[data-choice='stand over']")
        one.wait_for("[data-verdict]")
        if step == "1":
            one.press("[data-act=next]")
    one.press("[data-act=all-lessons]")
    expect(one.find("[data-lesson=aim] [data-finished]")).to_be_visible()
    insist_on_care(one)
    one.press("[data-field=simple]")
    one.press("[data-lesson=beat_over]")
    expect(one.find(".lesson-stage.simple .choice-dice .die").first).to_be_visible()
    insist_on_care(one)
    one.press("[data-act=all-lessons]")
    one.press("[data-field=simple]")


def play_game_of_day(one: Screen, server: Server) -> None:
    """Play the game of the day by house rules, find it again on the way, and check its dice."""
    visit(one, server, "/practice?edition=two-dice&kind=game", ".practice-stage")
    one.press("[data-act=roll]")
    one.wait_for(".die:not(.blank)")
    first = one.find("[data-die='0']")
    shown = first.get_attribute("aria-label") or ""
    one.page.reload()
    expect(first).to_have_attribute("aria-label", shown)
    insist_on_care(one)
    one.press("[data-box=twins]")
    one.press("[data-act=undo]")
    expect(first).to_have_attribute("aria-label", shown)
    one.score("twins")
    for box in ("neighbours", "odd", "even", "chance"):
        one.roll()
        one.score(box)
    one.press("[data-act=check]")
    # The command names the file that is downloaded, not the long id of the game.
    expect(one.find("pre code")).to_contain_text("knobel verify two-dice-")
    visit(one, server, "/practice?edition=two-dice&kind=game", "[data-result]")


def read_how_a_theme_changes(one: Screen) -> None:
    """Let the server say what a theme cost in older and in newer games; it does so of five games or more."""

    def answer(route: Route) -> None:
        response = route.fetch()
        found = response.json()
        theme = {"theme": "stop", "name": "stop or roll on", "per_game": 2.5, "earlier": 3.25, "recent": 1.75}
        found["editions"][0]["themes"] = [theme, theme | {"theme": "keep", "earlier": None, "recent": None}]
        route.fulfill(response=response, json=found)

    one.page.route("**/api/statistics?*", answer)
    one.page.reload()
    expect(one.find("[data-theme=stop] small")).to_contain_text("from −3.3 to −1.8")
    expect(one.find("[data-theme=keep] small")).to_have_count(0)
    one.page.unroute("**/api/statistics?*")


def practise(one: Screen, server: Server) -> None:
    """See what themes cost, answer a puzzle, go on to the next one, to a lesson and to the game of the day."""
    read_how_a_theme_changes(one)
    one.press("[data-page-link=practice]")
    one.wait_for("[data-field=kind]")
    visit(one, server, "/practice?edition=carlit-chicago&kind=practice", ".practice-stage")
    insist_on_care(one)
    one.press("[data-die='0']")
    one.press("[data-act=roll]")
    one.wait_for("[data-grade]")
    expect(one.find(".practice-lead")).to_contain_text("Puzzle 1")
    insist_on_care(one)
    one.press("[data-act=next]")
    expect(one.find(".practice-lead")).to_contain_text("Puzzle 2")
    learn(one, server)
    play_game_of_day(one, server)


def test_a_visitor_who_is_nobody_known_gets_new_puzzles_and_answers_them_by_keys(
    screen: OpenScreen, server: Server
) -> None:
    one = visit(screen("phone"), server, "/practice?edition=carlit-chicago&kind=practice", ".practice-stage")
    expect(one.page.get_by_label("Theme")).to_be_visible()
    lines = one.find(".game-filter select").evaluate_all("all => [...new Set(all.map(one => one.offsetTop))]")
    assert len(lines) == 2, "three choices, two lines"
    for number in (1, 2, 3):
        expect(one.find(".practice-lead")).to_contain_text(f"Puzzle {number}")
        first, key = one.find("[data-die='0']"), one.page.keyboard
        if first.is_enabled():
            before = first.get_attribute("aria-pressed")
            key.press("1")
            expect(first).to_have_attribute("aria-pressed", "false" if before == "true" else "true")
            key.press("Space")
        else:
            key.press("+")
        one.wait_for("[data-grade]")
        one.press("[data-act=next]")


SHIFT_STREAK = """([days, length]) => {
  const prefs = JSON.parse(localStorage["knobel.prefs"]);
  const [[rules, kept]] = Object.entries(prefs.streaks);
  const day = new Date(Date.parse(kept.day) - days * 86400000).toISOString().slice(0, 10);
  prefs.streaks = { [rules]: { ...kept, day, length } };
  localStorage["knobel.prefs"] = JSON.stringify(prefs);
}"""
"""As if the position of the day had been answered last so many days ago, with so long a streak."""


def test_a_visitor_who_is_nobody_known_has_one_try_a_day_and_a_streak_that_forgives_a_missed_day(
    screen: OpenScreen, server: Server
) -> None:
    one = screen("phone")

    def open_position() -> None:
        visit(one, server, "/practice?edition=carlit-chicago&kind=position", ".practice-stage")

    def answer() -> None:
        open_position()
        expect(one.find(".practice-question")).to_be_visible()
        one.press(".stand-buttons button, .tray .main-button:enabled >> nth=0")

    answer()
    expect(one.find("[data-streak='1']")).to_be_visible()
    first = one.find("[data-played]").inner_text()
    open_position()
    expect(one.find("[data-played]")).to_have_text(first)
    expect(one.find("[data-streak='1']")).to_be_visible()
    for days, length in ((2, 5), (3, 1)):
        one.page.evaluate(SHIFT_STREAK, [days, 4])
        answer()
        expect(one.find(f"[data-streak='{length}']")).to_be_visible()


def test_a_game_is_remembered_found_counted_played_again_and_deleted_with_its_person(
    screen: OpenScreen, server: Server
) -> None:
    one = finish_game(screen("phone"), server, "Ada", "Ben")
    one.open_home(server.url)
    expect(one.find("[data-act=recent]")).to_contain_text("Two dice")
    insist_on_care(one)

    visit(one, server, "/games", ".past-game")
    one.press(".past-game summary")
    expect(one.find(".past-ranking li")).to_have_count(2)
    insist_on_care(one)
    with one.page.expect_download() as record:
        one.press(".past-game [data-act=record]")
    assert json.loads(Path(record.value.path()).read_bytes().splitlines()[0])["edition"]["id"] == "two-dice"
    one.select_option("[data-field=edition]", "Chicago (Carlit)")
    expect(one.find("[data-empty]")).to_be_visible()
    one.press("[data-act=clear]")
    one.wait_for(".past-game")

    one.press("[data-page-link=statistics]")
    expect(one.find("[data-figure=wins] .figure-value")).to_have_text(re.compile(r"of 1$"))
    expect(one.find("[data-chart=knobel-boxes] svg")).to_be_visible()
    expect(one.find("[data-figure=ahead]")).to_be_visible()
    one.press("[data-chart=knobel-boxes] summary")
    expect(one.find("[data-chart=knobel-boxes] tbody tr")).to_have_count(5)
    insist_on_care(one)
    for kind, begin in (("svg", b"<svg"), ("csv", b"Box,")):
        with one.page.expect_download() as saved:
            one.press(f"[data-chart=knobel-boxes] [data-act=save-{kind}]")
        assert Path(saved.value.path()).read_bytes().startswith(begin)

    practise(one, server)
    one.press("[data-page-link=people]")
    one.press("li.person:has-text('Ada') [data-act=person-more]")
    one.press(".menu [data-act=change]")
    one.find("[data-field=person-name]").fill("Ada Lovelace")
    one.press("[data-pick=colour-3]")
    one.press("[data-pick=emblem-4]")
    one.press("[data-act=save-person]")
    ada = one.find("li.person:has-text('Ada Lovelace')")
    expect(ada.locator(".emblem")).to_have_attribute("data-emblem", "4")
    insist_on_care(one)

    visit(one, server, "/", "[data-act=again]")
    one.press("[data-act=again]")
    one.wait_for("knobel-table .tray")
    expect(one.find("thead [data-seat='0'] .emblem, .seats [data-seat='0'] .emblem").first).to_have_attribute(
        "data-emblem", "4"
    )

    visit(one, server, "/people", "li.person")
    one.press("li.person:has-text('Ada') [data-act=person-more]")
    one.press(".menu [data-act=delete]")
    one.press("[data-act=delete-yes]")
    expect(one.find("dialog [role=alert]")).to_contain_text("Ada Lovelace")
    one.type_into("[data-field=delete-name]", "Ada Lovelace")
    one.press("[data-act=delete-yes]")
    expect(one.find("li.person")).to_have_count(1)
    visit(one, server, "/games", ".past-game")
    expect(one.find("knobel-games")).not_to_contain_text("Ada")


def test_a_person_comes_along_to_another_device_by_a_code(screen: OpenScreen, server: Server) -> None:
    first, second = screen("phone"), screen()
    visit(first, server, "/people", "[data-empty]")
    insist_on_care(first)
    first.press("[data-act=add-person]")
    first.press("[data-act=save-person]")
    expect(first.find("#wrong-person")).to_have_text("Enter a name first.")
    first.find("[data-field=person-name]").fill("Cleopatra of the seven islands")
    expect(first.find("[data-field=person-name]")).to_have_value("Cleopatra of the sev")
    expect(first.find("#wrong-person")).to_contain_text("20")
    first.find("[data-field=person-name]").fill("Cleo")
    insist_on_care(first)
    first.press("[data-act=save-person]")
    first.press("[data-act=person-more]")
    first.press(".menu [data-act=move]")
    first.wait_for("[data-person-code] ~ .qr")
    insist_on_care(first)
    code = first.find("[data-person-code]").inner_text()
    visit(second, server, f"/people#{code}", "[data-field=person-code]")
    second.press("[data-act=redeem]")
    expect(second.find("li.person")).to_contain_text("Cleo")
    second.press("[data-act=enter-code]")
    second.type_into("[data-field=person-code]", code)
    second.press("[data-act=redeem]")
    expect(second.find("dialog [role=alert]")).to_have_text(re.compile(r"code"))
    second.expected_problems = ("status of 400",)


def test_charts_are_drawn_to_round_numbers_and_their_figures_can_be_read_elsewhere(
    screen: OpenScreen, server: Server
) -> None:
    found = screen().open_home(server.url).page.evaluate(CHARTS)
    assert found["ticks"] == [[0, 2, 4, 6, 8], [50, 100, 150, 200, 250], [0, 1, 2], [5, 6], [80, 100]]
    assert found["trend"] == [[1, 5], [4, 4], [4, 4]]
    assert found["totals"] == [
        {"from": 80, "to": 99, "games": 1},
        {"from": 200, "to": 219, "games": 1},
        {"from": 240, "to": 259, "games": 1},
    ]
    assert found["counted"] == 4
    assert found["picked"] == "adg"
    assert found["csv"] == 'Box,Mine\r\n"Full ""house"", big",2.5\r\nNone,\r\n'
