"""The win bar at the table: off until it is switched on, with the numbers of the server, never for children."""

import re

import pytest
from playwright.sync_api import expect

from tests.screenshots import EIGHT
from tests.support.browser import ROLL_BUTTON, OpenScreen, Screen, Server
from tests.support.house_rules import EXAMPLES

MENU, SWITCH = ".bar [data-act=more]", "[data-act=win-bar]"
BAR = ".win-bar"
PARTS = "parts => parts.map(part => Number(part.style.getPropertyValue('--chance')))"
HIDDEN = "tray => tray.scrollHeight - tray.clientHeight"
LET_CHILDREN_PLAY = """async () => (await import("/static/prefs.js")).prefs.set("view", "children")"""


def switch(one: Screen) -> None:
    one.press(MENU)
    one.press(SWITCH)


def test_the_win_bar_follows_the_game_and_the_big_screen_has_its_own(screen: OpenScreen, server: Server) -> None:
    one = screen("phone").open_home(server.url).upload_house_rules(EXAMPLES / "two-dice.toml")
    one.start_shared_game("Ada", "Ben").skip_guide()
    one.wait_for(ROLL_BUTTON)
    assert not one.is_visible(BAR)
    switch(one)
    expect(one.find(".win-title")).to_have_text("Chance to win")
    expect(one.find(".win-list li[data-seat='0']")).to_have_text(re.compile(r"^Ada \d+%$"))
    parts = one.find(".win-track i").evaluate_all(PARTS)
    assert abs(sum(parts) - 1) < 0.001
    assert len(parts) == 3  # two players, and a tie
    height = one.find(BAR).bounding_box()
    told = one.find(".win-list").inner_text()
    while one.find(".win-list").inner_text() == told:
        one.play_until_own_turn().play_turn()
    after = one.find(BAR).bounding_box()
    assert height is not None
    assert after is not None
    assert after["height"] == height["height"]

    big = screen()
    big.page.goto(f"{one.page.url}/screen")
    big.wait_for(".tray")
    assert not big.is_visible(BAR)
    switch(big)
    expect(big.find(".win-list li[data-seat='1']")).to_contain_text("Ben")

    one.page.evaluate(LET_CHILDREN_PLAY)
    expect(one.find(BAR)).to_be_hidden()
    one.press(MENU)
    expect(one.find(SWITCH)).to_have_count(0)


@pytest.mark.parametrize("names", [("Ada", "Ben"), EIGHT], ids=len)
def test_a_big_screen_shows_the_whole_win_bar_without_scrolling(
    screen: OpenScreen, server: Server, names: tuple[str, ...]
) -> None:
    one = screen().open_home(server.url).choose_edition("mb-yahtzee").start_shared_game(*names)
    one.play_until_own_turn().play_turn()
    address = one.page.url
    for width, height in ((1920, 1080), (1280, 720), (768, 1024)):
        big = screen(viewport={"width": width, "height": height})
        big.page.goto(f"{address}/screen")
        big.wait_for(".tray")
        switch(big)
        expect(big.find(".win-list li[data-seat]")).to_have_count(len(names))
        assert big.find(".tray:not(.end)").evaluate(HIDDEN) <= 0, (width, height)
        expect(big.find(".win-list li").last).to_be_in_viewport(ratio=1)
